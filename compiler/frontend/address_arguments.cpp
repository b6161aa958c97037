// See address_arguments.h.
#include "frontend/address_arguments.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
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
  Calls(const FlangProgram &program, const std::string &path) : program(program), path(path) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Call &call) {
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

  std::vector<Edit> edits;

private:
  void pass(const parser::ActualArg &argument) {
    const auto *expression = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    if (!expression || !isPassedByAddress(expression->value()))
      return;
    parser::CharBlock source = expression->value().source;
    auto opening = insertion(program, path, source.begin(), 0, "loc(");
    auto closing = insertion(program, path, source.end() - 1, 1, ")");
    if (!opening || !closing)
      return;
    edits.push_back(std::move(*opening));
    edits.push_back(std::move(*closing));
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
  const std::string &path;
};

} // namespace

std::vector<Edit> addressesOfArguments(const FlangProgram &program, const std::string &path,
                                       bool hasErrors) {
  if (!hasErrors && !llvm::StringRef(program.source).contains_insensitive("ignore_tkr"))
    return {};
  Calls calls(program, path);
  parser::Walk(*program.parsing->parseTree(), calls);
  return std::move(calls.edits);
}

} // namespace cufc
