// Where the data of a message lie in a buffer and where in the packed message, as few copies of up
// to three dimensions.
#ifndef CUFRT_MPI_PIECES_H
#define CUFRT_MPI_PIECES_H

#include "mpi/layout.h"

namespace cufrt::mpi {

// What is repeated, and how far apart it is in the buffer and in the packed message.
struct Steps {
  size_t count = 1;
  ptrdiff_t stride = 0;
  ptrdiff_t packedStride = 0;
};

struct Piece {
  ptrdiff_t at;    // in the buffer
  size_t packedAt; // in the packed message
  size_t bytes;    // that lie together
  Steps rows = {};
  Steps planes = {}; // of rows
};

// The pieces that hold the first `bytes` bytes of the part's data, which begin the packed message.
std::vector<Piece> piecesOf(const Part &part, size_t bytes);

} // namespace cufrt::mpi
#endif // CUFRT_MPI_PIECES_H
