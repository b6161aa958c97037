// cufc: reads the command line, compiles each source in a child process in the order of its
// modules, and links.
#include "driver/driver.h"
#include "base/diag.h"
#include "base/files.h"
#include "driver/child.h"
#include "driver/compile.h"
#include "driver/device_link.h"
#include "driver/link.h"
#include "driver/options.h"
#include "driver/plan.h"
#include "project/module_graph.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace cufc {
namespace {

class Driver {
public:
  explicit Driver(const std::vector<std::string> &arguments)
      : options(parseOptions(arguments, diagnostics)) {}

  int run() {
    if (options.help || options.version)
      return printInformation();
    if (!diagnostics.hasErrors())
      plan = makePlan(options, scratch, diagnostics);
    if (!diagnostics.hasErrors())
      installation = findInstallation(diagnostics);
    if (!diagnostics.hasErrors())
      checkGpus();
    bool ready = !diagnostics.hasErrors();
    diagnostics.flush();
    if (!ready || !compileAll())
      return 1;
    bool good = options.emit != Emit::Executable || linkAll();
    good &= !diagnostics.hasErrors();
    diagnostics.flush();
    return good ? 0 : 1;
  }

private:
  int printInformation() {
    std::string text = options.help ? helpText() : "cufc " CUFC_VERSION " (LLVM 22)\n";
    bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    if (!written)
      diagnostics.report(Diag::CannotWrite, {}, std::string("standard output"),
                         std::string(std::strerror(errno)));
    diagnostics.flush();
    return written ? 0 : 1;
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

  // False also for errors that a process which linked device code has shown.
  bool linkAll() {
    if (!linkDeviceCode(plan, {options, installation, toolkit}, scratch, diagnostics))
      return false;
    link(plan, options, installation, toolkit, diagnostics);
    return true;
  }

  bool compileAll() {
    std::vector<ModuleFacts> facts;
    for (const CompileJob &job : plan.jobs) {
      std::string text;
      if (job.form.kind == FileKind::Fortran)
        readFile(job.source, text);
      facts.push_back(scanModules(job.source, text, options.fixedForm.value_or(job.form.fixed),
                                  options.extendedLines ? 132 : 72));
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
        const CompileJob &job = plan.jobs[level[i]];
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
  Plan plan;
};

} // namespace

int runDriver(const std::vector<std::string> &arguments) { return Driver(arguments).run(); }

} // namespace cufc
