// GPU code: an LLVM device module to PTX, to machine code, to a fat binary.
#ifndef CUFC_CODEGEN_GPU_DEVICE_CODE_H
#define CUFC_CODEGEN_GPU_DEVICE_CODE_H

#include "base/diagnostics.h"
#include "base/process.h"
#include "codegen/toolkit.h"
#include "lower/device_facts.h"
#include <optional>
#include <set>
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
  bool relocatable = false;    // to be linked with the device code of other files
  bool fuse = true;            // a*b + c is rounded once
  bool flushDenormals = false; // of single precision
  bool debug = false;          // tables for a debugger; without optimisation
  bool largeArrays = false;    // sums of 32 bits may be taken apart in no other way than written
};

// Puts the constants of other files into constant memory.
void placeImports(llvm::Module &module, const DeviceFacts &facts);

// Makes everything internal but kernels, device variables and, on request, the procedures that
// other files may call.
void keepVisible(llvm::Module &module, const DeviceFacts &facts, bool withProcedures);

// Links libdevice and optimises for `gpu` and all later ones. `defineDeviceRuntime` comes before.
bool optimiseDeviceModule(llvm::Module &module, DeviceFacts &facts, const Gpu &gpu,
                          const std::optional<Toolkit> &toolkit, const DeviceCodeOptions &options,
                          Diagnostics &diagnostics);

// PTX of an optimised module.
std::string emitPtx(const llvm::Module &module, const Gpu &gpu, int optimisation, bool fuse = true);

struct DeviceImage {
  Gpu gpu;
  bool machineCode;
  std::string path; // of the PTX or cubin file
};

// Packs images into one fat binary, made in `folder`.
bool packImages(const Toolkit &toolkit, const std::vector<DeviceImage> &images,
                const std::string &folder, bool relocatable, std::string &data,
                Diagnostics &diagnostics);

// Runs ptxas, for several GPUs at once and in the background, and packs the results.
class Assembler {
public:
  // Files are made in `folder`; the other arguments must outlive the object.
  Assembler(const Toolkit &toolkit, const DeviceCodeOptions &options, std::string folder,
            Diagnostics &diagnostics)
      : toolkit(toolkit), options(options), folder(std::move(folder)), diagnostics(diagnostics) {}

  // Writes the module's PTX for a GPU and starts ptxas on it, in the background.
  bool start(const llvm::Module &module, const Gpu &gpu);
  // Adds the PTX itself, which the driver compiles for GPUs without machine code; for code with
  // clusters also that of the first GPU that has them.
  bool addPtx(const llvm::Module &module, const Gpu &gpu);
  // Waits for every ptxas; false if one failed.
  bool finish();
  const std::vector<DeviceImage> &images() const { return all; }
  // One file with all images, as libcudart loads it. Call after `finish`.
  bool makeFatBinary(std::string &data) {
    return packImages(toolkit, all, folder, options.relocatable, data, diagnostics);
  }

private:
  struct Job {
    Gpu gpu;
    std::string ptx, cubin; // paths
  };
  bool writePtx(const llvm::Module &module, const Gpu &gpu, std::string &path);
  ProcessResult assemble(const Job &job) const;
  // Tries limits of registers (base/register_limits.h); `report` is what ptxas has said of the job,
  // and becomes what it says of the machine code that is taken.
  void limitRegisters(const Job &job, std::string &report) const;
  const Toolkit &toolkit;
  const DeviceCodeOptions options;
  const std::string folder;
  Diagnostics &diagnostics;
  std::vector<DeviceImage> all;
  std::vector<BackgroundProcess> running;
  std::set<int> written; // GPUs whose PTX stands in a file
};

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_DEVICE_CODE_H
