// Assignments of host code that would have to compute with device data, or to store into it element
// by element: a copy between the memories moves whole values, and only kernels compute there.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;
using Expression = evaluate::Expr<evaluate::SomeType>;

bool isManaged(const Symbol &symbol) {
  auto attribute = semantics::GetCUDADataAttr(&symbol.GetUltimate());
  return attribute == common::CUDADataAttr::Managed || attribute == common::CUDADataAttr::Unified;
}

template <typename Predicate>
bool usesAny(const Expression &value, Predicate predicate) {
  for (const Symbol &symbol : evaluate::CollectSymbols(value))
    if (predicate(symbol))
      return true;
  return false;
}

bool isDeviceObject(const Symbol &symbol) { return isOnlyOnDevice(&symbol); }

class Assignments : public CodeVisitor {
public:
  explicit Assignments(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::WhereStmt &) { return ++elementwise > 0; }
  void Post(const parser::WhereStmt &) { --elementwise; }
  bool Pre(const parser::WhereConstruct &) { return ++elementwise > 0; }
  void Post(const parser::WhereConstruct &) { --elementwise; }
  bool Pre(const parser::ForallStmt &) { return ++elementwise > 0; }
  void Post(const parser::ForallStmt &) { --elementwise; }
  bool Pre(const parser::ForallConstruct &) { return ++elementwise > 0; }
  void Post(const parser::ForallConstruct &) { --elementwise; }
  bool Pre(const parser::DoConstruct &loop) {
    concurrent += loop.IsDoConcurrent();
    return true;
  }
  void Post(const parser::DoConstruct &loop) { concurrent -= loop.IsDoConcurrent(); }

  bool Pre(const parser::AssignmentStmt &assignment) {
    if (!onHost() || !executing())
      return true;
    const auto &variable = std::get<parser::Variable>(assignment.t);
    const auto &value = std::get<parser::Expr>(assignment.t);
    const Expression *left = semantics::GetExpr(*context.program.context, variable);
    const Expression *right = semantics::GetExpr(*context.program.context, value);
    if (left && right && !refused(value, *left, *right))
      check(variable, *left, *right);
    return true;
  }

private:
  // What flang refuses, by its own count of the device objects.
  bool refused(const parser::Expr &value, const Expression &left, const Expression &right) {
    for (const Replaceable &message : context.replaceableAt(source)) {
      bool several = message.text.rfind("More than one reference", 0) == 0;
      if (!several && message.text.rfind("Unsupported CUDA data", 0) != 0)
        continue;
      std::vector<std::string> names = deviceNames(right);
      const Symbol *target = evaluate::GetLastSymbol(left);
      if (several && names.size() > 1)
        context.report(Diag::SeveralDeviceOperands, value.source, names[0], names[1]);
      else if (!several && !names.empty() && target)
        context.report(Diag::DeviceComputation, value.source, names[0], target->name().ToString());
      else
        continue;
      return true;
    }
    return false;
  }

  static std::vector<std::string> deviceNames(const Expression &value) {
    std::vector<const Symbol *> symbols;
    for (const Symbol &symbol : evaluate::CollectSymbols(value))
      if (isDeviceObject(symbol))
        symbols.push_back(&symbol);
    std::sort(symbols.begin(), symbols.end(), [](const Symbol *a, const Symbol *b) {
      return a->name().begin() < b->name().begin();
    });
    std::vector<std::string> names;
    for (const Symbol *symbol : symbols)
      names.push_back(symbol->name().ToString());
    return names;
  }

  void check(const parser::Variable &variable, const Expression &left, const Expression &right) {
    const Symbol *target = evaluate::GetLastSymbol(left);
    bool toDevice = target && isOnlyOnDevice(target);
    if ((toDevice && elementwise > 0) ||
        (evaluate::HasVectorSubscript(left) && (toDevice || usesAny(right, isDeviceObject))))
      refuse(variable, "WHERE, FORALL, or a vector subscript on the left side");
    else if (toDevice && concurrent > 0)
      refuse(variable, "DO CONCURRENT");
    else if (toDevice && !evaluate::IsVariable(right) && !usesAny(right, isDeviceObject) &&
             usesAny(right, isManaged))
      refuse(variable, "an expression of managed data on the right side");
  }

  void refuse(const parser::Variable &variable, const char *form) {
    context.report(Diag::HostAssignsDeviceData, variable.GetSource(), std::string(form));
  }

  CheckContext &context;
  int elementwise = 0, concurrent = 0;
};

} // namespace

void checkHostAssignments(CheckContext &context) {
  Assignments assignments(context);
  context.walk(assignments);
}

} // namespace cufc
