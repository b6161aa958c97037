// See breakpoints.h.
#include "debug/breakpoints.h"
#include "debug/launch.h"
#include <charconv>
#include <utility>

namespace cufc::debug {
namespace {

std::string textOf(const Json &object, const char *name) {
  auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

// The type of C with which gdb reads as many bytes, empty for types that no hardware watches.
std::string typeInC(const std::string &type) {
  static const std::map<std::string, std::string> known = {{"integer", "int"},
                                                           {"integer(kind=8)", "long"},
                                                           {"integer(kind=2)", "short"},
                                                           {"integer(kind=1)", "signed char"},
                                                           {"real", "float"},
                                                           {"real(kind=8)", "double"},
                                                           {"logical", "int"},
                                                           {"logical(kind=4)", "int"},
                                                           {"logical(kind=1)", "char"}};
  auto found = known.find(type);
  return found == known.end() ? "" : found->second;
}

constexpr const char *faults = "SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT";

} // namespace

void Breakpoints::remove(std::vector<Breakpoint> &list) {
  for (const Breakpoint &each : list)
    if (!each.number.empty())
      gdb.ask("-break-delete " + each.number);
  list.clear();
}

Json Breakpoints::insert(const std::string &location, const Json &asked, bool isProcedure,
                         std::vector<Breakpoint> &list) {
  Breakpoint made;
  made.id = ++lastId;
  made.isProcedure = isProcedure;
  made.hitCondition = textOf(asked, "hitCondition");
  made.log = textOf(asked, "logMessage");
  std::string condition = textOf(asked, "condition");
  std::string given = condition.empty() ? "" : "-c " + miQuoted(condition) + " ";
  MiReply reply = gdb.ask("-break-insert " + given + location);
  bool isUnknownThere = !reply.ok && !condition.empty() && reply.error.find("No symbol") == 0;
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

Json Breakpoints::dataOf(const FrameContext &context, const std::string &expression) {
  auto none = [&](const std::string &reason) {
    return Json{{"dataId", nullptr}, {"description", reason}};
  };
  std::string problem;
  std::optional<Json> value = variables.evaluate(context, expression, problem);
  if (!value)
    return none(problem);
  std::string type = typeInC(textOf(*value, "type"));
  if (type.empty())
    return none("an element of an array, or a number, can be watched");
  std::string address = gdb.value("&(" + expression + ")");
  size_t start = address.rfind("0x");
  if (start == std::string::npos)
    return none(expression + " has no address");
  address = address.substr(start, address.find_first_not_of("0123456789abcdefx", start) - start);
  return {{"dataId", "*(" + type + " *) " + address},
          {"description", expression},
          {"accessTypes", {"read", "write", "readWrite"}}};
}

Json Breakpoints::setAtData(const Json &list) {
  remove(data);
  Json answers = Json::array();
  for (const Json &asked : list) {
    std::string access = textOf(asked, "accessType");
    std::string kind = access == "read" ? "-r " : access == "readWrite" ? "-a " : "";
    MiReply reply =
        gdb.askInC("-break-watch " + kind + miQuoted(asked.at("dataId").get<std::string>()));
    Breakpoint made;
    made.id = ++lastId;
    made.hitCondition = textOf(asked, "hitCondition");
    for (const auto &[name, watch] : reply.results.items)
      made.number = watch["number"].text;
    Json answer{{"id", made.id}, {"verified", reply.ok}};
    if (!reply.ok)
      answer["message"] = reply.error;
    if (std::string condition = textOf(asked, "condition"); reply.ok)
      made.condition = condition;
    data.push_back(std::move(made));
    answers.push_back(std::move(answer));
  }
  return answers;
}

void Breakpoints::setExceptions(const std::set<std::string> &filters) {
  for (const auto &[number, filter] : exceptions)
    gdb.ask("-break-delete " + number);
  exceptions.clear();
  if (!faultCatcher.empty())
    gdb.ask("-break-delete " + std::exchange(faultCatcher, ""));
  gdb.console(std::string("handle ") + faults +
              (filters.contains("fault") ? " stop print pass" : " nostop noprint pass"));
  auto at = [&](const char *filter, const std::string &place) {
    MiReply reply = gdb.askInC("-break-insert " + place);
    if (filters.contains(filter) && reply.ok)
      exceptions[reply.results["bkpt"]["number"].text] = filter;
    else if (reply.ok)
      gdb.ask("-break-delete " + reply.results["bkpt"]["number"].text);
  };
  at("check", "cufrt_debugger_stop");
  if (takesFaultsItself(gdb)) {
    at("fault", "cufrt_debugger_fault");
    if (filters.contains("fault"))
      catchOtherFaults();
  }
  // The second or third argument says whether it is ERROR STOP (flang/Runtime/stop.h).
  at("error", "-c \"($rsi & 255) != 0\" *_FortranAStopStatement");
  at("error", "-c \"($rdx & 255) != 0\" *_FortranAStopStatementText");
}

// Faults outside of device memory, where the program has no handler to speak for it. The signal
// itself must not stop: an interrupted step would not go on.
void Breakpoints::catchOtherFaults() {
  MiReply reply = gdb.console("catch signal SIGSEGV");
  const std::string &said = reply.console;
  size_t at = said.find("Catchpoint ");
  if (!reply.ok || at == std::string::npos)
    return;
  at += std::string_view("Catchpoint ").size();
  std::string number = said.substr(at, said.find_first_not_of("0123456789", at) - at);
  // Read in C and decided in Fortran, which takes a subscript for one of its own.
  std::string memory = "(unsigned long *)&cufrt_debugger_memory";
  MiReply limited = gdb.askInC("-break-condition " + number +
                               " (unsigned long)$_siginfo._sifields._sigfault.si_addr - *(" +
                               memory + ") >= *((" + memory + ") + 1)");
  if (!limited.ok) {
    gdb.ask("-break-delete " + number);
    return;
  }
  faultCatcher = number;
  gdb.console("handle SIGSEGV nostop noprint pass");
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

// "5" and ">= 5" from the fifth time on, "== 5" at it, "% 5" every fifth time.
bool Breakpoints::countAllows(Breakpoint &breakpoint) const {
  ++breakpoint.hits;
  std::string_view text = breakpoint.hitCondition;
  size_t digits = text.find_first_of("0123456789");
  int64_t number = 0;
  if (digits == std::string_view::npos)
    return true;
  std::from_chars(text.data() + digits, text.data() + text.size(), number);
  std::string_view sign = text.substr(0, digits);
  sign = sign.substr(0, sign.find_last_not_of(' ') + 1);
  if (sign == "==" || sign == "=")
    return breakpoint.hits == number;
  if (sign == "%")
    return number == 0 || breakpoint.hits % number == 0;
  if (sign == ">")
    return breakpoint.hits > number;
  if (sign == "<")
    return breakpoint.hits < number;
  if (sign == "<=")
    return breakpoint.hits <= number;
  return breakpoint.hits >= number;
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
