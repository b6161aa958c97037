// Which parts of a buffer a call uses, by its counts, displacements and datatypes and by the
// communicator. A count of zero or less gives none, and its datatype is not looked at: the library
// judges the arguments.
#ifndef CUFRT_MPI_SHAPES_H
#define CUFRT_MPI_SHAPES_H

#include "mpi/layout.h"

namespace cufrt::mpi {

Parts elements(const char *call, int64_t count, Handle datatype);

// `bytes` bytes from the `first` on.
Parts byteRange(int64_t first, int64_t bytes);

// A block for each of `blocks` ranks, at a displacement in extents of the datatype. Counts are int
// or int64_t, displacements too.
template <typename Count, typename Displacement>
Parts blocksInExtents(const char *call, const Count *counts, const Displacement *displacements,
                      Handle datatype, int blocks);

// Likewise, at displacements in bytes, each of its own datatype.
template <typename Count, typename Displacement>
Parts blocksInBytes(const char *call, const Count *counts, const Displacement *displacements,
                    const Handle *datatypes, int blocks);

// Ranks that a collective operation exchanges data with: those of the communicator, or of the other
// group.
int partners(Handle communicator);

int ownRank(Handle communicator);

// The sum of one count for each rank.
template <typename Count>
int64_t sumOf(const Count *counts, Handle communicator);

// Those that send to this rank, and those that it sends to, in a topology.
int sources(Handle communicator);
int destinations(Handle communicator);

// Some neighbours of a grid may be missing; their blocks stay as they are.
bool mayLackNeighbours(Handle communicator);

// The part of this rank in an operation with a root.
struct Role {
  bool isRoot;
  bool isOther; // takes part as one of the others; a root does so too, in its own group
};
Role roleOf(int root, Handle communicator);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_SHAPES_H
