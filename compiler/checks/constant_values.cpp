// See constant_values.h. A variable counts if all that the file does to it is one assignment, or
// one to each of its components; whatever else could set it spoils it: a dummy argument that is not
// INTENT(IN) or VALUE, a statement that sets it, a DO loop, another name for its memory.
#include "checks/constant_values.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"
#include "frontend/flang_versions.h"

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

constexpr int deepest = 4; // variables that are set to variables

bool canBeFollowed(const Symbol &symbol) {
  using semantics::Attr;
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  return object && !object->isDummy() && symbol.Rank() == 0 && !symbol.owner().IsModule() &&
         !symbol.owner().IsDerivedType() &&
         !symbol.attrs().HasAny({Attr::TARGET, Attr::POINTER, Attr::VOLATILE, Attr::ALLOCATABLE}) &&
         !object->commonBlock() && !semantics::FindEquivalenceSet(symbol) &&
         !symbol.test(Symbol::Flag::InNamelist) && !symbol.test(Symbol::Flag::InDataStmt);
}

} // namespace

class Definitions : public CodeVisitor {
public:
  using Variables = std::map<const Symbol *, ConstantValues::Variable>;
  Definitions(CheckContext &context, Variables &variables)
      : context(context), variables(variables) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::AssignmentStmt &assignment) override {
    const auto &variable = std::get<parser::Variable>(assignment.t);
    const auto *left = semantics::GetExpr(*context.program.context, variable);
    const auto *right =
        semantics::GetExpr(*context.program.context, std::get<parser::Expr>(assignment.t));
    assigned = &variable;
    if (left)
      define(*left, right);
    return true;
  }
  bool Pre(const parser::Variable &variable) override {
    if (&variable != assigned)
      if (const auto *typed = semantics::GetExpr(*context.program.context, variable))
        spoil(evaluate::GetFirstSymbol(*typed));
    return true;
  }
  bool Pre(const parser::LoopControl::Bounds &bounds) override {
    spoil(variableIn(bounds).thing.symbol);
    return true;
  }
  bool Pre(const parser::Call &call) override {
    const parser::Name &name = nameOf(std::get<parser::ProcedureDesignator>(call.t));
    const auto *procedure =
        name.symbol ? name.symbol->GetUltimate().detailsIf<semantics::SubprogramDetails>()
                    : nullptr;
    size_t position = 0;
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t)) {
      bool byName = std::get<std::optional<parser::Keyword>>(argument.t).has_value();
      if (byName || !procedure || !isInput(*procedure, position++))
        spoilArgument(std::get<parser::ActualArg>(argument.t));
    }
    return true;
  }

private:
  static bool isInput(const semantics::SubprogramDetails &procedure, size_t position) {
    const Symbol *dummy =
        position < procedure.dummyArgs().size() ? procedure.dummyArgs()[position] : nullptr;
    return dummy && dummy->attrs().HasAny({semantics::Attr::INTENT_IN, semantics::Attr::VALUE});
  }
  void spoilArgument(const parser::ActualArg &argument) {
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&argument.u);
    const auto *typed =
        value ? semantics::GetExpr(*context.program.context, value->value()) : nullptr;
    if (typed && evaluate::IsVariable(*typed))
      spoil(evaluate::GetFirstSymbol(*typed));
  }
  void spoil(const Symbol *symbol) {
    if (symbol)
      variables[&symbol->GetUltimate()].spoiled = true;
  }
  void define(const ConstantValues::Expression &left, const ConstantValues::Expression *right) {
    if (const Symbol *whole = evaluate::UnwrapWholeSymbolDataRef(left)) {
      auto &variable = variables[&whole->GetUltimate()];
      ++variable.definitions;
      variable.value = right;
      return;
    }
    const Symbol *first = evaluate::GetFirstSymbol(left), *last = evaluate::GetLastSymbol(left);
    if (!first || !last)
      return;
    auto &variable = variables[&first->GetUltimate()];
    std::string part = last->name().ToString();
    ++variable.partDefinitions[part];
    variable.parts[part] = right;
  }

  CheckContext &context;
  Variables &variables;
  const parser::Variable *assigned = nullptr;
};

const ConstantValues::Variable *ConstantValues::find(const Symbol &symbol) const {
  static const Variable untouched;
  if (!variables) {
    Definitions definitions(context, variables.emplace());
    context.walk(definitions);
  }
  auto found = variables->find(&symbol.GetUltimate());
  const Variable *variable = found == variables->end() ? &untouched : &found->second;
  return variable->spoiled || !canBeFollowed(symbol.GetUltimate()) ? nullptr : variable;
}

std::optional<std::int64_t> ConstantValues::number(const Expression &expression, int depth) const {
  if (auto value = evaluate::ToInt64(expression))
    return value;
  const Symbol *symbol = evaluate::UnwrapWholeSymbolDataRef(expression);
  const Variable *variable = symbol && depth < deepest ? find(*symbol) : nullptr;
  if (!variable)
    return std::nullopt;
  if (variable->definitions == 1 && variable->value)
    return number(*variable->value, depth + 1);
  const auto &initial = symbol->GetUltimate().get<semantics::ObjectEntityDetails>().init();
  return variable->definitions == 0 && initial ? evaluate::ToInt64(*initial) : std::nullopt;
}

Extents ConstantValues::extents(const Expression &expression, int depth) const {
  auto type = expression.GetType();
  if (type && type->category() == common::TypeCategory::Integer)
    return {number(expression, depth), 1, 1};
  if (const Symbol *symbol = evaluate::UnwrapWholeSymbolDataRef(expression))
    return depth < deepest ? ofVariable(*symbol, depth) : Extents{};
  auto fromParts = [&](const auto &values) {
    Extents found;
    for (const auto &[component, value] : values) {
      size_t place = std::string_view("xyz").find(component->name().ToString());
      if (place < 3 && component->name().size() == 1)
        found[place] = number(value.value(), depth + 1);
    }
    return found;
  };
  if (const auto *constant = evaluate::UnwrapConstantValue<evaluate::SomeDerived>(expression))
    if (auto value = constant->GetScalarValue())
      return fromParts(value->values());
  if (const auto *value = evaluate::UnwrapExpr<evaluate::StructureConstructor>(expression))
    return fromParts(value->values());
  return {};
}

Extents ConstantValues::ofVariable(const Symbol &symbol, int depth) const {
  const Variable *variable = find(symbol);
  if (!variable)
    return {};
  Extents found;
  if (variable->definitions == 1 && variable->value && variable->parts.empty())
    return extents(*variable->value, depth + 1);
  const auto &initial = symbol.GetUltimate().get<semantics::ObjectEntityDetails>().init();
  if (variable->definitions == 0 && variable->parts.empty() && initial)
    return extents(*initial, depth + 1);
  if (variable->definitions > 0)
    return {};
  for (const auto &[part, value] : variable->parts) {
    size_t place = std::string_view("xyz").find(part);
    if (place < 3 && part.size() == 1 && value && variable->partDefinitions.at(part) == 1)
      found[place] = number(*value, depth + 1);
  }
  return found;
}

} // namespace cufc
