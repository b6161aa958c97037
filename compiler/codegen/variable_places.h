// Where a debugger finds variables in code that is not optimised.
#ifndef CUFC_CODEGEN_VARIABLE_PLACES_H
#define CUFC_CODEGEN_VARIABLE_PLACES_H

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace cufc {

// From its declaration to the end of its procedure each variable is found through stack memory of
// its own: by the address that is stored there, or by the value if it is one that bounds and
// lengths of other variables refer to. LLVM alone keeps both in registers and forgets them after
// the last use.
void placeVariables(llvm::Module &module);

// The same in GPU code for cuda-gdb, which takes an address that it has read from a thread's stack
// for one of the stack: there such a variable is a pointer (of an array) or a reference. An array
// whose bounds are known at run time alone has one dimension there (gpu_arrays.h).
void placeVariablesForGpu(llvm::Module &module);

// Variables of a resumable thread, whose memory has become offsets from `frame`, are found through
// stack memory that holds `frame`.
void placeVariablesInFrame(llvm::Function &function, llvm::Value &frame);

// Makes one piece of what a kernel's thread does before its first statement, so that a breakpoint
// at the kernel is behind it. A resumable thread then does it each time that it is called: values
// come from where they were, and are stored the first time alone.
void joinPrologue(llvm::Function &thread);

// Declares threadidx, blockidx, blockdim and griddim as local variables of a kernel's thread, a
// function of the block's record and the thread's index (x, y, z, from 0).
void declareThreadIndices(llvm::Function &thread);

} // namespace cufc
#endif // CUFC_CODEGEN_VARIABLE_PLACES_H
