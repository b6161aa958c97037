// How a datatype was made, asked of the C functions with large counts: those without fail for
// datatypes that were made with large ones.
#ifndef CUFRT_MPI_LARGE_CONTENTS_H
#define CUFRT_MPI_LARGE_CONTENTS_H

#include "mpi/known_library.h"

#include <cstdint>

namespace cufrt::mpi {

struct Envelope {
  int64_t integers = 0, addresses = 0, largeCounts = 0, types = 0;
  int combiner = 0;
};

// Whether the library has these functions.
bool haveLargeContents();

// Both give an error code. The arrays have room for what the envelope says.
int envelopeOfLarge(Handle type, Envelope &envelope);
int contentsOfLarge(Handle type, const Envelope &envelope, int *integers, int64_t *addresses,
                    int64_t *largeCounts, Handle *types);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_LARGE_CONTENTS_H
