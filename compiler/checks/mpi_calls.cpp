// Calls of MPI, through module mpi or mpi_f08 or, with mpif.h, without an interface: procedures
// that the installed library lacks, missing arguments where no interface tells, handles of the
// wrong kind where all are integers, and array sections with gaps as buffers of what goes on after
// the call.
#include "base/mpi_diag.h"
#include "checks/check.h"
#include "checks/mpi_checks.h"
#include "flang/Evaluate/check-expression.h"
#include "frontend/flang_versions.h"
#include "mpi/kit.h"
#include "mpi/rows.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using evaluate::ProcedureRef;
using parser::CharBlock;
using semantics::Symbol;

// A procedure of the table, and how it is reached.
struct Callee {
  const MpiProcedure *row = nullptr;
  int module = 0; // one of MpiModule
};

Callee calleeOf(const Symbol &symbol) {
  const Symbol &ultimate = symbol.GetUltimate();
  std::string name = ultimate.name().ToString();
  Callee callee;
  std::string own = name.compare(0, 5, "pmpi_") == 0 ? name.substr(1) : name;
  if (own.compare(0, 10, "cufrt_f08_") == 0)
    own = own.substr(10);
  if (own.compare(0, 4, "mpi_") != 0)
    return callee;
  const auto *external = ultimate.detailsIf<semantics::ProcEntityDetails>();
  std::string owner = ultimate.owner().IsModule() ? ultimate.owner().GetName()->ToString() : "";
  if (external && !external->HasExplicitInterface() && semantics::IsExternal(ultimate))
    callee.module = MpifH;
  else if (owner == "mpi" || owner == "mpi_f08")
    callee.module = owner == "mpi" ? ModuleMpi : ModuleMpiF08;
  if (callee.module)
    callee.row = findMpiProcedure(own);
  llvm::StringRef shorter(
      own); // than the form with large counts, or with an address as TYPE(C_PTR)
  if (callee.module && !callee.row && (shorter.consume_back("_c") || shorter.consume_back("_cptr")))
    callee.row = findMpiProcedure(shorter);
  return callee;
}

// Whether the buffers are used after the call has returned.
bool goesOn(const MpiProcedure &row, const MpiDummy &dummy) {
  static constexpr std::string_view uses[] = {"window", "kept", "address"};
  return (row.when != "blocking" && row.when != "split_end") ||
         std::find(std::begin(uses), std::end(uses), dummy.use) != std::end(uses);
}

std::string handleWords(std::string_view type) {
  std::string_view name = mpiHandleType(type);
  return name.empty() ? "no handle" : "a handle of TYPE(" + std::string(name) + ")";
}

// A section such as b(1:5, :) of b(10, 10): an inner dimension that is not whole, and another one
// behind it. flang says of some that it does not know.
bool hasPartialInnerDimension(const evaluate::Expr<evaluate::SomeType> &expression,
                              evaluate::FoldingContext &folding) {
  auto reference = evaluate::ExtractDataRef(expression);
  const auto *section = reference ? std::get_if<evaluate::ArrayRef>(&reference->u) : nullptr;
  if (!section)
    return false;
  evaluate::Shape shape = evaluate::GetShape(folding, section->base()).value_or(evaluate::Shape{});
  bool partial = false;
  for (size_t i = 0; i < std::min(section->subscript().size(), shape.size()); ++i) {
    const auto *triplet = std::get_if<evaluate::Triplet>(&section->subscript()[i].u);
    if (!triplet)
      continue;
    auto constant = [](const auto *value) {
      return value ? evaluate::ToInt64(*value) : std::nullopt;
    };
    std::optional<int64_t> lower = constant(triplet->GetLower()),
                           upper = constant(triplet->GetUpper());
    if (partial && !(lower && upper && *lower == *upper))
      return true;
    std::optional<int64_t> extent = evaluate::ToInt64(shape[i]);
    partial |= lower && upper && extent && *upper - *lower + 1 < *extent && *upper > *lower;
  }
  return false;
}

class MpiCalls : public StatementVisitor {
public:
  explicit MpiCalls(CheckContext &context) : context(context) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CallStmt &call) override {
    if (const ProcedureRef *reference = call.typedCall.get()) {
      const auto &designator = std::get<parser::ProcedureDesignator>(callIn(call).t);
      const auto &arguments = std::get<std::list<parser::ActualArgSpec>>(callIn(call).t);
      check(designator, *reference, arguments);
    }
    return true;
  }
  bool Pre(const parser::FunctionReference &call) override {
    if (const auto *name =
            std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call.v.t).u))
      if (name->symbol)
        checkPresence(calleeOf(*name->symbol), name->source);
    return true;
  }

