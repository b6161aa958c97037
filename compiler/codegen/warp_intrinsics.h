// Bodies of the warp procedures that take a member mask, which tables/device_intrinsics.toml
// adds to module cudadevice: shuffles, reductions, the mask of active lanes.
#ifndef CUFC_CODEGEN_WARP_INTRINSICS_H
#define CUFC_CODEGEN_WARP_INTRINSICS_H

namespace llvm {
class Module;
}

namespace cufc {

// Defines every function cufc_warp_* that the module declares.
void defineWarpIntrinsics(llvm::Module &module);

// Replaces reductions of the warp, which GPUs have from compute capability 8.0 on, by shuffles.
void expandWarpReductions(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_WARP_INTRINSICS_H
