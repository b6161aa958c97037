// GPU code: an LLVM device module to PTX, to machine code, to a fat binary.
#ifndef CUFC_CODEGEN_DEVICE_CODE_H
#define CUFC_CODEGEN_DEVICE_CODE_H

#include "base/diagnostics.h"
#include "base/files.h"
#include "codegen/toolkit.h"
#include "lower/device_facts.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace cufc {

struct DeviceCodeOptions {
  int optimisation = 2;
  bool fastMath = false;
  bool lineInfo = false;
  bool report = false; // registers and memory of each kernel, to stderr
  int maxRegisters = 0;
};

// Links libdevice and optimises for `gpu` and all later ones.
bool optimiseDeviceModule(llvm::Module &module, const DeviceFacts &facts, const Gpu &gpu,
                          const std::optional<Toolkit> &toolkit, const DeviceCodeOptions &options,
                          Diagnostics &diagnostics);

// PTX of an optimised module.
std::string emitPtx(const llvm::Module &module, const Gpu &gpu, int optimisation);

struct DeviceImage {
  Gpu gpu;
  bool machineCode;
  std::string path; // of the PTX or cubin file
};

// Runs ptxas for each GPU at once; the files are left in `folder`.
bool assemble(const llvm::Module &module, const std::vector<Gpu> &gpus, const Toolkit &toolkit,
              const DeviceCodeOptions &options, const TemporaryFolder &folder,
              std::vector<DeviceImage> &images, Diagnostics &diagnostics);

// One file with all images, as libcudart loads it.
bool makeFatBinary(const std::vector<DeviceImage> &images, const Toolkit &toolkit,
                   const TemporaryFolder &folder, std::string &data, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_CODE_H
