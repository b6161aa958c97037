// Short loops over the elements of a thread's own arrays, where threads meet.
#ifndef CUFC_CODEGEN_CPU_ELEMENT_LOOPS_H
#define CUFC_CODEGEN_CPU_ELEMENT_LOOPS_H

namespace llvm {
class Module;
}

namespace cufc {

// Unrolls them in kernels with barriers, which so get values of the thread in the place of arrays.
// Of kernels before they get their form.
void unrollElementLoops(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_ELEMENT_LOOPS_H
