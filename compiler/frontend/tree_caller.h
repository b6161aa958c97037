// What flang's walk is instantiated for: passes nodes of the kinds in tree_nodes.def on to a
// StatementVisitor. Each file that walks by it costs ten seconds of compilation: there is walkTree
// in place of it (statement_visitor.h).
#ifndef CUFC_FRONTEND_TREE_CALLER_H
#define CUFC_FRONTEND_TREE_CALLER_H

#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/expression.h"
#include "frontend/statement_visitor.h"
#include <type_traits>
#include <utility>

namespace cufc {

template <typename Node>
inline constexpr bool isListed = false;
#define CUFC_TREE_NODE(NODE)                                                                       \
  template <>                                                                                      \
  inline constexpr bool isListed<Fortran::parser::NODE> = true;
#include "frontend/tree_nodes.def"
#undef CUFC_TREE_NODE

template <typename Node>
struct StatementKind {
  static constexpr bool is = false, part = false;
};
template <typename T>
struct StatementKind<Fortran::parser::Statement<T>> {
  static constexpr bool is = true, part = false;
};
template <typename T>
struct StatementKind<Fortran::parser::UnlabeledStatement<T>> {
  static constexpr bool is = true, part = true;
};

template <typename Node>
StatementHead headOf(const Node &statement) {
  if constexpr (StatementKind<Node>::part)
    return {statement.source, std::nullopt, true};
  else
    return {statement.source, statement.label, false};
}

// The kinds of nodes that flang's analysis of expressions looks at: its functions for them fit
// better than the one for all others, in place of which there is one here that says so. Not among
// them are branches, behind which flang's visitor goes on by itself: that is for who asks for the
// analysis.
struct NotAnalysed {};
struct ExpressionAnalysis : Fortran::semantics::ExprChecker {
  using ExprChecker::Post;
  using ExprChecker::Pre;
  template <typename Node>
  NotAnalysed Pre(const Node &);
  template <typename Node>
  NotAnalysed Post(const Node &);
};
template <typename Node>
inline constexpr bool isAnalysed =
    !std::is_same_v<Node, Fortran::parser::IfConstruct> &&
    std::is_same_v<bool, decltype(std::declval<ExpressionAnalysis &>().Pre(
                             std::declval<const Node &>()))>;
template <typename Node>
inline constexpr bool isAnalysedAfter =
    std::is_same_v<void, decltype(std::declval<ExpressionAnalysis &>().Post(
                             std::declval<const Node &>()))>;

// What flang's walk is instantiated for: passes nodes of listed kinds on.
class TreeCaller {
public:
  explicit TreeCaller(StatementVisitor &visitor) : visitor(visitor) {}

  template <typename Node>
  bool Pre(const Node &node) {
    if (visitor.stopped)
      return false;
    if constexpr (std::is_same_v<Node, Fortran::parser::Expr> ||
                  std::is_same_v<Node, Fortran::parser::Variable>)
      if (visitor.skipsExpressions)
        return false;
    if constexpr (StatementKind<Node>::is)
      if (!visitor.enterStatement(headOf(node)))
        return false;
    if constexpr (isListed<Node>) {
      if (!visitor.Pre(node))
        return false;
    } else if constexpr (std::is_base_of_v<Fortran::parser::OmpDirectiveSpecification, Node>) {
      return visitor.Pre(static_cast<const Fortran::parser::OmpDirectiveSpecification &>(node));
    }
    if constexpr (isAnalysed<Node>)
      if (visitor.analysis)
        return visitor.analysis->Pre(node);
    return true;
  }

  template <typename Node>
  void Post(const Node &node) {
    if constexpr (Fortran::parser::HasTypedExpr<Node>::value)
      visitor.leaveTyped(node.typedExpr);
    if constexpr (isAnalysedAfter<Node>)
      if (visitor.analysis)
        visitor.analysis->Post(node);
    if constexpr (isListed<Node>)
      visitor.Post(node);
    else if constexpr (std::is_base_of_v<Fortran::parser::OmpDirectiveSpecification, Node>)
      visitor.Post(static_cast<const Fortran::parser::OmpDirectiveSpecification &>(node));
    if constexpr (StatementKind<Node>::is)
      visitor.leaveStatement();
  }

private:
  StatementVisitor &visitor;
};

} // namespace cufc
#endif // CUFC_FRONTEND_TREE_CALLER_H
