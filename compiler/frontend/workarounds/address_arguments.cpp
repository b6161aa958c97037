// See address_arguments.h.
#include "frontend/workarounds/address_arguments.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/statement_visitor.h"
#include "llvm/ADT/StringRef.h"

namespace cufc {
namespace {

using namespace Fortran;

bool takesAddress(const semantics::Symbol *dummy) {
  const auto *details = dummy ? dummy->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
  if (!details || details->ignoreTKR().empty() || !dummy->attrs().test(semantics::Attr::VALUE))
    return false;
  const semantics::DeclTypeSpec *type = details->type();
  const semantics::DerivedTypeSpec *derived = type ? type->AsDerived() : nullptr;
  return semantics::IsIsoCType(derived);
}

class Calls : public StatementVisitor {
public:
  Calls(const FlangProgram &program, EditList &edits) : program(program), edits(edits) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Call &call) override {
    const auto *name = std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.t).u);
    const semantics::Symbol *callee = name && name->symbol ? &name->symbol->GetUltimate() : nullptr;
    const auto *details = callee ? callee->detailsIf<semantics::SubprogramDetails>() : nullptr;
    const auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.t);
    size_t position = 0;
    for (const parser::ActualArgSpec &argument : arguments) {
      const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
      if (!keyword && details && position < details->dummyArgs().size() &&
          takesAddress(details->dummyArgs()[position]))
        pass(std::get<parser::ActualArg>(argument.t));
      ++position;
    }
    return true;
  }

private:
  void pass(const parser::ActualArg &argument) {
    const auto *expression = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    if (expression && isPassedByAddress(expression->value()))
      edits.around(expression->value().source, "loc(", ")");
  }

  bool isPassedByAddress(const parser::Expr &actual) const {
    const auto *typed = semantics::GetExpr(*program.context, actual);
    if (!typed)
      return isProcedure(actual);
    if (evaluate::IsProcedureDesignator(*typed))
      return true;
    auto type = typed->GetType();
    return evaluate::IsVariable(*typed) && type &&
           (typed->Rank() > 0 || type->category() == common::TypeCategory::Character);
  }

  static bool isProcedure(const parser::Expr &actual) {
    const parser::Name *name = parser::Unwrap<parser::Name>(actual);
    return name && name->symbol && semantics::IsProcedure(*name->symbol);
  }

  const FlangProgram &program;
  EditList &edits;
};

// A procedure with such a dummy, in this file or in a module that it uses.
bool hasAddressDummies(const semantics::Scope &scope) {
  for (const auto &[name, symbol] : scope)
    if (const auto *details = symbol->detailsIf<semantics::SubprogramDetails>())
      for (const semantics::Symbol *dummy : details->dummyArgs())
        if (takesAddress(dummy))
          return true;
  return false;
}

bool mayPassAddresses(const FlangProgram &program) {
  parser::CharBlock text = program.parsing->cooked().AsCharBlock();
  if (llvm::StringRef(text.begin(), text.size()).contains("ignore_tkr"))
    return true;
  for (const semantics::Scope &scope : program.context->globalScope().children())
    if (scope.kind() == semantics::Scope::Kind::Module && hasAddressDummies(scope))
      return true;
  return false;
}

} // namespace

void passAddressesOfArguments(const FlangProgram &program, bool hasErrors, EditList &edits) {
  if (!hasErrors && !mayPassAddresses(program))
    return;
  Calls calls(program, edits);
  walkTree(*program.parsing->parseTree(), calls);
}

} // namespace cufc
