// See procedure_components.h.
//
//   type t
//     integer :: a = 1
//     procedure(f), pointer, nopass :: p => g
//   end type
//   ... t(2) ...                          p is a null pointer for flang, and g for the standard
//
// F2023 7.5.10 paragraph 2: a component without a value has that of its default initialization.
// flang does so for data, and takes NULL() for each other pointer (CheckStructureConstructor in its
// expression.cpp). In the analysed expression this cannot be told from a NULL() that was written,
// so each constructor is analysed by itself, before the expression around it, and mended while its
// own part of the parse tree shows what was written. flang takes results that it finds in the tree.
//
// The expressions of declarations are analysed while names are resolved: the linker puts functions
// of ours in the place of those that are called for them (--wrap in compiler/CMakeLists.txt). The
// targets of the program unit's own types are not resolved then, so their names are read in the
// text that flang parses.
//
// A constructor around others is one more case: flang reads it as a function reference first, and
// the tree that it makes of that has lost the results of its parts. These are analysed once more.
#include "frontend/workarounds/procedure_components.h"
#include "base/workarounds.h"
#include "flang/Evaluate/fold.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/characters.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/lenient/sizes_of_types.h"
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using Fortran::evaluate::ExpressionAnalyzer;
using Fortran::semantics::MaybeExpr;

// The names that the linker's --wrap gives the functions. A member function takes the object
// as its first argument (Itanium C++ ABI).
MaybeExpr
flangsAnalysis(ExpressionAnalyzer *analyzer, const Fortran::parser::Expr *expression) __asm__(
    "__real__ZN7Fortran8evaluate18ExpressionAnalyzer7AnalyzeERKNS_6parser4ExprE");
MaybeExpr
ourAnalysis(ExpressionAnalyzer *analyzer, const Fortran::parser::Expr *expression) __asm__(
    "__wrap__ZN7Fortran8evaluate18ExpressionAnalyzer7AnalyzeERKNS_6parser4ExprE");
MaybeExpr
flangsAnalysis(ExpressionAnalyzer *analyzer, const Fortran::parser::Selector *selector) __asm__(
    "__real__ZN7Fortran8evaluate18ExpressionAnalyzer7AnalyzeERKNS_6parser8SelectorE");
MaybeExpr
ourAnalysis(ExpressionAnalyzer *analyzer, const Fortran::parser::Selector *selector) __asm__(
    "__wrap__ZN7Fortran8evaluate18ExpressionAnalyzer7AnalyzeERKNS_6parser8SelectorE");

