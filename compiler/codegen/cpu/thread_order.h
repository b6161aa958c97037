// Loops over the threads of a block whose neighbours along y are neighbours in memory.
#ifndef CUFC_CODEGEN_CPU_THREAD_ORDER_H
#define CUFC_CODEGEN_CPU_THREAD_ORDER_H

namespace llvm {
class Loop;
}

namespace cufc {

// Makes the loop over y the inner one where more of what the threads access lies side by side along
// y than along x. `threads` is that over x, and has the mark afterwards, too. Before anything has
// moved out of the loops; returns whether they have changed.
bool putNeighboursInside(llvm::Loop &threads);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_ORDER_H
