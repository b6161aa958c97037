// Arrays of modules, whose lower bounds are known at run time alone.
#ifndef CUFC_CODEGEN_GPU_REBASED_ARRAYS_H
#define CUFC_CODEGEN_GPU_REBASED_ARRAYS_H

#include "codegen/gpu/kernel_accesses.h"
#include "lower/device_facts.h"
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// Takes lower bounds out of subscripts and puts them into the address that an array begins at: with
// a base for element 0 the accesses of several arrays with the same subscripts, which have the same
// strides (PackedArgument::sameShapeAs), share the distance from it. Marks in packed.arrays whose
// bounds the runtime library has to find small. `accesses` are those of the entry, as they were
// before strides were shared.
void rebaseArrays(llvm::Function &entry, const std::vector<ArrayAccess> &accesses,
                  PackedKernel &packed);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_REBASED_ARRAYS_H
