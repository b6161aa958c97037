// One program with two names: `cufc` compiles, `cufls` is the language server and its commands.
// They share flang and LLVM, which are nine tenths of the file, so the second name is a link to the
// first. With CUFC_ALONE it is the compiler alone.
#include "codegen/targets.h"
#include "driver/caches.h"
#include "driver/driver.h"
#include "out_of_memory.h"
#include <string>
#include <string_view>
#include <vector>
#ifndef CUFC_ALONE
#include "commands/commands.h"
#endif

namespace {

int run([[maybe_unused]] std::string_view name, const std::vector<std::string> &arguments) {
#ifndef CUFC_ALONE
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  if (name.substr(0, 5) == "cufls")
    return cufc::runCommand(arguments);
#endif
  return cufc::runDriver(arguments);
}

} // namespace

int main(int argc, char **argv) {
  cufc::sayWhenOutOfMemory();
  cufc::initialiseTargets();
  cufc::keepTranslatedModules();
  std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  return run(argc > 0 ? argv[0] : "", arguments);
}
