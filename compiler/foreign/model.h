// A module as gfortran's module file describes it: plain data, in gfortran's terms.
//
// Symbols refer to each other by numbers. Expressions stay where they are in the file and are read
// when they are written as text (expression_text.h).
#ifndef CUFC_FOREIGN_MODEL_H
#define CUFC_FOREIGN_MODEL_H

#include "foreign/atoms.h"
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cufc::foreign {

// Of an expression, as a place in the file; 0: there is none.
using Expression = std::uint32_t;

struct TypeSpec {
  std::string_view type = "UNKNOWN"; // INTEGER, DERIVED, CLASS, ...
  int kind = 0;
  int derived = 0;       // the type's symbol
  int interface = 0;     // of a procedure: the symbol that has its interface
  Expression length = 0; // of CHARACTER; 0 is an asterisk unless deferred
  bool deferred = false; // length ':'
};

struct ArraySpec {
  std::string_view form; // EXPLICIT, ASSUMED_SHAPE, ...; empty for a scalar
  int rank = 0, corank = 0;
  std::vector<std::pair<Expression, Expression>> bounds;
};

struct Attributes {
  std::string_view flavor, intent, procedure, source, save;
  int extension = 0; // how many types a type extends
  std::vector<std::string_view> others;

  bool has(std::string_view name) const;
};

struct Component {
  int number = 0; // by which expressions name it
  std::string name;
  TypeSpec type;
  ArraySpec array;
  Attributes attributes;
  bool isPrivate = false;
  Expression initial = 0;
};

struct Binding {
  std::string name; // or an operator: "operator(+)", "assignment(=)"
  bool isPrivate = false, deferred = false, nonOverridable = false, nopass = false;
  bool generic = false;
  std::string pass;                   // the name in PASS(...)
  int specific = 0;                   // its procedure
  std::vector<std::string> specifics; // of a generic: names of bindings
};

struct Symbol {
  int number = 0;
  std::string name, module, label; // label: of BIND(C)
  int scope = 0;                   // 1: the module's
  Attributes attributes;
  std::vector<Component> components;
  bool privateComponents = false; // by a PRIVATE statement in the type
  TypeSpec type;
  int formalScope = 0, nextInCommon = 0;
  std::vector<int> dummies; // 0 is an alternate return
  Expression value = 0;     // of a constant
  ArraySpec array;
  int result = 0;
  std::vector<int> finals;
  std::vector<Binding> bindings;
  std::vector<int> namelist;
  bool parameterised = false; // a derived type with type parameters

  bool has(std::string_view attribute) const { return attributes.has(attribute); }
  bool isType() const { return attributes.flavor == "DERIVED"; }
  bool isProcedure() const { return attributes.flavor == "PROCEDURE"; }
  bool isFunction() const { return isProcedure() && has("FUNCTION"); }
};

struct Generic {
  std::string name; // or an operator as in Binding
  std::string module;
  std::vector<int> specifics;
};

struct Common {
  std::string name, label;
  int first = 0;
  bool bindC = false, threadPrivate = false;
};

struct Module {
  std::string name, path;
  int version = 0;
  Atoms atoms;
  std::map<int, Symbol> symbols;
  std::vector<std::pair<std::string, int>> names; // what it exports; types begin with a capital
  std::vector<Generic> generics;
  std::vector<Common> commons;

  const Symbol *find(int number) const;
  // Where the arguments and result of a procedure are declared: itself, or what PROCEDURE(...)
  // names.
  const Symbol &interfaceOf(const Symbol &procedure) const;
  // A reader that stands in front of an expression.
  ListReader reader(Expression expression) const;

  mutable bool damaged = false;
};

// Reads one of gfortran's module files. Null if it is damaged.
std::unique_ptr<Module> readModule(const std::string &name, const std::string &path);
// The same of its uncompressed text.
std::unique_ptr<Module> readModuleText(const std::string &name, std::string text);

// The modules that symbols of a file come from, by its uncompressed text: those that it uses, and
// sometimes others.
std::vector<std::string> modulesNamedIn(std::string_view text);

// The name as the source has it: gfortran writes types with a capital.
std::string sourceName(const std::string &name);
// "iso_c_binding" for "__iso_c_binding".
std::string sourceModule(const std::string &module);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_MODEL_H
