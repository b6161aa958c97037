// Structure constructors of types whose procedure pointers have initial targets. Private to
// frontend/.
#ifndef CUFC_FRONTEND_PROCEDURE_COMPONENTS_H
#define CUFC_FRONTEND_PROCEDURE_COMPONENTS_H

#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/expression.h"
#include "frontend/statement_visitor.h"

namespace cufc {

// Analyses the structure constructors below a node before what contains them, and gives procedure
// pointers that they leave out the targets of the type's definition.
class ConstructorAnalysis : public StatementVisitor {
public:
  explicit ConstructorAnalysis(Fortran::evaluate::ExpressionAnalyzer &analyzer)
      : analyzer(analyzer) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const Fortran::parser::ComponentDefStmt &) override {
    return false;
  } // analysed with its names
  bool Pre(const Fortran::parser::AcImpliedDo &loop) override;
  void Post(const Fortran::parser::AcImpliedDo &loop) override;
  void Post(const Fortran::parser::Expr &expression) override;
  // Of an expression that flang has analysed behind this visit.
  void renew(const Fortran::parser::Expr &expression);

protected:
  Fortran::evaluate::ExpressionAnalyzer &analyzer;

private:
  bool changed = false; // whether a constructor below the node has got a target
};

// Whether some type of the program has a procedure pointer with an initial target. While one is
// alive and says no, the analysis of expressions does without the visits above.
class InitialTargets {
public:
  explicit InitialTargets(const Fortran::semantics::Scope &global);
  ~InitialTargets();
  InitialTargets(const InitialTargets &) = delete;
  InitialTargets &operator=(const InitialTargets &) = delete;
  // True where none is alive: names may not be resolved yet.
  static bool possible();
};

} // namespace cufc
#endif // CUFC_FRONTEND_PROCEDURE_COMPONENTS_H
