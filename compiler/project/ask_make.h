// Asks make what it would run. Private to compiler/project.
#ifndef CUFC_PROJECT_ASK_MAKE_H
#define CUFC_PROJECT_ASK_MAKE_H

#include "project/make_output.h"

namespace cufc {

// The makefile that make takes in a folder, or empty.
std::string makefileIn(const std::string &folder);
// The makefiles of a folder: its own, otherwise those of its subfolders, two deep.
std::vector<std::string> makefilesOf(const std::string &folder);

struct MakeAnswer {
  std::vector<BuildCommand> commands;
  std::vector<std::string> makefiles; // that were read
  std::string problem;                // why there are no commands, or the first error of make
};

// A dry run in a copy of the folder `root`, or of the repository that holds it, since make brings
// makefiles up to date even then; the copy has no objects, so make would compile everything.
MakeAnswer askMake(const std::string &root, const std::vector<std::string> &makefiles,
                   const std::vector<std::string> &arguments);

} // namespace cufc
#endif // CUFC_PROJECT_ASK_MAKE_H
