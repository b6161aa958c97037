// See session.h. Breakpoints, going on, and what becomes of a stop.
#include "debug/machine_registers.h"
#include "debug/session.h"

namespace cufc::debug {
namespace {

constexpr int mostPatience = 10'000; // milliseconds until a program has stopped

// What a watchpoint says; one for reads has seen no change.
std::string changeIn(const MiValue &value) {
  return value.has("old") ? "was " + value["old"].text + ", is " + value["new"].text
                          : "is " + value["value"].text;
}

} // namespace

// Stops the program for ourselves. A stop of another reason is kept.
bool Session::interrupt() {
  gdb.ask("-exec-interrupt --all");
  for (int waited = 0; waited < mostPatience;) {
    while (std::optional<MiRecord> event = gdb.nextEvent()) {
      if (event->type == '^') {
        isRunning = false;
        heldStops.push_back(std::move(*event));
        return true;
      }
      if (event->type != '*' || event->name != "stopped")
        continue;
      isRunning = false;
      if (event->results["signal-name"].text != "SIGINT")
        heldStops.push_back(std::move(*event));
      return true;
    }
    constexpr int step = 100;
    if (!gdb.waitForOutput(step))
      waited += step;
  }
  return false;
}

// gdb changes breakpoints of a program that is stopped.
template <typename Change>
Session::Answer Session::whileStopped(Change change) {
  bool wasRunning = isRunning;
  if (wasRunning && !interrupt())
    return {nullptr, "the program does not stop"};
  focus.leave();
  Answer answer = change();
  if (wasRunning && heldStops.empty())
    goOn();
  return answer;
}

std::string Session::letRun() {
  focus.leave();
  kernels.forget();
  variables.forget();
  frames.clear();
  selected.clear();
  MiReply reply = gdb.ask("-exec-continue");
  isRunning = reply.ok;
  return reply.error;
}

void Session::goOn() {
  if (std::string why = letRun(); !isRunning)
    doesNotGoOn(why);
}

// The client, which believes that it does, hears of it as of a stop.
void Session::doesNotGoOn(const std::string &why) {
  isRunning = false;
  std::string text = gdb.takeComplaints() + why;
  stepper.cancel();
  output("console", "The program does not go on: " + text + "\n");
  tellStop("pause", {}, {{"description", "The program does not go on"}, {"text", text}});
}

Session::Answer Session::setBreakpoints(const Json &arguments) {
  std::string path = arguments.at("source").value("path", "");
  return whileStopped([&] {
    Json list = arguments.value("breakpoints", Json::array());
    return Answer{{{"breakpoints", breakpoints.setInSource(path, list)}}, {}};
  });
}

Session::Answer Session::setFunctionBreakpoints(const Json &arguments) {
  return whileStopped([&] {
    return Answer{{{"breakpoints", breakpoints.setAtProcedures(arguments.at("breakpoints"))}}, {}};
  });
}

Session::Answer Session::setDataBreakpoints(const Json &arguments) {
  return whileStopped([&] {
    Json answers = breakpoints.setAtData(arguments.at("breakpoints"));
    if (breakpoints.watchesBySteps())
      noteWatching();
    return Answer{{{"breakpoints", answers}}, {}};
  });
}

Session::Answer Session::setExceptionBreakpoints(const Json &arguments) {
  return whileStopped([&] {
    Json answers =
        breakpoints.setExceptions(arguments.at("filters").get<std::vector<std::string>>());
    return Answer{{{"breakpoints", answers}}, {}};
  });
}

Session::Answer Session::continueAll(const Json &) {
  stepper.cancel();
  std::string why = letRun();
  return {{{"allThreadsContinued", true}}, isRunning ? "" : "the program does not go on: " + why};
}

Session::Answer Session::step(Step kind, const Json &arguments) {
  FrameContext context = contextOf(arguments.at("threadId").get<int>());
  focus.leave();
  std::string problem = stepper.start(kind, context);
  kernels.forget();
  variables.forget();
  frames.clear();
  selected.clear();
  isRunning = problem.empty();
  return {nullptr, problem};
}

Session::Answer Session::next(const Json &arguments) { return step(Step::Over, arguments); }
Session::Answer Session::stepIn(const Json &arguments) { return step(Step::Into, arguments); }
Session::Answer Session::stepOut(const Json &arguments) { return step(Step::Out, arguments); }

Session::Answer Session::nextBarrier(const Json &arguments) {
  FrameContext context = contextOf(arguments.value("threadId", stoppedThread));
  std::string problem = stepper.toNextBarrier(context);
  if (!problem.empty())
    return {nullptr, problem};
  kernels.forget();
  variables.forget();
  frames.clear();
  selected.clear();
  isRunning = true;
  // Clients know of the protocol's own requests that the program goes on then.
  client.event("continued", {{"threadId", context.thread}, {"allThreadsContinued", true}});
  return {nullptr, {}};
}

Session::Answer Session::pause(const Json &) {
  if (!isRunning)
    return {nullptr, "the program does not run"};
  pauseAsked = true;
  MiReply reply = gdb.ask("-exec-interrupt --all");
  return {nullptr, reply.ok ? "" : reply.error};
}

void Session::threadChanged(bool isNew, int64_t number) {
  client.event("thread", {{"reason", isNew ? "started" : "exited"}, {"threadId", number}});
  if (isNew && breakpoints.watchesBySteps())
    output("console", "Thread " + std::to_string(number) +
                          " begins: where it changes data that is watched is not seen.\n");
}

void Session::takeEvents() {
  auto take = [&](const MiRecord &event) {
    if (event.type == '*' && event.name == "stopped")
      stopped(event.results);
    else if (event.type == '^')
      doesNotGoOn(event.results["msg"].text);
    else if (event.name == "thread-group-started")
      memory.setProcess(static_cast<int>(event.results.number("pid")));
    else if (event.name == "thread-created" || event.name == "thread-exited")
      threadChanged(event.name == "thread-created", event.results.number("id"));
  };
  for (;;) {
    if (!heldStops.empty()) {
      MiRecord stop = std::move(heldStops.front());
      heldStops.erase(heldStops.begin());
      take(stop);
    } else if (std::optional<MiRecord> event = gdb.nextEvent()) {
      take(*event);
    } else {
      return;
    }
  }
}

// What cuda-gdb says of a stop in code of a GPU; it counts from 0.
void Session::noteDevice(const MiValue &stop) {
  gdb.isOnDevice = stop.has("CudaFocus");
  kernels.setOnDevice(std::nullopt);
  if (!gdb.isOnDevice)
    return;
  KernelPosition position;
  position.function = stop["frame"]["func"].text;
  auto read = [&](const char *name, Index &index) {
    int count = 0;
    if (std::optional<Index> given = indexIn(stop["CudaFocus"][name].text, count))
      for (size_t d = 0; d < 3; ++d)
        index[d] = (*given)[d] + 1;
  };
  read("threadIdx", position.thread);
  read("blockIdx", position.block);
  for (size_t d = 0; d < 3; ++d)
    for (auto &[name, index] :
         {std::pair("blockDim.", &position.blockSize), std::pair("gridDim.", &position.gridSize)}) {
      MiReply reply = gdb.askInC("-data-evaluate-expression " + (name + std::string(1, "xyz"[d])));
      if (uint64_t extent = addressOf(reply.results["value"].text))
        (*index)[d] = static_cast<int32_t>(extent);
    }
  kernels.setOnDevice(position);
}

void Session::stopped(const MiValue &stop) {
  isRunning = false;
  std::string complaints = gdb.takeComplaints(); // of a condition that gdb could not decide
  streams.receive();
  output("console", complaints);
  const std::string &reason = stop["reason"].text;
  if (reason.starts_with("exited"))
    return programEnded(stop);
  stoppedThread = static_cast<int>(stop.number("thread-id", 1));
  kernels.forget();
  noteDevice(stop);
  if (reason == "breakpoint-hit" && isBackInProcedure(stop)) {
    isRunning = stepper.isActive() ? stepper.goOn() : gdb.ask("-exec-continue").ok;
    return isRunning ? void() : doesNotGoOn("");
  }
  switch (stepper.stopped(stop)) {
  case Stepper::Verdict::GoesOn:
    isRunning = true;
    return;
  case Stepper::Verdict::Done:
    if (std::string problem = stepper.takeProblem(); !problem.empty())
      output("console", "The step ends here: " + problem + "\n");
    return tellStop("step", stop);
  case Stepper::Verdict::NotOurs:
    break;
  }
  if (reason == "breakpoint-hit" || reason.ends_with("watchpoint-trigger"))
    return stoppedAtBreakpoint(stop);
  if (reason == "watchpoint-scope")
    return goOn();
  if (reason == "signal-received")
    return stoppedBySignal(stop["signal-name"].text, stop);
  if (reason.empty() && breakpoints.catchesFaults()) // what gdb says of "catch signal"
    return stoppedBySignal("SIGSEGV", stop);
  tellStop(pauseAsked ? "pause" : "step", stop);
}

// A breakpoint at a kernel's name also stops where a thread comes back from a barrier.
bool Session::isBackInProcedure(const MiValue &stop) {
  FrameContext context{stoppedThread};
  if (!breakpoints.isAtProcedure(stop["bkptno"].text))
    return false;
  std::optional<KernelPosition> position = kernels.position(context);
  std::optional<Block> block = kernels.blockAt(context);
  return position && position->level == 0 && block && block->resume && block->running >= 0 &&
         block->threads[static_cast<size_t>(block->running)].operation != 0;
}

void Session::stoppedAtBreakpoint(const MiValue &stop) {
  std::string number = stop["bkptno"].text;
  bool isData = number.empty();
  for (const char *name : {"wpt", "hw-rwpt", "hw-awpt"})
    if (stop.has(name))
      number = stop[name]["number"].text;
  if (!entryBreakpoint.empty() && number == entryBreakpoint) {
    entryBreakpoint.clear();
    return tellStop("entry", stop);
  }
  FrameContext context{stoppedThread};
  Breakpoints::Hit hit = breakpoints.hit(number, context);
  output("console", hit.output);
  if (!hit.stops)
    return goOn();
  if (!hit.exception.empty())
    return findingAt(stop, hit.exception);
  Json more = Json::object();
  if (hit.id)
    more["hitBreakpointIds"] = {hit.id};
  if (isData)
    more["text"] = changeIn(stop["value"]);
  tellStop(isData            ? "data breakpoint"
           : hit.isProcedure ? "function breakpoint"
                             : "breakpoint",
           stop, std::move(more));
}

// The argument of cufrt_debugger_stop is the text; ERROR STOP has it in its own. That of
// cufrt_debugger_fault is an address.
void Session::findingAt(const MiValue &stop, const std::string &filter) {
  if (filter == "fault")
    return stoppedBySignal("SIGSEGV", stop, secondArgument);
  exceptionName = filter;
  if (filter == "check")
    exceptionText = memory.readText(addressOf(
        gdb.askInC("-data-evaluate-expression " + miQuoted("(long)" + std::string(firstArgument)))
            .results["value"]
            .text));
  else
    exceptionText = "ERROR STOP";
  while (exceptionText.ends_with('\n'))
    exceptionText.pop_back();
  showWaiting();
  tellStop("exception", stop, {{"text", exceptionText}});
}

void Session::stoppedBySignal(const std::string &name, const MiValue &stop,
                              const std::string &faultAddress) {
  if (name == "SIGINT" && std::exchange(pauseAsked, false))
    return tellStop("pause", stop);
  exceptionName = name;
  exceptionText = stop["signal-meaning"].text;
  if (name == "SIGSEGV" || name == "SIGBUS") {
    MiReply reply = gdb.askInC("-data-evaluate-expression \"(long)" + faultAddress + "\"");
    uint64_t address = addressOf(reply.results["value"].text);
    std::string known = address ? kernels.describeAddress(address) : "";
    exceptionText = "an invalid address" + (known.empty() ? "" : ", " + known);
  } else if (name == "SIGFPE") {
    exceptionText = "an integer division by zero, or one whose result is too large";
  } else if (name == "SIGILL") {
    exceptionText = "a trap";
  } else if (name == "SIGABRT") {
    exceptionText = "an error of the run-time library; its message is in the output";
  }
  if (std::optional<KernelPosition> position = kernels.position({stoppedThread}))
    exceptionText += " (kernel " + position->function + ", block " + shownIndex(position->block) +
                     ", thread " + shownIndex(position->thread) + ")";
  tellStop("exception", stop, {{"text", exceptionText}});
}

void Session::tellStop(const char *reason, const MiValue &, Json more) {
  pauseAsked = false;
  if (std::string_view(reason) != "exception")
    exceptionName.clear();
  more["reason"] = reason;
  more["threadId"] = stoppedThread;
  more["allThreadsStopped"] = true;
  client.event("stopped", more);
}

} // namespace cufc::debug
