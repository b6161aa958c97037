// Nodes of flang's parse tree for plain expressions.
#include "frontend/workarounds/plain_nodes.h"
#include <algorithm>
#include <utility>

namespace cufc::plain {
namespace {

template <typename Node>
Expr join(Expr &&left, Expr &&right) {
  return Expr{Node{std::move(left), std::move(right)}};
}

// Longer ones before those that they begin with.
constexpr Operator operators[] = {
    {"**", Power, join<Expr::Power>},          {"*", Product, join<Expr::Multiply>},
    {"//", Concatenation, join<Expr::Concat>}, {"/=", Relation, join<Expr::NE>},
    {"/", Product, join<Expr::Divide>},        {"+", Sum, join<Expr::Add>},
    {"-", Sum, join<Expr::Subtract>},          {"<=", Relation, join<Expr::LE>},
    {"<", Relation, join<Expr::LT>},           {"==", Relation, join<Expr::EQ>},
    {">=", Relation, join<Expr::GE>},          {">", Relation, join<Expr::GT>},
    {".and.", And, join<Expr::AND>},           {".or.", Or, join<Expr::OR>},
    {".eq.", Relation, join<Expr::EQ>},        {".ne.", Relation, join<Expr::NE>},
    {".lt.", Relation, join<Expr::LT>},        {".le.", Relation, join<Expr::LE>},
    {".gt.", Relation, join<Expr::GT>},        {".ge.", Relation, join<Expr::GE>},
    {".eqv.", Equivalence, join<Expr::EQV>},   {".neqv.", Equivalence, join<Expr::NEQV>},
};

parser::ActualArgSpec argument(Item &&item) {
  std::optional<parser::Keyword> keyword;
  if (item.keyword)
    keyword.emplace(std::move(*item.keyword));
  return {std::move(keyword), parser::ActualArg{std::move(*item.first)}};
}

std::optional<parser::Subscript> bound(std::optional<Expr> &&bound) {
  if (!bound)
    return std::nullopt;
  return parser::Subscript{parser::IntExpr{Boxed<Expr>{std::move(*bound)}}};
}

parser::SectionSubscript subscript(Item &&item) {
  if (!item.triplet)
    return parser::SectionSubscript{parser::IntExpr{Boxed<Expr>{std::move(*item.first)}}};
  return parser::SectionSubscript{parser::SubscriptTriplet{
      bound(std::move(item.first)), bound(std::move(item.second)), bound(std::move(item.third))}};
}

parser::DataRef dataReference(std::list<Part> &&parts) {
  std::list<parser::PartRef> result;
  for (Part &part : parts) {
    std::list<parser::SectionSubscript> subscripts;
    for (Item &item : part.items)
      subscripts.push_back(subscript(std::move(item)));
    result.emplace_back(std::move(part.name), std::move(subscripts),
                        std::optional<parser::ImageSelector>{});
  }
  return parser::DataRef{std::move(result)};
}

parser::ProcedureDesignator procedure(std::list<Part> &&parts, Name &&last) {
  if (parts.empty())
    return parser::ProcedureDesignator{std::move(last)};
  return parser::ProcedureDesignator{
      parser::ProcComponentRef{parser::Scalar<parser::StructureComponent>{
          parser::StructureComponent{dataReference(std::move(parts)), std::move(last)}}}};
}

// Where flang's versions have the place of a reference: in it, or in its call.
template <typename Node>
auto place(Node &node, CharBlock source, int) -> decltype(node.source, void()) {
  node.source = source;
}
template <typename Node>
void place(Node &, CharBlock, long) {}

parser::FunctionReference functionReference(std::list<Part> &&parts, CharBlock source) {
  Part last = std::move(parts.back());
  parts.pop_back();
  std::list<parser::ActualArgSpec> arguments;
  for (Item &item : last.items)
    arguments.push_back(argument(std::move(item)));
  parser::Call call{procedure(std::move(parts), std::move(last.name)), std::move(arguments)};
  place(call, source, 0);
  parser::FunctionReference reference{std::move(call)};
  place(reference, source, 0);
  return reference;
}

} // namespace

const Operator *operatorAt(std::string_view text) {
  const auto *found =
      std::find_if(std::begin(operators), std::end(operators), [&](const Operator &candidate) {
        return text.substr(0, candidate.text.size()) == candidate.text;
      });
  return found == std::end(operators) ? nullptr : found;
}

bool hasTriplet(const Part &part) {
  return std::any_of(part.items.begin(), part.items.end(),
                     [](const Item &item) { return item.triplet; });
}

bool hasKeyword(const Part &part) {
  return std::any_of(part.items.begin(), part.items.end(),
                     [](const Item &item) { return item.keyword.has_value(); });
}

Expr referenceTo(std::list<Part> &&parts, CharBlock source) {
  if (parts.back().parentheses && !hasTriplet(parts.back()))
    return Expr{functionReference(std::move(parts), source)};
  parser::Designator designator{dataReference(std::move(parts))};
  designator.source = source;
  return Expr{std::move(designator)};
}

parser::KindParam kindOfName(Name &&name) {
  using Constant = parser::Constant<Name>;
  using Integer = parser::Integer<Constant>;
  return parser::KindParam{parser::Scalar<Integer>{Integer{Constant{std::move(name)}}}};
}

Expr integerOf(CharBlock digits, Kind &&kind) {
  return Expr{
      parser::LiteralConstant{parser::IntLiteralConstant{std::move(digits), std::move(kind)}}};
}

Expr realOf(CharBlock digits, Kind &&kind) {
  parser::RealLiteralConstant::Real value;
  value.source = digits;
  return Expr{
      parser::LiteralConstant{parser::RealLiteralConstant{std::move(value), std::move(kind)}}};
}

Expr logicalOf(bool value, Kind &&kind) {
  return Expr{
      parser::LiteralConstant{parser::LogicalLiteralConstant{std::move(value), std::move(kind)}}};
}

} // namespace cufc::plain
