// cufc: reads the command line, compiles each source in a child process in the order of its
// modules, and links.
#include "base/files.h"
#include "codegen/targets.h"
#include "driver/child.h"
#include "driver/compile.h"
#include "driver/link.h"
#include "driver/options.h"
#include "project/module_graph.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cufc {
namespace {

const char *outputSuffix(Emit emit) {
  switch (emit) {
  case Emit::Ptx:
    return ".ptx";
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

class Driver {
public:
  explicit Driver(const std::vector<std::string> &arguments)
      : options(parseOptions(arguments, diagnostics)) {}

  int run() {
    if (options.help || options.version)
      return printInformation();
    if (!diagnostics.hasErrors())
      plan();
    if (!diagnostics.hasErrors())
      installation = findInstallation(diagnostics);
    if (!diagnostics.hasErrors())
      checkGpus();
    bool ready = !diagnostics.hasErrors();
    diagnostics.flush();
    if (!ready || !compileAll())
      return 1;
    if (options.emit == Emit::Executable)
      link(linked, options.output.empty() ? "a.out" : options.output, options, installation,
           toolkit, diagnostics);
    bool failed = diagnostics.hasErrors();
    diagnostics.flush();
    return failed ? 1 : 0;
  }

private:
  int printInformation() {
    if (options.help)
      std::fputs(helpText().c_str(), stdout);
    else
      std::puts("cufc " CUFC_VERSION " (LLVM 22)");
    return 0;
  }

  // Sorts the inputs into compile jobs and things to link.
  void plan() {
    if (options.inputs.empty())
      diagnostics.report(Diag::NoInput, {});
    for (const std::string &input : options.inputs) {
      std::optional<SourceForm> form = sourceForm(input);
      if (!form) {
        if (isReadable(input))
          diagnostics.report(Diag::UnknownSuffix, {}, input);
      } else if (!isReadable(input)) {
        continue;
      } else if (form->kind != FileKind::Linkable) {
        addJob(input, *form);
      } else if (options.emit == Emit::Executable) {
        linked.push_back(input);
      } else {
        diagnostics.report(Diag::NothingToLink, {}, input);
      }
    }
    bool oneOutput = options.emit == Emit::Executable || options.emit == Emit::Nothing;
    if (!oneOutput && !options.output.empty() && jobs.size() > 1)
      diagnostics.report(Diag::OutputForSeveral, {}, jobs.size());
  }

  bool isReadable(const std::string &path) {
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
      errno = EISDIR;
    else if (access(path.c_str(), R_OK) == 0)
      return true;
    diagnostics.report(Diag::CannotRead, {}, path, std::string(std::strerror(errno)));
    return false;
  }

  void addJob(const std::string &input, const SourceForm &form) {
    CompileJob job{input, form, {}};
    if (options.emit == Emit::Executable)
      job.output = scratch.path(std::to_string(jobs.size()) + "_" + stem(input) + ".o");
    else if (!options.output.empty())
      job.output = options.output;
    else
      job.output =
          options.emit == Emit::Preprocessed ? "-" : stem(input) + outputSuffix(options.emit);
    auto [known, isNew] = writers.emplace(job.output, input);
    if (!isNew && job.output != "-")
      diagnostics.report(Diag::SameObject, {}, known->second, input, job.output);
    if (options.emit == Emit::Executable)
      linked.push_back(job.output);
    jobs.push_back(job);
  }

  void checkGpus() {
    toolkit = findToolkit();
    for (const Gpu &gpu : options.gpus)
      if (toolkit && !toolkit->supports(gpu))
        diagnostics.report(
            Diag::GpuTooNew, {}, toolkit->root,
            fmt::format("{}.{}", toolkit->version / 1000, toolkit->version % 1000 / 10),
            gpu.number);
  }

  bool compileAll() {
    std::vector<ModuleFacts> facts;
    for (const CompileJob &job : jobs) {
      std::string text;
      readFile(job.source, text);
      facts.push_back(scanModules(job.source, text, options.fixedForm.value_or(job.form.fixed)));
    }
    std::vector<std::vector<size_t>> order = compilationOrder(facts, diagnostics);
    bool good = !diagnostics.hasErrors();
    diagnostics.flush();
    for (size_t level = 0; good && level < order.size(); ++level)
      good = compileLevel(order[level]);
    return good;
  }

  // The files of one level do not need each other, so as many run at once as there are cores.
  bool compileLevel(const std::vector<size_t> &level) {
    size_t cores = std::max(1l, sysconf(_SC_NPROCESSORS_ONLN));
    CompileContext context{options, installation, toolkit};
    bool good = true;
    for (size_t begin = 0; begin < level.size(); begin += cores) {
      std::vector<Child> children;
      for (size_t i = begin; i < std::min(begin + cores, level.size()); ++i) {
        const CompileJob &job = jobs[level[i]];
        children.emplace_back(job.source, [&] { return compileSource(job, context); });
      }
      for (Child &child : children)
        good &= child.finish() == 0;
    }
    return good;
  }

  Diagnostics diagnostics;
  Options options;
  Installation installation;
  std::optional<Toolkit> toolkit;
  TemporaryFolder scratch;
  std::vector<CompileJob> jobs;
  std::vector<std::string> linked;
  std::map<std::string, std::string> writers; // output to the source it comes from
};

// flang's parser recurses over nested expressions; let the stack grow as far as the system allows.
void raiseStackLimit() {
  struct rlimit limit;
  constexpr rlim_t wanted = 1ul << 30;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < wanted) {
    limit.rlim_cur = std::min(limit.rlim_max, wanted);
    setrlimit(RLIMIT_STACK, &limit);
  }
}

} // namespace
} // namespace cufc

int main(int argc, char **argv) {
  cufc::raiseStackLimit();
  cufc::initialiseTargets();
  return cufc::Driver({argv + 1, argv + argc}).run();
}
