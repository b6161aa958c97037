// See session.h. The threads of a block: as the client asks for them, and as one types in its
// console.
#include "debug/session.h"

namespace cufc::debug {
namespace {

constexpr const char *help =
    "an expression        its value\n"
    "threads              where the threads of the block are\n"
    "thread 5             show thread 5 of the block; also thread (5,1,1)\n"
    "block (2,1,1)        show a block that is under way; its first thread that waits\n"
    "back                 show the thread that has stopped again\n"
    "barrier              go on until this thread comes back from its next barrier\n"
    "gdb COMMAND          a command of gdb\n";

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::optional<Index> indexOf(const Json &object, const char *name) {
  auto given = object.find(name);
  if (given == object.end() || !given->is_array())
    return std::nullopt;
  Index index{1, 1, 1};
  for (size_t d = 0; d < 3 && d < given->size(); ++d)
    index[d] = (*given)[d].get<int32_t>();
  return index;
}

Json shown(const SourceLine &place) {
  Json result = Json::object();
  if (!place.file.empty())
    result["path"] = place.file;
  if (place.line)
    result["line"] = place.line;
  return result;
}

} // namespace

// Where threads wait for each other, the call stack is in no kernel: one of them takes its place.
void Session::showWaiting() {
  if (kernels.position({stoppedThread}))
    return;
  for (const Block &block : kernels.blocksUnderWay())
    for (const BlockThread &thread : block.threads)
      if (thread.state == ThreadState::Waiting && thread.place) {
        selected[stoppedThread] = {stoppedThread, 0, thread.frame, thread.place};
        return;
      }
}

// Each thread's group, x fastest, and what the groups are.
Session::Answer Session::blockThreads(const Json &arguments) {
  int thread = arguments.value("threadId", stoppedThread);
  FrameContext context = contextOf(thread);
  focus.enter(FrameContext{thread});
  std::optional<KernelPosition> stopped = kernels.position(FrameContext{thread});
  SourceLine running = stopped ? lineAt({thread, stopped->level}) : SourceLine{};
  focus.enter(context);
  std::optional<Block> block = kernels.blockAt(context);
  if (!block)
    return {nullptr, "this is not in a kernel on the CPU"};
  std::vector<size_t> groupOf(block->threads.size());
  Json groups = Json::array();
  for (const ThreadGroup &group : groupsOf(*block, kernels, running)) {
    for (int member : group.threads)
      groupOf[static_cast<size_t>(member)] = groups.size();
    Json row = shown(group.place);
    row["state"] = group.state;
    row["threads"] = shownRanges(group.threads);
    row["count"] = group.threads.size();
    groups.push_back(std::move(row));
  }
  Json blocks = Json::array();
  for (const Block &known : kernels.blocksUnderWay())
    blocks.push_back(known.index);
  Json body{{"kernel", block->kernel},
            {"block", block->index},
            {"blockDim", block->blockSize},
            {"gridDim", block->gridSize},
            {"groups", groups},
            {"groupOfThread", groupOf},
            {"blocks", blocks}};
  if (std::optional<KernelPosition> position = kernels.position(context))
    body["thread"] = position->thread;
  return {body, {}};
}

// cuda-gdb counts from 0.
std::string Session::selectOnDevice(KernelPosition position, const std::optional<Index> &block,
                                    const Index &index) {
  auto fromZero = [](Index of) {
    for (int32_t &each : of)
      --each;
    return shownIndex(of);
  };
  Index wanted = block.value_or(position.block);
  MiReply reply = gdb.console("cuda block " + fromZero(wanted) + " thread " + fromZero(index));
  if (!reply.ok)
    return reply.error;
  position.block = wanted;
  position.thread = index;
  kernels.setOnDevice(position);
  return "";
}

std::string Session::select(int thread, const std::optional<Index> &wanted, const Index &index) {
  if (kernels.isOnDevice())
    if (std::optional<KernelPosition> position = kernels.position({}))
      return selectOnDevice(*position, wanted, index);
  FrameContext shown = contextOf(thread);
  kernels.position(FrameContext{thread}); // so that the running thread is known
  focus.enter(shown);
  std::optional<Block> block = kernels.blockAt(shown);
  if (wanted && (!block || *wanted != block->index)) {
    block.reset();
    for (Block &known : kernels.blocksUnderWay())
      if (known.index == *wanted)
        block = std::move(known);
    if (!block)
      return "block " + shownIndex(*wanted) + " is not under way";
  }
  if (!block)
    return "this is not in a kernel on the CPU";
  int number = block->threadNumber(index);
  if (number < 0)
    return "the block has no thread " + shownIndex(index);
  if (number == block->running) {
    selected.erase(thread);
    return "";
  }
  const BlockThread &chosen = block->threads[static_cast<size_t>(number)];
  if (chosen.state == ThreadState::NotBegun)
    return "thread " + shownIndex(index) + " has not begun";
  if (chosen.state == ThreadState::Ended)
    return "thread " + shownIndex(index) + " has ended";
  if (!chosen.place)
    return "where thread " + shownIndex(index) + " waits is known in code with -O0 -g";
  selected[thread] = {thread, 0, chosen.frame, chosen.place};
  return "";
}

// Clients that do not know `invalidated` look at the call stack again after a stop.
void Session::tellThreadShown(int thread) {
  if (takesInvalidated)
    client.event("invalidated",
                 {{"areas", {"threads", "stacks", "variables"}}, {"threadId", thread}});
  else
    client.event("stopped", {{"reason", "goto"},
                             {"description", "Another thread of the block is shown"},
                             {"threadId", thread},
                             {"allThreadsStopped", true}});
}

Session::Answer Session::selectThread(const Json &arguments) {
  int thread = arguments.value("threadId", stoppedThread);
  std::optional<Index> index = indexOf(arguments, "thread");
  std::string problem = select(thread, indexOf(arguments, "block"), index.value_or(Index{1, 1, 1}));
  if (problem.empty())
    tellThreadShown(thread);
  return {Json::object(), problem};
}

// Once: what watching costs on this machine.
void Session::noteWatching() {
  if (!std::exchange(hasNotedWatching, true))
    output("console", breakpoints.watchingNote());
}

std::string Session::threadTable(int thread) {
  Answer answer = blockThreads({{"threadId", thread}});
  if (!answer.problem.empty())
    return answer.problem + "\n";
  std::string text = answer.body["kernel"].get<std::string>() + ", block " +
                     shownIndex(answer.body["block"].get<Index>()) + "\n";
  for (const Json &group : answer.body["groups"]) {
    text += group["state"].get<std::string>();
    if (group.contains("line"))
      text += ", line " + std::to_string(group["line"].get<int>());
    text += ": " + group["threads"].get<std::string>() + "\n";
  }
  return text;
}

std::optional<Session::Answer> Session::consoleCommand(const std::string &given,
                                                       const Json &arguments) {
  std::string text = trimmed(given);
  std::string word = text.substr(0, text.find(' '));
  std::string rest = trimmed(text.substr(word.size()));
  int thread = frameOf(arguments).thread, count = 0;
  auto say = [](const std::string &result, const std::string &problem = {}) {
    return Answer{{{"result", result}, {"variablesReference", 0}}, problem};
  };
  std::optional<Index> index = indexIn(rest, count);
  if (word == "help" && rest.empty())
    return say(help);
  if (word == "threads" && rest.empty())
    return say(threadTable(thread));
  if (word == "barrier" && rest.empty())
    return say("", nextBarrier({{"threadId", thread}}).problem);
  if (word == "gdb") {
    focus.enter(frameOf(arguments));
    MiReply reply = gdb.console(rest);
    if (reply.ok && rest.starts_with("watch ") && options.hardwareWatchpoints == false)
      noteWatching();
    return say(reply.console, reply.error);
  }
  if (word == "back" && rest.empty()) {
    selected.erase(thread);
    tellThreadShown(thread);
    return say("");
  }
  if ((word != "thread" && word != "block") || !index)
    return std::nullopt;
  Json request{{"threadId", thread}};
  FrameContext context = contextOf(thread);
  focus.enter(context);
  if (word == "block") {
    request["block"] = *index;
  } else if (std::optional<Block> block = kernels.blockAt(context)) {
    request["thread"] = count == 1 ? block->threadIndex((*index)[0] - 1) : *index;
    request["block"] = block->index;
  }
  Answer answer = selectThread(request);
  return say(answer.problem.empty() ? word + " " + shownIndex(*index) : "", answer.problem);
}

} // namespace cufc::debug
