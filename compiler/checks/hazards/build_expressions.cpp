// Expressions of the model.
#include "checks/hazards/builder.h"
#include "flang/Evaluate/type.h"
#include "flang/Semantics/scope.h"
#include "frontend/flang_versions.h"

namespace cufc::hazards {

using namespace Fortran;
using semantics::Symbol;

namespace {

// "threadidx" for the object of module cudadevice, which flang names "__builtin_threadidx".
std::string builtinName(const Symbol *symbol) {
  constexpr std::string_view prefix = "__builtin_";
  if (!symbol)
    return {};
  std::string name = symbol->GetUltimate().name().ToString();
  if (name.compare(0, prefix.size(), prefix) != 0)
    return {};
  name.erase(0, prefix.size());
  return name == "threadidx" || name == "blockidx" || name == "blockdim" || name == "griddim"
             ? name
             : std::string();
}

std::string moduleOf(const Symbol &symbol) {
  if (symbol.attrs().test(semantics::Attr::INTRINSIC))
    return {};
  const semantics::Scope *module = semantics::FindModuleContaining(symbol.owner());
  return module && module->symbol() ? module->symbol()->name().ToString() : std::string();
}

template <typename T>
constexpr const char *operatorName() {
  using E = parser::Expr;
  if constexpr (std::is_same_v<T, E::Add>)
    return "+";
  else if constexpr (std::is_same_v<T, E::Subtract>)
    return "-";
  else if constexpr (std::is_same_v<T, E::Multiply>)
    return "*";
  else if constexpr (std::is_same_v<T, E::Divide>)
    return "/";
  else if constexpr (std::is_same_v<T, E::Power>)
    return "**";
  else if constexpr (std::is_same_v<T, E::LT>)
    return "<";
  else if constexpr (std::is_same_v<T, E::LE>)
    return "<=";
  else if constexpr (std::is_same_v<T, E::EQ>)
    return "==";
  else if constexpr (std::is_same_v<T, E::NE>)
    return "/=";
  else if constexpr (std::is_same_v<T, E::GE>)
    return ">=";
  else if constexpr (std::is_same_v<T, E::GT>)
    return ">";
  else if constexpr (std::is_same_v<T, E::AND>)
    return ".and.";
  else if constexpr (std::is_same_v<T, E::OR>)
    return ".or.";
  else
    return "other";
}

template <typename T>
constexpr const char *unaryName() {
  using E = parser::Expr;
  return std::is_same_v<T, E::Parentheses> || std::is_same_v<T, E::UnaryPlus> ? "()"
         : std::is_same_v<T, E::Negate>                                       ? "neg"
                                                                              : ".not.";
}

} // namespace

void Expressions::addType(const evaluate::Expr<evaluate::SomeType> *typed, Expression &result) {
  if (!typed)
    return;
  result.rank = typed->Rank();
  auto type = typed->GetType();
  if (!type)
    return;
  switch (type->category()) {
  case common::TypeCategory::Integer:
    result.type = Type::Integer;
    if (result.rank == 0)
      result.value = evaluate::ToInt64(*typed);
    break;
  case common::TypeCategory::Real:
    result.type = Type::Real;
    break;
  case common::TypeCategory::Complex:
    result.type = Type::Complex;
    break;
  case common::TypeCategory::Logical:
    result.type = Type::Logical;
    break;
  case common::TypeCategory::Derived:
    result.type = Type::Derived;
    return;
  default:
    return;
  }
  result.typeKind = type->kind();
}

Expression Expressions::of(const parser::Name &name) {
  Expression result;
  result.place = placeOf(name.source);
  result.name = name.source.ToString();
  if (std::string builtin = builtinName(name.symbol); !builtin.empty()) {
    result.kind = Expression::Kind::Builtin;
    result.name = builtin;
    return result;
  }
  result.variable = variables.of(name.symbol);
  if (result.variable) {
    result.kind = Expression::Kind::Name;
    result.rank = result.variable->rank;
    result.type = result.variable->type;
    result.typeKind = result.variable->kind;
  }
  return result;
}

void Expressions::addSubscripts(const std::list<parser::SectionSubscript> &subscripts,
                                Expression &result) {
  for (const parser::SectionSubscript &subscript : subscripts) {
    if (const auto *index = std::get_if<parser::IntExpr>(&subscript.u)) {
      result.operands.push_back(within(*index));
      result.section |= result.operands.back().rank > 0;
      continue;
    }
    result.section = true;
    Expression triplet; // of the bounds
    for (const auto &bound : {&std::get<0>(std::get<parser::SubscriptTriplet>(subscript.u).t),
                              &std::get<1>(std::get<parser::SubscriptTriplet>(subscript.u).t),
                              &std::get<2>(std::get<parser::SubscriptTriplet>(subscript.u).t)})
      if (*bound)
        triplet.operands.push_back(within(**bound));
    result.operands.push_back(std::move(triplet));
  }
}

Expression Expressions::of(const parser::ArrayElement &element) {
  Expression result = of(baseIn(element));
  if (result.kind != Expression::Kind::Name && result.kind != Expression::Kind::Component) {
    Expression unknown;
    unknown.operands.push_back(std::move(result));
    addSubscripts(subscriptsIn(element), unknown);
    return unknown;
  }
  if (result.kind == Expression::Kind::Name)
    result.kind = Expression::Kind::Element;
  addSubscripts(subscriptsIn(element), result);
  return result;
}

Expression Expressions::of(const parser::StructureComponent &component) {
  Expression base = of(baseIn(component));
  std::string name = componentIn(component).source.ToString();
  if (base.kind == Expression::Kind::Builtin && base.name.find('%') == std::string::npos) {
    base.name += "%" + name;
    base.type = Type::Integer;
    base.typeKind = 4;
    return base;
  }
  Expression result;
  result.kind = Expression::Kind::Component;
  result.name = std::move(name);
  result.place = base.place;
  result.variable = base.variable;
  result.operands.push_back(std::move(base));
  return result;
}

Expression Expressions::of(const parser::DataRef &reference) {
  if (const auto *name = std::get_if<parser::Name>(&reference.u))
    return of(*name);
  if (const auto *component =
          std::get_if<common::Indirection<parser::StructureComponent>>(&reference.u))
    return of(component->value());
  if (const auto *element = std::get_if<common::Indirection<parser::ArrayElement>>(&reference.u))
    return of(element->value());
  return {};
}

Expression Expressions::of(const parser::Designator &designator) {
  Expression result;
  if (const auto *reference = std::get_if<parser::DataRef>(&designator.u))
    result = of(*reference);
  else
    result.operands.push_back(of(std::get<0>(std::get<parser::Substring>(designator.u).t)));
  result.place = placeOf(designator.source);
  return result;
}

void Expressions::addCall(const parser::Call &call, std::string &name, std::string &module,
                          std::vector<Expression> &arguments, std::vector<std::string> &keywords) {
  const auto &designator = std::get<parser::ProcedureDesignator>(call.t);
  if (const auto *procedure = std::get_if<parser::Name>(&designator.u)) {
    name = procedure->source.ToString();
    if (procedure->symbol) {
      name = procedure->symbol->GetUltimate().name().ToString();
      module = moduleOf(procedure->symbol->GetUltimate());
    }
  }
  for (const parser::ActualArgSpec &argument : std::get<std::list<parser::ActualArgSpec>>(call.t)) {
    const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
    keywords.push_back(keyword ? keyword->v.source.ToString() : std::string());
    const auto *value =
        std::get_if<common::Indirection<parser::Expr>>(&std::get<parser::ActualArg>(argument.t).u);
    arguments.push_back(value ? of(value->value()) : Expression{});
  }
}

Expression Expressions::of(const parser::FunctionReference &reference) {
  Expression result;
  result.kind = Expression::Kind::Call;
  result.place = placeOf(reference.source);
  addCall(reference.v, result.name, result.module, result.operands, result.keywords);
  return result;
}

Expression Expressions::structure(const parser::StructureConstructor &constructor) {
  Expression result;
  result.kind = Expression::Kind::Call;
  result.name =
      std::get<parser::Name>(std::get<parser::DerivedTypeSpec>(constructor.t).t).source.ToString();
  for (const parser::ComponentSpec &component :
       std::get<std::list<parser::ComponentSpec>>(constructor.t)) {
    const auto &keyword = std::get<std::optional<parser::Keyword>>(component.t);
    result.keywords.push_back(keyword ? keyword->v.source.ToString() : std::string());
    result.operands.push_back(within(std::get<parser::ComponentDataSource>(component.t)));
  }
  return result;
}

// Whether the node is an operation on one or two operands.
template <typename T>
bool Expressions::operation(const T &node, Expression &result) {
  if constexpr (std::is_base_of_v<parser::Expr::IntrinsicBinary, T>) {
    result.operands.push_back(of(std::get<0>(node.t).value()));
    result.operands.push_back(of(std::get<1>(node.t).value()));
    result.name = operatorName<T>();
  } else if constexpr (std::is_base_of_v<parser::Expr::IntrinsicUnary, T>) {
    result.operands.push_back(of(node.v.value()));
    result.name = unaryName<T>();
  } else if constexpr (std::is_same_v<T, parser::Expr::DefinedBinary>) {
    result.operands.push_back(of(std::get<1>(node.t).value()));
    result.operands.push_back(of(std::get<2>(node.t).value()));
    result.name = "other";
  } else {
    return false;
  }
  result.kind = Expression::Kind::Operation;
  return true;
}

Expression Expressions::of(const parser::Expr &expression) {
  Expression result;
  common::visit(
      common::visitors{
          [&](const common::Indirection<parser::Designator> &node) { result = of(node.value()); },
          [&](const common::Indirection<parser::FunctionReference> &node) {
            result = of(node.value());
          },
          [&](const parser::StructureConstructor &node) { result = structure(node); },
          [&](const parser::LiteralConstant &) {
            result.kind = Expression::Kind::Literal;
            result.name = expression.source.ToString();
          },
          [&](const auto &node) { operation(node, result); },
      },
      expression.u);
  result.place = placeOf(expression.source);
  addType(semantics::GetExpr(context, expression), result);
  return result;
}

Expression Expressions::of(const parser::Variable &variable) {
  Expression result;
  common::visit([&](const auto &node) { result = of(node.value()); }, variable.u);
  result.place = placeOf(variable.GetSource());
  addType(semantics::GetExpr(context, variable), result);
  result.value.reset();
  return result;
}

} // namespace cufc::hazards
