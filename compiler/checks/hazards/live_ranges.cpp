// Fortran programs use one index for one thing after another: first for the thread's element, then
// for the steps of a loop that are the same for all threads. What the hazards know of a variable
// holds for all its definitions, so an assignment that ends an earlier use begins another variable.
//
// Such an assignment, or a loop with the variable as index, stands in the procedure's own block:
// nothing goes round it, and nothing before it is met again after it.
#include "checks/hazards/live_ranges.h"
#include <algorithm>
#include <map>
#include <set>

namespace cufc::hazards {
namespace {

using Kind = Statement::Kind;

bool isLocalScalar(const Variable &variable) {
  return variable.memory == Memory::Thread && variable.rank == 0 && !variable.dummy &&
         !variable.allocatable && !variable.pointer && !variable.ofModule && !variable.saved &&
         !variable.result && !variable.isVolatile && variable.derivedType.empty();
}

// Those that a procedure names, without what belongs to others also: internal procedures change
// variables of their host.
std::map<const Procedure *, std::set<const Variable *>> ownVariables(const Model &model) {
  std::map<const Procedure *, std::set<const Variable *>> named;
  std::map<const Variable *, int> procedures;
  for (const Procedure &procedure : model.procedures) {
    std::set<const Variable *> &here = named[&procedure];
    eachStatement(procedure.body, [&](const Statement &statement) {
      here.insert(statement.variable);
      eachOwnExpression(statement, [&](const Expression &whole) {
        eachExpression(whole, [&](const Expression &part) { here.insert(part.variable); });
      });
    });
    here.erase(nullptr);
    for (const Variable *variable : here)
      ++procedures[variable];
  }
  for (auto &[procedure, variables] : named)
    std::erase_if(variables, [&](const Variable *variable) {
      return procedures[variable] > 1 || !isLocalScalar(*variable);
    });
  return named;
}

class Splitter {
public:
  Splitter(Model &model, const std::set<const Variable *> &own) : model(model), own(own) {}

  void block(Block &statements) {
    for (Statement &statement : statements) {
      if (statement.kind == Kind::Assignment && statement.operands.size() == 2 &&
          statement.operands[0].kind == Expression::Kind::Name)
        assignment(statement);
      else if (statement.kind == Kind::Loop && statement.variable)
        loop(statement);
      else
        rename(statement);
    }
  }

private:
  void assignment(Statement &statement) {
    rename(statement.operands[1]);
    begin(statement.operands[0].variable);
    rename(statement.operands[0]);
  }

  void loop(Statement &statement) {
    for (Expression &operand : statement.operands)
      rename(operand);
    begin(statement.variable);
    statement.variable = nameOf(statement.variable);
    for (Branch &branch : statement.branches)
      for (Statement &inner : branch.body)
        rename(inner);
  }

  // The first name stays with the first use.
  void begin(const Variable *variable) {
    if (!variable || !own.count(variable) || met.insert(variable).second)
      return;
    auto further = std::make_unique<Variable>(*variable);
    further->name += "'" + std::to_string(++count);
    names[variable] = further.get();
    const void *key = further.get(); // no symbol is there
    model.variables.emplace(key, std::move(further));
  }

  const Variable *nameOf(const Variable *variable) {
    if (variable)
      met.insert(variable);
    auto found = names.find(variable);
    return found == names.end() ? variable : found->second;
  }

  void rename(Statement &statement) {
    statement.variable = nameOf(statement.variable);
    for (Expression &operand : statement.operands)
      rename(operand);
    for (std::optional<Expression> &part : statement.configuration)
      if (part)
        rename(*part);
    for (Branch &branch : statement.branches) {
      if (branch.condition)
        rename(*branch.condition);
      for (Statement &inner : branch.body)
        rename(inner);
    }
  }

  void rename(Expression &expression) {
    expression.variable = nameOf(expression.variable);
    for (Expression &operand : expression.operands)
      rename(operand);
  }

  Model &model;
  const std::set<const Variable *> &own;
  std::set<const Variable *> met;
  std::map<const Variable *, const Variable *> names;
  int count = 0;
};

} // namespace

void splitLiveRanges(Model &model) {
  auto own = ownVariables(model);
  for (Procedure &procedure : model.procedures)
    if (procedure.device && !procedure.hasGoto)
      Splitter(model, own[&procedure]).block(procedure.body);
}

} // namespace cufc::hazards
