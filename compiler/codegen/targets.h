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

inline constexpr const char *deviceTriple = "nvptx64-nvidia-cuda";

// Makes LLVM's back ends for host machines and for NVPTX known; call once.
void initialiseTargets();

// Whether code can be made for a processor of that name, native included; on aarch64 also for an
// architecture as GCC names it (armv8.2-a+sve).
bool isProcessor(const std::string &name, const HostMachine &machine = thisMachine);

// LLVM's name of a processor: that of this machine for native, one that all can do for none.
std::string processorName(const std::string &name, const HostMachine &machine);

// Position-independent code, for any processor of the machine unless the options name one. `level`
// 0 to 3.
std::unique_ptr<llvm::TargetMachine> hostTarget(int level, const HostCodeOptions &options = {});

// Without `fuse` a product and a sum are rounded one by one.
std::unique_ptr<llvm::TargetMachine> deviceTarget(const Gpu &gpu, int level, bool fuse = true);

// Runs LLVM's standard pipeline of the level over the module.
void optimise(llvm::Module &module, llvm::TargetMachine &target, int level,
              const HostCodeOptions &options = {});

} // namespace cufc
#endif // CUFC_CODEGEN_TARGETS_H
