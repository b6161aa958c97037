// Extents that the innermost loops of a kernel run to.
#ifndef CUFC_CODEGEN_GPU_INNER_EXTENTS_H
#define CUFC_CODEGEN_GPU_INNER_EXTENTS_H

#include "lower/device_facts.h"
#include <utility>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// Of arrays of rank 2 and higher that come as descriptors, as numbers of argument and dimension:
// those that count the iterations of short loops without loops in them, as coordinates of points
// are looped over. For modules whose variables are in registers.
using ArrayDimension = std::pair<unsigned, unsigned>;
std::vector<ArrayDimension> innerExtents(llvm::Function &kernel, const KernelFacts &facts);

// Takes these extents to be `extent`.
void assumeExtents(llvm::Function &kernel, const KernelFacts &facts,
                   const std::vector<ArrayDimension> &dimensions, int64_t extent);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_INNER_EXTENTS_H
