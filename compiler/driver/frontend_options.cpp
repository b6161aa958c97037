// Options of the command line, field by field.
#include "driver/frontend_options.h"
#include "source/language_options.h"
#include <algorithm>
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

namespace cufc {
namespace {

// Of one kernel, as the documents of the toolkit's releases say: PTX 8.1 came with 12.1.
size_t kernelArgumentBytes(const std::optional<Toolkit> &toolkit) {
  return !toolkit || toolkit->version >= 12010 ? 32764 : 4096;
}

// Of one block: the most that any of the GPUs has, since a program may choose kernels by the GPU.
size_t sharedBytes(const std::vector<Gpu> &gpus) {
  int kilobytes = 0;
  for (const Gpu &gpu : gpus.empty() ? allGpus() : gpus)
    kilobytes = std::max(kilobytes, gpu.sharedKilobytes);
  return static_cast<size_t>(kilobytes) * 1024;
}

// Beside those that the front end defines. The parser is flang's, and so are its macros: programs
// and build tools then know what it accepts.
std::vector<std::pair<std::string, bool>> predefined(const HostMachine &machine) {
  return {{"__flang__=1", true},
          {fmt::format("__flang_major__={}", LLVM_VERSION_MAJOR), true},
          {fmt::format("__flang_minor__={}", LLVM_VERSION_MINOR), true},
          {fmt::format("__flang_patchlevel__={}", LLVM_VERSION_PATCH), true},
          {std::string(machine.macro) + "=1", true},
          {"_LP64=1", true},
          {"__ELF__=1", true}};
}

} // namespace

FrontendOptions frontendOptions(const Options &options, const Installation &installation,
                                const std::string &source, const SourceForm &form,
                                const std::string &scratch) {
  FrontendOptions front;
  front.path = source;
  front.fixedForm = options.fixedForm.value_or(form.fixed);
  front.extendedLines = options.language.fixedColumns > 72;
  front.cuda = form.cuda || options.cuda;
  front.preprocess = options.preprocess.value_or(form.preprocess);
  front.managed = options.managed;
  front.backslashEscapes = options.backslashEscapes;
  front.real8 = options.real8;
  front.warnings = options.warnings;
  front.includes = options.includes;
  front.macros = predefined(*options.host.machine);
  front.macros.insert(front.macros.end(), options.macros.begin(), options.macros.end());
  addLanguage(options.language, front.macros);
  front.moduleDirectory = options.moduleDirectory;
  if (options.language.integer8) // whose procedures take default integers of kind 8 too
    front.intrinsicModules = {installation.modules + "/wide"};
  front.intrinsicModules.push_back(installation.modules);
  if (!scratch.empty()) // or who uses the options has a folder of its own
    front.scratchFile = scratch + "/rewritten.f90";
  return front;
}

CheckOptions checkOptions(const Options &options, const std::optional<Toolkit> &toolkit) {
  CheckOptions checks;
  checks.warnings = options.warnings;
  checks.kernelArgumentBytes = kernelArgumentBytes(toolkit);
  checks.sharedBytes = sharedBytes(options.gpus);
  return checks;
}

} // namespace cufc
