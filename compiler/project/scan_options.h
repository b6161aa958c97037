// How folders are looked through for sources.
#ifndef CUFC_PROJECT_SCAN_OPTIONS_H
#define CUFC_PROJECT_SCAN_OPTIONS_H

#include <string>

namespace cufc {

struct ScanOptions {
  std::string kept;       // the folder where scans are kept; nothing is kept if empty
  int milliseconds = 0;   // the time that it may take; 0: any
  bool asKept = false;    // what is kept stands, if there is something, and no file is looked at
  std::string flags = {}; // the folder where answers of builds are kept; empty: none are known
  bool none = false;      // folders without a project file are not looked through
};

} // namespace cufc
#endif // CUFC_PROJECT_SCAN_OPTIONS_H
