// `cufls run`: builds a program and becomes it, so that input, output, signals and the exit status
// are the program's own.
#include "base/diag.h"
#include "base/files.h"
#include "base/runs_diag.h"
#include "commands/build_session.h"
#include "commands/caches.h"
#include "commands/command_line.h"
#include "commands/host_bandwidth.h"
#include "commands/run_on.h"
#include "commands/tee_errors.h"
#include "driver/installation.h"
#include "occupancy/run_report.h"
#include "source/source_form.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace cufc {
namespace {

namespace fs = std::filesystem;

const std::vector<CommandOption> &options() {
  static const std::vector<CommandOption> rows = {
      {"--device", "WHERE", "run kernels on the gpu or the host; a GPU if there is one by default"},
      {"--check", "",
       "build with -gpu=check in a folder of its own: kernels are checked on the host"},
      {"-g", "", "build with debug information and without optimisation, in a folder of its own"},
      {"--debugger", "NAME", "build with -g and start the program in cuda-gdb or gdb"},
      {"--report=json", "", "the same as --report, as a line of JSON"},
      {"--report", "",
       "at the end say on stderr which device the program ran on, and how long kernels, transfers, "
       "library calls and ranges took"},
      {"--report-to", "FILE", "the report goes to FILE"},
      {"--measure-to", "FOLDER",
       "what the report has goes there as data, with what it is compared with; for editors"},
      {"--print-program", "", "build, print the path of the program, and do not run it"},
      {"--directory", "DIR", "start the program in DIR"},
      {"--messages-to", "FILE", "what is said on stderr goes to FILE too"},
      {"--on", "MACHINE",
       "run it elsewhere: a host of ssh, slurm[:PARTITION], or a name in cufls.json"},
      {"--input", "FILE", "with --on: a file that the program reads, carried along; several times"},
      {"--diagnostics-to", "FILE", "diagnostics of the build go to FILE too, as lines of JSON"},
      {"-j", "N", "compile N files at once"},
      {"-v", "", "say what is done and why"},
      {"--help", "", "print this text"},
  };
  return rows;
}

// A program on its way: its project and the target in it.
struct Choice {
  Project project;
  std::string target;
};

// Builds for a single file do not litter its folder.
std::string buildFolder(const std::string &path) {
  return cacheFolder("run/" + stem(path) + "-" + contentHash(path).text().substr(0, 12));
}

// The target of which the file is the main program; a source may be in several.
const ProjectTarget *programOf(const Project &project, const std::string &path) {
  for (const ProjectTarget &target : project.targets)
    for (size_t source : target.sources)
      if (target.kind == TargetKind::Program && project.sources[source].path == path &&
          !project.facts[source].programs.empty())
        return &target;
  return nullptr;
}

// Whether all modules of a file are its own or the compiler's.
bool standsAlone(const ModuleFacts &facts, const std::string &modules) {
  auto known = [&](const ModuleStatement &use) {
    auto same = [&](const ModuleStatement &own) { return own.name == use.name; };
    return std::any_of(facts.defines.begin(), facts.defines.end(), same) ||
           access((modules + "/" + use.name + ".mod").c_str(), R_OK) == 0;
  };
  return std::all_of(facts.uses.begin(), facts.uses.end(), known);
}

// A file: the target of its project, or a program of its own with what it needs of its folder.
Choice chooseFile(const std::string &file, Diagnostics &found) {
  std::string path = absolutePath(file);
  Project alone;
  alone.root = directoryOf(path);
  alone.sources.push_back({path, alone.root, {}});
  alone.facts.push_back(scanSource(alone.sources[0]));
  if (alone.facts[0].cuda && path.find(".cuf") == std::string::npos)
    alone.sources[0].arguments = {"-cuda"};
  if (alone.facts[0].programs.empty())
    found.report(Diag::NoMainProgramIn, {}, file);
  Installation installation = findInstallation(found);
  Diagnostics ofProject;
  bool isAlone = standsAlone(alone.facts[0], installation.modules) && alone.facts[0].calls.empty();
  ScanOptions scan = scanOptions();
  scan.none = isAlone;
  Project project = loadProject(path, ofProject, scan);
  const ProjectTarget *target = programOf(project, path);
  if (target && (project.origin == Project::Origin::ProjectFile || !isAlone)) {
    for (const Diagnostic &each : ofProject.list())
      found.add(each);
    std::string name = target->name;
    if (project.origin != Project::Origin::ProjectFile)
      project.buildDirectory = buildFolder(path);
    return {std::move(project), name};
  }
  alone.targets.push_back({stem(path), TargetKind::Program, {0}, {}, {}, {}});
  alone.sources[0].arguments.insert(alone.sources[0].arguments.end(), project.arguments.begin(),
                                    project.arguments.end());
  alone.buildDirectory = buildFolder(path);
  return {std::move(alone), stem(path)};
}

// A target's name, or the only program there is.
Choice chooseTarget(const std::string &name, Diagnostics &found) {
  Choice choice{loadProject(".", found, scanOptions()), name};
  std::vector<std::string> programs;
  std::string list;
  for (const ProjectTarget &target : choice.project.targets) {
    if (target.kind == TargetKind::Program) {
      programs.push_back(target.name);
      list += (list.empty() ? "" : ", ") + target.name;
    } else if (target.name == name) {
      found.report(Diag::TargetIsLibrary, {}, name);
    }
  }
  if (name.empty() && programs.size() == 1)
    choice.target = programs.front();
  else if (name.empty() && !found.hasErrors())
    found.report(Diag::WhichTarget, {}, list.empty() ? "none" : list);
  return choice;
}

// Builds with other flags stand beside the others, so neither makes the other compile again.
void prepareBuild(Project &project, const Arguments &flags, const char *suffix) {
  for (ProjectSource &source : project.sources)
    source.arguments.insert(source.arguments.end(), flags.begin(), flags.end());
  for (ProjectTarget &target : project.targets) // device code is also made when it links
    target.linkArguments.insert(target.linkArguments.end(), flags.begin(), flags.end());
  project.buildDirectory += suffix;
}

// `command` is a program with its arguments; one without a slash is looked for on PATH.
int become(const Arguments &command, const std::string &name, const SessionOptions &session) {
  std::vector<char *> argv;
  for (const std::string &argument : command)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  Diagnostics diagnostics;
  diagnostics.report(Diag::CannotRun, {}, name, std::strerror(errno));
  return refuse(session, diagnostics);
}

// What is done with the program that was built.
int runOutput(const std::string &program, const CommandLine &line, const std::string &name,
              const SessionOptions &session) {
  if (line.has("--print-program")) {
    std::printf("%s\n", absolutePath(program).c_str());
    return exitClean;
  }
  Arguments command{absolutePath(program)};
  std::string directory = line.value("--directory");
  if (!directory.empty() && chdir(directory.c_str()) != 0) {
    Diagnostics diagnostics;
    diagnostics.report(Diag::CannotRead, {}, directory, std::strerror(errno));
    return refuse(session, diagnostics);
  }
  std::string debugger = line.value("--debugger");
  if (!debugger.empty())
    command = {debugger, "-q", "--args", command.front()};
  command.insert(command.end(), line.rest.begin(), line.rest.end());
  return become(command, debugger.empty() ? name : debugger, session);
}

// A relative FILE is one of the folder that cufls was called in.
void askForReport(const CommandLine &line) {
  std::string file = line.value("--report-to");
  if (line.has("--report") || line.has("--report=json") || !file.empty())
    setenv("CUF_REPORT", line.has("--report=json") ? "json" : "1", 1);
  if (!file.empty())
    setenv("CUF_REPORT_FILE", absolutePath(file).c_str(), 1);
}

// For editors: the program's report, beside what it has printed, and what it was built of.
void measureTo(const std::string &folder, const Project &project, const ProjectTarget &target,
               Diagnostics &diagnostics) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<std::string> sources;
  for (size_t source : target.sources)
    sources.push_back(project.sources[source].path);
  if (!writeMeasuredSources(folder, sources, hostGigabytes()))
    diagnostics.report(Diag::CannotWrite, {}, folder, std::strerror(errno));
  setenv("CUF_REPORT_DATA", measuredReportFile(absolutePath(folder)).c_str(), 1);
}

