// See managed_expressions.h.
#include "frontend/workarounds/managed_expressions.h"
#include "base/workarounds.h"
#include "flang/Evaluate/characteristics.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include <cstddef>
#include <set>
#include <string>

namespace cufc {
namespace {

using namespace Fortran;

// Whether it is a number or a logical value, which the compiler can put into managed memory.
bool isPlainValue(const evaluate::Expr<evaluate::SomeType> &actual) {
  auto type = actual.GetType();
  return type && !evaluate::IsVariable(actual) &&
         type->category() != common::TypeCategory::Derived &&
         type->category() != common::TypeCategory::Character;
}

// Whether it is known at the call which procedure is meant, or which procedure one that is bound to
// a type overrides.
bool isKnownProcedure(const parser::ProcedureDesignator &designator) {
  const auto *name = std::get_if<parser::Name>(&designator.u);
  if (const auto *bound = std::get_if<parser::ProcComponentRef>(&designator.u))
    name = &componentIn(bound->v.thing);
  const semantics::Symbol *symbol = name && name->symbol ? &name->symbol->GetUltimate() : nullptr;
  return symbol && !semantics::IsDummy(*symbol) &&
         (symbol->has<semantics::SubprogramDetails>() || symbol->has<semantics::GenericDetails>() ||
          symbol->has<semantics::ProcBindingDetails>());
}

// Where such arguments begin.
class Expressions : public StatementVisitor {
public:
  explicit Expressions(const FlangProgram &program) : program(program) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Call &call) override {
    if (isKnownProcedure(std::get<parser::ProcedureDesignator>(call.t)))
      for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t))
        if (const auto *value = std::get_if<common::Indirection<parser::Expr>>(
                &std::get<parser::ActualArg>(argument.t).u))
          add(value->value());
    return true;
  }

  std::set<std::size_t> places;

private:
  void add(const parser::Expr &actual) {
    const auto *typed = semantics::GetExpr(*program.context, actual);
    if (!typed || !isPlainValue(*typed))
      return;
    if (auto place = program.cooked.GetProvenanceRange(actual.source))
      places.insert(place->start().offset());
  }

  const FlangProgram &program;
};

const evaluate::ActualArgument *argumentFor(const evaluate::characteristics::DummyArgument &dummy,
                                            std::size_t position,
                                            const evaluate::ActualArguments &actuals) {
  for (const auto &actual : actuals)
    if (actual && actual->keyword() && actual->keyword()->ToString() == dummy.name)
      return &*actual;
  bool isThere = position < actuals.size() && actuals[position] && !actuals[position]->keyword();
  return isThere ? &*actuals[position] : nullptr;
}

// The procedure as one that takes data of the host where a managed dummy argument gets such a
// value; none if there is no such place.
std::optional<evaluate::characteristics::Procedure>
takingValues(const evaluate::characteristics::Procedure &procedure,
             const evaluate::ActualArguments &actuals) {
  evaluate::characteristics::Procedure result = procedure;
  bool found = false;
  for (std::size_t i = 0; i < result.dummyArguments.size(); ++i) {
    auto &dummy = result.dummyArguments[i];
    auto *object = std::get_if<evaluate::characteristics::DummyDataObject>(&dummy.u);
    if (!object || object->cudaDataAttr != common::CUDADataAttr::Managed)
      continue;
    const auto *actual = argumentFor(dummy, i, actuals);
    const auto *value = actual ? actual->UnwrapExpr() : nullptr;
    if (!value || !isPlainValue(*value))
      continue;
    object->cudaDataAttr.reset();
    found = true;
  }
  return found ? std::optional(std::move(result)) : std::nullopt;
}

} // namespace

bool isOfManagedExpression(const Finding &finding, const FlangProgram &program) {
  if (!finding.is(Phrase::ManagedDummyOfHostData) || !finding.place())
    return false;
  Expressions expressions(program);
  walkTree(*program.parsing->parseTree(), expressions);
  return expressions.places.count(*finding.place()) != 0;
}

} // namespace cufc

// The linker puts this in place of flang's check whether a specific procedure of a generic name
// takes the arguments of a call (--wrap in compiler/CMakeLists.txt).
extern "C" {
bool __real__ZN7Fortran9semantics24CheckInterfaceForGenericERKNS_8evaluate15characteristics9ProcedureERSt6vectorISt8optionalINS1_14ActualArgumentEESaIS9_EERNS0_16SemanticsContextEb(
    const Fortran::evaluate::characteristics::Procedure &, Fortran::evaluate::ActualArguments &,
    Fortran::semantics::SemanticsContext &, bool);

bool __wrap__ZN7Fortran9semantics24CheckInterfaceForGenericERKNS_8evaluate15characteristics9ProcedureERSt6vectorISt8optionalINS1_14ActualArgumentEESaIS9_EERNS0_16SemanticsContextEb(
    const Fortran::evaluate::characteristics::Procedure &procedure,
    Fortran::evaluate::ActualArguments &actuals, Fortran::semantics::SemanticsContext &context,
    bool allowConversions) {
  auto takes = [&](const Fortran::evaluate::characteristics::Procedure &specific) {
    return __real__ZN7Fortran9semantics24CheckInterfaceForGenericERKNS_8evaluate15characteristics9ProcedureERSt6vectorISt8optionalINS1_14ActualArgumentEESaIS9_EERNS0_16SemanticsContextEb(
        specific, actuals, context, allowConversions);
  };
  if (takes(procedure))
    return true;
  if (!cufc::isMade(cufc::Workaround::ManagedGenerics))
    return false;
  auto other = cufc::takingValues(procedure, actuals);
  return other && takes(*other);
}
}
