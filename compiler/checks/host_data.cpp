// Variables of the host in device code, at each statement that uses them. What flang folds, such as
// the bounds of an array of constant shape, needs no variable.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "checks/fixes.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "frontend/expression_visitor.h"
#include "frontend/flang_versions.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

// The loops that a CUF kernel spreads over threads: it and those directly inside it, as many as the
// directive says. The host evaluates their bounds before it launches the kernel, so data of the
// host may stand there.
std::vector<const parser::DoConstruct *> parallelLoops(const parser::CUFKernelDoConstruct &kernel) {
  std::vector<const parser::DoConstruct *> loops;
  const auto &outermost = std::get<std::optional<parser::DoConstruct>>(kernel.t);
  const auto &directive = std::get<parser::CUFKernelDoConstruct::Directive>(kernel.t);
  const auto &number = std::get<std::optional<parser::ScalarIntConstantExpr>>(directive.t);
  const auto *value = number ? semantics::GetExpr(nullptr, *number) : nullptr;
  std::int64_t depth = value ? evaluate::ToInt64(*value).value_or(1) : 1;
  const parser::DoConstruct *loop = outermost ? &*outermost : nullptr;
  while (loop && depth-- > 0) {
    loops.push_back(loop);
    const auto &body = std::get<parser::Block>(loop->t);
    loop = loop->IsDoConcurrent() || body.empty()
               ? nullptr
               : parser::Unwrap<parser::DoConstruct>(body.front());
  }
  return loops;
}

class Names : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) override {
    found.push_back(&name);
    return false;
  }
  std::vector<const parser::Name *> found;
};

// Whether an expression uses an array in another way than as one element, which is the same for all
// values of `variables`.
class Varies : public ExpressionVisitor {
public:
  Varies(const Symbol &array, const std::set<const Symbol *> &variables)
      : array(array), variables(variables) {}
  Found symbol(const Symbol &symbol) override { return &symbol.GetUltimate() == &array; }
  Found arrayElements(const evaluate::ArrayRef &reference) override {
    if (!reference.base().IsSymbol() || &reference.GetFirstSymbol().GetUltimate() != &array)
      return std::nullopt;
    return llvm::any_of(reference.subscript(), [&](const evaluate::Subscript &subscript) {
      const auto *index = std::get_if<evaluate::IndirectSubscriptIntegerExpr>(&subscript.u);
      return !index || llvm::any_of(evaluate::CollectSymbols(index->value()),
                                    [&](const semantics::SymbolRef &used) {
                                      return variables.count(&used->GetUltimate()) > 0;
                                    });
    });
  }

private:
  const Symbol &array;
  const std::set<const Symbol *> &variables;
};

class HostData : public CodeVisitor {
public:
  explicit HostData(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::CUFKernelDoConstruct &kernel) override {
    loopVariables.clear();
    for (const parser::DoConstruct *loop : parallelLoops(kernel))
      if (const auto &control = loop->GetLoopControl())
        parallel.insert(&*control);
    return CodeVisitor::Pre(kernel);
  }
  bool Pre(const parser::LoopControl &control) override {
    if (const auto *bounds = std::get_if<parser::LoopControl::Bounds>(&control.u))
      addVariable(variableIn(*bounds).thing);
    return parallel.count(&control) == 0;
  }
  bool Pre(const parser::ConcurrentControl &control) override {
    addVariable(std::get<parser::Name>(control.t));
    return true;
  }
  bool Pre(const parser::Expr &expression) override {
    if (onDevice())
      if (const auto *typed = semantics::GetExpr(*context.program.context, expression))
        check(expression, *typed);
    return !onDevice(); // its operands are part of it
  }
  bool Pre(const parser::Variable &variable) override {
    if (onDevice() && executing())
      if (const auto *typed = semantics::GetExpr(*context.program.context, variable))
        check(variable, *typed);
    return true;
  }
  bool Pre(const parser::AssignmentStmt &assignment) override {
    const auto &variable = std::get<parser::Variable>(assignment.t);
    if (onDevice() && executing())
      if (const auto *typed = semantics::GetExpr(*context.program.context, variable))
        refuseIndex(variable, evaluate::GetFirstSymbol(*typed));
    return true;
  }

  bool Pre(const parser::PointerAssignmentStmt &assignment) override {
    checkAssociation(std::get<parser::DataRef>(assignment.t));
    return true;
  }
  bool Pre(const parser::PointerObject &object) override { // of NULLIFY
    checkAssociation(object);
    return true;
  }

private:
  void addVariable(const parser::Name &name) {
    if (name.symbol && inCufKernel())
      loopVariables.insert(&name.symbol->GetUltimate());
  }

