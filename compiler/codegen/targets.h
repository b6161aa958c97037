// LLVM target machines for the host and for GPUs, and the optimisation pipeline over them.
#ifndef CUFC_CODEGEN_TARGETS_H
#define CUFC_CODEGEN_TARGETS_H

#include "base/gpus.h"
#include <memory>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

inline constexpr const char *hostTriple = "x86_64-pc-linux-gnu";
inline constexpr const char *deviceTriple = "nvptx64-nvidia-cuda";

// Makes LLVM's x86-64 and NVPTX back ends known; call once.
void initialiseTargets();

// Position-independent code for any x86-64. `level` 0 to 3.
std::unique_ptr<llvm::TargetMachine> hostTarget(int level);

std::unique_ptr<llvm::TargetMachine> deviceTarget(const Gpu &gpu, int level);

// Runs LLVM's standard pipeline of the level over the module.
void optimise(llvm::Module &module, llvm::TargetMachine &target, int level);

} // namespace cufc
#endif // CUFC_CODEGEN_TARGETS_H
