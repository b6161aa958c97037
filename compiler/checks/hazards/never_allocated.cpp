// Local allocatable device arrays that are used, and that nothing in their procedure allocates: not
// an ALLOCATE, not an assignment, not a procedure that gets them.
#include "base/mistake_diag.h"
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"
#include <set>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

bool isCandidate(const Variable *variable) {
  return variable && variable->allocatable && !variable->dummy && !variable->result &&
         !variable->ofModule && !variable->saved && !variable->pointer &&
         (variable->memory == Memory::Device || variable->memory == Memory::Managed);
}

struct Uses {
  std::set<const Variable *> given; // memory, or known to others
  std::vector<const Expression *> read;
};

void take(const Statement &statement, Uses &uses) {
  size_t written = statement.kind == Kind::Assignment ? 1 : 0;
  bool assigns = written && !statement.operands.empty();
  if (assigns && statement.operands[0].kind == Expression::Kind::Name)
    uses.given.insert(statement.operands[0].variable);
  bool reads = statement.kind == Kind::Launch || statement.kind == Kind::Assignment;
  bool calls = statement.kind == Kind::Assignment &&
               (callsOthers(statement) || !runtimeCalls(statement).empty());
  eachOwnExpression(statement, [&](const Expression &whole) {
    eachExpression(whole, [&](const Expression &part) {
      if (!isCandidate(part.variable))
        return;
      if (!reads || calls)
        uses.given.insert(part.variable);
      else
        uses.read.push_back(&part);
    });
  });
}

} // namespace

void findNeverAllocated(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures) {
    if (procedure.device)
      continue;
    Uses uses;
    eachStatement(procedure.body, [&](const Statement &statement) {
      if (statement.kind != Kind::CufKernel)
        take(statement, uses);
      for (const Branch &branch : statement.branches)
        if (branch.condition)
          eachExpression(*branch.condition, [&](const Expression &part) {
            if (isCandidate(part.variable))
              uses.given.insert(part.variable);
          });
    });
    std::set<const Variable *> told;
    for (const Expression *use : uses.read)
      if (!uses.given.count(use->variable) && told.insert(use->variable).second) {
        Diagnostic &diagnostic =
            hazards.report(MistakeDiag::NeverAllocated, use->place, use->variable->name);
        hazards.relate(diagnostic, Hazard::ArrayHere, use->variable->declaration,
                       use->variable->name);
      }
  }
}

} // namespace cufc::hazards
