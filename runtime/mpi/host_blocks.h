// Pinned host memory for staging. What is given back is kept for the next call, by powers of two.
#ifndef CUFRT_MPI_HOST_BLOCKS_H
#define CUFRT_MPI_HOST_BLOCKS_H

#include <cstddef>

namespace cufrt::mpi {

// Ends the program with a message that names the call if there is none.
char *takePinned(size_t bytes, const char *call);
void givePinned(char *memory, size_t bytes);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_HOST_BLOCKS_H
