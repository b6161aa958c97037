// cufc: reads the command line, compiles each source in a child process in the order of its
// modules, and links.
#include "driver/driver.h"
#include "base/child_processes.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/files.h"
#include "base/process.h"
#include "codegen/targets.h"
#include "driver/child.h"
#include "driver/compilations.h"
#include "driver/device_link.h"
#include "driver/link.h"
#include "driver/machine.h"
#include "driver/options.h"
#include "driver/plan.h"
#include "driver/queries.h"
#include "driver/terminal.h"
#include "project/included_files.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <malloc.h>
#include <unistd.h>

namespace cufc {
namespace {

// Meson looks for flang's name there.
constexpr const char *versionText =
    "cufc " CUFC_VERSION " (LLVM " CUFC_LLVM ", with the front end of flang)\n";

class Driver {
public:
  // `found` is what was wrong with the arguments.
  Driver(Options given, const Diagnostics &found)
      : diagnostics(given.diagnosticFormat), options(std::move(given)) {
    diagnostics.replace(found.list());
  }

  int run() {
    if (!options.query.empty() && !diagnostics.hasErrors())
      return printAnswer();
    if (options.help || asksForWorkarounds(options) || options.bareVersion ||
        options.targetTriple || (options.version && options.inputs.empty()))
      return printInformation();
    if (options.version) // and go on, as nvfortran does
      std::fputs(versionText, stdout);
    if (!diagnostics.hasErrors())
      plan = makePlan(options, scratch, diagnostics);
    if (!diagnostics.hasErrors())
      installation = findInstallation(diagnostics, *options.host.machine);
    toolkit = findToolkit(*options.host.machine);
    if (!diagnostics.hasErrors())
      fitToMachine(options, toolkit, diagnostics);
    bool ready = !diagnostics.hasErrors();
    diagnostics.flush();
    if (ready && options.dryRun)
      return printCommands();
    if (!ready)
      return 1;
    const CompileContext context{options, installation, toolkit};
    std::optional<DeviceLink> deviceLink;
    if (options.emit == Emit::Executable)
      deviceLink.emplace(plan, context, scratch);
    if (!compileAll(context, deviceLink))
      return 1;
    bool good = !deviceLink || linkAll(*deviceLink);
    good &= !diagnostics.hasErrors();
    diagnostics.flush();
    return good ? 0 : 1;
  }

private:
  int printInformation() {
    std::string text = options.help                  ? helpText()
                       : asksForWorkarounds(options) ? workaroundsText()
                       : options.version             ? versionText
                       : options.targetTriple ? std::string(options.host.machine->triple) + "\n"
                                              : CUFC_VERSION "\n";
    bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
    if (!written)
      diagnostics.report(Diag::CannotWrite, {}, std::string("standard output"),
                         std::string(std::strerror(errno)));
    diagnostics.flush();
    return written ? 0 : 1;
  }

  int printAnswer() {
    installation = findInstallation(diagnostics);
    bool answered = !diagnostics.hasErrors() && answer(options.query, installation, diagnostics);
    diagnostics.flush();
    return answered ? 0 : 1;
  }

  // -###: a line for each source, and the link.
  int printCommands() {
    std::string text;
    for (const CompileJob &job : plan.jobs)
      text += quoteCommand({"cufc", "-c", job.source, "-o", job.output}) + "\n";
    if (options.emit == Emit::Executable)
      text += quoteCommand(linkCommand(plan, {}, options, installation, toolkit)) + "\n";
    std::fputs(text.c_str(), stderr);
    return 0;
  }

  // False also for errors that a process which linked device code has shown.
  bool linkAll(DeviceLink &deviceLink) {
    if (!deviceLink.finish(diagnostics))
      return false;
    link(plan, options, installation, toolkit, diagnostics);
    return true;
  }

  bool compileAll(const CompileContext &context, std::optional<DeviceLink> &deviceLink) {
    std::vector<ModuleFacts> facts;
    IncludedFiles included;
    for (const CompileJob &job : plan.jobs) {
      std::string text;
      if (job.form.kind == FileKind::Fortran)
        readFile(job.source, text);
      IncludingSource source{job.source, options.includes,
                             options.fixedForm.value_or(job.form.fixed),
                             options.language.fixedColumns};
      facts.push_back(scanModules(job.source, text, source.fixedForm, source.fixedColumns));
      included.add(facts.back(), source);
    }
    auto definesModules = [](const ModuleFacts &file) { return !file.defines.empty(); };
    if (std::any_of(facts.begin(), facts.end(), definesModules))
      checkModuleFolder(options.moduleDirectory, diagnostics);
    std::vector<std::vector<size_t>> order = compilationOrder(facts, diagnostics);
    bool good = !diagnostics.hasErrors();
    diagnostics.flush();
    Compilations compilations(context);
    for (size_t level = 0; good && level < order.size(); ++level) {
      good = compilations.areChecked();
      if (good && deviceLink && level + 1 == order.size())
        deviceLink->begin();
      for (size_t job : good ? order[level] : std::vector<size_t>())
        compilations.start(plan.jobs[job], level);
    }
    return compilations.finish() && good;
  }

  Diagnostics diagnostics;
  Options options;
  Installation installation;
  std::optional<Toolkit> toolkit;
  TemporaryFolder scratch;
  Plan plan;
};

// A log is one value, so all of the compiler runs in a process whose diagnostics are collected.
// What other programs printed stays on standard error.
int runForLog(Options options, const Diagnostics &found,
              const std::vector<std::string> &arguments) {
  options.diagnosticFormat = DiagnosticFormat::Json;
  Child child("cufc", options.diagnosticFormat, [&] { return Driver(options, found).run(); });
  std::string output, others;
  int status = child.finish(output);
  std::vector<Diagnostic> diagnostics;
  for (size_t begin = 0; begin < output.size();) {
    size_t end = std::min(output.find('\n', begin), output.size());
    std::string line = output.substr(begin, end - begin);
    if (std::optional<Diagnostic> diagnostic = parseJsonLine(line))
      diagnostics.push_back(std::move(*diagnostic));
    else
      others += line + "\n";
    begin = end + 1;
  }
  ToolRun run{"cufc", CUFC_VERSION, arguments, {}, true};
  for (const std::string &input : options.inputs)
    if (auto form = sourceForm(input); form && form->kind == FileKind::Fortran)
      run.files.push_back(input);
  std::string log = others + sarifLog(diagnostics, run);
  std::fwrite(log.data(), 1, log.size(), stderr);
  return status;
}

// Passes free much of what they take, and the next one would have to ask the system for it again:
// 3 % of the time of a compilation. Bytes.
void keepMemory() {
  constexpr int step = 16 << 20, most = 512 << 20;
  mallopt(M_TOP_PAD, step);
  mallopt(M_TRIM_THRESHOLD, most);
  mallopt(M_MMAP_THRESHOLD, most);
}

} // namespace

int runDriver(const std::vector<std::string> &arguments) {
  endChildrenWithUs();
  keepMemory();
  Diagnostics diagnostics;
  Options options = parseOptions(arguments, diagnostics);
  if (options.diagnosticFormat == DiagnosticFormat::Sarif)
    return runForLog(std::move(options), diagnostics, arguments);
  if (options.diagnosticFormat == DiagnosticFormat::Text &&
      options.colour.value_or(hasColours(STDERR_FILENO)))
    options.diagnosticFormat = DiagnosticFormat::ColouredText;
  return Driver(std::move(options), diagnostics).run();
}

} // namespace cufc
