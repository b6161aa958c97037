// What a dry run of make prints: the commands that it would run, and the makefiles that it has
// read.
#ifndef CUFC_PROJECT_MAKE_OUTPUT_H
#define CUFC_PROJECT_MAKE_OUTPUT_H

#include <string>
#include <string_view>
#include <vector>

namespace cufc {

struct BuildCommand {
  std::string directory;
  std::vector<std::string> words;
};

struct MakeOutput {
  std::vector<BuildCommand> commands; // any that name a Fortran source
  std::vector<BuildCommand> makes;    // calls of make by name, which a dry run does not follow
  std::vector<std::string> makefiles; // absolute paths
  std::string complaint;              // the first line with "***", or empty
};

// `text` is the output of make -n -w -p, in English; `directory` where make was started.
MakeOutput readMakeOutput(std::string_view text, const std::string &directory);

} // namespace cufc
#endif // CUFC_PROJECT_MAKE_OUTPUT_H
