// Text goes to stderr when it is there, one step after the other; the other forms are one document
// on stdout at the end. On a terminal the last line shows what is being done.
#include "commands/build_session.h"
#include "base/diag.h"
#include "base/diagnostic_formats.h"
#include "base/diagnostic_settings.h"
#include "base/terminal_text.h"
#include "codegen/toolkit.h"
#include "commands/caches.h"
#include "commands/output.h"
#include "driver/installation.h"
#include "driver/mpi.h"
#include "driver/options.h"
#include "driver/terminal.h"
#include "project/diagnostic_paths.h"
#include "project/project_parts.h"
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fmt/format.h>
#include <sched.h>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cufc {
namespace {

int coreCount() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

class Output {
public:
  explicit Output(const SessionOptions &options, DiagnosticSettings settings = {})
      : options(options), terminal(isatty(STDERR_FILENO) == 1 && options.format != json),
        colour(hasColours(STDERR_FILENO)), settings(std::move(settings)) {}

  bool isText() const {
    return options.format == DiagnosticFormat::Text ||
           options.format == DiagnosticFormat::ColouredText;
  }

  void begin(size_t done, size_t all, const BuildStep &step, const std::string &reason) {
    if (options.verbose) {
      clear();
      const char *verb = step.kind == BuildStep::Kind::Compile ? "compile" : "link";
      std::fprintf(stderr, "[%zu/%zu] %s %s (%s)\n", done, all, verb, step.name.c_str(),
                   reason.c_str());
      return;
    }
    if (!terminal)
      return;
    winsize size{};
    size_t width = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
    std::string line = fmt::format("[{}/{}] {}", done, all, step.name).substr(0, width - 1);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
    shown = true;
  }

  // What a step printed: diagnostics as lines of JSON, with paths as in its folder, and text.
  void messages(const BuildStep &step, const std::string &text) {
    for (size_t begin = 0; begin < text.size();) {
      size_t end = std::min(text.find('\n', begin), text.size());
      std::string line = text.substr(begin, end - begin);
      begin = end + 1;
      std::optional<Diagnostic> diagnostic =
          line.starts_with('{') ? parseJsonLine(line) : std::nullopt;
      if (diagnostic) {
        completePaths(*diagnostic, step.directory); // for a reader in another folder
        add(std::move(*diagnostic));
      } else {
        clear();
        std::fprintf(stderr, "%s\n", terminalText(line).c_str());
      }
    }
  }

  void addAll(Diagnostics &diagnostics) {
    for (const Diagnostic &diagnostic : diagnostics.list())
      add(diagnostic);
    diagnostics = Diagnostics();
  }

  void finish(bool able) {
    clear();
    if (!isText())
      printDiagnostics(collected, options.format, options.arguments, {}, able);
  }

  // Whether there was one, also by the project's settings alone.
  bool hasErrors() const { return errors; }

  // Takes the line of progress away.
  void clear() {
    if (shown)
      std::fputs("\r\033[K", stderr);
    shown = false;
  }

private:
  static constexpr DiagnosticFormat json = DiagnosticFormat::Json;

  // A file that targets compile with different options says the same more than once. What stopped
  // the compiler is an error whatever the project says.
  void add(Diagnostic diagnostic) {
    if (!seen.insert(jsonLine(diagnostic)).second)
      return;
    if (diagnostic.severity != Severity::Error) {
      std::optional<Severity> severity = settings.severityOf(diagnostic);
      if (!severity)
        return;
      diagnostic.severity = *severity;
    }
    errors |= diagnostic.severity == Severity::Error;
    appendDiagnostic(options.diagnosticsTo, diagnostic);
    if (!isText())
      return collected.push_back(std::move(diagnostic));
    clear();
    std::fputs(render(diagnostic, colour, "cufls").c_str(), stderr);
  }

