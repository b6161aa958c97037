// LLVM target machines for the host and for GPUs, and the optimisation pipeline over them.
#ifndef CUFC_CODEGEN_TARGETS_H
#define CUFC_CODEGEN_TARGETS_H

#include "base/gpus.h"
#include "codegen/host_code_options.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

inline constexpr const char *hostTriple = "x86_64-pc-linux-gnu";
inline constexpr const char *deviceTriple = "nvptx64-nvidia-cuda";

// Makes LLVM's x86-64 and NVPTX back ends known; call once.
void initialiseTargets();

// Whether code can be made for a processor of that name, native included.
bool isProcessor(const std::string &name);

// LLVM's name of a processor: that of this machine for native.
std::string processorName(const std::string &name);

// Position-independent code, for any x86-64 unless the options name a processor. `level` 0 to 3.
std::unique_ptr<llvm::TargetMachine> hostTarget(int level, const HostCodeOptions &options = {});

// Without `fuse` a product and a sum are rounded one by one.
std::unique_ptr<llvm::TargetMachine> deviceTarget(const Gpu &gpu, int level, bool fuse = true);

// Runs LLVM's standard pipeline of the level over the module.
void optimise(llvm::Module &module, llvm::TargetMachine &target, int level,
              const HostCodeOptions &options = {});

} // namespace cufc
#endif // CUFC_CODEGEN_TARGETS_H
