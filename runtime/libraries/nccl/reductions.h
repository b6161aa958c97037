// Elements of NCCL's types combined, and their sizes.
#ifndef CUFRT_LIBRARIES_NCCL_REDUCTIONS_H
#define CUFRT_LIBRARIES_NCCL_REDUCTIONS_H

#include <cstddef>

namespace cufrt::libraries::nccl {

// Bytes of an element of an ncclDataType_t; 0 if it is none.
size_t bytesOf(int type);

// ncclRedOp_t: sum, product, largest, smallest, average.
inline bool isOperation(int operation) { return operation >= 0 && operation <= 4; }

// What ncclRedOpCreatePreMulSum makes has numbers from here on.
constexpr int firstOwnOperation = 5;

// The elements times a factor of their type.
void scale(int type, const void *factor, const char *elements, size_t count, char *into);

// Combines `count` elements of each of `ranks` parts, which lie one behind the other, in the order
// of the ranks, so that all of them get the same bits.
void reduce(int type, int operation, const char *parts, int ranks, size_t count, char *into);

} // namespace cufrt::libraries::nccl
#endif // CUFRT_LIBRARIES_NCCL_REDUCTIONS_H
