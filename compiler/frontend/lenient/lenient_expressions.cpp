// See lenient_expressions.h.
//
// The type of an operand is asked of flang, by an analysis whose results and messages are thrown
// away: an index of an implied DO is another thing in the analysis of the whole constructor. Most
// operands show without it that nothing is to be done.
//
// Constructors of numbers of several types: the standard asks for one type (F2023 7.8), nvfortran
// takes that of the first value. Where that type holds all values of the others, any conversion
// gives the same; elsewhere flang's error stands.
//
// Bounds of implied DOs: gfortran and nvfortran take real ones, of which they use the integer part.
// They become calls of a symbol of our own, since a program may have another thing called INT.
#include "frontend/lenient/lenient_expressions.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/flang_versions.h"
#include "frontend/lenient/sizes_of_types.h"
#include "frontend/statement_visitor.h"
#include "frontend/symbol_making.h"
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using common::TypeCategory;
using parser::Expr;
using Operand = common::Indirection<Expr>;

struct Type {
  TypeCategory category;
  int kind;
  bool operator==(const Type &other) const {
    return category == other.category && kind == other.kind;
  }
};

bool isNumber(TypeCategory category) {
  return category == TypeCategory::Integer || category == TypeCategory::Real ||
         category == TypeCategory::Complex;
}

// Whether values of `other` keep their value in `type`, but for digits that a real number rounds.
bool holds(const Type &type, const Type &other) {
  if (!isNumber(type.category) || !isNumber(other.category))
    return false;
  if (other.category == TypeCategory::Integer)
    return type.category != TypeCategory::Integer || type.kind >= other.kind;
  return type.kind >= other.kind &&
         (type.category == other.category || type.category == TypeCategory::Complex);
}

bool firstHoldsAll(const std::vector<Type> &types) {
  auto same = [&](const Type &type) { return type == types.front(); };
  auto held = [&](const Type &type) { return holds(types.front(), type); };
  return types.size() > 1 && !std::all_of(types.begin(), types.end(), same) &&
         std::all_of(types.begin(), types.end(), held);
}

void warnOfConstructor(semantics::SemanticsContext &context, parser::CharBlock place) {
  if (!place.empty())
    context.Say(place, "Values of several types are taken for the type of the first"_warn_en_US);
}

// Literals and their negatives, while default kinds are all that is known.
class Literals {
public:
  explicit Literals(semantics::SemanticsContext &context) : context(context) {}

  std::optional<Type> typeOf(const Expr &value) const {
    if (const auto *negative = std::get_if<Expr::Negate>(&value.u))
      return typeOf(negative->v.value());
    const auto *literal = std::get_if<parser::LiteralConstant>(&value.u);
    if (!literal)
      return std::nullopt;
    if (const auto *number = std::get_if<parser::IntLiteralConstant>(&literal->u))
      return type(TypeCategory::Integer, std::get<std::optional<parser::KindParam>>(number->t));
    const auto *number = std::get_if<parser::RealLiteralConstant>(&literal->u);
    if (!number)
      return std::nullopt;
    std::string digits = digitsIn(*number).source.ToString();
    if (digits.find_first_of("dD") != std::string::npos)
      return Type{TypeCategory::Real, context.doublePrecisionKind()};
    return type(TypeCategory::Real, kindIn(*number));
  }

private:
  std::optional<Type> type(TypeCategory category,
                           const std::optional<parser::KindParam> &kind) const {
    if (!kind)
      return Type{category, context.GetDefaultKind(category)};
    const auto *number = std::get_if<std::uint64_t>(&kind->u);
    return number ? std::optional(Type{category, static_cast<int>(*number)}) : std::nullopt;
  }
  semantics::SemanticsContext &context;
};

class ConstructorsOfLiterals : public StatementVisitor {
public:
  explicit ConstructorsOfLiterals(semantics::SemanticsContext &context)
      : context(context), literals(context) {}

  using StatementVisitor::Pre;
  bool Pre(const Expr &expression) override {
    const auto *constructor = std::get_if<parser::ArrayConstructor>(&expression.u);
    if (!constructor)
      return true;
    auto &spec = const_cast<parser::AcSpec &>(constructor->v);
    std::vector<Type> types;
    if (std::get<std::optional<parser::TypeSpec>>(spec.t))
      return true;
    for (const parser::AcValue &value : std::get<std::list<parser::AcValue>>(spec.t)) {
      const auto *item = std::get_if<Operand>(&value.u);
      std::optional<Type> type = item ? literals.typeOf(item->value()) : std::nullopt;
      if (!type)
        return true;
      types.push_back(*type);
    }
    if (firstHoldsAll(types)) {
      setType(spec, types.front());
      warnOfConstructor(context, expression.source);
    }
    return false;
  }

private:
  static void setType(parser::AcSpec &spec, const Type &type) {
    std::optional<parser::KindSelector> kind{parser::KindSelector{
        parser::KindSelector::StarSize{static_cast<std::uint64_t>(type.kind)}}};
    auto &declared = std::get<std::optional<parser::TypeSpec>>(spec.t);
    if (type.category == TypeCategory::Integer)
      declared.emplace(parser::IntrinsicTypeSpec{parser::IntegerTypeSpec{std::move(kind)}});
    else
      declared.emplace(parser::IntrinsicTypeSpec{parser::IntrinsicTypeSpec::Real{std::move(kind)}});
  }

