// See stepping.h.
#include "debug/stepping.h"
#include <algorithm>

namespace cufc::debug {
namespace {

constexpr int mostSettlings = 3;
constexpr int mostLevels = 60;

std::string ofThread(int thread) { return " --thread " + std::to_string(thread); }

bool hasSource(const MiValue &frame) { return frame.has("fullname"); }

} // namespace

void Stepper::removeBreakpoints() {
  for (const std::string &number : ours)
    gdb.ask("-break-delete " + number);
  ours.clear();
  watch.clear();
}

void Stepper::cancel() {
  removeBreakpoints();
  phase = Phase::None;
}

bool Stepper::proceed(const std::string &command) { return gdb.ask(command).ok; }

std::string Stepper::start(Step step, const FrameContext &at) {
  cancel();
  context = {at.thread};
  waited = {};
  settlings = 0;
  if (at.frame)
    return toNextBarrier(at);
  from = kernels.position(context);
  phase = Phase::Waiting;
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
  waited = {};
  settlings = 0;
  if (!block || !from)
    return "this is not in a kernel on the CPU";
  if (!block->resume)
    return "the kernel has no barriers";
  return waitForThread(*block, from->threadNumber());
}

// Each call of the thread's function begins with a look at the state in the frame. The runtime
// library writes it when the next block begins in the same memory, which means that the thread has
// ended.
bool Stepper::watchFrame(uint64_t frame) {
  MiReply reply = gdb.askInC("-break-watch -a " + miQuoted("*(int *) " + std::to_string(frame)));
  if (!reply.ok || reply.results.items.empty())
    return false;
  watch = reply.results.items[0].value["number"].text;
  ours.push_back(watch);
  return true;
}

// Without such hardware; the function's third argument is the frame.
bool Stepper::breakAtResumption(const Block &block, uint64_t frame) {
  MiReply reply = gdb.askInC("-break-insert -t -c \"$rdx == " + std::to_string(frame) +
                             " && *(int *) $rdx != 0\" *" + std::to_string(block.resume));
  if (reply.ok)
    ours.push_back(reply.results["bkpt"]["number"].text);
  return reply.ok;
}

std::string Stepper::waitForThread(const Block &block, int thread) {
  const BlockThread &wanted = block.threads[static_cast<size_t>(thread)];
  if (!wanted.frame)
    return "the thread does not wait";
  waited = kernels.lineOf(wanted.place);
  phase = Phase::Waiting;
  bool watches = watchFrame(wanted.frame);
  if (!watches && !breakAtResumption(block, wanted.frame))
    return "where this thread goes on is not known";
  breakAtLaunch();
  if (proceed("-exec-continue"))
    return "";
  // Debug registers that are there need not be free.
  removeBreakpoints();
  bool isSet = watches && breakAtResumption(block, wanted.frame);
  breakAtLaunch();
  return isSet && proceed("-exec-continue") ? "" : "the program does not go on";
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

// From the start of the thread's function, or from the middle of the line with the launch, to the
// next line.
Stepper::Verdict Stepper::settle() {
  phase = Phase::Settling;
  ++settlings;
  return proceed("-exec-next" + ofThread(context.thread)) ? Verdict::GoesOn : Verdict::Done;
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
    return waitForThread(block, from->threadNumber()).empty() ? Verdict::GoesOn : Verdict::Done;
  }
  phase = breakAtLaunch() ? Phase::Waiting : Phase::None;
  return proceed("-exec-continue") ? Verdict::GoesOn : Verdict::Done;
}

Stepper::Verdict Stepper::stopped(const MiValue &stop) {
  const std::string &reason = stop["reason"].text;
  const MiValue &frame = stop["frame"];
  std::string number = stop["bkptno"].text;
  if (stop.has("hw-awpt"))
    number = stop["hw-awpt"]["number"].text;
  bool isOurs = std::find(ours.begin(), ours.end(), number) != ours.end();
  bool hasStepped = reason == "end-stepping-range" || reason == "function-finished" ||
                    reason == "location-reached";
  if (phase == Phase::None || !(isOurs || hasStepped)) {
    if (phase != Phase::Settling)
      cancel();
    return Verdict::NotOurs;
  }
  if (isOurs) {
    context.thread = static_cast<int>(stop.number("thread-id", context.thread));
    bool hasEnded = number == watch && !hasSource(frame);
    removeBreakpoints();
    return hasEnded ? leftSource() : settle();
  }
  if (!hasSource(frame))
    return leftSource();
  bool isSameLine = phase == Phase::Settling && settlings < mostSettlings &&
                    frame.number("line") == waited.line && frame["fullname"].text == waited.file;
  if (isSameLine)
    return settle();
  phase = Phase::None;
  return Verdict::Done;
}

} // namespace cufc::debug
