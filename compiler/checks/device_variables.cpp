// Device data where host code needs memory of its own: the variable of a DO loop, what statements
// such as READ and INQUIRE set, and the targets of pointers that are the host's; and data of the
// host as the targets of pointers to device data.
#include "base/diag.h"
#include "base/parallel.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "checks/fixes.h"
#include "flang/Semantics/expression.h"
#include "frontend/flang_versions.h"

namespace cufc {
namespace {

using namespace Fortran;
using Expression = evaluate::Expr<evaluate::SomeType>;

class HostStatements : public CodeVisitor {
public:
  explicit HostStatements(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::LoopControl::Bounds &bounds) override {
    const parser::Name &name = variableIn(bounds).thing;
    if (onHost() && isOnlyOnDevice(name.symbol))
      refuse(name.source, *name.symbol, "the variable of a DO loop");
    return true;
  }
  bool Pre(const parser::InputItem &item) override {
    if (const auto *variable = std::get_if<parser::Variable>(&item.u))
      checkVariable(*variable, "an item of READ");
    return !std::holds_alternative<parser::Variable>(item.u);
  }
  bool Pre(const parser::StatVariable &status) override {
    checkVariable(status.v.thing.thing, "set by this statement");
    return false;
  }
  bool Pre(const parser::MsgVariable &message) override {
    checkVariable(message.v.thing.thing, "set by this statement");
    return false;
  }
  bool Pre(const parser::InquireSpec &) override { return ++settingAll > 0; }
  void Post(const parser::InquireSpec &) override { --settingAll; }
  bool Pre(const parser::ConnectSpec::Newunit &unit) override {
    checkVariable(unit.v.thing.thing, "set by this statement");
    return false;
  }
  bool Pre(const parser::IoUnit &unit) override {
    if (const auto *variable = std::get_if<parser::Variable>(&unit.u))
      checkVariable(*variable, "an internal file");
    return !std::holds_alternative<parser::Variable>(unit.u);
  }
  bool Pre(const parser::Variable &variable) override {
    if (settingAll > 0)
      checkVariable(variable, "set by this statement");
    return true;
  }

  bool Pre(const parser::PointerAssignmentStmt &assignment) override {
    if (assignment.typedAssignment && assignment.typedAssignment->v && onHost())
      checkPointer(assignment);
    return true;
  }

private:
  void refuse(parser::CharBlock place, const semantics::Symbol &symbol, const char *what) {
    Diagnostic &found =
        context.report(Diag::DeviceDataOnHost, place, symbol.name().ToString(), what);
    context.addDeclaration(found, symbol.GetUltimate());
  }

  void checkVariable(const parser::Variable &variable, const char *what) {
    if (!onHost() || !executing())
      return;
    if (const auto *typed = semantics::GetExpr(*context.program.context, variable))
      if (const semantics::Symbol *symbol = evaluate::GetLastSymbol(*typed);
          symbol && isOnlyOnDevice(symbol))
        refuse(variable.GetSource(), *symbol, what);
  }

  void checkPointer(const parser::PointerAssignmentStmt &assignment) {
    const evaluate::Assignment &typed = *assignment.typedAssignment->v;
    const semantics::Symbol *left = evaluate::GetLastSymbol(typed.lhs);
    const semantics::Symbol *right = evaluate::GetLastSymbol(typed.rhs);
    if (!left || !right || !right->has<semantics::ObjectEntityDetails>() ||
        !left->has<semantics::ObjectEntityDetails>())
      return;
    if (isOnlyOnDevice(left) && isOnHost(typed.rhs, *right))
      return refuseTarget(assignment, *left, *right);
    if (!isOnlyOnDevice(right) || semantics::GetCUDADataAttr(left))
      return;
    Diagnostic &found =
        context.report(Diag::HostPointer, std::get<parser::Expr>(assignment.t).source,
                       left->name().ToString(), right->name().ToString());
    context.addDeclaration(found, left->GetUltimate());
    context.addDeclaration(found, right->GetUltimate());
    if (auto fix = addAttribute(context, left->GetUltimate(), "device"))
      found.fixes.push_back(std::move(*fix));
  }

  // A variable that no option puts into other memory. Where a pointer points is not known.
  bool isOnHost(const Expression &target, const semantics::Symbol &last) {
    const semantics::Symbol *first = evaluate::GetFirstSymbol(target);
    auto isPlain = [](const semantics::Symbol *symbol) {
      return symbol && symbol->has<semantics::ObjectEntityDetails>() &&
             !semantics::IsPointer(*symbol) && !semantics::GetCUDADataAttr(symbol);
    };
    const auto &features = context.program.context->languageFeatures();
    bool shared = features.IsEnabled(common::LanguageFeature::CudaManaged) ||
                  features.IsEnabled(common::LanguageFeature::CudaUnified);
    return isPlain(&last) && isPlain(first) && !shared;
  }

  void refuseTarget(const parser::PointerAssignmentStmt &assignment, const semantics::Symbol &left,
                    const semantics::Symbol &right) {
    Diagnostic &found =
        context.report(Parallel::DevicePointer, std::get<parser::Expr>(assignment.t).source,
                       left.name().ToString(), right.name().ToString());
    context.addDeclaration(found, right.GetUltimate());
    if (auto fix = addAttribute(context, right.GetUltimate(), "device"))
      found.fixes.push_back(std::move(*fix));
  }

  CheckContext &context;
  int settingAll = 0; // in a specifier of INQUIRE, whose variables are all set
};

} // namespace

void checkDeviceVariables(CheckContext &context) { context.visit<HostStatements>(context); }

} // namespace cufc
