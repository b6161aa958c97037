// How a copy between two sections is made: which loops of the walk the device runs by itself and
// what remains. Apart from the copying, so that tests can see the number of calls.
#ifndef CUFRT_CORE_COPY_PLAN_H
#define CUFRT_CORE_COPY_PLAN_H

#include "core/copy.h"
#include "core/section.h"

namespace cufrt {

struct CopyPlan {
  // Through a dense buffer on the host; the rest then does not count.
  bool packed;
  // The loops that one call runs: none is cudaMemcpy, `row` alone cudaMemcpy2D, both cudaMemcpy3D.
  // -1 where there is none. `slice` is the outer one.
  int row, slice;
  int64_t calls;
};

// The walk has something to copy. `isPinned` tells of the side on the host.
CopyPlan planCopy(const Walk &walk, Direction direction, bool isPinned = false);

// The plan that packs nothing.
CopyPlan planDirectCopy(const Walk &walk);

} // namespace cufrt
#endif // CUFRT_CORE_COPY_PLAN_H
