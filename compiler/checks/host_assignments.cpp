// Assignments of host code that would have to compute with device arrays, or to store into them
// element by element: a copy between the memories moves whole values, and only kernels compute
// there.
#include "base/diag.h"
#include "base/flang_phrases.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"
#include "frontend/workarounds/implicit_transfers.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;
using Expression = AnyExpression;

// The object that an assignment sets, if only kernels can use it.
const Symbol *deviceTarget(const Expression &left) {
  for (const Symbol *symbol : {evaluate::GetLastSymbol(left), evaluate::GetFirstSymbol(left)})
    if (symbol && isOnlyOnDevice(symbol))
      return symbol;
  return nullptr;
}

class Assignments : public CodeVisitor {
public:
  explicit Assignments(CheckContext &context) : context(context) { skipsExpressions = true; }

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::WhereStmt &) override { return ++elementwise > 0; }
  void Post(const parser::WhereStmt &) override { --elementwise; }
  bool Pre(const parser::WhereConstruct &) override { return ++elementwise > 0; }
  void Post(const parser::WhereConstruct &) override { --elementwise; }
  bool Pre(const parser::ForallStmt &) override { return ++elementwise > 0; }
  void Post(const parser::ForallStmt &) override { --elementwise; }
  bool Pre(const parser::ForallConstruct &) override { return ++elementwise > 0; }
  void Post(const parser::ForallConstruct &) override { --elementwise; }
  bool Pre(const parser::AssignmentStmt &assignment) override {
    if (!onHost() || !executing())
      return true;
    const auto &variable = std::get<parser::Variable>(assignment.t);
    const auto &value = std::get<parser::Expr>(assignment.t);
    const Expression *left = semantics::GetExpr(*context.program.context, variable);
    const Expression *right = semantics::GetExpr(*context.program.context, value);
    if (left && right && !refused(value, *right))
      check(variable, value, *left, *right);
    return true;
  }

private:
  // Whether flang refuses it, for reading more than one device array.
  bool refused(const parser::Expr &value, const Expression &right) {
    std::vector<std::string> names = deviceNames(right);
    for (const Replaceable &message : context.replaceableAt(source))
      if (names.size() > 1 && isPhrase(message.text, Phrase::SeveralObjects)) {
        context.report(Diag::SeveralDeviceOperands, value.source, names[0], names[1]);
        return true;
      }
    return false;
  }

  static std::vector<std::string> deviceNames(const Expression &value) {
    std::vector<const Symbol *> symbols;
    for (const Symbol &symbol : deviceArraysIn(value))
      symbols.push_back(&symbol);
    std::sort(symbols.begin(), symbols.end(), [](const Symbol *a, const Symbol *b) {
      return a->name().begin() < b->name().begin();
    });
    std::vector<std::string> names;
    for (const Symbol *symbol : symbols)
      names.push_back(symbol->name().ToString());
    return names;
  }

  void check(const parser::Variable &variable, const parser::Expr &value, const Expression &left,
             const Expression &right) {
    const Symbol *target = deviceTarget(left);
    if (!target)
      return;
    if (elementwise > 0 || evaluate::HasVectorSubscript(left))
      return refuse(variable, "WHERE, FORALL, or a vector subscript on the left side");
    std::vector<std::string> names = deviceNames(right);
    if (!evaluate::IsVariable(right) && !names.empty() && mixesHostAndDevice(right))
      context.report(Diag::DeviceComputation, value.source, names[0], target->name().ToString());
  }

  void refuse(const parser::Variable &variable, const char *form) {
    context.report(Diag::HostAssignsDeviceData, variable.GetSource(), std::string(form));
  }

  CheckContext &context;
  int elementwise = 0; // WHERE and FORALL around the statement
};

} // namespace

void checkHostAssignments(CheckContext &context) { context.visit<Assignments>(context); }

} // namespace cufc