private:
  void check(const parser::ProcedureDesignator &designator, const ProcedureRef &reference,
             const std::list<parser::ActualArgSpec> &written) {
    const Symbol *symbol = reference.proc().GetSymbol();
    const auto *name = std::get_if<parser::Name>(&designator.u);
    Callee callee = symbol && name ? calleeOf(*symbol) : Callee{};
    if (!callee.row || !checkPresence(callee, name->source))
      return;
    if (callee.module == MpifH && !checkCount(callee, written.size(), name->source))
      return;
    checkSections(callee, reference);
    if (callee.module != ModuleMpiF08)
      checkHandles(callee, written);
  }

  const MpiKit *kit() {
    if (!lookedForKit)
      found = kitAmong(context.program.options.searchDirectories);
    lookedForKit = true;
    return found ? &*found : nullptr;
  }

  bool checkPresence(const Callee &callee, CharBlock place) {
    if (!callee.row)
      return true;
    const MpiProcedure &row = *callee.row;
    const MpiKit *library = kit();
    if (library && library->lacks.count(std::string(row.name))) {
      std::string since = row.since == "1.0" ? "" : "; it is of MPI " + std::string(row.since);
      context.report(MpiDiag::MpiLacking, place, row.name, library->name(), library->standard,
                     since);
      return false;
    }
    if (!row.removed.empty())
      context.report(MpiDiag::MpiRemoved, place, row.name, row.removed, row.instead);
    return true;
  }

  bool checkCount(const Callee &callee, size_t given, CharBlock place) {
    const MpiProcedure &row = *callee.row;
    if (static_cast<int>(given) == row.arguments)
      return true;
    bool ierror = row.ierror && static_cast<int>(given) == row.arguments - 1;
    if (ierror && row.name == "MPI_Abort") {
      context.report(MpiDiag::MpiAbortShort, place);
      return true;
    }
    context.report(MpiDiag::MpiArgumentCount, place, row.name, row.arguments, given,
                   ierror ? "; the last one is 'ierror'" : "");
    return false;
  }

  void checkSections(const Callee &callee, const ProcedureRef &reference) {
    const evaluate::ActualArguments &actuals = reference.arguments();
    const std::vector<MpiDummy> &dummies = callee.row->dummies;
    for (size_t i = 0; i < std::min(actuals.size(), dummies.size()); ++i) {
      const auto *expression = actuals[i] ? actuals[i]->UnwrapExpr() : nullptr;
      if (dummies[i].type != "choice" || !expression || !goesOn(*callee.row, dummies[i]))
        continue;
      if (!evaluate::IsVariable(*expression) || expression->Rank() == 0)
        continue;
      std::optional<bool> contiguous =
          evaluate::IsContiguous(*expression, context.program.context->foldingContext());
      std::optional<CharBlock> place = actuals[i]->sourceLocation();
      bool gaps = evaluate::HasVectorSubscript(*expression) || (contiguous && !*contiguous) ||
                  hasPartialInnerDimension(*expression, context.program.context->foldingContext());
      if (place && gaps)
        context.report(MpiDiag::MpiSectionInFlight, *place, place->ToString(), callee.row->name);
    }
  }

  // Named constants say what kind of handle they are.
  void checkHandles(const Callee &callee, const std::list<parser::ActualArgSpec> &written) {
    const std::vector<MpiDummy> &dummies = callee.row->dummies;
    size_t at = 0;
    for (const parser::ActualArgSpec &argument : written) {
      if (std::get<std::optional<parser::Keyword>>(argument.t) || at >= dummies.size())
        return;
      const MpiDummy &dummy = dummies[at++];
      const auto *expression = std::get_if<common::Indirection<parser::Expr>>(
          &std::get<parser::ActualArg>(argument.t).u);
      const parser::Name *name =
          expression ? parser::Unwrap<parser::Name>(expression->value()) : nullptr;
      const MpiConstant *constant = name ? findMpiConstant(name->source.ToString()) : nullptr;
      if (!constant || dummy.type == "choice" || constant->type == "sentinel")
        continue;
      if (mpiHandleType(constant->type).empty() || dummy.type == constant->type)
        continue;
      if (dummy.type == "integer" && callee.module != ModuleMpiF08)
        context.report(MpiDiag::MpiHandleAsNumber, name->source, dummy.name, callee.row->name,
                       handleWords(constant->type));
      else
        context.report(MpiDiag::MpiHandleType, name->source, dummy.name, callee.row->name,
                       handleWords(dummy.type), handleWords(constant->type));
    }
  }

  CheckContext &context;
  std::optional<MpiKit> found;
  bool lookedForKit = false;
};

} // namespace

void checkMpiCalls(CheckContext &context) { context.visit<MpiCalls>(context); }

void runMpiChecks(Program &program, Diagnostics &diagnostics) {
  CheckOptions options;
  CheckContext(program.flang(), options, diagnostics).run({checkMpiCalls});
}

} // namespace cufc
