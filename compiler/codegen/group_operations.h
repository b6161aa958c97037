// Barriers of cooperative groups and the shared memory of clusters: bodies of the procedures
// cufc_group_* of runtime/modules/cooperative_groups.f90.
//
// The barrier of a grid has no instruction. It is a call of `gridBarrier` until a GPU gets its body
// and the host device its stop.
#ifndef CUFC_CODEGEN_GROUP_OPERATIONS_H
#define CUFC_CODEGEN_GROUP_OPERATIONS_H

namespace llvm {
class Module;
}

namespace cufc {

inline constexpr const char *gridBarrier = "cufc.grid.barrier";

// Defines every function cufc_group_* that the module declares.
void defineGroupOperations(llvm::Module &module);

// The barrier of a grid on a GPU.
void defineGridBarrier(llvm::Module &module);

inline constexpr int firstGpuWithClusters = 90;

// Whether the code has operations of clusters, which GPUs have from compute capability 9.0 on.
bool usesClusters(const llvm::Module &module);

// Makes a trap of each operation of clusters, for GPUs that refuse to launch such kernels anyway.
void trapAtClusters(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_GROUP_OPERATIONS_H
