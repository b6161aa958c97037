// One pass over the inputs, then checks of what would be written.
#include "driver/plan.h"
#include "base/diag.h"
#include "base/ordinary_files.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {
namespace {

const char *outputSuffix(Emit emit) {
  switch (emit) {
  case Emit::Ptx:
    return ".ptx";
  case Emit::Sass:
    return ".sass";
  case Emit::Cubin:
    return ".cubin";
  case Emit::Llvm:
    return ".ll";
  case Emit::Hlfir:
    return ".hlfir";
  case Emit::Assembly:
    return ".s";
  default:
    return ".o";
  }
}

class Planner {
public:
  Planner(const Options &options, const TemporaryFolder &scratch, Diagnostics &diagnostics)
      : options(options), scratch(scratch), diagnostics(diagnostics) {}

  Plan run() {
    if (options.inputs.empty())
      diagnostics.report(Diag::NoInput, {});
    if (!scratch.valid())
      diagnostics.report(Diag::NoTemporaryFolder, {}, std::string(std::strerror(ENOENT)));
    for (const std::string &input : options.inputs)
      addInput(input);
    bool oneOutput = options.emit == Emit::Executable || options.emit == Emit::Nothing;
    if (!oneOutput && !options.output.empty() && plan.jobs.size() > 1)
      diagnostics.report(Diag::OutputForSeveral, {}, plan.jobs.size());
    else
      checkSources();
    if (options.emit == Emit::Executable) {
      plan.executable = options.output.empty() ? "a.out" : options.output;
      checkOutput(plan.executable);
    } else if (options.emit != Emit::Nothing && !options.output.empty() && !plan.jobs.empty()) {
      for (Emit kind : options.emit.list())
        checkOutput(outputOf(plan.jobs.front(), kind, options));
    }
    for (CompileJob &job : plan.jobs)
      job.linking = deviceLinking();
    return std::move(plan);
  }

private:
  // A program of one file needs no link of device code.
  DeviceLinking deviceLinking() const {
    if (options.emit != Emit::Executable)
      return options.relocatable.value_or(true) ? DeviceLinking::Relocatable : DeviceLinking::Whole;
    bool libraries = std::any_of(options.linkArguments.begin(), options.linkArguments.end(),
                                 [](const std::string &text) { return text.starts_with("-l"); });
    return plan.linked.size() > 1 || libraries ? DeviceLinking::Deferred : DeviceLinking::Whole;
  }

  void addInput(const std::string &input) {
    std::optional<SourceForm> form = sourceForm(input);
    if (!isReadable(input))
      return;
    if (!form && options.unknownIsFixed)
      form = SourceForm{FileKind::Fortran, *options.unknownIsFixed, options.cuda, false};
    if (!form)
      diagnostics.report(Diag::UnknownSuffix, {}, input);
    else if (form->kind != FileKind::Linkable)
      addJob(input, *form);
    else if (options.emit == Emit::Executable)
      plan.linked.push_back(input);
    else
      diagnostics.report(Diag::NothingToLink, {}, input);
  }

  void addJob(const std::string &input, const SourceForm &form) {
    CompileJob job{input, form, {}, scratch.path(std::to_string(plan.jobs.size()))};
    std::error_code error;
    if (!std::filesystem::create_directory(job.scratch, error))
      diagnostics.report(Diag::NoTemporaryFolder, {}, error.message());
    if (options.emit == Emit::Executable)
      job.output = job.scratch + "/" + stem(input) + ".o";
    else if (!options.output.empty())
      job.output = options.output;
    else
      job.output = options.emit == Emit::Preprocessed
                       ? "-"
                       : stem(input) + outputSuffix(options.emit.list().back());
    if (options.emit == Emit::Executable)
      plan.linked.push_back(job.output);
    plan.jobs.push_back(job);
  }

  void checkSources() {
    for (const CompileJob &job : plan.jobs) {
      auto [known, isNew] = plan.sources.emplace(job.output, job.source);
      if (!isNew && job.output != "-" && options.emit != Emit::Nothing)
        diagnostics.report(Diag::SameObject, {}, known->second, job.source, job.output);
    }
  }

  bool isReadable(const std::string &path) {
    struct stat status;
    int descriptor = openOrdinary(path.c_str());
    bool isFolder = descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode);
    if (descriptor >= 0)
      close(descriptor);
    if (isFolder)
      errno = EISDIR;
    else if (descriptor >= 0)
      return true;
    diagnostics.report(Diag::CannotRead, {}, path, readFailure());
    return false;
  }

  void checkOutput(const std::string &path) {
    if (path == "-" && options.emit != Emit::Executable)
      return;
    std::error_code ignored;
    for (const std::string &input : options.inputs)
      if (std::filesystem::equivalent(path, input, ignored)) {
        diagnostics.report(Diag::OutputIsInput, {}, input);
        return;
      }
    struct stat status;
    if (stat(path.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode))
        cannotWrite(path, EISDIR);
      else if (access(path.c_str(), W_OK) != 0)
        cannotWrite(path, errno);
    } else if (stat(directoryOf(path).c_str(), &status) != 0) {
      cannotWrite(path, errno);
    }
  }

  void cannotWrite(const std::string &path, int reason) {
    diagnostics.report(Diag::CannotWrite, {}, path, std::string(std::strerror(reason)));
  }

  const Options &options;
  const TemporaryFolder &scratch;
  Diagnostics &diagnostics;
  Plan plan;
};

} // namespace

std::string outputOf(const CompileJob &job, Emit kind, const Options &options) {
  if (job.output == "-" || options.emit == kind)
    return job.output;
  size_t base = job.output.size() - extension(job.output).size();
  return job.output.substr(0, base) + outputSuffix(kind);
}

Plan makePlan(const Options &options, const TemporaryFolder &scratch, Diagnostics &diagnostics) {
  return Planner(options, scratch, diagnostics).run();
}

void checkModuleFolder(const std::string &path, Diagnostics &diagnostics) {
  struct stat status;
  int reason = 0;
  if (stat(path.c_str(), &status) != 0)
    reason = errno;
  else if (!S_ISDIR(status.st_mode))
    reason = ENOTDIR;
  if (reason)
    diagnostics.report(Diag::CannotWrite, {}, path, std::string(std::strerror(reason)));
}

} // namespace cufc
