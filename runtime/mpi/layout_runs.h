// Puts the runs of a datatype together, out of those of the datatypes that it is made of.
#ifndef CUFRT_MPI_LAYOUT_RUNS_H
#define CUFRT_MPI_LAYOUT_RUNS_H

#include "mpi/layout.h"

namespace cufrt::mpi {

// Appends a run; what continues the last one becomes part of it.
void append(std::vector<Run> &runs, Run run);

// Appends `count` elements of `inner` that start `stride` bytes apart, the first at `offset`.
void append(std::vector<Run> &runs, const Layout &inner, ptrdiff_t offset, size_t count,
            ptrdiff_t stride);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_LAYOUT_RUNS_H
