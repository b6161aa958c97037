// The elements of arrays that device code reads and writes, with what each subscript is for a
// thread.
#ifndef CUFC_CHECKS_HAZARDS_ACCESSES_H
#define CUFC_CHECKS_HAZARDS_ACCESSES_H

#include "checks/hazards/thread_values.h"

namespace cufc::hazards {

struct Access {
  const Expression *element;
  const Statement *statement;
  std::vector<Polynomial> subscripts;
  bool write = false;
};

// The elements that a statement itself names, in the order in which they are accessed. Sections are
// left out.
std::vector<Access> accessesOf(const Statement &statement, ThreadValues &values);

// Those of all statements that more than one thread of a block reaches: nothing under a test like
// "threadidx%x == 1".
std::vector<Access> parallelAccesses(const Procedure &procedure, ThreadValues &values);

// Whether the condition selects single threads: an equality with threadidx%x or the like.
bool selectsThread(const Expression &condition, ThreadValues &values);

// The factor of threadidx along an axis. None if it is no constant, or if the thread decides in
// other ways as well.
std::optional<long long> threadFactor(const Polynomial &subscript, int axis, ThreadValues &values);

// Whether the value depends on the thread other than by multiples of its indices.
bool isIrregular(const Polynomial &subscript, ThreadValues &values);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_ACCESSES_H
