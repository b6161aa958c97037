// What the hazards look at: the procedures of a file as plain data, free of flang's types, so that
// the analyses are small and quick to compile. build_model.cpp makes it from flang's tree.
//
// Nodes own their parts; variables are owned by the Model and known by their address.
#ifndef CUFC_CHECKS_HAZARDS_MODEL_H
#define CUFC_CHECKS_HAZARDS_MODEL_H

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc::hazards {

// A part of flang's text, in small letters. Its address says where it is.
using Place = std::string_view;

enum class Memory { Unknown, Host, Pinned, Device, Managed, Shared, Constant, Thread };
enum class Type { Other, Integer, Real, Complex, Logical, Derived };

struct Variable {
  std::string name;
  Place declaration;
  Memory memory = Memory::Unknown;
  Type type = Type::Other;
  int kind = 0;
  std::string derivedType; // its name
  long long bytes = 0;     // of an element; 0 if not known
  int rank = 0;
  std::vector<std::optional<long long>> extents; // of explicit shape, as far as constant
  std::vector<std::string> extentTexts;          // upper bounds where the lower ones are 1, or ""
  Place leadingBound;                            // upper bound of the first dimension
  bool dummy = false, allocatable = false, pointer = false, ofModule = false, saved = false;
  bool result = false, isConstant = false, isVolatile = false, readOnly = false, isPrivate = false;
  bool assumedShape = false;
};

struct Expression {
  enum class Kind { Unknown, Literal, Name, Element, Component, Builtin, Operation, Call };
  Kind kind = Kind::Unknown;
  Place place;
  std::optional<long long> value;     // of a constant integer
  const Variable *variable = nullptr; // Name; Element of a variable, also of its components
  // Component: the component; Builtin: "threadidx%x"; Operation: "+", "<=", ".and.", "neg", ...;
  // Call: the function as declared; Literal: its text
  std::string name;
  std::string module;                // Call: the module that the function comes from
  std::vector<Expression> operands;  // subscripts, operands, arguments; Component: its base first
  std::vector<std::string> keywords; // Call: of the arguments, or empty
  bool section = false;              // Element: some subscript is a triplet or an array
  Type type = Type::Other;
  int typeKind = 0, rank = 0;
};

struct Statement;
using Block = std::vector<Statement>;

struct Branch {
  std::optional<Expression> condition; // none: ELSE or CASE
  Block body;
};

struct Statement {
  enum class Kind {
    Assignment, // operands: the target and the value
    PointerAssignment,
    Call,      // operands: the arguments
    Launch,    // likewise; configuration: grid, block, shared bytes, stream
    If,        // branches
    Select,    // operands: the selector; branches without conditions
    Loop,      // branches: one, with the condition of DO WHILE; operands: start, limit, step
    CufKernel, // branches: the loops; configuration: grid and block, as far as of one dimension
    Group,     // BLOCK, ASSOCIATE and the like
    Return,
    Exit,
    Cycle,
    Goto,
    Stop,
    Allocate,
    Deallocate,
    Nullify, // operands: the objects
    Other    // operands: all that is named
  };
  Kind kind = Kind::Other;
  Place place;
  std::string construct; // Loop: its name; Exit and Cycle: of the construct meant
  std::string callee, module;
  std::vector<Expression> operands;
  std::vector<std::string> keywords;
  std::vector<std::optional<Expression>> configuration;
  const Variable *variable = nullptr; // Loop: the DO variable
  std::vector<Branch> branches;
  bool reduces = false; // CufKernel: has a result for the host
};

struct Procedure {
  std::string name;
  Place place; // its name
  bool kernel = false, device = false, host = true, mainProgram = false;
  std::vector<const Variable *> dummies;
  const Variable *result = nullptr;
  Block body;
  bool hasGoto = false;
};

struct Model {
  std::vector<Procedure> procedures;
  std::map<const void *, std::unique_ptr<Variable>> variables; // by flang's symbols
  std::vector<const Variable *> arguments; // passed to procedures whose code is not known

  const Procedure *find(std::string_view name) const {
    for (const Procedure &procedure : procedures)
      if (procedure.name == name)
        return &procedure;
    return nullptr;
  }
};

// Calls `visit` with an expression and all its parts, from the outside in.
template <typename Visit>
void eachExpression(const Expression &expression, const Visit &visit) {
  visit(expression);
  for (const Expression &operand : expression.operands)
    eachExpression(operand, visit);
}

// Calls `visit` with each statement of a block, also nested ones, in the order of the text.
template <typename Visit>
void eachStatement(const Block &block, const Visit &visit) {
  for (const Statement &statement : block) {
    visit(statement);
    for (const Branch &branch : statement.branches)
      eachStatement(branch.body, visit);
  }
}

// Calls `visit` with each expression that a statement itself has, without nested statements'.
template <typename Visit>
void eachOwnExpression(const Statement &statement, const Visit &visit) {
  for (const Expression &operand : statement.operands)
    visit(operand);
  for (const auto &part : statement.configuration)
    if (part)
      visit(*part);
  for (const Branch &branch : statement.branches)
    if (branch.condition)
      visit(*branch.condition);
}

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_MODEL_H
