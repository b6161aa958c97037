// Device memory that a procedure allocates for a local pointer or address and that nothing frees:
// only allocatables are freed at the end of their procedure. The main program's end frees all. Also
// allocatables of a module that are allocated, where others of the module are freed. What another
// procedure or pointer may know of is left out.
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"
#include <set>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

struct Uses {
  const Statement *allocated = nullptr;
  const Procedure *in = nullptr;
  bool freed = false, escapes = false;
};

bool isAddress(const Variable &variable) {
  return variable.type == Type::Derived && variable.derivedType == "c_devptr";
}

bool isCandidate(const Variable *variable) {
  if (!variable || variable->dummy || variable->result)
    return false;
  bool device = variable->memory == Memory::Device || variable->memory == Memory::Managed;
  return (device && (variable->allocatable || variable->pointer)) || isAddress(*variable);
}

class Finder {
public:
  explicit Finder(const Model &model) {
    for (const Procedure &procedure : model.procedures)
      if (!procedure.device)
        eachStatement(procedure.body, [&](const Statement &s) { visit(procedure, s); });
  }
  std::map<const Variable *, Uses> uses;
  std::vector<const Variable *> order;

private:
  Uses *find(const Expression &expression) {
    bool whole = expression.kind == Expression::Kind::Name;
    return whole && isCandidate(expression.variable) ? &uses[expression.variable] : nullptr;
  }
  void allocate(const Procedure &procedure, const Statement &statement, const Expression &target) {
    Uses *use = find(target);
    if (!use || use->allocated)
      return;
    use->allocated = &statement;
    use->in = &procedure;
    order.push_back(target.variable);
  }
  void escape(const Expression &whole) {
    eachExpression(whole, [&](const Expression &part) {
      if (Uses *use = find(part))
        use->escapes = true;
    });
  }
  void visit(const Procedure &procedure, const Statement &statement) {
    switch (statement.kind) {
    case Kind::Allocate:
      for (const Expression &object : statement.operands)
        allocate(procedure, statement, object);
      return;
    case Kind::Deallocate:
    case Kind::Nullify:
      for (const Expression &object : statement.operands)
        if (Uses *use = find(object))
          use->freed = true;
      return;
    case Kind::PointerAssignment:
      for (const Expression &operand : statement.operands)
        escape(operand);
      return;
    case Kind::Launch:
      return;
    default:
      break;
    }
    std::vector<RuntimeCall> calls = runtimeCalls(statement);
    for (const RuntimeCall &call : calls)
      for (const Expression &argument : *call.arguments)
        if (Uses *use = find(argument)) {
          if (call.name.starts_with("cudamalloc"))
            allocate(procedure, statement, argument);
          use->freed |= call.name.starts_with("cudafree");
        }
    if (calls.empty() && (statement.kind == Kind::Call || callsOthers(statement)))
      for (const Expression &operand : statement.operands)
        escape(operand);
    if (statement.kind == Kind::Assignment && calls.empty() &&
        find(statement.operands[1])) // of an address, or of the array
      uses[statement.operands[1].variable].escapes |= isAddress(*statement.operands[1].variable);
  }
};

} // namespace

void findLeaks(Hazards &hazards) {
  Finder finder(hazards.model);
  bool moduleFrees = false;
  for (const auto &[variable, use] : finder.uses)
    moduleFrees |= variable->ofModule && use.allocated && use.freed;
  for (const Variable *variable : finder.order) {
    const Uses &use = finder.uses[variable];
    if (use.freed || use.escapes || use.in->mainProgram)
      continue;
    bool local = !variable->ofModule && !variable->saved && !variable->allocatable;
    bool forgotten = variable->ofModule && moduleFrees && variable->allocatable;
    if (!local && !forgotten)
      continue;
    Diagnostic &diagnostic =
        hazards.report(Hazard::NeverFreed, use.allocated->place, variable->name);
    hazards.relate(diagnostic, Hazard::ArrayHere, variable->declaration, variable->name);
  }
}

} // namespace cufc::hazards
