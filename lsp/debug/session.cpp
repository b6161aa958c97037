// See session.h. The list of requests, the loop, and how a session begins and ends.
#include "debug/session.h"
#include <array>
#include <cstdio>
#include <poll.h>
#include <unistd.h>

namespace cufc::debug {

const std::vector<Session::Method> &Session::methods() {
  static const std::vector<Method> rows = {
      {"initialize", &Session::initialize, false},
      {"launch", &Session::launch, false},
      {"attach", &Session::attach, false},
      {"configurationDone", &Session::configurationDone, false},
      {"disconnect", &Session::disconnect, false},
      {"terminate", &Session::terminate, false},
      {"setBreakpoints", &Session::setBreakpoints, false},
      {"setFunctionBreakpoints", &Session::setFunctionBreakpoints, false},
      {"setExceptionBreakpoints", &Session::setExceptionBreakpoints, false},
      {"setDataBreakpoints", &Session::setDataBreakpoints, false},
      {"dataBreakpointInfo", &Session::dataBreakpointInfo, true},
      {"continue", &Session::continueAll, true},
      {"next", &Session::next, true},
      {"stepIn", &Session::stepIn, true},
      {"stepOut", &Session::stepOut, true},
      {"pause", &Session::pause, false},
      {"threads", &Session::threads, false},
      {"stackTrace", &Session::stackTrace, true},
      {"scopes", &Session::scopes, true},
      {"variables", &Session::listVariables, true},
      {"evaluate", &Session::evaluate, true},
      {"setVariable", &Session::setVariable, true},
      {"setExpression", &Session::setExpression, true},
      {"exceptionInfo", &Session::exceptionInfo, true},
      {"source", &Session::source, false},
      {"cufls/blockThreads", &Session::blockThreads, true},
      {"cufls/selectThread", &Session::selectThread, true},
      {"cufls/nextBarrier", &Session::nextBarrier, true},
  };
  return rows;
}

Session::Session(int input, int output, SessionSettings given)
    : settings(std::move(given)), client(input, output),
      streams(
          [this](const char *category, std::string_view text) { this->output(category, text); }) {
  if (settings.logFile.empty())
    return;
  log = std::fopen(settings.logFile.c_str(), "we");
  auto write = [this](std::string_view text) {
    if (log)
      std::fprintf(log, "%.*s\n", static_cast<int>(text.size()), text.data()), std::fflush(log);
  };
  client.log = write;
  gdb.log = write;
}

void Session::run() {
  while (!isOver && !client.ended()) {
    poll();
    while (std::optional<Json> request = client.nextRequest()) {
      dispatch(*request);
      takeEvents();
    }
    takeEvents();
  }
  focus.leave();
  if (log)
    std::fclose(log);
}

void Session::poll() {
  std::array<pollfd, 4> wanted{{{client.descriptor(), POLLIN, 0},
                                {gdb.descriptor(), POLLIN, 0},
                                {streams.outputDescriptor(), POLLIN, 0},
                                {streams.errorDescriptor(), POLLIN, 0}}};
  if (::poll(wanted.data(), wanted.size(), -1) <= 0)
    return;
  if (wanted[2].revents || wanted[3].revents)
    streams.receive();
  if (wanted[1].revents) {
    gdb.receive();
    if (gdb.descriptor() < 0 && hasBegun && !hasEnded) {
      output("console", "The debugger has ended.\n");
      programEnded({});
    }
  }
  if (wanted[0].revents)
    client.receive();
}

Session::Answer Session::call(const Method &method, const Json &arguments) {
  if (method.needsStop && isRunning)
    return {nullptr, "the program runs"};
  if (method.needsStop && (!hasBegun || hasEnded))
    return {nullptr, "the program does not run"};
  // What a client sent that is not of the expected form is found by JSON's exceptions.
  try {
    return (this->*method.handle)(arguments);
  } catch (const Json::exception &error) {
    return {nullptr, error.what()};
  }
}

void Session::dispatch(const Json &request) {
  const std::string &name = request["command"].get_ref<const std::string &>();
  Json arguments = request.contains("arguments") ? request["arguments"] : Json::object();
  for (const Method &method : methods())
    if (name == method.name) {
      Answer answer = call(method, arguments);
      if (!answer.problem.empty())
        return client.fail(request, answer.problem);
      client.reply(request, answer.body);
      if (name == "launch")
        client.event("initialized");
      return;
    }
  client.fail(request, name + " is not known");
}

void Session::output(const char *category, std::string_view text) {
  if (!text.empty())
    client.event("output", {{"category", category}, {"output", text}});
}

Session::Answer Session::initialize(const Json &arguments) {
  linesFromOne = arguments.value("linesStartAt1", true);
  takesInvalidated = arguments.value("supportsInvalidatedEvent", false);
  Json filters = Json::array();
  auto filter = [&](const char *name, const char *label, const char *description) {
    filters.push_back(
        {{"filter", name}, {"label", label}, {"description", description}, {"default", true}});
  };
  filter("fault", "Faults", "Invalid addresses, division by zero, errors of the Fortran library");
  filter("check", "Findings of checks",
         "What -gpu=check finds, threads that wait for each other, fatal errors of the runtime");
  filter("error", "ERROR STOP", "Where the program ends itself with ERROR STOP");
  Json capabilities{{"exceptionBreakpointFilters", filters}};
  for (const char *name :
       {"supportsConfigurationDoneRequest", "supportsFunctionBreakpoints",
        "supportsConditionalBreakpoints", "supportsHitConditionalBreakpoints", "supportsLogPoints",
        "supportsEvaluateForHovers", "supportsSetVariable", "supportsSetExpression",
        "supportsDataBreakpoints", "supportsExceptionInfoRequest", "supportsTerminateRequest",
        "supportTerminateDebuggee", "supportsDelayedStackTraceLoading"})
    capabilities[name] = true;
  return {capabilities, {}};
}

Session::Answer Session::launch(const Json &arguments) {
  options = launchOptions(arguments);
  bool isHardwareForbidden = options.hardwareWatchpoints == false;
  if (options.program.empty())
    return {nullptr, "`program` is missing: an executable, or a source with a main program"};
  std::string said;
  bool isBuilt = build(settings.cufls, options, said);
  output("console", said);
  if (!isBuilt)
    return {nullptr, "the program was not built; the debug console has the errors"};
  if (!streams.open())
    return {nullptr, "no terminal for the program's output"};
  if (std::string problem = startDebugger(options, gdb, streams); !problem.empty())
    return {nullptr, problem};
  bool watches = options.hardwareWatchpoints != false;
  breakpoints.setWatching({!watches, !watches && isHardwareForbidden, options.hostThreads});
  breakpoints.setExceptions({"fault", "check", "error"});
  return {nullptr, {}};
}

// A program that no debugger has started keeps no list of its blocks (core/settings.h, `debugged`).
Session::Answer Session::attach(const Json &) {
  return {nullptr, "`attach` is not supported: only a program that was started here says where the "
                   "threads of its kernels are. Use `launch`, or gdb -p PID in a terminal"};
}

// A main program in another language than Fortran has the other name alone.
void Session::breakAtEntry() {
  MiReply reply = gdb.ask("-break-insert -t --function _QQmain");
  if (!reply.ok)
    reply = gdb.ask("-break-insert -t --function main");
  entryBreakpoint = reply.results["bkpt"]["number"].text;
  if (!reply.ok)
    output("console", "There is no main program to stop in: " + reply.error + "\n");
}

Session::Answer Session::configurationDone(const Json &) {
  if (options.stopsOnEntry)
    breakAtEntry();
  hasBegun = true;
  MiReply reply = gdb.ask("-exec-run");
  if (!reply.ok) {
    hasEnded = true;
    client.event("terminated");
    return {nullptr, reply.error};
  }
  isRunning = true;
  client.event("process", {{"name", options.program}, {"startMethod", "launch"}});
  return {nullptr, {}};
}

void Session::programEnded(const MiValue &stop) {
  if (std::exchange(hasEnded, true))
    return;
  isRunning = false;
  streams.receive();
  int64_t status = 0;
  if (stop.has("exit-code")) // octal
    status = std::strtol(stop["exit-code"].text.c_str(), nullptr, 8);
  else if (std::string signal = stop["signal-name"].text; !signal.empty()) {
    output("console", "The program was ended by " + signal + ".\n");
    status = 1;
  }
  client.event("exited", {{"exitCode", status}});
  client.event("terminated");
}

Session::Answer Session::terminate(const Json &) {
  if (hasBegun && !hasEnded) {
    if (isRunning)
      interrupt();
    focus.leave();
    gdb.console("kill");
    isRunning = false;
    heldStops.clear();
    programEnded({});
  }
  return {nullptr, {}};
}

Session::Answer Session::disconnect(const Json &arguments) {
  terminate(arguments);
  isOver = true;
  return {nullptr, {}};
}

} // namespace cufc::debug
