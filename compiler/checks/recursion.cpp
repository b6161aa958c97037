// Device procedures that call themselves, directly or through others. Device code has no stack that
// would grow with the calls. The message names the whole cycle, and each call of it is a note.
#include "base/diag.h"
#include "checks/check.h"
#include <algorithm>

namespace cufc {
namespace {

class Cycles {
public:
  explicit Cycles(CheckContext &context) : context(context) {}

  void visit(const Procedure &procedure) {
    if (!done.insert(&procedure).second)
      return;
    for (const ProcedureCall &call : procedure.calls) {
      const Procedure *callee = call.onDevice ? context.procedures.find(*call.callee) : nullptr;
      if (!callee)
        continue;
      path.push_back({&procedure, &call});
      auto earlier = std::find_if(path.begin(), path.end(),
                                  [&](const Step &step) { return step.caller == callee; });
      if (earlier != path.end())
        report({earlier, path.end()});
      else
        visit(*callee);
      path.pop_back();
    }
  }

private:
  struct Step {
    const Procedure *caller;
    const ProcedureCall *call;
  };
  using Path = std::vector<Step>;

  static std::string nameOf(const Procedure &procedure) {
    return procedure.symbol->name().ToString();
  }

  // "f calls g, which calls f"
  static std::string names(const Path &cycle) {
    std::string text = "'" + nameOf(*cycle.front().caller) + "'";
    const char *verb = " calls ";
    for (const Step &step : cycle) {
      text += verb + ("'" + step.call->name) + "'";
      verb = ", which calls ";
    }
    return text;
  }

  void report(const Path &cycle) {
    Diagnostic &found =
        context.report(Diag::DeviceRecursion, cycle.back().call->place, names(cycle));
    for (const Step &step : cycle)
      found.related.push_back(
          context.note(Diag::CallsHere, step.call->place, nameOf(*step.caller), step.call->name));
  }

  CheckContext &context;
  Path path;
  std::set<const Procedure *> done;
};

} // namespace

void checkRecursion(CheckContext &context) {
  Cycles cycles(context);
  for (const Procedure &procedure : context.procedures.all())
    if (procedure.symbol && runsOnDevice(procedure.symbol))
      cycles.visit(procedure);
}

} // namespace cufc
