// The nodes of flang's parse tree that plain_expressions.cpp makes, and the operators it knows.
// Private to that file.
#ifndef CUFC_FRONTEND_WORKAROUNDS_PLAIN_NODES_H
#define CUFC_FRONTEND_WORKAROUNDS_PLAIN_NODES_H

#include "flang/Parser/parse-tree.h"
#include <list>
#include <optional>
#include <string_view>

namespace cufc::plain {

namespace parser = Fortran::parser;
using parser::CharBlock;
using parser::Expr;
using parser::Name;
using Kind = std::optional<parser::KindParam>;

template <typename T>
using Boxed = Fortran::common::Indirection<T>;

// Of the operators between operands (Fortran 2023, 10.1.2): what binds least first.
enum Precedence { Equivalence, Or, And, Relation, Concatenation, Sum, Product, Power };

struct Operator {
  std::string_view text;
  Precedence precedence;
  Expr (*join)(Expr &&, Expr &&);
};

// The operator that the text begins with; null if it begins with none, or with one of a module.
const Operator *operatorAt(std::string_view text);

// What stands between the parentheses behind a name: an argument or a subscript.
struct Item {
  std::optional<Name> keyword;
  std::optional<Expr> first, second, third; // of a triplet; else the first alone
  bool triplet = false;
};

// One name of a reference, which others with % may follow, and its parentheses.
struct Part {
  Name name;
  bool parentheses = false;
  std::list<Item> items;
};

// A triplet makes the parentheses of a part those of an array, a keyword those of a procedure.
bool hasTriplet(const Part &part);
bool hasKeyword(const Part &part);

// All parts, of which there is one at least, at their place in the source. As flang's parser has
// it, what is not an array for certain becomes a reference to a function.
Expr referenceTo(std::list<Part> &&parts, CharBlock source);

parser::KindParam kindOfName(Name &&name);
Expr integerOf(CharBlock digits, Kind &&kind);
Expr realOf(CharBlock digits, Kind &&kind);
Expr logicalOf(bool value, Kind &&kind);

} // namespace cufc::plain
#endif // CUFC_FRONTEND_WORKAROUNDS_PLAIN_NODES_H
