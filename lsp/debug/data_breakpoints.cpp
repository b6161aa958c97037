// See breakpoints.h. Data: gdb watches it with debug registers of the CPU or, where these do not
// work, compares it behind each instruction of the thread that runs.
#include "debug/breakpoints.h"
#include <algorithm>

namespace cufc::debug {
namespace {

constexpr const char *steppingNote =
    "While data is watched, the program runs one instruction at a time, some thousand a second: "
    "set "
    "a breakpoint close before the store, and watch the data from there.\n";

// The type of C with which gdb reads as many bytes, empty for types that no hardware watches.
std::string typeInC(const std::string &type) {
  static const std::map<std::string, std::string> known = {
      {"integer", "int"},           {"integer(kind=4)", "int"},         {"integer(kind=8)", "long"},
      {"integer(kind=2)", "short"}, {"integer(kind=1)", "signed char"}, {"real", "float"},
      {"real(kind=4)", "float"},    {"real(kind=8)", "double"},         {"logical", "int"},
      {"logical(kind=4)", "int"},   {"logical(kind=1)", "char"}};
  auto found = known.find(type);
  return found == known.end() ? "" : found->second;
}

} // namespace

std::string Breakpoints::watchingNote() const {
  return (watching.isForbidden
              ? std::string("Debug registers of the CPU are not used (hardwareWatchpoints). ")
              : std::string("The debug registers of this machine's CPU do not stop programs at "
                            "stores, as on some virtual machines. ")) +
         steppingNote;
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
  Json kinds = {"read", "write", "readWrite"};
  if (watching.bySteps)
    kinds = {"write"};
  return {{"dataId", "*(" + type + " *) " + address},
          {"description", expression},
          {"accessTypes", kinds}};
}

// What gdb would take and not do.
std::string Breakpoints::whyNotWatched(const std::string &access) {
  if (!watching.bySteps)
    return "";
  if (access == "read" || access == "readWrite")
    return "only a change can be seen here, not a read: there are no debug registers of the CPU "
           "that stop the program";
  size_t threads = gdb.ask("-thread-info").results["threads"].items.size();
  if (watching.hostThreads != 1 || threads > 1)
    return "without debug registers of the CPU, what one thread of the process stores can be seen, "
           "and this program has several: launch it with hostThreads 1, and without OpenMP";
  return "";
}

// gdb finds out that no register is free when it puts the watchpoint in place.
MiReply Breakpoints::watch(const std::string &data, const std::string &kind) {
  auto last = [&] { return gdb.askInC("-data-evaluate-expression $bpnum").results["value"].text; };
  std::string before = last();
  gdb.ask("-gdb-set breakpoint always-inserted on");
  MiReply reply = gdb.askInC("-break-watch " + kind + miQuoted(data));
  if (std::string made = last(); !reply.ok && made != before)
    gdb.ask("-break-delete " + made);
  gdb.ask("-gdb-set breakpoint always-inserted off");
  if (reply.error.find("too many hardware") != std::string::npos)
    reply.error = "no debug register of the CPU is free to watch this data: remove another "
                  "breakpoint on data";
  return reply;
}

Json Breakpoints::setAtData(const Json &list) {
  remove(data);
  Json answers = Json::array();
  for (const Json &asked : list) {
    std::string access = textOf(asked, "accessType");
    std::string kind = access == "read" ? "-r " : access == "readWrite" ? "-a " : "";
    Breakpoint made;
    std::string problem = describe(asked, made);
    if (problem.empty())
      problem = whyNotWatched(access);
    if (problem.empty()) {
      MiReply reply = watch(asked.at("dataId").get<std::string>(), kind);
      problem = reply.ok ? "" : reply.error;
      for (const auto &[name, watch] : reply.results.items)
        if (reply.ok)
          made.number = watch["number"].text;
    }
    Json answer{{"id", made.id}, {"verified", problem.empty()}};
    if (!problem.empty())
      answer["message"] = problem;
    made.condition = textOf(asked, "condition");
    data.push_back(std::move(made));
    answers.push_back(std::move(answer));
  }
  return answers;
}

bool Breakpoints::watchesBySteps() const {
  return watching.bySteps && std::any_of(data.begin(), data.end(), [](const Breakpoint &each) {
           return !each.number.empty();
         });
}

} // namespace cufc::debug
