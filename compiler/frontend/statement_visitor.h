// Base of the visitors of flang's parse tree, and the walk over it. flang's own Walk is a template
// over the visitor, which costs the C++ compiler ten seconds for each; here it is instantiated once
// (statement_visitor.cpp), for a base with virtual functions. Private to frontend/ and checks/.
//
// A visitor overrides Pre (before what is inside, which false leaves out) and Post (after it) for
// kinds of nodes of tree_nodes.def, and says `using StatementVisitor::Pre;` for the others.
#ifndef CUFC_FRONTEND_STATEMENT_VISITOR_H
#define CUFC_FRONTEND_STATEMENT_VISITOR_H

#include "flang/Parser/parse-tree.h"
#include "llvm/Config/llvm-config.h"

namespace Fortran::semantics {
class ExprChecker;
}

namespace cufc {

inline std::string_view viewOf(Fortran::parser::CharBlock text) {
  return {text.begin(), text.size()};
}

// What statements of all kinds have.
struct StatementHead {
  Fortran::parser::CharBlock source;
  std::optional<Fortran::parser::Label> label;
  bool part = false; // of another statement, as the one behind IF (...) is
};

class StatementVisitor {
public:
  virtual ~StatementVisitor();

#define CUFC_TREE_NODE(NODE)                                                                       \
  virtual bool Pre(const Fortran::parser::NODE &);                                                 \
  virtual void Post(const Fortran::parser::NODE &);
#include "frontend/tree_nodes.def"
#undef CUFC_TREE_NODE

  // A statement of any kind; notes its source.
  virtual bool enterStatement(const StatementHead &head);
  // Behind what is inside of it, unless that was left out.
  virtual void leaveStatement() {}
  // What flang's analysis keeps with an expression or another node that has one.
  virtual void leaveTyped(Fortran::parser::TypedExpr &) {}

  bool stopped = false; // nothing more is visited once a visitor has set it
  // Set by visitors that want no node inside of expressions, where most nodes are.
  bool skipsExpressions = false;
  // Set by the visitor that has flang analyse expressions: flang's own visitor, which gets each
  // node for which Pre gave true, but no branches.
  Fortran::semantics::ExprChecker *analysis = nullptr;

  // Whether Pre for a node came to the function of this class: `row` is the line of tree_nodes.def
  // with its kind. The same for Post with -row. To be asked right behind the call.
  bool hasNoneFor(const void *node, int row) const { return passed == node && passedRow == row; }

protected:
  Fortran::parser::CharBlock source; // of the statement that is visited

private:
  void pass(const void *node, int row) {
    passed = node;
    passedRow = row;
  }
  const void *passed = nullptr;
  int passedRow = 0;
};

// A visitor that wants statements and declarations, and nothing inside of their expressions.
class ShallowVisitor : public StatementVisitor {
protected:
  ShallowVisitor() { skipsExpressions = true; }
};

// A node as one that may be changed, for visitors that a caller with a tree of its own walks over
// it.
template <typename Node>
Node &changeable(const Node &node) {
  return const_cast<Node &>(node);
}

// Visits a node and what is inside. The kinds of nodes to begin with are listed in
// statement_visitor.cpp.
template <typename Node>
void walkTree(const Node &node, StatementVisitor &visitor);
template <typename Node>
void walkTree(const std::optional<Node> &node, StatementVisitor &visitor) {
  if (node)
    walkTree(*node, visitor);
}
void walkTree(const Fortran::parser::Block &block, StatementVisitor &visitor); // itself a node
template <typename Node>
void walkTree(const std::list<Node> &nodes, StatementVisitor &visitor) {
  for (const Node &node : nodes)
    walkTree(node, visitor);
}

} // namespace cufc
#endif // CUFC_FRONTEND_STATEMENT_VISITOR_H
