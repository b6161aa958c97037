// The options that all compilers share are passed on.
#include "driver/foreign_sources.h"
#include "base/diag.h"
#include "base/process.h"
#include "base/terminal_text.h"
#include "driver/dependency_rule.h"
#include "driver/link.h"
#include "driver/parallel_items.h"
#include <cstdio>
#include <unistd.h>

namespace cufc {
namespace {

// Another language's compiler, with the options that all share.
int runCompiler(std::vector<std::string> command, const std::string &name, const CompileJob &job,
                const CompileContext &context) {
  for (const std::string &include : context.options.includes)
    command.push_back("-I" + include);
  for (const auto &[macro, define] : context.options.macros)
    if (!isParallelMacro(macro))
      command.push_back((define ? "-D" : "-U") + macro);
  if (context.options.dependencies)
    command.insert(command.end(), {"-MD", "-MF", dependencyFile(job, context.options)});
  command.insert(command.end(), {job.source, "-o", job.output});
  ProcessResult result = runProcess(command);
  std::string said = terminalText(result.output);
  std::fwrite(said.data(), 1, said.size(), stderr);
  if (result.status == 0 && access(job.output.c_str(), R_OK) == 0)
    return 0;
  Diagnostics diagnostics(context.options.diagnosticFormat);
  diagnostics.report(Diag::ToolFailed, {}, name, "'" + job.source + "'");
  diagnostics.flush();
  return 1;
}

} // namespace

int compileCudaC(const CompileJob &job, const CompileContext &context) {
  Diagnostics diagnostics(context.options.diagnosticFormat);
  if (!context.toolkit) {
    diagnostics.report(Diag::NoToolkit, {}, "'" + job.source + "'");
    diagnostics.flush();
    return 1;
  }
  std::vector<std::string> command = {context.toolkit->program("nvcc"), "-c",
                                      "-O" + std::to_string(context.options.optimisation)};
  if (context.options.relocatable.value_or(false))
    command.push_back("-rdc=true");
  if (context.options.fastMath)
    command.push_back("-use_fast_math");
  if (!context.options.fuse)
    command.push_back("-fmad=false");
  if (context.options.flushDenormals)
    command.push_back("-ftz=true");
  if (context.options.shared)
    command.insert(command.end(), {"-Xcompiler", "-fPIC"});
  if (openmpOf(context.options))
    command.insert(command.end(), {"-Xcompiler", "-fopenmp"});
  if (const HostMachine *machine = context.options.host.machine; machine != &thisMachine)
    command.insert(command.end(), {"-ccbin", std::string(machine->libraries) + "-g++",
                                   "-target-dir", machine->toolkit});
  for (const Gpu &gpu :
       context.options.gpus.empty() ? context.toolkit->defaultGpus() : context.options.gpus)
    command.push_back("-gencode=arch=compute_" + std::to_string(gpu.number) + ",code=sm_" +
                      std::to_string(gpu.number));
  return runCompiler(std::move(command), "nvcc", job, context);
}

int compileC(const CompileJob &job, const CompileContext &context) {
  std::vector<std::string> command = {cCompiler(*context.options.host.machine), "-c",
                                      "-O" + std::to_string(context.options.optimisation)};
  if (context.options.debug)
    command.push_back("-g");
  if (context.options.host.profile)
    command.push_back("-pg");
  if (context.options.host.findRaces)
    command.push_back("-fsanitize=thread");
  if (const std::string &model = context.options.host.codeModel;
      !model.empty() && context.options.host.machine->isX86())
    command.push_back("-mcmodel=" + model);
  if (openmpOf(context.options))
    command.push_back("-fopenmp");
  command.push_back("-fPIC");
  return runCompiler(std::move(command), "cc", job, context);
}

} // namespace cufc
