// Arrays in GPU code as cuda-gdb can read them.
#ifndef CUFC_CODEGEN_GPU_GPU_ARRAYS_H
#define CUFC_CODEGEN_GPU_GPU_ARRAYS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// cuda-gdb (13.0) takes what it finds in a thread's stack for an address of the host where it looks
// for bounds. So an array whose bounds are known at run time alone is one without bounds there: its
// elements have one subscript, from 1 on, in their order in memory. The bounds are beside it in a
// local variable `_Qshape_NAME`, an array of integer(8) with the words of flang's descriptor:
// address, bytes of an element, one of no meaning, then lower bound, extent and distance of
// neighbours in bytes for each dimension. lsp/debug/device_arrays.h reads it. Arrays of modules
// that a procedure uses get both in it. Arrays with POINTER or ALLOCATABLE that belong to a
// procedure stay as they are.
void describeArraysForGpu(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_GPU_ARRAYS_H
