// Arrays of a kernel that have the shape of others.
#ifndef CUFC_CODEGEN_GPU_SHARED_SHAPES_H
#define CUFC_CODEGEN_GPU_SHARED_SHAPES_H

#include "codegen/gpu/kernel_accesses.h"
#include "lower/device_facts.h"
#include <map>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// Numbers of arguments: of arrays that come as descriptors, and for each another one of the same
// rank.
using ShapeLeaders = std::map<unsigned, unsigned>;

// Which arrays look alike in an optimised entry.
struct LikeArrays {
  ShapeLeaders any;   // a thread accesses some elements of both with the same subscripts
  ShapeLeaders equal; // it accesses the elements of both with the same subscripts, and no others
  bool isDoubtful = false; // that the former have the same shape
};

LikeArrays likeArrays(llvm::Function &entry, const KernelFacts &facts, const PackedKernel &packed,
                      const std::vector<ArrayAccess> &accesses);

// Takes strides, lower bounds and extents of the former from the descriptors of the latter, and
// marks in packed.arrays what the runtime library has to compare. Whether something has changed.
bool shareShapes(llvm::Function &entry, const KernelFacts &facts, const ShapeLeaders &leaders,
                 PackedKernel &packed);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_SHARED_SHAPES_H
