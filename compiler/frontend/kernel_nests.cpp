// See kernel_nests.h.
//
//   !$cuf kernel do(2) <<<*, *>>>          !$cuf kernel do(2) <<<*, *>>>
//   do j = 1, n                            do j = 1, n
//     jm = j - 1                             do i = 1, n
//     do i = 1, n                              jm = j - 1
//       b(i, j) = a(i, jm)                     b(i, j) = a(i, jm)
#include "frontend/kernel_nests.h"
#include "flang/Parser/tools.h"
#include "frontend/statement_visitor.h"
#include <vector>

namespace cufc {
namespace {

using namespace Fortran;
using DoStatement = parser::Statement<parser::NonLabelDoStmt>;

class Declarations : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::TypeDeclarationStmt &statement) {
    bool shaped = false;
    for (const parser::AttrSpec &attribute : std::get<std::list<parser::AttrSpec>>(statement.t))
      shaped |= std::holds_alternative<parser::ArraySpec>(attribute.u) ||
                std::holds_alternative<parser::CoarraySpec>(attribute.u);
    for (const parser::EntityDecl &entity : std::get<std::list<parser::EntityDecl>>(statement.t)) {
      bool array = shaped || std::get<std::optional<parser::ArraySpec>>(entity.t).has_value();
      (array ? arrays : scalars).insert(std::get<parser::Name>(entity.t).ToString());
    }
    return false;
  }
  // Other statements that may give a shape; attributes in other words make a name no plain scalar.
  bool Pre(const parser::OtherSpecificationStmt &statement) {
    Names names{arrays};
    parser::Walk(statement, names);
    return false;
  }

  std::set<std::string> scalars, arrays;

private:
  struct Names : StatementVisitor {
    explicit Names(std::set<std::string> &into) : into(into) {}
    using StatementVisitor::Pre;
    bool Pre(const parser::Name &name) {
      into.insert(name.ToString());
      return false;
    }
    std::set<std::string> &into;
  };
};

class Mentions : public StatementVisitor {
public:
  explicit Mentions(const std::set<std::string> &names) : names(names) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) {
    found |= names.count(name.ToString()) != 0;
    return false;
  }
  bool found = false;

private:
  const std::set<std::string> &names;
};

// The scalar that a statement without a label sets, and nothing else.
std::string assignedScalar(const parser::ExecutionPartConstruct &part,
                           const std::set<std::string> &scalars) {
  const auto *construct = std::get_if<parser::ExecutableConstruct>(&part.u);
  const auto *statement =
      construct ? std::get_if<parser::Statement<parser::ActionStmt>>(&construct->u) : nullptr;
  const auto *assignment = parser::Unwrap<parser::AssignmentStmt>(part);
  if (!statement || statement->label || !assignment)
    return {};
  const auto &variable = std::get<parser::Variable>(assignment->t);
  const auto *designator = std::get_if<common::Indirection<parser::Designator>>(&variable.u);
  const auto *data = designator ? std::get_if<parser::DataRef>(&designator->value().u) : nullptr;
  const auto *name = data ? std::get_if<parser::Name>(&data->u) : nullptr;
  return name && scalars.count(name->ToString()) ? name->ToString() : std::string();
}

parser::DoConstruct *loopIn(parser::ExecutionPartConstruct &part) {
  auto *construct = std::get_if<parser::ExecutableConstruct>(&part.u);
  auto *loop =
      construct ? std::get_if<common::Indirection<parser::DoConstruct>>(&construct->u) : nullptr;
  return loop ? &loop->value() : nullptr;
}

} // namespace

std::set<std::string> scalarNames(const parser::Program &program) {
  Declarations declarations;
  parser::Walk(program, declarations);
  for (const std::string &name : declarations.arrays)
    declarations.scalars.erase(name);
  return std::move(declarations.scalars);
}

void joinLoops(parser::DoConstruct &loop, size_t depth, const std::set<std::string> &scalars) {
  std::vector<parser::Block *> outer; // the blocks of the loops that enclose another one
  std::set<std::string> assigned;
  parser::DoConstruct *inner = &loop;
  while (outer.size() + 1 < depth) {
    parser::Block &block = std::get<parser::Block>(inner->t);
    if (block.empty() || !(inner = loopIn(block.back())))
      return;
    for (auto part = block.begin(); part != std::prev(block.end()); ++part) {
      std::string name = assignedScalar(*part, scalars);
      if (name.empty())
        return;
      assigned.insert(name);
    }
    Mentions mentions(assigned);
    parser::Walk(std::get<DoStatement>(inner->t), mentions);
    if (mentions.found)
      return;
    outer.push_back(&block);
  }
  parser::Block &innermost = std::get<parser::Block>(inner->t);
  parser::Block moved;
  for (parser::Block *block : outer)
    moved.splice(moved.end(), *block, block->begin(), std::prev(block->end()));
  innermost.splice(innermost.begin(), moved);
}

} // namespace cufc
