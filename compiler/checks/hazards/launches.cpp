// See launches.h.
#include "checks/hazards/launches.h"

namespace cufc::hazards {
namespace {

using Kind = Expression::Kind;

// The only expression that is assigned to the variable; null if there are others, or it is changed
// in other ways.
const Expression *onlyAssignment(const Procedure &procedure, const Variable &variable) {
  const Expression *found = nullptr;
  bool single = !variable.dummy && !variable.ofModule;
  auto isIt = [&](const Expression &e) { return e.variable == &variable; };
  eachStatement(procedure.body, [&](const Statement &statement) {
    if (statement.kind == Statement::Kind::Assignment && isIt(statement.operands[0])) {
      single &= !found && statement.operands[0].kind == Kind::Name;
      found = &statement.operands[1];
    }
    single &= statement.variable != &variable;
    if (statement.kind == Statement::Kind::Call || statement.kind == Statement::Kind::Other)
      for (const Expression &operand : statement.operands)
        single &= !(operand.kind == Kind::Name && isIt(operand)) ||
                  statement.place.starts_with("print") || statement.place.starts_with("write");
  });
  return single ? found : nullptr;
}

struct Shape {
  Extents extents;
  std::array<const Expression *, 3> expressions{};
};

Shape shapeOf(const Procedure &host, const Expression *expression) {
  Shape shape;
  const Expression *known = expression ? assignedOnce(host, *expression) : nullptr;
  if (!known)
    return shape;
  if (known->kind == Kind::Call && known->name == "dim3" && known->operands.size() <= 3) {
    for (size_t i = 0; i < 3; ++i) {
      const Expression *part = i < known->operands.size() ? &known->operands[i] : nullptr;
      const Expression *value = part ? assignedOnce(host, *part) : nullptr;
      shape.expressions[i] = value;
      shape.extents[i] = part ? (value ? value->value : std::nullopt) : 1;
    }
  } else if (known->type == Type::Integer) {
    shape.expressions[0] = known;
    shape.extents = {known->value, 1, 1};
  }
  return shape;
}

} // namespace

const Expression *assignedOnce(const Procedure &procedure, const Expression &expression) {
  const Expression *known = &expression;
  for (int steps = 0; steps < 8; ++steps) {
    if (known->value || known->kind != Kind::Name || !known->variable)
      return known;
    known = onlyAssignment(procedure, *known->variable);
    if (!known)
      return nullptr;
  }
  return nullptr;
}

Launches::Launches(const Model &model) {
  for (const Procedure &procedure : model.procedures)
    eachStatement(procedure.body, [&](const Statement &statement) {
      if (statement.kind != Statement::Kind::Launch || statement.configuration.size() != 4)
        return;
      Launch launch;
      launch.host = &procedure;
      launch.statement = &statement;
      const auto &grid = statement.configuration[0], &block = statement.configuration[1];
      Shape shape = shapeOf(procedure, grid ? &*grid : nullptr);
      launch.grid = shape.extents;
      launch.gridExpressions = shape.expressions;
      launch.block = shapeOf(procedure, block ? &*block : nullptr).extents;
      list.push_back(launch);
    });
}

std::vector<const Launch *> Launches::of(const Procedure &kernel) const {
  std::vector<const Launch *> found;
  for (const Launch &launch : list)
    if (launch.statement->callee == kernel.name)
      found.push_back(&launch);
  return found;
}

Extents Launches::blockOf(const Procedure &kernel) const {
  Extents result;
  bool first = true;
  for (const Launch *launch : of(kernel)) {
    for (size_t i = 0; i < 3; ++i)
      if (first)
        result[i] = launch->block[i];
      else if (result[i] != launch->block[i])
        result[i].reset();
    first = false;
  }
  return result;
}

} // namespace cufc::hazards
