// From a checked program to LLVM modules for the host and for the device.
//
// This header is free of MLIR and flang types. The order of passes is in pipelines.cpp.
#ifndef CUFC_LOWER_LOWERING_H
#define CUFC_LOWER_LOWERING_H

#include "base/diagnostics.h"
#include "frontend/program.h"
#include "lower/device_facts.h"
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace cufc {

struct LoweringOptions {
  int optimisation = 2;
  bool debugLines = false;  // line tables in both modules
  bool largeArrays = false; // arrays in kernels may have 2**31 elements and more
  bool checkDevice = false; // bounds of device code are checked when the program runs
  bool checkHost = false;   // and those of host code
  bool managed = false;     // allocatables without an attribute are managed
  bool fuseHost = true;     // a*b + c of host code may be rounded once, where the CPU can
};

struct MlirState;

class Lowering {
public:
  // Lowers the program to HLFIR and outlines CUF kernels. Check `failed` before anything else.
  Lowering(Program &program, const llvm::TargetMachine &host, const LoweringOptions &options,
           Diagnostics &diagnostics);
  ~Lowering();

  bool failed() const { return !good; }
  bool hasDeviceCode() const {
    return !facts.kernels.empty() || !facts.variables.empty() || !facts.procedures.empty();
  }
  const DeviceFacts &deviceFacts() const { return facts; }
  std::string hlfirText() const;

  // The device module, or null with diagnostics. `device` gives the data layout. Must be called
  // before lowerHost, which uses up the HLFIR.
  std::unique_ptr<llvm::Module> lowerDevice(llvm::LLVMContext &context,
                                            const llvm::TargetMachine &device);

  // The host module; kernels are declarations in it.
  std::unique_ptr<llvm::Module> lowerHost(llvm::LLVMContext &context);

private:
  std::unique_ptr<MlirState> state;
  LoweringOptions options;
  Diagnostics &diagnostics;
  const llvm::TargetMachine &host;
  DeviceFacts facts;
  bool good = false;
};

// Makes MLIR's options for contexts and pass managers known to LLVM's command line (-mmlir).
void registerMlirOptions();

} // namespace cufc
#endif // CUFC_LOWER_LOWERING_H
