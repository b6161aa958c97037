// See breakpoints.h.
#include "debug/breakpoints.h"
#include "debug/machine_registers.h"
#include <algorithm>
#include <charconv>
#include <utility>

namespace cufc::debug {
namespace {

std::string trimmed(std::string_view text) {
  size_t start = text.find_first_not_of(' ');
  return start == std::string_view::npos
             ? ""
             : std::string(text.substr(start, text.find_last_not_of(' ') + 1 - start));
}

// Whether gdb does not stop at one of several places of a line: it knows a name of the condition at
// another.
bool lacksPlaces(const MiValue &breakpoint) {
  const std::vector<MiItem> &places = breakpoint["locations"].items;
  return std::any_of(places.begin(), places.end(),
                     [](const MiItem &place) { return place.value["enabled"].text == "N"; });
}

constexpr const char *faults = "SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT";

} // namespace

std::string textOf(const Json &object, const char *name) {
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

void Breakpoints::remove(std::vector<Breakpoint> &list) {
  for (const Breakpoint &each : list)
    if (!each.number.empty())
      gdb.ask("-break-delete " + each.number);
  list.clear();
}

// "5" and ">= 5" from the fifth time on, "== 5" at it, "% 5" every fifth time.
std::optional<Breakpoints::HitCount> Breakpoints::hitCountIn(const std::string &text) {
  size_t digits = std::min(text.find_first_of("0123456789"), text.size());
  HitCount count{trimmed(std::string_view(text).substr(0, digits)), 0};
  std::string number = trimmed(std::string_view(text).substr(digits));
  const char *end = number.data() + number.size();
  static const std::set<std::string> signs = {"", "==", "=", "%", ">", ">=", "<", "<="};
  auto [rest, error] = std::from_chars(number.data(), end, count.number);
  bool isUnderstood = error == std::errc() && rest == end && signs.contains(count.sign) &&
                      (count.sign != "%" || count.number > 0);
  return isUnderstood ? std::optional(count) : std::nullopt;
}

// What is asked beside the place; why that cannot be had, or empty.
std::string Breakpoints::describe(const Json &asked, Breakpoint &made) {
  made.id = ++lastId;
  made.log = textOf(asked, "logMessage");
  std::string hits = trimmed(textOf(asked, "hitCondition"));
  if (hits.empty())
    return "";
  std::optional<HitCount> count = hitCountIn(hits);
  if (count)
    made.count = *count;
  return count ? "" : "the hit count `" + hits + "` is not one of 5, == 5, % 5, > 5, < 5";
}

Json Breakpoints::insert(const std::string &location, const Json &asked, bool isProcedure,
                         std::vector<Breakpoint> &list) {
  Breakpoint made;
  made.isProcedure = isProcedure;
  if (std::string problem = describe(asked, made); !problem.empty()) {
    list.push_back(made);
    return {{"id", made.id}, {"verified", false}, {"message", problem}};
  }
  std::string condition = textOf(asked, "condition");
  std::string given = condition.empty() ? "" : "-c " + miQuoted(condition) + " ";
  MiReply reply = gdb.ask("-break-insert " + given + location);
  bool isUnknownThere = !reply.ok && !condition.empty() && reply.error.find("No symbol") == 0;
  if (lacksPlaces(reply.results["bkpt"])) {
    gdb.ask("-break-delete " + reply.results["bkpt"]["number"].text);
    isUnknownThere = true;
  }
  if (isUnknownThere) { // as threadIdx%x in a procedure that a kernel calls
    reply = gdb.ask("-break-insert " + location);
    made.condition = condition;
  }
  const MiValue &set = reply.results["bkpt"];
  Json answer{{"id", made.id}, {"verified", reply.ok}};
  if (reply.ok) {
    made.number = set["number"].text;
    const MiValue &places = set["locations"];
    const MiValue &place = set.has("line") || places.items.empty() ? set : places.items[0].value;
    if (place.has("line"))
      answer["line"] = place.number("line");
    if (place.has("fullname"))
      answer["source"] = {{"path", place["fullname"].text}};
  } else {
    answer["message"] = reply.error;
  }
  list.push_back(std::move(made));
  return answer;
}

Json Breakpoints::setInSource(const std::string &path, const Json &list) {
  std::vector<Breakpoint> &known = inSource[path];
  remove(known);
  Json answers = Json::array();
  for (const Json &asked : list) {
    std::string line = std::to_string(asked.at("line").get<int64_t>());
    answers.push_back(
        insert("--source " + miQuoted(path) + " --line " + line, asked, false, known));
    if (answers.back()["verified"] != true && !textOf(asked, "condition").empty() &&
        textOf(answers.back(), "message").find("No ") != 0)
      answers.back()["message"] = "the condition is wrong: " + textOf(answers.back(), "message");
    if (!answers.back().contains("line"))
      answers.back()["line"] = asked.at("line");
  }
  return answers;
}

Json Breakpoints::setAtProcedures(const Json &list) {
  remove(procedures);
  Json answers = Json::array();
  for (const Json &asked : list)
    answers.push_back(insert("--function " + miQuoted(asked.at("name").get<std::string>()), asked,
                             true, procedures));
  return answers;
}

// A breakpoint for a filter that is on; gdb's words if there is no such place.
std::string Breakpoints::catchAt(const char *filter, const std::string &place) {
  MiReply reply = gdb.askInC("-break-insert " + place);
  if (!reply.ok)
    return reply.error;
  exceptions[reply.results["bkpt"]["number"].text] = filter;
  return "";
}

std::string Breakpoints::catchFaults(bool isOn) {
  gdb.console(std::string("handle ") + faults +
              (isOn ? " stop print pass" : " nostop noprint pass"));
  if (!isOn || !takesFaultsItself(gdb))
    return "";
  std::string problem = catchAt("fault", "cufrt_debugger_fault");
  std::string others = catchOtherFaults();
  return problem.empty() ? others : problem;
}

// The second or third argument says whether it is ERROR STOP (flang/Runtime/stop.h).
std::string Breakpoints::catchErrorStop() {
  auto at = [&](const char *argument, const char *place) {
    return catchAt("error", "-c \"(" + std::string(argument) + " & 255) != 0\" *" + place);
  };
  std::string one = at(secondArgument, "_FortranAStopStatement");
  std::string other = at(thirdArgument, "_FortranAStopStatementText");
  // A program has the one that it calls.
  return one.empty() || other.empty() ? "" : one;
}

Json Breakpoints::setExceptions(const std::vector<std::string> &filters) {
  for (const auto &[number, filter] : exceptions)
    gdb.ask("-break-delete " + number);
  exceptions.clear();
  if (!faultCatcher.empty())
    gdb.ask("-break-delete " + std::exchange(faultCatcher, ""));
  std::map<std::string, std::string> problems;
  auto isOn = [&](const char *filter) {
    return std::find(filters.begin(), filters.end(), filter) != filters.end();
  };
  problems["fault"] = catchFaults(isOn("fault"));
  if (isOn("check"))
    problems["check"] = catchAt("check", "cufrt_debugger_stop");
  if (isOn("error"))
    problems["error"] = catchErrorStop();
  Json answers = Json::array();
  for (const std::string &filter : filters) {
    auto known = problems.find(filter);
    std::string problem = known == problems.end() ? "there is no such filter" : known->second;
    answers.push_back({{"verified", problem.empty()}});
    if (!problem.empty())
      answers.back()["message"] = problem;
  }
  return answers;
}

// Faults outside of device memory, where the program has no handler to speak for it. The signal
// itself must not stop: an interrupted step would not go on.
std::string Breakpoints::catchOtherFaults() {
  MiReply reply = gdb.console("catch signal SIGSEGV");
  const std::string &said = reply.console;
  size_t at = said.find("Catchpoint ");
  if (!reply.ok || at == std::string::npos)
    return reply.ok ? "gdb does not say what it catches SIGSEGV with" : reply.error;
  at += std::string_view("Catchpoint ").size();
  std::string number = said.substr(at, said.find_first_not_of("0123456789", at) - at);
  // Read in C and decided in Fortran, which takes a subscript for one of its own.
  std::string memory = "(unsigned long *)&cufrt_debugger_memory";
  MiReply limited = gdb.askInC("-break-condition " + number +
                               " (unsigned long)$_siginfo._sifields._sigfault.si_addr - *(" +
                               memory + ") >= *((" + memory + ") + 1)");
  if (!limited.ok) {
    gdb.ask("-break-delete " + number);
    return limited.error;
  }
  faultCatcher = number;
  gdb.console("handle SIGSEGV nostop noprint pass");
  return "";
}

Breakpoints::Breakpoint *Breakpoints::find(const std::string &number) {
  auto in = [&](std::vector<Breakpoint> &list) -> Breakpoint * {
    for (Breakpoint &each : list)
      if (!each.number.empty() && each.number == number)
        return &each;
    return nullptr;
  };
  for (auto &[path, list] : inSource)
    if (Breakpoint *found = in(list))
      return found;
  Breakpoint *found = in(procedures);
  return found ? found : in(data);
}

bool Breakpoints::countAllows(Breakpoint &breakpoint) const {
  int64_t hits = ++breakpoint.hits;
  const auto &[sign, number] = breakpoint.count;
  if (sign == "==" || sign == "=")
    return hits == number;
  if (sign == "%")
    return hits % number == 0;
  if (sign == ">")
    return hits > number;
  if (sign == "<")
    return hits < number;
  if (sign == "<=")
    return hits <= number;
  return hits >= number;
}

std::string Breakpoints::valueOf(const FrameContext &context, const std::string &expression,
                                 std::string &problem) {
  std::optional<Json> value = variables.evaluate(context, expression, problem);
  if (!value)
    if (std::optional<KernelPosition> position = kernels.position(context)) {
      problem.clear();
      value = variables.evaluate(context, withLaunchIndices(expression, *position), problem);
    }
  return value ? textOf(*value, "result") : "";
}

// "i is {i}"
std::string Breakpoints::interpolate(const std::string &text, const FrameContext &context) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = text[at] == '{' ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      result += text[at++];
      continue;
    }
    std::string problem;
    std::string value = valueOf(context, text.substr(at + 1, end - at - 1), problem);
    result += problem.empty() ? value : "<" + problem + ">";
    at = end + 1;
  }
  return result + "\n";
}

bool Breakpoints::isAtProcedure(const std::string &number) {
  Breakpoint *breakpoint = find(number);
  return breakpoint && breakpoint->isProcedure;
}

Breakpoints::Hit Breakpoints::hit(const std::string &number, const FrameContext &context) {
  Hit result;
  if (auto known = exceptions.find(number); known != exceptions.end()) {
    result.exception = known->second;
    return result;
  }
  Breakpoint *breakpoint = find(number);
  if (!breakpoint)
    return result;
  result.id = breakpoint->id;
  result.isProcedure = breakpoint->isProcedure;
  if (!breakpoint->condition.empty()) {
    std::string problem;
    std::string value = valueOf(context, breakpoint->condition, problem);
    if (!problem.empty())
      result.output =
          "The condition " + breakpoint->condition + " was not decided: " + problem + "\n";
    else if (value == ".FALSE." || value == "0")
      result.stops = false;
  }
  if (!result.stops || !countAllows(*breakpoint)) {
    result.stops = false;
  } else if (!breakpoint->log.empty()) {
    result.stops = false;
    result.output += interpolate(breakpoint->log, context);
  }
  return result;
}

} // namespace cufc::debug
