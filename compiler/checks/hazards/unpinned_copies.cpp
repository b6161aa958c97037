// Asynchronous copies from or to host memory that is not pinned: the runtime copies through memory
// of its own and does not overlap them with other work (CUDA C++ programming guide, "Asynchronous
// concurrent execution"). Dummies and pointers may be of pinned memory for all one sees.
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"
#include <set>

namespace cufc::hazards {
namespace {

bool isPageable(const Expression *expression) {
  const Variable *variable = expression ? expression->variable : nullptr;
  return variable && variable->memory == Memory::Host && variable->rank > 0 && !variable->dummy &&
         !variable->pointer && variable->type != Type::Derived && !variable->isConstant;
}

} // namespace

void findUnpinnedCopies(Hazards &hazards) {
  bool registers = false;
  std::vector<std::pair<const Expression *, Place>> found;
  std::set<const Variable *> reported;
  for (const Procedure &procedure : hazards.model.procedures)
    eachStatement(procedure.body, [&](const Statement &statement) {
      for (const RuntimeCall &call : runtimeCalls(statement)) {
        registers |= call.name.starts_with("cudahostregister");
        if (isAsynchronousCopy(call))
          for (const Expression *side : {call.argument(0, "dst"), copySource(call)})
            if (isPageable(side) && reported.insert(side->variable).second)
              found.push_back({side, call.place});
      }
    });
  if (registers)
    return;
  for (const auto &[side, place] : found) {
    Diagnostic &diagnostic =
        hazards.report(Hazard::UnpinnedCopy, side->place, side->variable->name);
    hazards.relate(diagnostic, Hazard::ArrayHere, side->variable->declaration,
                   side->variable->name);
  }
}

} // namespace cufc::hazards
