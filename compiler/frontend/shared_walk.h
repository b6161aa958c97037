// One walk over the tree for several visitors, each of which sees what it would see in a walk of
// its own: the way from node to node costs more than what most of them do there. Private to
// frontend/ and checks/.
#ifndef CUFC_FRONTEND_SHARED_WALK_H
#define CUFC_FRONTEND_SHARED_WALK_H

#include "frontend/statement_visitor.h"
#include <vector>

namespace cufc {

class SharedWalk {
public:
  // To be added before the walk; belongs to the caller. Visitors are asked in the order in which
  // they were added.
  void add(StatementVisitor &visitor) { visitors.push_back(&visitor); }
  void walk(const Fortran::parser::Program &program);
  // Which of the visitors, from 0, is at work; of a walk that goes on.
  size_t current() const { return number; }
  bool isWalking() const { return walking; }

private:
  friend class SharedVisitor;
  std::vector<StatementVisitor *> visitors;
  size_t number = 0;
  bool walking = false;
};

} // namespace cufc
#endif // CUFC_FRONTEND_SHARED_WALK_H
