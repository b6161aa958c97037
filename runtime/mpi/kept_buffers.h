// Buffers that the library keeps longer than a call and that are no operation's: those of split
// collective operations on files, and the one in which buffered messages wait.
#ifndef CUFRT_MPI_KEPT_BUFFERS_H
#define CUFRT_MPI_KEPT_BUFFERS_H

#include <functional>

namespace cufrt::mpi {

// `end` is the library's procedure; it is given the buffer that the begin was given.
void endSplit(int *file, void *buffer, void *status, int *error,
              void (*end)(int *, void *, void *, int *));

// `attach` gives the library the buffer, and gives its error code. Device memory ends the program
// unless the library takes it.
void attachBuffer(void *buffer, const std::function<int()> &attach);
void detachBuffer();

} // namespace cufrt::mpi
#endif // CUFRT_MPI_KEPT_BUFFERS_H
