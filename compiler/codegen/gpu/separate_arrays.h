// Arrays of a kernel that the runtime library sees to lie apart.
#ifndef CUFC_CODEGEN_GPU_SEPARATE_ARRAYS_H
#define CUFC_CODEGEN_GPU_SEPARATE_ARRAYS_H

#include "lower/device_facts.h"

namespace llvm {
class Function;
} // namespace llvm

namespace cufc {

// Says of arrays with POINTER or TARGET, for which Fortran allows other names, that they are apart
// from the entry's other arrays where one of both is written, and marks in packed.arrays what the
// runtime library has to compare before it may launch the entry. For modules whose accesses are in
// registers' form.
void separateArrays(llvm::Function &entry, const KernelFacts &facts, PackedKernel &packed);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_SEPARATE_ARRAYS_H