  semantics::SemanticsContext &context;
  Literals literals;
};

// Takes the results of an analysis out of the tree again.
struct Forget : StatementVisitor {
  void leaveTyped(parser::TypedExpr &result) override { result.Reset(); }
};

class Expressions : public StatementVisitor {
public:
  explicit Expressions(semantics::SemanticsContext &context)
      : context(context), literals(context) {}

  using StatementVisitor::Post;
  void Post(const Expr &expression) override {
    if (expression.typedExpr) // of a declaration, which flang has analysed with the names
      return;
    if (std::holds_alternative<Expr::EQ>(expression.u))
      adapt<Expr::EQ, Expr::EQV>(const_cast<Expr &>(expression),
                                 {"operator(==)", "operator(.eq.)"});
    else if (std::holds_alternative<Expr::NE>(expression.u))
      adapt<Expr::NE, Expr::NEQV>(const_cast<Expr &>(expression),
                                  {"operator(/=)", "operator(.ne.)"});
    else if (const auto *constructor = std::get_if<parser::ArrayConstructor>(&expression.u))
      adapt(const_cast<parser::AcSpec &>(constructor->v), expression.source);
    else
      takeSizeOfType(expression);
  }
  // Of array constructors, and of READ and WRITE.
  void Post(const parser::AcImpliedDoControl::Bounds &bounds) override {
    auto &changed = const_cast<parser::AcImpliedDoControl::Bounds &>(bounds);
    makeInteger(lowerIn(changed).thing.thing.value());
    makeInteger(upperIn(changed).thing.thing.value());
    if (stepIn(changed))
      makeInteger(stepIn(changed)->thing.thing.value());
  }

private:
  void makeInteger(Expr &bound) {
    auto type = bound.typedExpr ? std::nullopt : literals.typeOf(bound);
    if (!type && !bound.typedExpr)
      type = typeOf(bound);
    if (!type || type->category != TypeCategory::Real)
      return;
    context.Say(bound.source, "A bound of an implied DO is real"_warn_en_US);
    parser::CharBlock place = bound.source;
    static constexpr std::string_view function = "int";
    parser::Name name{parser::CharBlock(function.data(), function.size())};
    name.symbol = &makeIntrinsicFunction(context.globalScope(), name.source);
    Expr value{std::move(bound)};
    std::list<parser::ActualArgSpec> arguments;
    arguments.emplace_back(std::optional<parser::Keyword>{},
                           parser::ActualArg{Operand{std::move(value)}});
    parser::FunctionReference call{
        parser::Call{parser::ProcedureDesignator{std::move(name)}, std::move(arguments)}};
    call.source = place;
    bound.u = common::Indirection<parser::FunctionReference>{std::move(call)};
    bound.source = place;
  }

  std::optional<Type> typeOf(const Expr &value) {
    auto &messages = context.messages().messages();
    size_t before = messages.size();
    evaluate::ExpressionAnalyzer analyzer(context);
    auto typed = value.source.empty() ? std::nullopt : analyzer.Analyze(value);
    Forget forget;
    walkTree(value, forget);
    while (messages.size() > before)
      messages.pop_back();
    auto type = typed ? typed->GetType() : std::nullopt;
    if (!type || type->category() == TypeCategory::Derived)
      return std::nullopt;
    return Type{type->category(), type->kind()};
  }

  // Whether something that is no function and no operation can be logical: by its declaration.
  static bool isDeclaredLogical(const parser::Designator &designator) {
    const parser::Name &name = parser::GetLastName(designator);
    const auto *type = name.symbol ? name.symbol->GetUltimate().GetType() : nullptr;
    return !type || type->category() == semantics::DeclTypeSpec::Logical;
  }

  static bool mayBeLogical(const Expr &operand) {
    if (const auto *inner = std::get_if<Expr::Parentheses>(&operand.u))
      return mayBeLogical(inner->v.value());
    if (const auto *literal = std::get_if<parser::LiteralConstant>(&operand.u))
      return std::holds_alternative<parser::LogicalLiteralConstant>(literal->u);
    if (const auto *designator = std::get_if<common::Indirection<parser::Designator>>(&operand.u))
      return isDeclaredLogical(designator->value());
    return !isOneOf<Expr::Add, Expr::Subtract, Expr::Multiply, Expr::Divide, Expr::Power,
                    Expr::Concat, Expr::Negate, Expr::UnaryPlus, Expr::ComplexConstructor,
                    parser::StructureConstructor>(operand);
  }
  template <typename... Kinds>
  static bool isOneOf(const Expr &operand) {
    return (std::holds_alternative<Kinds>(operand.u) || ...);
  }

