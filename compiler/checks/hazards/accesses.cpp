// See accesses.h.
#include "checks/hazards/accesses.h"
#include "checks/hazards/hazard.h"
#include <algorithm>

namespace cufc::hazards {
namespace {

void add(const Expression &expression, bool write, const Statement &statement, ThreadValues &values,
         std::vector<Access> &found) {
  static constexpr std::string_view inquiries[] = {"size", "sizeof", "c_sizeof", "storage_size",
                                                   "kind", "loc",    "c_loc",    "c_devloc"};
  if (expression.kind == Expression::Kind::Call &&
      std::find(std::begin(inquiries), std::end(inquiries), expression.name) != std::end(inquiries))
    return;
  bool isAtomic =
      expression.kind == Expression::Kind::Call && expression.name.starts_with("atomic");
  for (size_t i = 0; i < expression.operands.size(); ++i)
    if (!isAtomic || i > 0)
      add(expression.operands[i], false, statement, values, found);
  bool isElement =
      expression.kind == Expression::Kind::Element && expression.variable && !expression.section;
  bool isScalar = expression.kind == Expression::Kind::Name && expression.variable &&
                  expression.variable->rank == 0 && expression.variable->memory == Memory::Shared;
  if (!isElement && !isScalar)
    return;
  Access access{&expression, &statement, {}, write};
  if (isElement)
    for (const Expression &subscript : expression.operands)
      access.subscripts.push_back(values.of(subscript));
  found.push_back(std::move(access));
}

bool mentionsThread(const Polynomial &value, ThreadValues &values) {
  return values.dependence(value).thread && !values.dependence(value).block;
}

void collect(const Block &block, ThreadValues &values, std::vector<Access> &found) {
  for (const Statement &statement : block) {
    for (Access &access : accessesOf(statement, values))
      found.push_back(std::move(access));
    for (const Branch &branch : statement.branches)
      if (!branch.condition || !selectsThread(*branch.condition, values))
        collect(branch.body, values, found);
  }
}

} // namespace

std::vector<Access> accessesOf(const Statement &statement, ThreadValues &values) {
  std::vector<Access> found;
  if (statement.kind == Statement::Kind::Assignment && statement.operands.size() == 2) {
    add(statement.operands[1], false, statement, values, found);
    add(statement.operands[0], true, statement, values, found);
  } else {
    eachOwnExpression(statement, [&](const Expression &expression) {
      add(expression, false, statement, values, found);
    });
  }
  return found;
}

std::vector<Access> parallelAccesses(const Procedure &procedure, ThreadValues &values) {
  std::vector<Access> found;
  collect(procedure.body, values, found);
  return found;
}

bool selectsThread(const Expression &condition, ThreadValues &values) {
  if (condition.kind != Expression::Kind::Operation)
    return false;
  const auto &operands = condition.operands;
  if (condition.name == "()")
    return selectsThread(operands[0], values);
  if (condition.name == ".and.")
    return selectsThread(operands[0], values) || selectsThread(operands[1], values);
  if (condition.name != "==" || operands.size() != 2)
    return false;
  Polynomial left = values.of(operands[0]), right = values.of(operands[1]);
  return mentionsThread(left, values) != mentionsThread(right, values);
}

bool isIrregular(const Polynomial &subscript, ThreadValues &values) {
  for (const auto &[monomial, factor] : subscript.terms)
    for (Atom atom : monomial) {
      bool isIndex = false;
      for (int axis = 0; axis < 3; ++axis)
        isIndex |= atom == values.thread(axis);
      if (!isIndex && values.dependence(Polynomial::atom(atom)).thread)
        return true;
    }
  return false;
}

std::optional<long long> threadFactor(const Polynomial &subscript, int axis, ThreadValues &values) {
  if (isIrregular(subscript, values))
    return std::nullopt;
  return subscript.coefficient(values.thread(axis)).asConstant();
}

} // namespace cufc::hazards
