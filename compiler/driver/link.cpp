// The system's C compiler drives the linker, since it knows where the C library is. With a toolkit
// the program gets libcudart statically, so it starts on machines without one.
#include "driver/link.h"
#include "base/process.h"
#include <cstdio>
#include <set>
#include <unistd.h>

namespace cufc {
namespace {

std::vector<std::string> linkCommand(const std::vector<std::string> &objects,
                                     const std::string &output, const Options &options,
                                     const Installation &installation,
                                     const std::optional<Toolkit> &toolkit) {
  std::vector<std::string> command = {"cc", "-o", output};
  if (!findProgram("ld.lld").empty())
    command.push_back("-fuse-ld=lld");
  if (options.shared)
    command.push_back("-shared");
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), options.linkArguments.begin(), options.linkArguments.end());
  auto library = [&](const char *name) { command.push_back(installation.libraries + "/" + name); };
  bool gpu = toolkit && !options.hostOnly &&
             access((installation.libraries + "/libcufrt_cuda.a").c_str(), R_OK) == 0;
  if (gpu) {
    command.push_back("-L" + toolkit->libraryFolder());
    for (const std::string &name : options.cudaLibraries)
      command.push_back("-l" + name);
    if (!options.cudaLibraries.empty())
      command.push_back("-Wl,-rpath," + toolkit->libraryFolder());
    command.push_back("-Wl,-u,cufrt_cuda_device");
  }
  library("libcufrt_modules.a");
  library("libcufrt.a");
  if (gpu) {
    library("libcufrt_cuda.a");
    command.push_back(toolkit->libraryFolder() + "/libcudart_static.a");
  }
  library("libflang_rt.runtime.a");
  command.insert(command.end(), {"-l:libstdc++.a", "-lm", "-lpthread", "-ldl", "-lrt"});
  return command;
}

// "solver::step" for _QMsolverPstep, "step" for step_; good enough for a message.
std::string readable(std::string symbol) {
  if (symbol.starts_with("_QM")) {
    size_t split = symbol.find_last_of("PE");
    if (split != std::string::npos && split > 3)
      return symbol.substr(3, split - 3) + "::" + symbol.substr(split + 1);
  }
  if (symbol.size() > 1 && symbol.back() == '_')
    symbol.pop_back();
  return symbol;
}

// Undefined symbols by name in the linkers' words: GNU ld says "undefined reference to `x'", lld
// "undefined symbol: x".
std::set<std::string> undefinedSymbols(const std::string &output) {
  std::set<std::string> symbols;
  for (std::string_view words : {"undefined reference to `", "undefined symbol: "})
    for (size_t at = 0; (at = output.find(words, at)) != std::string::npos;) {
      at += words.size();
      symbols.insert(readable(output.substr(at, output.find_first_of("'\n", at) - at)));
    }
  return symbols;
}

} // namespace

bool link(const std::vector<std::string> &objects, const std::string &output,
          const Options &options, const Installation &installation,
          const std::optional<Toolkit> &toolkit, Diagnostics &diagnostics) {
  std::vector<std::string> command = linkCommand(objects, output, options, installation, toolkit);
  if (options.verbose)
    std::fprintf(stderr, "%s\n", quoteCommand(command).c_str());
  if (findProgram(command[0]).empty()) {
    diagnostics.report(Diag::ToolMissing, {}, command[0]);
    return false;
  }
  ProcessResult result = runProcess(command);
  if (result.status == 0)
    return true;
  std::set<std::string> symbols = undefinedSymbols(result.output);
  for (const std::string &symbol : symbols)
    diagnostics.report(
        Diag::UndefinedSymbol, {}, symbol,
        std::string(symbol == "main" || symbol == "_QQmain" ? "; is there a main program?" : ""));
  if (symbols.empty())
    diagnostics.report(Diag::LinkFailed, {}, result.output.substr(0, 1500));
  return false;
}

} // namespace cufc