namespace cufc {
namespace {

using namespace Fortran;
using parser::Expr;
using semantics::Symbol;

// Behind the name of a component in the text that flang parses, which has neither comments nor
// capitals: "=>target".
const Symbol *targetInText(const Symbol &component) {
  const char *at = component.name().end();
  auto skipBlanks = [&] {
    while (*at == ' ')
      ++at;
  };
  skipBlanks();
  if (at[0] != '=' || at[1] != '>')
    return nullptr;
  at += 2;
  skipBlanks();
  const char *begin = at;
  while (parser::IsLegalInIdentifier(*at))
    ++at;
  size_t length = static_cast<size_t>(at - begin);
  skipBlanks();
  if (length == 0 || (*at != ',' && *at != '\n' && *at != ';'))
    return nullptr;
  return component.owner().parent().FindSymbol(parser::CharBlock(begin, length));
}

// The target that the definition of its type gives a component.
const Symbol *initialTarget(const Symbol &component) {
  const auto *details = component.detailsIf<semantics::ProcEntityDetails>();
  if (!details || !semantics::IsPointer(component))
    return nullptr;
  return details->init() ? *details->init() : targetInText(component);
}

bool hasInitialTarget(const semantics::Scope *type) {
  for (; type && type->IsDerivedType(); type = type->GetDerivedTypeParent())
    for (const auto &[name, symbol] : *type)
      if (initialTarget(*symbol))
        return true;
  return false;
}

bool anyInitialTarget(const semantics::Scope &scope) {
  if (scope.IsDerivedType() && hasInitialTarget(&scope))
    return true;
  return std::any_of(scope.children().begin(), scope.children().end(), anyInitialTarget);
}

// Of the analysis that this thread makes.
thread_local bool noTargets = false;

// The type of which a name makes values.
const Symbol *typeOfConstructor(const Symbol *name) {
  const Symbol *symbol = name ? &name->GetUltimate() : nullptr;
  if (const auto *generic = symbol ? symbol->detailsIf<semantics::GenericDetails>() : nullptr)
    symbol = generic->derivedType() ? &generic->derivedType()->GetUltimate() : nullptr;
  return symbol && symbol->has<semantics::DerivedTypeDetails>() ? symbol : nullptr;
}

bool hasInitialTarget(const Symbol *type) { return type && hasInitialTarget(type->scope()); }

// A value as it was written: of a keyword, or of the next component.
struct Written {
  std::string keyword; // may be empty
  bool isNull;
};
using Values = std::vector<Written>;

bool isNull(const Expr &value) {
  const auto &typed = value.typedExpr;
  return typed && typed->v && std::holds_alternative<evaluate::NullPointer>(typed->v->u);
}

void add(const std::optional<parser::Keyword> &keyword, const Expr &value, Values &values) {
  values.push_back({keyword ? keyword->v.source.ToString() : "", isNull(value)});
}

// A constructor is a function reference until flang knows better.
const parser::Call *callOf(const Expr &expression) {
  const auto *reference =
      std::get_if<common::Indirection<parser::FunctionReference>>(&expression.u);
  return reference ? &reference->value().v : nullptr;
}

// The name of the constructor's type, or of a function.
const Symbol *nameIn(const Expr &expression) {
  if (const auto *constructor = std::get_if<parser::StructureConstructor>(&expression.u))
    return std::get<parser::Name>(std::get<parser::DerivedTypeSpec>(constructor->t).t).symbol;
  const parser::Call *call = callOf(expression);
  const auto *name =
      call ? std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(call->t).u) : nullptr;
  return name ? name->symbol : nullptr;
}

Values valuesIn(const Expr &expression) {
  Values values;
  if (const parser::Call *call = callOf(expression))
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call->t))
      if (const auto *value =
              std::get_if<common::Indirection<Expr>>(&std::get<parser::ActualArg>(argument.t).u))
        add(std::get<std::optional<parser::Keyword>>(argument.t), value->value(), values);
  if (const auto *constructor = std::get_if<parser::StructureConstructor>(&expression.u))
    for (const auto &value : std::get<std::list<parser::ComponentSpec>>(constructor->t))
      add(std::get<std::optional<parser::Keyword>>(value.t),
          std::get<parser::ComponentDataSource>(value.t).v.value(), values);
  return values;
}

// Whether a component was given NULL(). A value of the parent's type stands for all of its
// components.
bool isWrittenNull(const Symbol &component, const evaluate::StructureConstructor &constructor,
                   const Values &values) {
  std::string name = component.name().ToString();
  for (const Written &value : values)
    if (value.keyword == name)
      return true;
  bool hasParent = false;
  for (const auto &[symbol, value] : constructor.values())
    hasParent |= symbol->test(Symbol::Flag::ParentComp);
  const semantics::DerivedTypeSpec &type = constructor.derivedTypeSpec();
  size_t position = hasParent ? 1 : 0;
  for (const Symbol &other : semantics::OrderedComponentIterator(type)) {
    if (other.test(Symbol::Flag::ParentComp) || (hasParent && &other.owner() != type.scope()))
      continue;
    if (other.name() == component.name())
      return position < values.size() && values[position].keyword.empty() &&
             values[position].isNull;
    ++position;
  }
  return false;
}

std::optional<evaluate::StructureConstructor> constructorIn(const MaybeExpr &typed) {
  const auto *derived =
      typed ? std::get_if<evaluate::Expr<evaluate::SomeDerived>>(&typed->u) : nullptr;
  if (!derived)
    return std::nullopt;
  if (const auto *constructor = std::get_if<evaluate::StructureConstructor>(&derived->u))
    return *constructor;
  const auto *constant = std::get_if<evaluate::Constant<evaluate::SomeDerived>>(&derived->u);
  return constant && constant->Rank() == 0 ? constant->GetScalarValue() : std::nullopt;
}

