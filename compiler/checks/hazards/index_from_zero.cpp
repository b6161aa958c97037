// blockIdx%x * blockDim%x + threadIdx%x, as one writes it in C: there blocks count from 0. With
// this index the first block's elements are left out, and the last block is beyond the end.
#include "base/mistake_diag.h"
#include "checks/hazards/hazard.h"

namespace cufc::hazards {
namespace {

using Kind = Expression::Kind;

bool isBuiltin(const Expression &expression, std::string_view name, char axis) {
  return expression.kind == Kind::Builtin && expression.name == std::string(name) + "%" + axis;
}

// The operands of an operation with two, in this order or the other.
template <typename First, typename Second>
std::optional<std::pair<const Expression *, const Expression *>>
operands(const Expression &whole, std::string_view sign, First first, Second second) {
  if (whole.kind != Kind::Operation || whole.name != sign || whole.operands.size() != 2)
    return std::nullopt;
  const Expression &a = whole.operands[0], &b = whole.operands[1];
  if (first(a) && second(b))
    return std::pair(&a, &b);
  if (first(b) && second(a))
    return std::pair(&b, &a);
  return std::nullopt;
}

void check(Hazards &hazards, const Expression &sum) {
  for (char axis : {'x', 'y', 'z'}) {
    auto is = [axis](std::string_view name) {
      return [name, axis](const Expression &e) { return isBuiltin(e, name, axis); };
    };
    auto isProduct = [&](const Expression &e) {
      return operands(e, "*", is("blockidx"), is("blockdim")).has_value();
    };
    auto parts = operands(sum, "+", isProduct, is("threadidx"));
    if (!parts)
      continue;
    auto product = operands(*parts->first, "*", is("blockidx"), is("blockdim"));
    if (!product)
      continue;
    std::string end = std::string("%") + axis;
    Diagnostic &diagnostic = hazards.report(MistakeDiag::IndexFromZero, product->first->place,
                                            "blockDim" + end, "blockIdx" + end, "threadIdx" + end);
    hazards.replace(diagnostic, "subtract 1 from the block index", product->first->place,
                    "(blockIdx" + end + " - 1)");
  }
}

// Not a sum from which something is subtracted: blockIdx%x * blockDim%x + threadIdx%x - blockDim%x
// is right.
void visit(Hazards &hazards, const Expression &expression, bool partOfSum) {
  bool sum =
      expression.kind == Kind::Operation && (expression.name == "+" || expression.name == "-");
  if (sum && !partOfSum)
    check(hazards, expression);
  for (const Expression &operand : expression.operands)
    visit(hazards, operand, sum);
}

} // namespace

void findIndexFromZero(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    if (procedure.device)
      eachStatement(procedure.body, [&](const Statement &statement) {
        eachOwnExpression(statement,
                          [&](const Expression &whole) { visit(hazards, whole, false); });
      });
}

} // namespace cufc::hazards
