// See stepping.h.
#include "debug/stepping.h"
#include <algorithm>
#include <utility>

namespace cufc::debug {
namespace {

constexpr int mostSettlings = 3;
constexpr int mostLevels = 60;

std::string ofThread(int thread) { return " --thread " + std::to_string(thread); }

bool hasSource(const MiValue &frame) { return frame.has("fullname"); }

} // namespace

void Stepper::cancel() {
  for (const std::string &number : ours)
    gdb.ask("-break-delete " + number);
  ours.clear();
  phase = Phase::None;
}

bool Stepper::proceed(const std::string &command) { return gdb.ask(command).ok; }

std::string Stepper::start(Step step, const FrameContext &at) {
  cancel();
  context = {at.thread};
  settlings = 0;
  if (at.frame) { // of a thread that waits
    focus.enter(at);
    std::optional<Block> block = kernels.blockAt(at);
    std::optional<KernelPosition> position = kernels.position(at);
    focus.leave();
    from = position;
    if (block && position)
      return waitForThread(*block, position->threadNumber());
    return "where this thread waits is not known";
  }
  from = kernels.position(context);
  phase = Phase::Stepping;
  bool endsThread = step == Step::Out && from && from->level == 0;
  if (endsThread)
    return waitForLaunch() ? "" : "the launch of the kernel is in no call stack";
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
  settlings = 0;
  if (!block || !from)
    return "this is not in a kernel on the CPU";
  if (!block->resume)
    return "the kernel has no barriers";
  return waitForThread(*block, from->threadNumber());
}

// The function's third argument is the frame; the start of another block in the same memory, whose
// state is 0, means that the thread has ended.
std::string Stepper::waitForThread(const Block &block, int thread) {
  const BlockThread &wanted = block.threads[static_cast<size_t>(thread)];
  waited = kernels.lineOf(wanted.place);
  MiReply reply = gdb.askInC("-break-insert -t -c \"$rdx == " + std::to_string(wanted.frame) +
                             " && *(int *) $rdx != 0\" *" + std::to_string(block.resume));
  if (!wanted.frame || !reply.ok)
    return wanted.frame ? reply.error : "the thread does not wait";
  ours.push_back(reply.results["bkpt"]["number"].text);
  phase = Phase::Waiting;
  if (waitForLaunch())
    return "";
  return proceed("-exec-continue") ? "" : "the program does not go on";
}

// Stops also where the call of the kernel returns to the source, on the thread that launched it.
bool Stepper::waitForLaunch() {
  for (int thread : {context.thread, 1}) {
    MiReply reply =
        gdb.ask("-stack-list-frames" + ofThread(thread) + " 0 " + std::to_string(mostLevels));
    int level = -1;
    bool isBehindKernel = thread != context.thread || !from;
    for (const auto &[name, frame] : reply.results["stack"].items) {
      ++level;
      isBehindKernel |= from && level > from->level;
      if (level == 0 || !isBehindKernel || !hasSource(frame) ||
          (from && frame["func"].text == from->function))
        continue;
      MiReply set = gdb.ask("-break-insert -t *" + frame["addr"].text);
      if (!set.ok)
        return false;
      ours.push_back(set.results["bkpt"]["number"].text);
      if (phase == Phase::Stepping)
        phase = Phase::Waiting;
      return proceed("-exec-continue");
    }
    if (thread == 1)
      break;
  }
  return false;
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
  phase = Phase::Stepping;
  if (waitForLaunch())
    return Verdict::GoesOn;
  phase = Phase::None;
  return proceed("-exec-continue") ? Verdict::GoesOn : Verdict::Done;
}

Stepper::Verdict Stepper::stopped(const MiValue &stop) {
  const std::string &reason = stop["reason"].text;
  const MiValue &frame = stop["frame"];
  bool isOurs = reason == "breakpoint-hit" &&
                std::find(ours.begin(), ours.end(), stop["bkptno"].text) != ours.end();
  bool hasStepped = reason == "end-stepping-range" || reason == "function-finished" ||
                    reason == "location-reached";
  if (phase == Phase::None || !(isOurs || hasStepped)) {
    if (phase != Phase::Settling)
      cancel();
    return Verdict::NotOurs;
  }
  if (isOurs) {
    context.thread = static_cast<int>(stop.number("thread-id", context.thread));
    std::vector<std::string> others = std::exchange(ours, {});
    for (const std::string &number : others)
      if (number != stop["bkptno"].text)
        gdb.ask("-break-delete " + number);
    return settle();
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
