// Short loops over the operations of a warp.
#ifndef CUFC_CODEGEN_CPU_LANE_LOOPS_H
#define CUFC_CODEGEN_CPU_LANE_LOOPS_H

namespace llvm {
class Module;
}

namespace cufc {

// Unrolls loops with operations of warps whose number of iterations is known and small, as those
// of a tree: the distances of shuffles are numbers then. Of kernels before they get their form.
void unrollLaneLoops(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LANE_LOOPS_H
