// LLVM's options are global variables, so they are set in the process that compiles one source.
// Each is parsed by itself, so that one that is not known does not take the others along.
#include "driver/llvm_options.h"
#include "base/command_line_diag.h"
#include "lower/lowering.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cufc {

void setLlvmOptions(const std::vector<std::string> &options, Diagnostics &diagnostics) {
  if (options.empty())
    return;
  registerMlirOptions();
  for (const std::string &option : options) {
    const char *words[] = {"cufc", option.c_str()};
    std::string why;
    llvm::raw_string_ostream stream(why);
    if (!llvm::cl::ParseCommandLineOptions(2, words, "", &stream))
      diagnostics.report(CommandLineDiag::OptionNoted, {}, option,
                         std::string("LLVM " CUFC_LLVM " does not take it"));
  }
}

} // namespace cufc
