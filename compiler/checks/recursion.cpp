// Device procedures that call themselves through others. Device code has no stack that would grow
// with the calls: flang refuses direct recursion, and this the rest.
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
    path.push_back(&procedure);
    for (const ProcedureCall &call : procedure.calls) {
      const Procedure *callee = call.onDevice ? context.procedures.find(*call.callee) : nullptr;
      if (!callee || callee == &procedure)
        continue;
      auto earlier = std::find(path.begin(), path.end(), callee);
      if (earlier != path.end())
        context.report(Diag::DeviceRecursion, call.place, names(earlier));
      else
        visit(*callee);
    }
    path.pop_back();
  }

private:
  using Path = std::vector<const Procedure *>;

  // "f calls g, which calls f"
  std::string names(Path::iterator from) const {
    std::string text = "'" + (*from)->symbol->name().ToString() + "'";
    const char *verb = " calls ";
    for (auto next = std::next(from); next != path.end(); ++next) {
      text += verb + ("'" + (*next)->symbol->name().ToString()) + "'";
      verb = ", which calls ";
    }
    return text + verb + "'" + (*from)->symbol->name().ToString() + "'";
  }

  CheckContext &context;
  Path path;
  std::set<const Procedure *> done;
};

} // namespace

void checkRecursion(CheckContext &context) {
  Cycles cycles(context);
  for (const Procedure &procedure : context.procedures.all())
    if (runsOnDevice(procedure.symbol))
      cycles.visit(procedure);
}

} // namespace cufc
