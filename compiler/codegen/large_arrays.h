// Memory of host arrays.
#ifndef CUFC_CODEGEN_LARGE_ARRAYS_H
#define CUFC_CODEGEN_LARGE_ARRAYS_H

namespace llvm {
class Module;
}

namespace cufc {

// Lets the runtime library allocate what may be large, which asks for large pages
// (runtime/core/large_arrays.cpp).
void askForLargePages(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_LARGE_ARRAYS_H
