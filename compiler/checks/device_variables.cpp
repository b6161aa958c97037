// Device data where host code needs memory of its own: the variable of a DO loop, the items of
// READ, and the targets of pointers that are the host's, and of the device's the other way round.
#include "base/diag.h"
#include "checks/check.h"
#include "flang/Semantics/expression.h"

namespace cufc {
namespace {

using namespace Fortran;
using Expression = evaluate::Expr<evaluate::SomeType>;

bool onlyOnDevice(const semantics::Symbol *symbol) {
  auto attribute = semantics::GetCUDADataAttr(symbol ? &symbol->GetUltimate() : nullptr);
  return attribute == common::CUDADataAttr::Device || attribute == common::CUDADataAttr::Constant;
}

class HostStatements : public StatementVisitor {
public:
  explicit HostStatements(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &) { return false; }
  bool Pre(const parser::LoopControl::Bounds &bounds) {
    const parser::Name &name = bounds.name.thing;
    if (onHost() && onlyOnDevice(name.symbol))
      context.report(Diag::DeviceDataOnHost, name.source, name.source.ToString(),
                     "the variable of a DO loop");
    return true;
  }
  bool Pre(const parser::InputItem &item) {
    if (const auto *variable = std::get_if<parser::Variable>(&item.u); variable && onHost())
      if (const auto *typed = semantics::GetExpr(*context.program.context, *variable))
        if (const semantics::Symbol *symbol = evaluate::GetLastSymbol(*typed);
            symbol && onlyOnDevice(symbol))
          context.report(Diag::DeviceDataOnHost, variable->GetSource(), symbol->name().ToString(),
                         "an item of READ");
    return true;
  }
  bool Pre(const parser::PointerAssignmentStmt &assignment) {
    if (assignment.typedAssignment && assignment.typedAssignment->v && onHost())
      checkPointer(assignment.typedAssignment->v->lhs, assignment.typedAssignment->v->rhs);
    return true;
  }

private:
  bool onHost() {
    return !semantics::FindCUDADeviceContext(&context.program.context->FindScope(source));
  }

  void checkPointer(const Expression &pointer, const Expression &target) {
    const semantics::Symbol *left = evaluate::GetLastSymbol(pointer);
    const semantics::Symbol *right = evaluate::GetLastSymbol(target);
    if (left && right && right->has<semantics::ObjectEntityDetails>() && onlyOnDevice(right) &&
        left->has<semantics::ObjectEntityDetails>() && !semantics::GetCUDADataAttr(left))
      context.report(Diag::HostPointer, source, left->name().ToString(), right->name().ToString());
  }

  CheckContext &context;
};

} // namespace

void checkDeviceVariables(CheckContext &context) {
  HostStatements statements(context);
  context.walk(statements);
}

} // namespace cufc
