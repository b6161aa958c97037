// Kernels as host code, for programs that run without a GPU.
#ifndef CUFC_CODEGEN_CPU_HOST_KERNELS_H
#define CUFC_CODEGEN_CPU_HOST_KERNELS_H

#include "base/diagnostics.h"
#include "lower/device_facts.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

// The suffix of every symbol of the host device in an object file.
inline constexpr const char *hostDeviceSuffix = ".hostdev";

// How the runtime runs one kernel on the host (see cufrt_kernel). Names are of functions in the
// module; one of the first two is set unless the kernel cannot run on the host, and both with
// `wholeWarps` or `fitsBlock`.
struct HostKernel {
  std::string runBlock;
  std::string resumeThread;
  std::string fitsBlock; // whether `runBlock` may run a block; empty: always
  uint64_t staticSharedBytes = 0;
  uint64_t frameBytes = 0;
  bool isChecked = false;              // its accesses are reported to the runtime (access_checks.h)
  bool blocksAreIndependent = false;   // none can wait for another one
  std::vector<uint32_t> argumentBytes; // size of each argument's value
  bool runsRows = false;               // `runBlock` takes several blocks side by side
  bool threadsLoop = false;
  bool waitsForGrid = false; // `runBlock`, if there is one, calls cufrt_wait_for_grid
  bool wholeWarps = false;   // `runBlock` is for blocks whose x goes up to a multiple of 32
  unsigned threadLoops = 0;  // of `runBlock`, one after the other: several if they are parted by
                             // barriers
  int line = 0;              // of its statement; 0 if code has no lines
  unsigned partingLine = 0;  // where threads part, for which there is no `runBlock`; or 0
  std::vector<BlockSize> likelyBlocks; // that have code of their own
};

// On functions that run a block: their loops over threads have the branch that ends them marked by
// `threadLoopMark` (loop_versions.h).
inline constexpr const char *blockFunctionMark = "cufc-block-function";

using HostKernels = std::map<std::string, HostKernel>; // by the kernel's symbol

// Sets `needsLinking` of the kernels that reach procedures of other files.
void markLinkedKernels(const llvm::Module &module, DeviceFacts &facts);

// Makes the variables of a device module references to those that the objects of its files define.
void referToDefinedVariables(llvm::Module &module, DeviceFacts &facts);

// A copy for the function below. Lines, which are directives in the PTX for a GPU, become tables,
// so that a debugger finds the kernels of the host device, and their variables if asked for.
std::unique_ptr<llvm::Module> cloneForHost(const llvm::Module &device, bool withVariables);

// Turns a device module into one for the host, to be linked with the host module: every definition
// gets the suffix above, so nothing clashes. Kernels that need linking are left out.
// `defineDeviceRuntime` comes before.
HostKernels buildHostKernels(llvm::Module &module, const llvm::TargetMachine &host,
                             const DeviceFacts &facts, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_HOST_KERNELS_H
