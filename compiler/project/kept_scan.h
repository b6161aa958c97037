// What the Fortran files of a folder define and use, kept on disk from one run to the next.
//
// A file is read again when its size, time or inode is another; so a folder of 28,000 sources costs
// a look at each name. The kept scan only saves work: a damaged one is made anew.
#ifndef CUFC_PROJECT_KEPT_SCAN_H
#define CUFC_PROJECT_KEPT_SCAN_H

#include "project/module_graph.h"
#include "project/scan_options.h"

namespace cufc {

struct ScannedFile {
  std::string path;
  ModuleFacts facts;
};

struct ScannedFolder {
  std::vector<ScannedFile> files; // by path
  bool complete = true;           // false if time was up; then older knowledge stands for the rest
  bool changed = false;           // against what was kept
};

// The Fortran files in a folder, with `below` also those in its subfolders but for folders that
// hold no sources of a project.
ScannedFolder scanFiles(const std::string &folder, bool below, const ScanOptions &options);

} // namespace cufc
#endif // CUFC_PROJECT_KEPT_SCAN_H
