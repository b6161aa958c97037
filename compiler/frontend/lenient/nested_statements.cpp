// See nested_statements.h. Names have no symbols yet. A statement moves only if what it reads and
// what it sets is set nowhere else in the loops, so that to execute it once more changes nothing:
//
//   do i = 1, n                 do i = 1, n
//     ip = i + 1                  do j = 1, n
//     do j = 1, n        =>         ip = i + 1
//       b(i,j) = a(ip,j)            b(i,j) = a(ip,j)
//
// That the name is a scalar's and that a function has no effects is seen after the analysis
// (cuf_kernel_branches.cpp).
#include "frontend/lenient/nested_statements.h"
#include "base/language_diag.h"
#include "flang/Parser/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include <set>
#include <string>

namespace cufc {

using namespace Fortran;

namespace {

using Names = std::set<std::string>;

// All names below a node.
class AllNames : public StatementVisitor {
public:
  using StatementVisitor::Post;
  void Post(const parser::Name &name) override { names.insert(name.ToString()); }
  Names names;
};

template <typename Node>
Names namesIn(const Node &node) {
  AllNames all;
  walkTree(node, all);
  return std::move(all.names);
}

// The names that statements may set: variables, loops' indices, and what calls get.
class SetNames : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::Variable &variable) override {
    names.insert(parser::GetFirstName(variable).ToString());
    return true;
  }
  bool Pre(const parser::CallStmt &call) override {
    names.merge(namesIn(call));
    return true;
  }
  bool Pre(const parser::LoopControl::Bounds &bounds) override {
    names.insert(variableIn(bounds).thing.ToString());
    return true;
  }
  Names names;
};

bool share(const Names &a, const Names &b) {
  for (const std::string &name : a)
    if (b.count(name))
      return true;
  return false;
}

// The name that an assignment sets, if it is a whole variable.
const parser::Name *wholeTarget(const parser::AssignmentStmt &assignment) {
  const auto &variable = std::get<parser::Variable>(assignment.t);
  const auto *designator = std::get_if<common::Indirection<parser::Designator>>(&variable.u);
  const auto *data = designator ? std::get_if<parser::DataRef>(&designator->value().u) : nullptr;
  return data ? std::get_if<parser::Name>(&data->u) : nullptr;
}

const parser::LoopControl::Bounds *boundsOf(const parser::DoConstruct &loop) {
  const auto &control = loop.GetLoopControl();
  return control ? std::get_if<parser::LoopControl::Bounds>(&control->u) : nullptr;
}

parser::Block &bodyOf(parser::DoConstruct &loop) { return std::get<parser::Block>(loop.t); }

class AssignmentPlace : public StatementVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::AssignmentStmt &) override {
    place = source;
    return false;
  }
  parser::CharBlock place;
};

parser::CharBlock placeOf(const parser::ExecutionPartConstruct &part) {
  AssignmentPlace assignment;
  walkTree(part, assignment);
  return assignment.place;
}

// What stands in front of the only loop of a body; null if there is more, or no loop.
parser::DoConstruct *innerLoop(parser::Block &body) {
  for (auto part = body.begin(); part != body.end(); ++part)
    if (const auto *loop = parser::Unwrap<parser::DoConstruct>(*part))
      return std::next(part) == body.end() ? const_cast<parser::DoConstruct *>(loop) : nullptr;
    else if (!parser::Unwrap<parser::AssignmentStmt>(*part))
      return nullptr;
  return nullptr;
}

// Whether the statements in front of the inner loop may be executed in its iterations.
bool canMove(const parser::Block &body, const parser::DoConstruct &inner) {
  SetNames deeper;
  walkTree(inner, deeper);
  Names set, readBefore;
  for (const parser::ExecutionPartConstruct &part : body) {
    const auto *assignment = parser::Unwrap<parser::AssignmentStmt>(part);
    if (!assignment)
      break;
    const parser::Name *target = wholeTarget(*assignment);
    Names read = namesIn(std::get<parser::Expr>(assignment->t));
    readBefore.merge(Names(read));
    if (!target || deeper.names.count(target->ToString()) || set.count(target->ToString()) ||
        readBefore.count(target->ToString()) || share(read, deeper.names))
      return false;
    set.insert(target->ToString());
  }
  const parser::LoopControl::Bounds *bounds = boundsOf(inner);
  return bounds && !share(namesIn(*bounds), set);
}

} // namespace

void moveIntoInnermostLoop(parser::DoConstruct &outermost, std::size_t depth,
                           const FlangProgram &program, Diagnostics &diagnostics) {
  std::vector<parser::Block *> bodies;
  parser::DoConstruct *loop = &outermost;
  for (; depth > 1; --depth) {
    parser::Block &body = bodyOf(*loop);
    loop = innerLoop(body);
    if (!loop || !canMove(body, *loop))
      return;
    bodies.push_back(&body);
  }
  parser::Block &innermost = bodyOf(*loop), moved;
  for (parser::Block *body : bodies)
    while (parser::Unwrap<parser::AssignmentStmt>(body->front())) {
      diagnostics.report(LanguageDiag::StatementBetweenLoops,
                         rangeOf(program, placeOf(body->front())));
      moved.splice(moved.end(), *body, body->begin());
    }
  innermost.splice(innermost.begin(), moved);
}

} // namespace cufc
