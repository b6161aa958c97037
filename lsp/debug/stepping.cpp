// See stepping.h.
#include "debug/stepping.h"
#include "cufrt/abi.h"
#include <algorithm>

namespace cufc::debug {
namespace {

constexpr int mostLevels = 60;

std::string ofThread(int thread) { return " --thread " + std::to_string(thread); }

bool hasSource(const MiValue &frame) { return frame.has("fullname"); }

} // namespace

void Stepper::removeBreakpoints() {
  for (const std::string &number : ours)
    gdb.ask("-break-delete " + number);
  if (std::exchange(awaited, 0))
    await(0);
  ours.clear();
  resumption.clear();
}

void Stepper::cancel() {
  removeBreakpoints();
  phase = Phase::None;
}

bool Stepper::proceed(const std::string &command) { return gdb.ask(command).ok; }

std::string Stepper::start(Step step, const FrameContext &at) {
  cancel();
  context = {at.thread};
  if (at.frame)
    return toNextBarrier(at);
  if (kernels.isOnDevice())
    from.reset(); // there cuda-gdb knows what a step is
  else
    from = kernels.position(context);
  phase = Phase::Arriving;
  bool endsThread = step == Step::Out && from && from->level == 0;
  MiReply here = gdb.ask("-stack-info-frame" + ofThread(context.thread) + " --frame 0");
  bool isInSource = hasSource(here.results["frame"]);
  if (endsThread || !isInSource) {
    bool knowsEnd = !isInSource && breakAtSource(context.thread, Behind::Stop);
    knowsEnd |= from && breakAtLaunch();
    return knowsEnd && proceed("-exec-continue") ? "" : "where this ends is not known";
  }
  phase = Phase::Stepping;
  const char *command = step == Step::Over   ? "-exec-next"
                        : step == Step::Into ? "-exec-step"
                                             : "-exec-finish";
  MiReply reply = gdb.ask(command + ofThread(context.thread) + " --frame 0");
  return reply.ok ? "" : reply.error;
}

std::string Stepper::toNextBarrier(const FrameContext &at) {
  cancel();
  focus.enter(at);
  std::optional<Block> block = kernels.blockAt(at);
  from = kernels.position(at);
  focus.leave();
  context = {at.thread};
  if (!block || !from)
    return "this is not in a kernel on the CPU";
  if (!block->resume)
    return "the kernel has no barriers";
  return waitForThread(*block, from->threadNumber());
}

bool Stepper::await(uint64_t frame) {
  return gdb
      .askInC("-data-evaluate-expression \"*(unsigned long *)&cufrt_debugger_awaited = " +
              std::to_string(frame) + "\"")
      .ok;
}

bool Stepper::breakAtResumption(uint64_t frame) {
  if (!await(frame))
    return false;
  awaited = frame;
  MiReply reply = gdb.askInC("-break-insert cufrt_debugger_resumed");
  if (reply.ok)
    ours.push_back(resumption = reply.results["bkpt"]["number"].text);
  return reply.ok;
}

std::string Stepper::waitForThread(const Block &block, int thread) {
  const BlockThread &wanted = block.threads[static_cast<size_t>(thread)];
  if (!wanted.frame)
    return "the thread does not wait";
  resume = block.resume;
  phase = Phase::Waiting;
  if (!breakAtResumption(wanted.frame)) {
    cancel();
    return "the program does not say when this thread goes on: its runtime library is older than "
           "this debug adapter; build it again";
  }
  breakAtLaunch();
  return proceed("-exec-continue") ? "" : "the program does not go on";
}

// Stops where the innermost call with source goes on: of all, or of those that led to the kernel.
bool Stepper::breakAtSource(int thread, Behind where) {
  MiReply reply =
      gdb.ask("-stack-list-frames" + ofThread(thread) + " 0 " + std::to_string(mostLevels));
  int level = -1;
  bool isInKernel = where == Behind::Kernel && from && thread == context.thread;
  for (const auto &[name, frame] : reply.results["stack"].items) {
    ++level;
    if (level == 0 || !hasSource(frame) || (isInKernel && level <= from->level))
      continue;
    MiReply set = gdb.ask("-break-insert -t *" + frame["addr"].text);
    if (set.ok)
      ours.push_back(set.results["bkpt"]["number"].text);
    return set.ok;
  }
  return false;
}

// On the thread of the process that launched the kernel.
bool Stepper::breakAtLaunch() {
  return breakAtSource(context.thread, Behind::Kernel) || breakAtSource(1, Behind::Kernel);
}

bool Stepper::goOn() {
  return proceed(phase == Phase::Stepping ? "-exec-next" + ofThread(context.thread)
                                          : "-exec-continue");
}

// The line of the operation, or of the launch, has been begun.
Stepper::Verdict Stepper::finishLine() {
  phase = Phase::Stepping;
  return goOn() ? Verdict::GoesOn : Verdict::Done;
}

// In the runtime library, which calls the thread's function next; that will jump to its place, or,
// where code tells no places, begins with the look for it.
Stepper::Verdict Stepper::resumed(uint64_t address) {
  auto frame = memory.object<cufrt_frame>(address);
  if (!frame || frame->state == 0)
    return threadEnded();
  uint64_t place = resume + static_cast<uint32_t>(std::max(frame->place, 0));
  MiReply set = gdb.ask("-break-insert -t -p " + std::to_string(context.thread) + " *" +
                        std::to_string(place));
  if (!set.ok)
    return stopsEarly(set.error);
  ours.push_back(set.results["bkpt"]["number"].text);
  phase = Phase::Arriving;
  return goOn() ? Verdict::GoesOn : Verdict::Done;
}

Stepper::Verdict Stepper::stopsEarly(const std::string &why) {
  cancel();
  problem = why;
  return Verdict::Done;
}

// The step goes to where the launch returns.
Stepper::Verdict Stepper::threadEnded() {
  if (!breakAtLaunch())
    return stopsEarly(
        "the thread has ended, and where the launch of its kernel returns is not known");
  phase = Phase::Arriving;
  return goOn() ? Verdict::GoesOn : Verdict::Done;
}

// The step has ended in code without source.
Stepper::Verdict Stepper::leftSource() {
  if (!from)
    return proceed("-exec-continue") ? Verdict::GoesOn : Verdict::Done;
  for (const Block &block : kernels.blocksUnderWay()) {
    if (block.index != from->block || block.blockSize != from->blockSize)
      continue;
    const BlockThread &thread = block.threads[static_cast<size_t>(from->threadNumber())];
    if (thread.state == ThreadState::Ended)
      break;
    std::string why = waitForThread(block, from->threadNumber());
    return why.empty() ? Verdict::GoesOn : stopsEarly(why);
  }
  return threadEnded();
}

Stepper::Verdict Stepper::stopped(const MiValue &stop) {
  const std::string &reason = stop["reason"].text;
  const MiValue &frame = stop["frame"];
  const std::string &number = stop["bkptno"].text;
  bool isOurs = std::find(ours.begin(), ours.end(), number) != ours.end();
  bool hasStepped = reason == "end-stepping-range" || reason == "function-finished" ||
                    reason == "location-reached";
  if (phase == Phase::None || !(isOurs || hasStepped)) {
    cancel();
    return Verdict::NotOurs;
  }
  if (isOurs) {
    context.thread = static_cast<int>(stop.number("thread-id", context.thread));
    bool isResumption = number == resumption;
    uint64_t frameOfThread = awaited;
    removeBreakpoints();
    return isResumption ? resumed(frameOfThread) : finishLine();
  }
  if (!hasSource(frame))
    return leftSource();
  phase = Phase::None;
  return Verdict::Done;
}

} // namespace cufc::debug
