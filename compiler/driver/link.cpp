// The system's C compiler drives the linker, since it knows where the C library is. With a toolkit
// the program gets libcudart statically, so it starts on machines without one.
#include "driver/link.h"
#include "base/diag.h"
#include "base/process.h"
#include "driver/linker_messages.h"
#include <cstdio>
#include <unistd.h>

namespace cufc {
namespace {

std::vector<std::string> linkCommand(const std::vector<std::string> &objects,
                                     const std::string &output, const Options &options,
                                     const Installation &installation,
                                     const std::optional<Toolkit> &toolkit) {
  std::vector<std::string> command = {"cc", "-o", output};
  // The linker is a good part of a small program's build time: lld and gold take half of GNU ld's.
  if (!findProgram("ld.lld").empty())
    command.push_back("-fuse-ld=lld");
  else if (!findProgram("ld.gold").empty())
    command.push_back("-fuse-ld=gold");
  if (options.shared)
    command.push_back("-shared");
  command.insert(command.end(), objects.begin(), objects.end());
  command.insert(command.end(), options.linkArguments.begin(), options.linkArguments.end());
  command.push_back("-L" + installation.libraries); // -lnvToolsExt
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
    command.push_back("-Wl,--wrap=__cudaRegisterVar"); // runtime/cuda/foreign_variables.cpp
  }
  command.push_back("-Wl,--start-group"); // the runtime and its GPU back end call each other
  library("libcufrt_modules.a");
  library("libcufrt.a");
  if (gpu) {
    library("libcufrt_cuda.a");
    command.push_back(toolkit->libraryFolder() + "/libcudart_static.a");
  }
  library("libflang_rt.runtime.a");
  command.push_back("-Wl,--end-group");
  command.insert(command.end(), {"-l:libstdc++.a", "-lm", "-lpthread", "-ldl", "-lrt"});
  return command;
}

} // namespace

bool link(const Plan &plan, const Options &options, const Installation &installation,
          const std::optional<Toolkit> &toolkit, Diagnostics &diagnostics) {
  std::vector<std::string> command =
      linkCommand(plan.linked, plan.executable, options, installation, toolkit);
  if (options.verbose)
    std::fprintf(stderr, "%s\n", quoteCommand(command).c_str());
  if (findProgram(command[0]).empty()) {
    diagnostics.report(Diag::ToolMissing, {}, command[0]);
    return false;
  }
  ProcessResult result = runProcess(command);
  if (result.status == 0)
    return true;
  reportLinkerOutput(result.output, plan.executable, plan.sources, diagnostics);
  return false;
}

} // namespace cufc
