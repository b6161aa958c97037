// Pinned arrays that an asynchronous copy fills, and managed arrays that a kernel writes, and that
// the host reads before it has waited for either. Followed along straight host code: what waits for
// anything, and every procedure that is not known, ends the wait for all.
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

struct Pending {
  Place started;
  bool byCopy = false;
};
using State = std::map<const Variable *, Pending>;

bool isLocalScalar(const Variable *variable) {
  return variable && variable->rank == 0 && variable->memory == Memory::Host;
}

// Whether a kernel assigns to elements of its dummy.
bool assigns(const Procedure &kernel, const Variable *dummy) {
  bool found = false;
  eachStatement(kernel.body, [&](const Statement &statement) {
    found |= statement.kind == Kind::Assignment && statement.operands[0].variable == dummy;
  });
  return found;
}

class Walk {
public:
  explicit Walk(Hazards &hazards) : hazards(hazards) {}

  void block(const Block &statements, State &state) {
    for (const Statement &statement : statements)
      visit(statement, state);
  }

private:
  void visit(const Statement &statement, State &state) {
    if (statement.kind == Kind::CufKernel)
      return cufKernel(statement, state);
    std::vector<RuntimeCall> calls = runtimeCalls(statement);
    if (statement.kind == Kind::Launch)
      return launch(statement, state);
    if (calls.empty())
      reads(statement, state);
    bool ends = isCopy(statement) || callsOthers(statement) || statement.kind == Kind::Deallocate ||
                statement.kind == Kind::Goto ||
                std::any_of(calls.begin(), calls.end(), [](const auto &c) { return waits(c); });
    if (ends)
      state.clear();
    for (const RuntimeCall &call : calls)
      if (isAsynchronousCopy(call))
        copy(call, state);
    if (!statement.branches.empty())
      branches(statement, state);
  }

  // After branches, what waits in none of them is still under way.
  void branches(const Statement &statement, State &state) {
    State after = state;
    for (const Branch &branch : statement.branches) {
      State own = state;
      block(branch.body, own);
      for (auto pending = after.begin(); pending != after.end();)
        pending = own.count(pending->first) ? std::next(pending) : after.erase(pending);
      if (statement.branches.size() == 1 && statement.kind == Kind::Group)
        after = own;
    }
    state = std::move(after);
  }

  void reads(const Statement &statement, State &state) {
    auto read = [&](const Expression &whole) { readParts(whole, state); };
    bool assignment = statement.kind == Kind::Assignment;
    if (statement.kind == Kind::PointerAssignment || statement.kind == Kind::Allocate ||
        statement.kind == Kind::Deallocate || statement.kind == Kind::Nullify)
      return;
    if (assignment) {
      for (const Expression &subscript : statement.operands[0].operands)
        read(subscript);
      return read(statement.operands[1]);
    }
    eachOwnExpression(statement, read);
  }

  // Not what is only asked for its address or shape.
  void readParts(const Expression &expression, State &state) {
    static constexpr std::string_view inquiries[] = {
        "c_loc", "c_devloc", "loc", "size", "shape", "allocated", "lbound", "ubound", "associated"};
    look(expression, state);
    std::string_view name = expression.name;
    constexpr std::string_view builtin = "__builtin_"; // flang's prefix in iso_c_binding
    if (name.starts_with(builtin))
      name.remove_prefix(builtin.size());
    if (expression.kind == Expression::Kind::Call &&
        std::find(std::begin(inquiries), std::end(inquiries), name) != std::end(inquiries))
      return;
    for (const Expression &operand : expression.operands)
      readParts(operand, state);
  }

  void look(const Expression &part, State &state) {
    bool isData = part.kind == Expression::Kind::Name || part.kind == Expression::Kind::Element;
    auto pending = isData ? state.find(part.variable) : state.end();
    if (pending == state.end())
      return;
    Diagnostic &diagnostic =
        hazards.report(Hazard::EarlyRead, part.place, part.variable->name,
                       pending->second.byCopy ? "asynchronous copy" : "kernel");
    hazards.relate(diagnostic, Hazard::StartedHere, pending->second.started);
    state.erase(pending);
  }

  static void copy(const RuntimeCall &call, State &state) {
    const Expression *target = call.argument(0, "dst");
    if (target && target->variable && target->variable->memory == Memory::Pinned)
      state[target->variable] = {call.place, true};
  }

  void launch(const Statement &statement, State &state) {
    const Procedure *kernel = hazards.model.find(statement.callee);
    for (size_t i = 0; kernel && i < statement.operands.size(); ++i) {
      const Variable *actual = statement.operands[i].variable;
      const Variable *dummy = i < kernel->dummies.size() ? kernel->dummies[i] : nullptr;
      if (actual && dummy && actual->memory == Memory::Managed && assigns(*kernel, dummy))
        state[actual] = {statement.place, false};
    }
  }

  static void cufKernel(const Statement &statement, State &state) {
    bool reduces = statement.reduces;
    eachStatement(statement.branches.front().body, [&](const Statement &inner) {
      if (inner.kind != Kind::Assignment || !inner.operands[0].variable)
        return;
      const Variable *target = inner.operands[0].variable;
      reduces |= isLocalScalar(target);
      if (target->memory == Memory::Managed && target->rank > 0)
        state[target] = {statement.place, false};
    });
    if (reduces) // its result is on the host when the statement is done
      state.clear();
  }

  Hazards &hazards;
};

} // namespace

void findEarlyReads(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures) {
    State state;
    if (!procedure.device)
      Walk(hazards).block(procedure.body, state);
  }
}

} // namespace cufc::hazards