// Whether it did.
bool giveTargets(MaybeExpr &expression, const Values &written,
                 semantics::SemanticsContext &context) {
  auto constructor = constructorIn(expression);
  bool changed = false;
  if (!constructor)
    return changed;
  for (auto &[component, value] : constructor->values()) {
    const Symbol *target = initialTarget(*component);
    if (!target || !std::holds_alternative<evaluate::NullPointer>(value.value().u) ||
        isWrittenNull(*component, *constructor, written))
      continue;
    value.value() = evaluate::Expr<evaluate::SomeType>{evaluate::ProcedureDesignator{*target}};
    changed = true;
  }
  if (changed)
    expression = evaluate::Fold(
        context.foldingContext(),
        evaluate::AsGenericExpr(evaluate::Expr<evaluate::SomeDerived>{std::move(*constructor)}));
  return changed;
}

bool giveTargets(const Expr &expression, semantics::SemanticsContext &context) {
  return expression.typedExpr && hasInitialTarget(typeOfConstructor(nameIn(expression))) &&
         giveTargets(expression.typedExpr->v, valuesIn(expression), context);
}

// Analyses what is analysed once more, from the inside to the outside.
class Renewal : public ConstructorAnalysis {
public:
  using ConstructorAnalysis::ConstructorAnalysis;
  using ConstructorAnalysis::Post;
  void Post(const Expr &expression) override {
    if (!expression.typedExpr)
      return;
    auto &messages = analyzer.context().messages().messages();
    size_t before = messages.size();
    expression.typedExpr.Reset();
    flangsAnalysis(&analyzer, &expression);
    while (messages.size() > before)
      messages.pop_back();
    giveTargets(expression, analyzer.context());
  }
};

} // namespace

InitialTargets::InitialTargets(const semantics::Scope &global) {
  noTargets = !anyInitialTarget(global);
}

InitialTargets::~InitialTargets() { noTargets = false; }

bool InitialTargets::possible() { return !noTargets && isMade(Workaround::InitialTargets); }

bool ConstructorAnalysis::Pre(const parser::AcImpliedDo &loop) {
  const auto &control = std::get<parser::AcImpliedDoControl>(loop.t);
  const parser::Name &index =
      variableIn(std::get<parser::AcImpliedDoControl::Bounds>(control.t)).thing.thing;
  const semantics::DeclTypeSpec *type = index.symbol ? index.symbol->GetType() : nullptr;
  const auto *numbers = type ? type->AsIntrinsic() : nullptr;
  auto kind = numbers ? evaluate::ToInt64(numbers->kind()) : std::nullopt;
  analyzer.AddImpliedDo(index.source, static_cast<int>(kind.value_or(4)));
  return true;
}

void ConstructorAnalysis::Post(const parser::AcImpliedDo &loop) {
  const auto &control = std::get<parser::AcImpliedDoControl>(loop.t);
  analyzer.RemoveImpliedDo(
      variableIn(std::get<parser::AcImpliedDoControl::Bounds>(control.t)).thing.thing.source);
}

void ConstructorAnalysis::Post(const Expr &expression) {
  const Symbol *type = typeOfConstructor(nameIn(expression));
  if (expression.typedExpr || !type || !(changed || hasInitialTarget(type)))
    return;
  flangsAnalysis(&analyzer, &expression);
  renew(expression);
}

void ConstructorAnalysis::renew(const Expr &expression) {
  if (changed && expression.typedExpr && expression.typedExpr->v) {
    Renewal renewal(analyzer);
    walkTree(expression, renewal);
  }
  changed |= giveTargets(expression, analyzer.context());
}

} // namespace cufc

MaybeExpr ourAnalysis(ExpressionAnalyzer *analyzer, const Fortran::parser::Expr *expression) {
  if (!expression->typedExpr && cufc::mayAskForSizes(expression->source))
    cufc::takeSizesOfTypes(*expression);
  if (!expression->typedExpr && cufc::InitialTargets::possible()) {
    cufc::ConstructorAnalysis analysis(*analyzer);
    walkTree(*expression, analysis);
  }
  return flangsAnalysis(analyzer, expression);
}

// flang reads a constructor as a variable until it knows better.
MaybeExpr ourAnalysis(ExpressionAnalyzer *analyzer, const Fortran::parser::Selector *selector) {
  if (!cufc::InitialTargets::possible())
    return flangsAnalysis(analyzer, selector);
  cufc::ConstructorAnalysis analysis(*analyzer);
  walkTree(*selector, analysis);
  MaybeExpr result = flangsAnalysis(analyzer, selector);
  const auto *expression = std::get_if<Fortran::parser::Expr>(&selector->u);
  if (!expression || !expression->typedExpr)
    return result;
  analysis.renew(*expression);
  return expression->typedExpr->v;
}