  // Whether the program has such an operator for logical values, in a scope around the place.
  bool hasOwn(parser::CharBlock place, std::initializer_list<const char *> operators) {
    for (const semantics::Scope *scope = &context.FindScope(place); !scope->IsGlobal();
         scope = &scope->parent())
      for (const char *name : operators)
        if (auto found = scope->find(parser::CharBlock(name, std::string_view(name).size()));
            found != scope->end() && takesLogical(found->second->GetUltimate()))
          return true;
    return false;
  }

  static bool takesLogical(const semantics::Symbol &symbol) {
    const auto *generic = symbol.detailsIf<semantics::GenericDetails>();
    if (!generic)
      return true; // nothing is known of it
    const auto &specifics = generic->specificProcs();
    return std::any_of(specifics.begin(), specifics.end(), [](const semantics::Symbol &specific) {
      const auto *details = specific.GetUltimate().detailsIf<semantics::SubprogramDetails>();
      if (!details || details->dummyArgs().empty() || !details->dummyArgs().front())
        return true;
      const semantics::DeclTypeSpec *type = details->dummyArgs().front()->GetType();
      return !type || type->category() == semantics::DeclTypeSpec::Logical ||
             type->IsUnlimitedPolymorphic();
    });
  }

  template <typename Comparison, typename Equivalence>
  void adapt(Expr &expression, std::initializer_list<const char *> operators) {
    auto &operation = std::get<Comparison>(expression.u);
    Operand &left = std::get<0>(operation.t), &right = std::get<1>(operation.t);
    if (expression.source.empty() || !mayBeLogical(left.value()) || !mayBeLogical(right.value()) ||
        hasOwn(expression.source, operators))
      return;
    for (Operand *operand : {&left, &right})
      if (auto type = typeOf(operand->value()); !type || type->category != TypeCategory::Logical)
        return;
    Operand first = std::move(left), second = std::move(right);
    expression.u = Equivalence{std::move(first), std::move(second)};
    bool equal = std::is_same_v<Comparison, Expr::EQ>;
    context.Say(expression.source, "Logical values are compared by %s here"_warn_en_US,
                equal ? ".EQV." : ".NEQV.");
  }

  bool addTypes(const std::list<parser::AcValue> &values, std::vector<Type> &types) {
    for (const parser::AcValue &value : values) {
      if (const auto *item = std::get_if<Operand>(&value.u)) {
        std::optional<Type> type = literals.typeOf(item->value());
        type = type ? type : typeOf(item->value());
        if (!type)
          return false;
        types.push_back(*type);
      } else if (const auto *loop =
                     std::get_if<common::Indirection<parser::AcImpliedDo>>(&value.u)) {
        if (!addTypes(std::get<std::list<parser::AcValue>>(loop->value().t), types))
          return false;
      } else {
        return false;
      }
    }
    return true;
  }

  void adapt(parser::AcSpec &spec, parser::CharBlock place) {
    auto &declared = std::get<std::optional<parser::TypeSpec>>(spec.t);
    std::vector<Type> types;
    if (declared || !addTypes(std::get<std::list<parser::AcValue>>(spec.t), types) ||
        !firstHoldsAll(types))
      return;
    auto [category, kind] = types.front();
    if (category == TypeCategory::Integer)
      declared.emplace(parser::IntrinsicTypeSpec{parser::IntegerTypeSpec{std::nullopt}});
    else if (category == TypeCategory::Real)
      declared.emplace(parser::IntrinsicTypeSpec{parser::IntrinsicTypeSpec::Real{std::nullopt}});
    else
      declared.emplace(parser::IntrinsicTypeSpec{parser::IntrinsicTypeSpec::Complex{std::nullopt}});
    declared->declTypeSpec = &context.MakeNumericType(category, kind);
    warnOfConstructor(context, place);
  }

  semantics::SemanticsContext &context;
  Literals literals;
};

} // namespace

void typeConstructorsOfLiterals(const parser::Program &program,
                                semantics::SemanticsContext &context, std::string_view text) {
  if (text.find('[') == std::string_view::npos && text.find("(/") == std::string_view::npos)
    return;
  ConstructorsOfLiterals constructors(context);
  walkTree(program, constructors);
}

void adaptExpressions(const parser::Program &program, semantics::SemanticsContext &context) {
  Expressions expressions(context);
  walkTree(program, expressions);
}

} // namespace cufc
