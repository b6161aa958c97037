// One program with two names: `cufc` compiles, `cufls` is the language server and its commands.
// They share flang and LLVM, which are nine tenths of the file, so the second name is a link to the
// first.
#include "base/diag.h"
#include "base/diagnostics.h"
#include "codegen/targets.h"
#include "commands/commands.h"
#include "descriptors.h"
#include "driver/caches.h"
#include "driver/driver.h"
#include "out_of_memory.h"
#include <fmt/format.h>
#include <string_view>

namespace {

// What a command that could not run returns.
int refuse(bool isServer) {
  cufc::Diagnostics diagnostics;
  diagnostics.report(
      cufc::Diag::CannotRun, {}, std::string(isServer ? "cufls" : "cufc"),
      fmt::format("too many open files: it needs {} more at once, and `ulimit -n` allows fewer",
                  cufc::neededDescriptors));
  diagnostics.flush();
  return isServer ? 2 : 1;
}

} // namespace

int main(int argc, char **argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  const bool isServer = name.substr(0, 5) == "cufls";
  cufc::sayWhenOutOfMemory();
  if (!cufc::hasDescriptors())
    return refuse(isServer);
  cufc::initialiseTargets();
  cufc::keepTranslatedModules();
  std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  return isServer ? cufc::runCommand(arguments) : cufc::runDriver(arguments);
}
