// The threads of a block as variables (variables.h): groups of those that are at one place, in them
// the threads, in these the variables of the ones that wait.
#include "debug/variables.h"
#include <algorithm>

namespace cufc::debug {
namespace {

std::string stateText(const BlockThread &thread) {
  switch (thread.state) {
  case ThreadState::NotBegun:
    return "not begun";
  case ThreadState::Running:
    return "stopped here";
  case ThreadState::Ready:
    return std::string("behind ") + operationName(thread.operation);
  case ThreadState::Waiting:
    return std::string("waiting at ") + operationName(thread.operation);
  case ThreadState::Ended:
    return "ended";
  }
  return {};
}

} // namespace

std::string shownRanges(const std::vector<int> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[i] + 1);
    if (last > i)
      text += "-" + std::to_string(numbers[last] + 1);
    i = last + 1;
  }
  return text;
}

std::vector<ThreadGroup> groupsOf(const Block &block, KernelModel &kernels,
                                  const SourceLine &running) {
  std::vector<ThreadGroup> groups;
  for (size_t i = 0; i < block.threads.size(); ++i) {
    const BlockThread &thread = block.threads[i];
    std::string state = stateText(thread);
    SourceLine place = thread.state == ThreadState::Running ? running
                       : thread.place                       ? kernels.lineOf(thread.place)
                                                            : SourceLine{};
    auto group = std::find_if(groups.begin(), groups.end(), [&](const ThreadGroup &known) {
      return known.state == state && known.place.file == place.file &&
             known.place.line == place.line;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), {state, place, {}});
    group->threads.push_back(static_cast<int>(i));
  }
  return groups;
}

Json Variables::groups(const Node &node) {
  Json variables = Json::array();
  focus.enter(node.context);
  std::optional<Block> block = kernels.blockAt(node.context);
  if (!block)
    return variables;
  int number = 0;
  for (const ThreadGroup &group : groupsOf(*block, kernels, {})) {
    std::string name = group.state;
    if (group.place.line)
      name += ", line " + std::to_string(group.place.line);
    Node members = node;
    members.kind = Kind::Group;
    members.group = number++;
    variables.push_back({{"name", name},
                         {"value", "threads " + shownRanges(group.threads)},
                         {"indexedVariables", group.threads.size()},
                         {"variablesReference", add(std::move(members))}});
  }
  return variables;
}

Json Variables::threads(const Node &node, int64_t start, int64_t count) {
  Json variables = Json::array();
  focus.enter(node.context);
  std::optional<Block> block = kernels.blockAt(node.context);
  if (!block)
    return variables;
  std::vector<ThreadGroup> groups = groupsOf(*block, kernels, {});
  if (node.group >= static_cast<int>(groups.size()))
    return variables;
  const std::vector<int> &members = groups[static_cast<size_t>(node.group)].threads;
  auto first = static_cast<size_t>(std::max<int64_t>(start, 0));
  size_t last = count > 0 ? first + static_cast<size_t>(count) : members.size();
  for (size_t i = first; i < std::min(last, members.size()); ++i) {
    const BlockThread &thread = block->threads[static_cast<size_t>(members[i])];
    Json variable{{"name", "thread " + shownIndex(block->threadIndex(members[i]))},
                  {"value", stateText(thread)},
                  {"variablesReference", 0}};
    FrameContext context{node.context.thread, 0, thread.frame, thread.place};
    if (thread.place)
      variable["variablesReference"] = add({Kind::Locals, context, {}, {}, {}, 0});
    variables.push_back(std::move(variable));
  }
  return variables;
}

} // namespace cufc::debug
