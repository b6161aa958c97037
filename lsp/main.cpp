// One program with two names: `cufc` compiles, `cufls` is the language server and its commands.
// They share flang and LLVM, which are nine tenths of the file, so the second name is a link to the
// first. With CUFC_ALONE it is the compiler alone.
#include "base/diag.h"
#include "base/diagnostics.h"
#include "codegen/targets.h"
#include "descriptors.h"
#include "driver/caches.h"
#include "driver/driver.h"
#include "out_of_memory.h"
#include <fmt/format.h>
#include <string>
#include <string_view>
#include <vector>
#ifndef CUFC_ALONE
#include "commands/commands.h"
#endif

namespace {

bool isServer([[maybe_unused]] std::string_view name) {
#ifdef CUFC_ALONE
  return false;
#else
  name.remove_prefix(name.rfind('/') + 1); // npos + 1 is 0
  return name.substr(0, 5) == "cufls";
#endif
}

int run([[maybe_unused]] bool server, const std::vector<std::string> &arguments) {
#ifndef CUFC_ALONE
  if (server)
    return cufc::runCommand(arguments);
#endif
  return cufc::runDriver(arguments);
}

// What a command that could not run returns.
int refuse(bool server) {
  cufc::Diagnostics diagnostics;
  diagnostics.report(
      cufc::Diag::CannotRun, {}, std::string(server ? "cufls" : "cufc"),
      fmt::format("too many open files: it needs {} more at once, and `ulimit -n` allows fewer",
                  cufc::neededDescriptors));
  diagnostics.flush();
  return server ? 2 : 1;
}

} // namespace

int main(int argc, char **argv) {
  const bool server = isServer(argc > 0 ? argv[0] : "");
  cufc::sayWhenOutOfMemory();
  if (!cufc::hasDescriptors())
    return refuse(server);
  cufc::initialiseTargets();
  cufc::keepTranslatedModules();
  std::vector<std::string> arguments(argv + (argc > 0), argv + argc);
  return run(server, arguments);
}