// Where it runs and how long that takes is said there, too.
int runElsewhere(const std::string &program, const CommandLine &line, const Machine &machine,
                 const SessionOptions &session) {
  setenv("CUF_REPORT", "1", 0);
  JobWish wish{absolutePath(program), line.rest, {}, "", session.verbose};
  if (auto inputs = line.options.find("--input"); inputs != line.options.end())
    wish.inputs = inputs->second;
  if (line.has("--report-to"))
    wish.reportFile = absolutePath(line.value("--report-to"));
  Diagnostics diagnostics;
  int status = runOn(machine, wish, diagnostics);
  if (diagnostics.hasErrors())
    refuse(session, diagnostics);
  return status;
}

// The machine of --on; nothing, also after a mistake, which is reported.
std::optional<Machine> machineOf(const CommandLine &line, const Project &project,
                                 Diagnostics &diagnostics) {
  if (!line.has("--on"))
    return std::nullopt;
  for (const char *other : {"--debugger", "--directory", "--print-program"})
    if (line.has(other))
      diagnostics.report(RunsDiag::NotOnMachine, {}, other);
  return machineNamed(line.value("--on"), project.file, diagnostics);
}

} // namespace

int runProgramCommand(const Arguments &given) {
  Diagnostics diagnostics;
  SessionOptions session;
  CommandLine line = parseCommandLine(given, options(), diagnostics);
  if (std::string file = line.value("--messages-to"); !file.empty() && !teeErrors(file))
    diagnostics.report(Diag::CannotWrite, {}, file, std::strerror(errno));
  if (line.has("--help"))
    return printHelp(
        "run [FILE | TARGET] [options] [-- ARGUMENTS]",
        "Builds a program and runs it with the ARGUMENTS. FILE is a source with a main "
        "program; what it\nuses is found in its project or folder. TARGET is one of the "
        "project of the current folder,\nand may be left out if there is one program.",
        options());
  takeBuildOptions(line, session, diagnostics);
  std::string device = line.value("--device");
  if (line.has("--device") && device != "gpu" && device != "host" && device != "auto")
    diagnostics.report(Diag::BadOptionValue, {}, device, "--device", "gpu, host or auto");
  for (size_t i = 1; i < line.operands.size(); ++i)
    diagnostics.report(Diag::ExtraOperand, {}, line.operands[i]);
  if (diagnostics.hasErrors())
    return refuse(session, diagnostics);
  std::string name = line.operands.empty() ? "" : line.operands.front();
  std::optional<SourceForm> form = sourceForm(name);
  bool file = name.find('/') != std::string::npos || (form && form->kind != FileKind::Linkable);
  if (file && access(name.c_str(), R_OK) != 0) {
    diagnostics.report(Diag::CannotRead, {}, name, std::strerror(errno));
    return refuse(session, diagnostics);
  }
  Choice choice = file ? chooseFile(name, diagnostics) : chooseTarget(name, diagnostics);
  session.targets = {choice.target};
  std::optional<Machine> machine = machineOf(line, choice.project, diagnostics);
  if (diagnostics.hasErrors())
    return refuse(session, diagnostics);
  bool debugs = line.has("-g") || line.has("--debugger");
  if (debugs && device == "host") // half the code
    prepareBuild(choice.project, {"-g", "-O0", "-gpu=host"}, "-debug-host");
  else if (debugs)
    prepareBuild(choice.project, {"-g", "-O0"}, "-debug");
  if (line.has("--check"))
    prepareBuild(choice.project, {"-gpu=check", "-Mbounds"}, "-check");
  Session done = runSession(choice.project, session, diagnostics);
  if (done.status != exitClean)
    return done.status;
  std::vector<size_t> target = targetsNamed(choice.project, session.targets, diagnostics);
  if (!device.empty())
    setenv("CUF_DEVICE", device.c_str(), 1);
  askForReport(line);
  if (line.has("--measure-to") && !machine)
    measureTo(line.value("--measure-to"), choice.project, choice.project.targets[target.front()],
              diagnostics);
  if (diagnostics.hasErrors())
    return refuse(session, diagnostics);
  if (machine)
    return runElsewhere(done.outputs[target.front()], line, *machine, session);
  return runOutput(done.outputs[target.front()], line, name, session);
}

} // namespace cufc
