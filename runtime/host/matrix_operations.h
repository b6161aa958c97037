// What a warp does with tensor cores: loads, stores and products of matrices whose numbers are
// spread over its lanes (PTX ISA, "Warp-level Matrix Multiply-Accumulate Instructions").
#ifndef CUFRT_HOST_MATRIX_OPERATIONS_H
#define CUFRT_HOST_MATRIX_OPERATIONS_H

#include "host/warp_operations.h"

namespace cufrt::host {

// The operand of each lane is the address of its cufrt_matrix_request. Ends the program if not all
// 32 lanes are there.
//
// Where a number lies is our own choice, as it is each GPU's: number i of a matrix, by columns, is
// element i mod e of lane i / e, where e is a lane's share. Shares of A and B may be larger than
// their matrix, which is then there several times.
//
// A product is exact, the sum is made in real(8) from the first to the last, begins with the
// element of C and is rounded once, to the kind of D; real(8) itself is summed by fused operations.
void operateOnMatrices(LaneFrames frames, uint32_t members);

} // namespace cufrt::host
#endif // CUFRT_HOST_MATRIX_OPERATIONS_H
