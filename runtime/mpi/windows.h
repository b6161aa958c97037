// One-sided communication with device memory.
//
// Origin buffers stay in host memory until a call that completes the operations on their window. A
// window on device memory that the library cannot take is a window on host memory: a separate
// public copy of it, as the standard's model MPI_WIN_SEPARATE describes. What the device has
// changed goes there, and what others have written comes back, in the calls where the standard lets
// the two copies differ no longer.
#ifndef CUFRT_MPI_WINDOWS_H
#define CUFRT_MPI_WINDOWS_H

#include "mpi/operations.h"

namespace cufrt::mpi {

// `target` is the rank whose memory the operation accesses.
void addToWindow(Handle window, int target, Operation operation);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_WINDOWS_H
