// Memory for local arrays of device code whose size is known at run time alone, on GPUs.
#ifndef CUFC_CODEGEN_AUTOMATIC_ARRAYS_H
#define CUFC_CODEGEN_AUTOMATIC_ARRAYS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// A GPU gives each thread the stack that the code's fixed frames need; what `alloca` takes beyond
// it is memory of another thread, or none ("CUDA C++ Programming Guide", "alloca()"). Such arrays
// get a place of fixed size in the frame, and memory of the device's heap where they are larger. A
// thread for which the heap has no room, also for temporaries, says so and ends the kernel.

// Whether a thread may take memory of the device's heap, for such an array or a temporary.
bool usesHeap(const llvm::Module &module);

// Before optimisation: a call stands for each array, so that nobody takes it for local memory.
void markAutomaticArrays(llvm::Module &module);

// Behind it, when sizes may have become constants.
void placeAutomaticArrays(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_AUTOMATIC_ARRAYS_H
