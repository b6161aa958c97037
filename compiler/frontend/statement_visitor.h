// Base of visitors of flang's parse tree that look at a few kinds of nodes and need to know the
// statement around them. Private to frontend/. A visitor says `using StatementVisitor::Pre;` and
// adds its own.
#ifndef CUFC_FRONTEND_STATEMENT_VISITOR_H
#define CUFC_FRONTEND_STATEMENT_VISITOR_H

#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"

namespace cufc {

class StatementVisitor {
public:
  template <typename T>
  bool Pre(const T &) {
    return true;
  }
  template <typename T>
  void Post(const T &) {}
  template <typename T>
  bool Pre(const Fortran::parser::Statement<T> &statement) {
    source = statement.source;
    return true;
  }
  template <typename T>
  bool Pre(const Fortran::parser::UnlabeledStatement<T> &statement) {
    source = statement.source;
    return true;
  }

protected:
  Fortran::parser::CharBlock source; // of the statement that is visited
};

} // namespace cufc
#endif // CUFC_FRONTEND_STATEMENT_VISITOR_H