  const SessionOptions &options;
  bool terminal, colour;
  DiagnosticSettings settings;
  bool shown = false, errors = false;
  std::vector<Diagnostic> collected;
  std::set<std::string> seen;
};

// The options of cufls.json are those of cufc, whose mistakes are shown where they stand.
void checkFlags(const Project &project, Diagnostics &diagnostics) {
  std::set<std::string> seen;
  for (const ProjectTarget &target : project.targets) {
    Diagnostics found;
    parseOptions(target.linkArguments, found);
    for (Diagnostic diagnostic : found.list()) {
      diagnostic.range = {project.file, 0, 0, 0, 0};
      for (const PlacedText &flag : project.flags) {
        std::string name = flag.text.substr(0, flag.text.find('='));
        if (diagnostic.message.find("'" + flag.text + "'") != std::string::npos ||
            diagnostic.message.find(name) != std::string::npos)
          diagnostic.range = flag.range;
      }
      if (seen.insert(jsonLine(diagnostic)).second)
        diagnostics.add(diagnostic);
    }
  }
}

DiagnosticSettings settingsOf(const Project &project) {
  DiagnosticSettings settings;
  Diagnostics known; // to who read the project
  for (const auto &[key, severity] : project.diagnostics)
    settings.set(key.text, severity.text, known);
  return settings;
}

void printSummary(const BuildResult &result, bool verbose) {
  bool terminal = isatty(STDERR_FILENO) == 1;
  std::string text;
  if (result.failed > 0)
    text = fmt::format("{} failed, {} not tried, ", result.failed, result.left);
  if (terminal || verbose || result.failed > 0)
    std::fprintf(stderr, "cufls: %s%zu compiled, %zu linked, %zu up to date\n", text.c_str(),
                 result.compiled, result.linked, result.upToDate);
}

// The files that targets consist of; all without one.
std::set<std::string> filesOf(const Project &project, const SourceGraph &graph,
                              std::vector<size_t> targets) {
  std::set<std::string> files;
  std::vector<size_t> open;
  for (size_t at = 0; at < targets.size(); ++at) {
    const ProjectTarget &target = project.targets[targets[at]];
    open.insert(open.end(), target.sources.begin(), target.sources.end());
    for (size_t library : target.libraries)
      if (std::find(targets.begin(), targets.end(), library) == targets.end())
        targets.push_back(library);
  }
  if (targets.empty())
    for (size_t source = 0; source < project.sources.size(); ++source)
      open.push_back(source);
  std::vector<bool> seen(project.sources.size());
  while (!open.empty()) {
    size_t source = open.back();
    open.pop_back();
    if (seen[source])
      continue;
    seen[source] = true;
    files.insert(project.sources[source].path);
    open.insert(open.end(), graph.needs[source].begin(), graph.needs[source].end());
  }
  return files;
}

// What cannot be built for reasons that stand in the project: its file, or the modules of the
// targets that are wanted.
int checkProject(const Project &project, const Installation &installation,
                 const std::vector<size_t> &targets, SourceGraph &graph, Diagnostics &found) {
  if (project.origin == Project::Origin::ProjectFile)
    checkFlags(project, found);
  if (project.sources.empty() && !found.hasErrors())
    found.report(Diag::NothingToBuild, {}, project.root);
  if (found.hasErrors())
    return exitFailed;
  Diagnostics ofModules;
  graph = makeSourceGraph(project, ownModuleFolders(installation), ofModules);
  std::set<std::string> files = filesOf(project, graph, targets);
  for (const Diagnostic &diagnostic : ofModules.list())
    if (diagnostic.range.file.empty() || files.contains(diagnostic.range.file))
      found.add(diagnostic);
  return found.hasErrors() ? exitErrors : exitClean;
}

} // namespace

void takeBuildOptions(const CommandLine &line, SessionOptions &session, Diagnostics &diagnostics) {
  if (line.has("-j"))
    session.jobs = positiveNumber(line.value("-j"), "-j", diagnostics);
  session.verbose = line.has("-v");
  session.diagnosticsTo = line.value("--diagnostics-to");
}

int refuse(const SessionOptions &options, Diagnostics &diagnostics) {
  Output output(options);
  output.addAll(diagnostics);
  output.finish(false);
  return exitFailed;
}

std::vector<size_t> targetsNamed(const Project &project, const std::vector<std::string> &names,
                                 Diagnostics &diagnostics) {
  std::vector<size_t> chosen;
  std::vector<std::string> all;
  std::string list;
  for (const ProjectTarget &target : project.targets) {
    all.push_back(target.name);
    list += (list.empty() ? "" : ", ") + target.name;
  }
  for (const std::string &name : names)
    if (auto found = std::find(all.begin(), all.end(), name); found != all.end())
      chosen.push_back(found - all.begin());
    else
      diagnostics.report(Diag::UnknownTarget, {}, name, suggestion(name, all),
                         list.empty() ? "none" : list);
  return chosen;
}

Session runSession(const Project &project, const SessionOptions &options, Diagnostics &found) {
  Session session;
  Output output(options, settingsOf(project));
  Installation installation = findInstallation(found);
  BuildOptions settings;
  settings.targets = targetsNamed(project, options.targets, found);
  SourceGraph graph;
  session.status = checkProject(project, installation, settings.targets, graph, found);
  output.addAll(found);
  if (options.verbose)
    for (const std::string &note : project.notes)
      std::fprintf(stderr, "%s\n", note.c_str());
  if (session.status != exitClean) {
    output.finish(session.status != exitFailed);
    return session;
  }
  BuildPlan plan = makeBuildPlan(project, graph);
  for (size_t target : plan.targets)
    session.outputs.push_back(plan.steps[target].outputs[0]);
  settings.compiler = "/proc/self/exe";
  settings.identity = compilerIdentity(installation);
  settings.jobs = options.jobs > 0 ? options.jobs : coreCount();
  BuildEvents events;
  events.begin = [&](size_t done, size_t all, const BuildStep &step, const std::string &reason) {
    output.begin(done, all, step, reason);
  };
  events.messages = [&](const BuildStep &step, const std::string &text) {
    output.messages(step, text);
  };
  events.waits = [&] { output.addAll(found); };
  BuildResult result = build(project, plan, settings, events, found);
  output.addAll(found);
  session.status = result.good() && !output.hasErrors() ? exitClean : exitErrors;
  output.finish(true);
  if (result.interruption != 0) {
    std::signal(result.interruption, SIG_DFL);
    std::raise(result.interruption); // so that a shell sees why it ended
  }
  if (output.isText())
    printSummary(result, options.verbose);
  return session;
}

} // namespace cufc
