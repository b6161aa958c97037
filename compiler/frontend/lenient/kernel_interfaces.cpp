// See kernel_interfaces.h.
//
//   call k<<<g, b>>>(x_d, y_d(i), t_d, n)      attributes(global) subroutine k(a1, a2, a3, a4)
//                                                real, device :: a1(*), a2(*), a3
//                                                integer, value :: a4
#include "frontend/lenient/kernel_interfaces.h"
#include "base/source_text.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/symbol_making.h"
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;
using Expression = evaluate::Expr<evaluate::SomeType>;

// Names that differ in the last character alone, step1 and step2, are often those of a family.
bool isSimilar(const std::string &a, const std::string &b) {
  if (a == b)
    return true;
  if (a.size() == b.size() && a.compare(0, a.size() - 1, b, 0, b.size() - 1) == 0)
    return false;
  return editDistance(a, b) <= std::max<size_t>(1, a.size() / 8);
}

bool hasSimilarKernel(const semantics::Scope &scope, const std::string &name) {
  return std::any_of(scope.begin(), scope.end(), [&](const auto &entry) {
    return isKernelName(*entry.second) && isSimilar(entry.first.ToString(), name);
  });
}

// In the scopes around, or in a module of the file that may lack its USE.
bool mayBeMisspelled(const std::string &name, const semantics::Scope &unit,
                     semantics::SemanticsContext &context) {
  for (const semantics::Scope *scope = &unit; !scope->IsTopLevel(); scope = &scope->parent())
    if (hasSimilarKernel(*scope, name))
      return true;
  const semantics::Scope &file = context.globalScope();
  const auto &units = file.children();
  return hasSimilarKernel(file, name) || std::any_of(units.begin(), units.end(), [&](auto &child) {
           return child.IsModule() && !child.symbol()->test(Symbol::Flag::ModFile) &&
                  hasSimilarKernel(child, name);
         });
}

bool isOnDevice(const Symbol &symbol) {
  auto attribute = semantics::GetCUDADataAttr(&symbol.GetUltimate());
  return attribute && *attribute != common::CUDADataAttr::Pinned;
}

bool isOnDevice(const Expression &designator) {
  evaluate::SymbolVector symbols = evaluate::GetSymbolVector(designator);
  return std::any_of(symbols.begin(), symbols.end(),
                     [](const Symbol &symbol) { return isOnDevice(symbol); });
}

class Interface {
public:
  Interface(semantics::Scope &unit, semantics::SemanticsContext &context)
      : unit(unit), context(context) {}

  // The names that dummies can have: flang keeps the characters.
  static constexpr size_t mostDummies = 64;

  bool add(const Symbol &whole) {
    const semantics::DeclTypeSpec *type = whole.GetUltimate().GetType();
    bool isArray = whole.GetUltimate().Rank() > 0;
    return add(type, isArray, isArray || isOnDevice(whole));
  }

  bool add(const Expression &actual) {
    bool isVariable = evaluate::IsVariable(actual), isArray = actual.Rank() > 0;
    bool byAddress = isArray || (isVariable && isOnDevice(actual));
    return add(typeOf(actual, isVariable),
               isArray || (byAddress && evaluate::IsArrayElement(actual)), byAddress);
  }

  Symbol &make(const parser::Name &name) {
    Symbol &symbol = makeExternal(unit, name.source);
    semantics::Scope &scope =
        context.intrinsicModulesScope().MakeScope(semantics::Scope::Kind::Subprogram, &symbol);
    auto &details = symbol.get<semantics::SubprogramDetails>();
    details.set_cudaSubprogramAttrs(common::CUDASubprogramAttrs::Global);
    for (const Dummy &dummy : dummies) {
      semantics::Attrs attributes;
      if (!dummy.byAddress)
        attributes.set(semantics::Attr::VALUE);
      addDummy(symbol, scope, nameOf(details.dummyArgs().size()), attributes, dummy.form);
    }
    symbol.set(Symbol::Flag::Subroutine);
    return symbol;
  }

private:
  struct Dummy {
    DummyForm form;
    bool byAddress;
  };

  static parser::CharBlock nameOf(size_t number) {
    static const std::array<std::string, mostDummies> names = [] {
      std::array<std::string, mostDummies> made;
      for (size_t i = 0; i < mostDummies; ++i)
        made[i] = "argument" + std::to_string(i + 1);
      return made;
    }();
    return {names[number].data(), names[number].size()};
  }

  bool add(const semantics::DeclTypeSpec *type, bool isArray, bool byAddress) {
    if (!type || dummies.size() == mostDummies)
      return false;
    DummyForm form{type, isArray ? DummyForm::AssumedSize : DummyForm::Scalar};
    if (byAddress)
      form.memory = common::CUDADataAttr::Device;
    dummies.push_back({form, byAddress});
    return true;
  }

  const semantics::DeclTypeSpec *typeOf(const Expression &actual, bool isVariable) {
    if (isVariable)
      if (const Symbol *last = evaluate::GetLastSymbol(actual))
        return last->GetUltimate().GetType();
    std::optional<evaluate::DynamicType> type = actual.GetType();
    if (!type)
      return nullptr;
    switch (type->category()) {
    case common::TypeCategory::Logical:
      return &context.MakeLogicalType(type->kind());
    case common::TypeCategory::Integer:
    case common::TypeCategory::Real:
    case common::TypeCategory::Complex:
      return &context.MakeNumericType(type->category(), type->kind());
    default:
      return nullptr;
    }
  }

  semantics::Scope &unit;
  semantics::SemanticsContext &context;
  std::vector<Dummy> dummies;
};

// flang's analysis of expressions does not know that an assumed-size array may be an argument.
bool addTo(Interface &made, const parser::ActualArgSpec &argument,
           semantics::SemanticsContext &context) {
  const auto *value =
      std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
  if (!value || std::get<std::optional<parser::Keyword>>(argument.t))
    return false;
  const auto *whole = parser::Unwrap<parser::Name>(value->value());
  if (whole && whole->symbol &&
      whole->symbol->GetUltimate().has<semantics::ObjectEntityDetails>() &&
      !semantics::IsNamedConstant(*whole->symbol))
    return made.add(*whole->symbol);
  std::optional<Expression> actual = semantics::AnalyzeExpr(context, value->value());
  return actual && made.add(*actual);
}

} // namespace

bool isKernelName(const Symbol &symbol) {
  const auto *details = symbol.GetUltimate().detailsIf<semantics::SubprogramDetails>();
  auto attributes = details ? details->cudaSubprogramAttrs() : std::nullopt;
  return attributes == common::CUDASubprogramAttrs::Global ||
         attributes == common::CUDASubprogramAttrs::Grid_Global;
}

Symbol *suggestedInterface(const parser::CallStmt &launch, const parser::Name &kernel,
                           semantics::Scope &unit, semantics::SemanticsContext &context) {
  if (mayBeMisspelled(kernel.ToString(), unit, context))
    return nullptr;
  Interface made(unit, context);
  for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(callIn(launch).t))
    if (!addTo(made, argument, context))
      return nullptr;
  return &made.make(kernel);
}

} // namespace cufc