  // threadIdx and its like, which flang names "__builtin_threadidx", have their values by the
  // launch.
  void refuseIndex(const parser::Variable &variable, const Symbol *symbol) {
    if (!symbol || symbol->GetUltimate().name().ToString().rfind("__builtin_", 0) != 0)
      return;
    std::string text = variable.GetSource().ToString();
    context.report(Diag::DeviceStatement, variable.GetSource(),
                   "an assignment to '" + text + "', which the launch sets,");
  }

  // The descriptor of a pointer that is the host's, or a module's, is known to host code, which
  // would not see that it has changed.
  template <typename Node>
  void checkAssociation(const Node &pointer) {
    if (!onDevice() || !executing())
      return;
    Names names;
    walkTree(pointer, names);
    if (names.found.empty() || !names.found.front()->symbol)
      return;
    const parser::Name &name = *names.found.front();
    const Symbol &symbol = name.symbol->GetUltimate();
    if (names.found.size() == 1 && semantics::IsPointer(symbol) && isOfHostScope(symbol))
      context.report(Diag::DeviceStatement, name.source,
                     "an association of '" + name.source.ToString() +
                         "', which is no pointer of the procedure itself,");
    else if (isOnHost(symbol))
      report(name, symbol);
  }

  template <typename Node>
  void check(const Node &node, const evaluate::Expr<evaluate::SomeType> &typed) {
    Names names;
    for (const Symbol &symbol : evaluate::CollectSymbols(typed)) {
      const Symbol &ultimate = symbol.GetUltimate();
      if (!isOnHost(ultimate) || isPassedByParts(ultimate, typed))
        continue;
      if (names.found.empty())
        walkTree(node, names);
      for (const parser::Name *name : names.found)
        if (name->symbol && &name->symbol->GetUltimate() == &ultimate)
          return report(*name, ultimate);
    }
  }

  // Of one element of an array of types, lower/host_components.cpp passes what the kernel uses.
  bool isPassedByParts(const Symbol &symbol,
                       const evaluate::Expr<evaluate::SomeType> &typed) const {
    Varies varies(symbol, loopVariables);
    return !inDeviceProcedure() && semantics::HasCUDAComponent(symbol) &&
           !walkExpression(typed, varies);
  }

  // A CUF kernel gets scalars of the host by value.
  bool isOnHost(const Symbol &symbol) const {
    const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
    if (!object || semantics::IsNamedConstant(symbol) ||
        symbol.test(Symbol::Flag::CompilerCreated) || symbol.owner().IsDerivedType())
      return false;
    auto attribute = object->cudaDataAttr();
    if (attribute && *attribute != common::CUDADataAttr::Pinned)
      return false;
    if (!inDeviceProcedure())
      return inCufKernel() && symbol.Rank() > 0 && !isOfBlock(symbol);
    return isOfHostScope(symbol) && !isOfLanguage(symbol);
  }
  static bool isOfBlock(const Symbol &symbol) {
    return symbol.owner().kind() == semantics::Scope::Kind::BlockConstruct;
  }
  static bool isStatementFunction(const semantics::Scope &scope) {
    const Symbol *symbol = scope.symbol();
    const auto *details = symbol ? symbol->detailsIf<semantics::SubprogramDetails>() : nullptr;
    return details && details->stmtFunction();
  }
  // A module, a main program, or a procedure of the host around an internal one of the device.
  static bool isOfHostScope(const Symbol &symbol) {
    const semantics::Scope *scope = &symbol.owner();
    while (
        (scope->kind() == semantics::Scope::Kind::BlockConstruct || isStatementFunction(*scope)) &&
        !scope->IsTopLevel())
      scope = &scope->parent();
    return scope->IsModule() || scope->kind() == semantics::Scope::Kind::MainProgram ||
           (scope->kind() == semantics::Scope::Kind::Subprogram && !runsOnDevice(scope->symbol()));
  }
  static bool isOfLanguage(const Symbol &symbol) {
    const Symbol *module = symbol.owner().IsModule() ? symbol.owner().symbol() : nullptr;
    return module && module->name().ToString().rfind("__", 0) == 0;
  }

  void report(const parser::Name &name, const Symbol &symbol) {
    if (!seen.insert({source.begin(), &symbol}).second)
      return;
    Diagnostic &found =
        context.report(Diag::DeviceUsesHostData, name.source, name.source.ToString());
    context.addDeclaration(found, symbol);
    if (auto fix = addAttribute(context, symbol, inCufKernel() ? "device" : "managed"))
      found.fixes.push_back(std::move(*fix));
  }

  CheckContext &context;
  std::set<const Symbol *> loopVariables;                 // of the CUF kernel
  std::set<const parser::LoopControl *> parallel;         // whose bounds the host evaluates
  std::set<std::pair<const char *, const Symbol *>> seen; // one message a statement and variable
};

} // namespace

void checkHostData(CheckContext &context) { context.visit<HostData>(context); }

} // namespace cufc
