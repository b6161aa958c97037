// See launch.h.
#include "debug/launch.h"
#include "base/files.h"
#include "base/process.h"
#include "base/shell_quote.h"
#include "debug/watchpoint_trial.h"
#include "source/source_form.h"
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace cufc::debug {
namespace {

// For gdb's `set args`, which the shell reads.
bool hasGpu() { return access("/dev/nvidiactl", F_OK) == 0; }

bool runsOnGpu(const LaunchOptions &options) {
  if (options.device == "auto")
    return hasGpu() && !findProgram("cuda-gdb").empty();
  return options.device == "gpu";
}

std::string chooseDebugger(const LaunchOptions &options) {
  if (!options.debugger.empty())
    return options.debugger;
  return runsOnGpu(options) ? "cuda-gdb" : "gdb";
}

bool isSource(const std::string &path) {
  std::optional<SourceForm> form = sourceForm(path);
  return form && form->kind != FileKind::Linkable;
}

void setEnvironment(const LaunchOptions &options, MiConnection &gdb) {
  // gdb starts the program through the shell that SHELL names, which must be an ordinary one.
  const char *shell = std::getenv("CUFLS_USER_SHELL");
  gdb.console(shell && *shell ? std::string("set environment SHELL=") + shell
                              : "unset environment SHELL");
  for (const char *name : {"CUFLS_USER_SHELL", "LINES", "COLUMNS"})
    gdb.console(std::string("unset environment ") + name);
  if (options.device != "auto")
    gdb.console("set environment CUF_DEVICE=" + options.device);
  else if (!runsOnGpu(options) && !std::getenv("CUF_DEVICE"))
    gdb.console("set environment CUF_DEVICE=host");
  if (options.hostThreads > 0)
    gdb.console("set environment CUF_HOST_THREADS=" + std::to_string(options.hostThreads));
  // Faults say what kernels alone have used, which checks of device memory build on.
  if (takesFaultsItself(gdb) && !std::getenv("CUF_HOST_PROTECT"))
    gdb.console("set environment CUF_HOST_PROTECT=on");
  for (const auto &[name, value] : options.environment)
    gdb.console(value ? "set environment " + name + "=" + *value : "unset environment " + name);
}

} // namespace

LaunchOptions launchOptions(const Json &given) {
  LaunchOptions options;
  options.program = given.value("program", "");
  options.arguments = given.value("args", std::vector<std::string>());
  options.folder = given.value("cwd", "");
  options.input = given.value("stdin", "");
  options.debugger = given.value("debugger", "");
  options.device = given.value("device", "host");
  options.hostThreads = given.value("hostThreads", 1);
  options.stopsOnEntry = given.value("stopOnEntry", false);
  options.checks = given.value("check", false);
  options.builds = given.value("build", false);
  if (auto set = given.find("hardwareWatchpoints"); set != given.end() && set->is_boolean())
    options.hardwareWatchpoints = set->get<bool>();
  if (auto set = given.find("env"); set != given.end() && set->is_object())
    for (const auto &[name, value] : set->items())
      options.environment.emplace_back(
          name, value.is_null()
                    ? std::nullopt
                    : std::optional(value.is_string() ? value.get<std::string>() : value.dump()));
  return options;
}

bool build(const std::string &cufls, LaunchOptions &options, std::string &said) {
  if (!isSource(options.program)) {
    if (!options.builds)
      return true;
    ProcessResult done = runProcess({cufls, "build", directoryOf(options.program)});
    said = done.output;
    return done.status == 0;
  }
  std::vector<std::string> command{cufls, "run", options.program, "-g", "--print-program"};
  if (options.checks)
    command.emplace_back("--check");
  if (!runsOnGpu(options))
    command.emplace_back("--device=host");
  ProcessResult done = runProcess(command);
  said = done.output;
  if (done.status != 0)
    return false;
  // The program's path is the last line, behind warnings.
  while (said.ends_with('\n'))
    said.pop_back();
  size_t line = said.rfind('\n');
  size_t start = line == std::string::npos ? 0 : line + 1;
  if (options.folder.empty())
    options.folder = directoryOf(options.program);
  options.program = said.substr(start);
  said.resize(start);
  return true;
}

bool takesFaultsItself(MiConnection &gdb) {
  return gdb.askInC("-data-evaluate-expression &cufrt_debugger_memory").ok;
}

std::string startDebugger(LaunchOptions &options, MiConnection &gdb,
                          const ProgramStreams &streams) {
  if (access(options.program.c_str(), X_OK) != 0)
    return options.program + " is not a program";
  std::string debugger = chooseDebugger(options);
  if (const char *shell = std::getenv("SHELL"))
    setenv("CUFLS_USER_SHELL", shell, 1);
  setenv("SHELL", "/bin/sh", 1);
  if (!gdb.start({debugger, "-q", "-nx", "--interpreter=mi3"}, streams.errorInput()))
    return debugger + " was not found: install gdb, or cuda-gdb of the CUDA Toolkit";
  for (const char *setting :
       {"mi-async on", "pagination off", "confirm off", "width 0", "print repeats unlimited",
        "print elements 256", "print sevenbit-strings off", "max-value-size 16777216",
        "startup-with-shell on", "auto-load off", "unwindonsignal on"})
    gdb.ask(std::string("-gdb-set ") + setting);
  gdb.console("set debuginfod enabled off");
  if (!options.hardwareWatchpoints)
    options.hardwareWatchpoints = hardwareWatchpointsFire();
  if (!*options.hardwareWatchpoints)
    gdb.ask("-gdb-set can-use-hw-watchpoints 0");
  if (MiReply loaded = gdb.ask("-file-exec-and-symbols " + miQuoted(options.program)); !loaded.ok)
    return loaded.error;
  std::string folder = options.folder.empty() ? directoryOf(options.program) : options.folder;
  if (MiReply changed = gdb.ask("-environment-cd " + miQuoted(folder)); !changed.ok)
    return changed.error;
  gdb.ask("-inferior-tty-set " + streams.terminal());
  setEnvironment(options, gdb);
  std::string arguments;
  for (const std::string &argument : options.arguments)
    arguments += quotedForShell(argument) + " ";
  arguments +=
      "< " + quotedForShell(options.input.empty() ? "/dev/null" : options.input) + " 2>&3 3>&-";
  gdb.console("set args " + arguments);
  return "";
}

} // namespace cufc::debug
