// One program with two names: `cufc` compiles, `cufls` is the language server and its commands.
// They share flang and LLVM, which are nine tenths of the file, so the second name is a link to the
// first.
#include "codegen/targets.h"
#include "commands/commands.h"
#include "driver/caches.h"
#include "driver/driver.h"
#include "out_of_memory.h"
#include <string_view>

int main(int argc, char **argv) {
  std::string_view name = argc > 0 ? argv[0] : "";
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  cufc::sayWhenOutOfMemory();
  cufc::initialiseTargets();
  cufc::keepTranslatedModules();
  std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  return name.substr(0, 5) == "cufls" ? cufc::runCommand(arguments) : cufc::runDriver(arguments);
}
