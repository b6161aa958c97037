// Loops with the step of a grid or a block, which count their iterations before the first.
#ifndef CUFC_CODEGEN_GPU_GRID_COUNTS_H
#define CUFC_CODEGEN_GPU_GRID_COUNTS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// The number of iterations of `do i = me, n, threads` is a quotient, for which a thread takes
// twenty to forty instructions to do a few iterations, often one. Such a loop goes on while what is
// left is not less than the step, if nothing else needs the quotient. For optimised modules.
void countWithoutDivision(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_GRID_COUNTS_H
