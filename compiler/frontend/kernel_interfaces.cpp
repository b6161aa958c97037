// See kernel_interfaces.h.
//
//   call k<<<g, b>>>(x_d, y_d(i), t_d, n)      attributes(global) subroutine k(a1, a2, a3, a4)
//                                                real, device :: a1(*), a2(*), a3
//                                                integer, value :: a4
#include "frontend/kernel_interfaces.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "llvm/ADT/StringRef.h"
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

bool isKernel(const Symbol &symbol) {
  const auto *details = symbol.GetUltimate().detailsIf<semantics::SubprogramDetails>();
  auto attributes = details ? details->cudaSubprogramAttrs() : std::nullopt;
  return attributes == common::CUDASubprogramAttrs::Global ||
         attributes == common::CUDASubprogramAttrs::Grid_Global;
}

bool isSimilar(const std::string &a, const std::string &b) {
  unsigned most = static_cast<unsigned>(std::max<size_t>(1, a.size() / 4));
  return llvm::StringRef(a).edit_distance(b, true, most) <= most;
}

bool hasSimilarKernel(const semantics::Scope &scope, const std::string &name) {
  return std::any_of(scope.begin(), scope.end(), [&](const auto &entry) {
    return isKernel(*entry.second) && isSimilar(entry.first.ToString(), name);
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

bool isOnDevice(const Expression &designator) {
  evaluate::SymbolVector symbols = evaluate::GetSymbolVector(designator);
  return std::any_of(symbols.begin(), symbols.end(), [](const Symbol &symbol) {
    auto attribute = semantics::GetCUDADataAttr(&symbol.GetUltimate());
    return attribute && *attribute != common::CUDADataAttr::Pinned;
  });
}

class Interface {
public:
  Interface(semantics::Scope &unit, semantics::SemanticsContext &context)
      : unit(unit), context(context) {}

  // The names that dummies can have: flang keeps the characters.
  static constexpr size_t mostDummies = 64;

  bool add(const Expression &actual) {
    bool isVariable = evaluate::IsVariable(actual);
    const semantics::DeclTypeSpec *type = typeOf(actual, isVariable);
    if (!type || dummies.size() == mostDummies)
      return false;
    bool byAddress = actual.Rank() > 0 || (isVariable && isOnDevice(actual));
    semantics::ObjectEntityDetails dummy(true);
    dummy.set_type(*type);
    if (byAddress)
      dummy.set_cudaDataAttr(common::CUDADataAttr::Device);
    if (actual.Rank() > 0 || (byAddress && evaluate::IsArrayElement(actual)))
      dummy.set_shape(assumedSize());
    dummies.push_back({std::move(dummy), byAddress});
    return true;
  }

  Symbol &make(const parser::Name &name) {
    Symbol &symbol = unit.MakeSymbol(name.source, semantics::Attrs{semantics::Attr::EXTERNAL},
                                     semantics::SubprogramDetails{});
    semantics::Scope &scope =
        context.intrinsicModulesScope().MakeScope(semantics::Scope::Kind::Subprogram, &symbol);
    auto &details = symbol.get<semantics::SubprogramDetails>();
    details.set_isInterface();
    details.set_cudaSubprogramAttrs(common::CUDASubprogramAttrs::Global);
    for (Dummy &dummy : dummies) {
      semantics::Attrs attributes;
      if (!dummy.byAddress)
        attributes.set(semantics::Attr::VALUE);
      auto entry = scope.try_emplace(nameOf(details.dummyArgs().size()), attributes,
                                     std::move(dummy.details));
      details.add_dummyArg(*entry.first->second);
    }
    symbol.set(Symbol::Flag::Subroutine);
    return symbol;
  }

private:
  struct Dummy {
    semantics::ObjectEntityDetails details;
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

  static semantics::ArraySpec assumedSize() {
    semantics::ArraySpec shape;
    shape.push_back(semantics::ShapeSpec::MakeImplied());
    return shape;
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

std::optional<Expression> valueOf(const parser::ActualArgSpec &argument,
                                  semantics::SemanticsContext &context) {
  const auto *value =
      std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
  if (!value || std::get<std::optional<parser::Keyword>>(argument.t))
    return std::nullopt;
  return semantics::AnalyzeExpr(context, value->value());
}

} // namespace

Symbol *suggestedInterface(const parser::CallStmt &launch, const parser::Name &kernel,
                           semantics::Scope &unit, semantics::SemanticsContext &context) {
  if (mayBeMisspelled(kernel.ToString(), unit, context))
    return nullptr;
  Interface made(unit, context);
  for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(launch.call.t)) {
    std::optional<Expression> actual = valueOf(argument, context);
    if (!actual || !made.add(*actual))
      return nullptr;
  }
  return &made.make(kernel);
}

} // namespace cufc
