// See session.h. Threads, call stacks, variables and expressions.
#include "debug/session.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>

namespace cufc::debug {
namespace {

constexpr int mostFrames = 200;

// "program main", "main::internal" and "CUF kernel, line 12" for what debug information calls MAIN,
// MAIN::internal and cufk_main_12_on_cpu. Only main programs have names in capitals there.
std::string nameOf(const std::string &function) {
  static const std::regex loop(R"(cufk_.*_(\d+)(_on_cpu)?)");
  std::smatch match;
  if (std::regex_match(function, match, loop))
    return "CUF kernel, line " + match[1].str();
  std::string owner = function.substr(0, function.find("::"));
  bool isProgram = !owner.empty() && std::none_of(owner.begin(), owner.end(), [](char letter) {
    return std::islower(static_cast<unsigned char>(letter));
  });
  if (!isProgram)
    return function;
  std::string rest = function.substr(owner.size());
  for (char &letter : owner)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return (rest.empty() ? "program " : "") + owner + rest;
}

bool hasSourceBehind(const MiValue &stack) {
  return std::any_of(stack.items.begin(), stack.items.end(),
                     [](const MiItem &frame) { return frame.value.has("fullname"); });
}

} // namespace

// What the client sees in a thread's place: its own call stack, or a thread of a kernel that waits.
FrameContext Session::contextOf(int thread) const {
  auto known = selected.find(thread);
  return known == selected.end() ? FrameContext{thread} : known->second;
}

FrameContext Session::frameOf(const Json &arguments) {
  int64_t number = arguments.value("frameId", int64_t(0));
  if (number < 1 || number > static_cast<int64_t>(frames.size()))
    return contextOf(stoppedThread);
  return frames[static_cast<size_t>(number - 1)];
}

Session::Answer Session::threads(const Json &) {
  Json list = Json::array();
  if (isRunning || !hasBegun || hasEnded)
    return {{{"threads", {{{"id", stoppedThread}, {"name", "program"}}}}}, {}};
  MiReply reply = gdb.ask("-thread-info");
  for (const auto &[unused, thread] : reply.results["threads"].items) {
    auto id = static_cast<int>(thread.number("id"));
    std::string name = "thread " + std::to_string(id);
    FrameContext context = contextOf(id);
    focus.enter(context);
    if (std::optional<KernelPosition> position = kernels.position(context))
      name = position->function + ", block " + shownIndex(position->block) + ", thread " +
             shownIndex(position->thread);
    list.push_back({{"id", id}, {"name", name}});
  }
  return {{{"threads", list}}, {}};
}

Session::Answer Session::stackTrace(const Json &arguments) {
  FrameContext context = contextOf(arguments.at("threadId").get<int>());
  focus.enter(context);
  MiReply reply = gdb.ask("-stack-list-frames --thread " + std::to_string(context.thread) + " 0 " +
                          std::to_string(mostFrames));
  if (!reply.ok)
    return {nullptr, reply.error};
  Json list = Json::array();
  // A run of calls without source is one line; none where a stop is in the run-time library.
  bool isHidden = context.frame == 0 && hasSourceBehind(reply.results["stack"]);
  int level = -1;
  for (const auto &[unused, frame] : reply.results["stack"].items) {
    ++level;
    bool hasSource = frame.has("fullname");
    if (context.frame && !hasSource)
      break; // behind a thread that waits there is no call stack
    if (!hasSource && std::exchange(isHidden, true))
      continue;
    isHidden = !hasSource;
    FrameContext at = context;
    at.level = level;
    frames.push_back(at);
    Json shown{{"id", frames.size()},
               {"name", hasSource ? nameOf(frame["func"].text) : "[run-time library]"},
               {"line", frame.number("line")},
               {"column", hasSource ? 1 : 0},
               {"instructionPointerReference", frame["addr"].text}};
    if (hasSource)
      shown["source"] = {{"name", std::filesystem::path(frame["fullname"].text).filename()},
                         {"path", frame["fullname"].text}};
    else
      shown["presentationHint"] = "subtle";
    // The C function around the main program is of no interest.
    if (frame["func"].text == "main" && level > 0)
      continue;
    list.push_back(std::move(shown));
  }
  auto total = list.size();
  auto first = arguments.value("startFrame", size_t(0));
  auto count = arguments.value("levels", size_t(0));
  Json page = Json::array();
  for (size_t i = first; i < total && (count == 0 || i < first + count); ++i)
    page.push_back(list[i]);
  return {{{"stackFrames", page}, {"totalFrames", total}}, {}};
}

Session::Answer Session::scopes(const Json &arguments) {
  FrameContext context = frameOf(arguments);
  focus.enter(context);
  MiReply reply = gdb.ask("-stack-info-frame --thread " + std::to_string(context.thread) +
                          " --frame " + std::to_string(context.level));
  return {{{"scopes", variables.scopes(context, reply.results["frame"]["func"].text)}}, {}};
}

Session::Answer Session::listVariables(const Json &arguments) {
  std::string filter = arguments.value("filter", "");
  Json list = variables.children(arguments.at("variablesReference").get<int64_t>(),
                                 arguments.value("start", int64_t(0)),
                                 filter == "named" ? 0 : arguments.value("count", int64_t(0)));
  return {{{"variables", list}}, {}};
}

Session::Answer Session::evaluate(const Json &arguments) {
  std::string expression = arguments.at("expression").get<std::string>();
  if (arguments.value("context", "") == "repl")
    if (std::optional<Answer> answer = consoleCommand(expression, arguments))
      return *answer;
  FrameContext context = frameOf(arguments);
  std::string problem;
  std::optional<Json> value = variables.evaluate(context, expression, problem);
  if (!value)
    if (std::optional<KernelPosition> position = kernels.position(context)) {
      std::string given = withLaunchIndices(expression, *position), again;
      if (given != expression)
        value = variables.evaluate(context, given, again);
    }
  return value ? Answer{*value, {}} : Answer{nullptr, problem};
}

Session::Answer Session::setVariable(const Json &arguments) {
  std::string problem;
  std::optional<Json> value = variables.assign(arguments.at("variablesReference").get<int64_t>(),
                                               arguments.at("name").get<std::string>(),
                                               arguments.at("value").get<std::string>(), problem);
  return value ? Answer{*value, {}} : Answer{nullptr, problem};
}

Session::Answer Session::setExpression(const Json &arguments) {
  std::string problem;
  std::optional<Json> value =
      variables.assign(frameOf(arguments), arguments.at("expression").get<std::string>(),
                       arguments.at("value").get<std::string>(), problem);
  return value ? Answer{*value, {}} : Answer{nullptr, problem};
}

Session::Answer Session::dataBreakpointInfo(const Json &arguments) {
  std::string name = arguments.at("name").get<std::string>();
  FrameContext context = frameOf(arguments);
  if (int64_t node = arguments.value("variablesReference", int64_t(0)))
    name = variables.expressionIn(node, name, context);
  return {breakpoints.dataOf(context, name), {}};
}

Session::Answer Session::exceptionInfo(const Json &) {
  if (exceptionName.empty())
    return {nullptr, "the program has not stopped at an exception"};
  return {{{"exceptionId", exceptionName}, {"description", exceptionText}, {"breakMode", "always"}},
          {}};
}

Session::Answer Session::source(const Json &) {
  return {nullptr, "sources are files; this one is not there"};
}

SourceLine Session::lineAt(const FrameContext &context) {
  focus.enter(context);
  MiReply reply = gdb.ask("-stack-info-frame --thread " + std::to_string(context.thread) +
                          " --frame " + std::to_string(context.level));
  const MiValue &frame = reply.results["frame"];
  return {frame["fullname"].text, static_cast<int>(frame.number("line"))};
}

} // namespace cufc::debug
