// Asks a build how it compiles its Fortran sources. This runs programs of the folder, so it happens
// only when the user has asked for it or agreed to it.
#ifndef CUFC_PROJECT_ASK_BUILD_H
#define CUFC_PROJECT_ASK_BUILD_H

#include "base/diagnostics.h"
#include <string>
#include <vector>

namespace cufc {

struct BuildQuestion {
  std::string from;   // make, cmake, fpm, compile_commands, or a file of one of them
  std::string folder; // an absolute path
  std::vector<std::string> arguments; // of make: targets and variables
  std::string cache;                  // where answers are kept (kept_flags.h)
};

// The builds that a folder has, by its files: of "compile_commands", "cmake", "fpm" and "make"; the
// first is the one to ask.
std::vector<std::string> buildsOf(const std::string &folder);

// Asks and keeps the answer; an answer whose files are as they were is not asked for again, unless
// `again`. False if there is none, which is reported.
bool askBuild(const BuildQuestion &question, bool again, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_ASK_BUILD_H
