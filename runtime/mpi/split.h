// The ends of split collective operations on files.
#ifndef CUFRT_MPI_SPLIT_H
#define CUFRT_MPI_SPLIT_H

namespace cufrt::mpi {

// `end` is the library's procedure; it is given the buffer that the begin was given.
void endSplit(int *file, void *buffer, void *status, int *error,
              void (*end)(int *, void *, void *, int *));

} // namespace cufrt::mpi
#endif // CUFRT_MPI_SPLIT_H
