// The one road from a lowered program to PTX, for all who take it: what compiles a file
// (driver/compile.cpp), what joins the device code of several (driver/device_group.cpp), and what
// measures kernels (service/measure_kernels.cpp). Its stages are functions, and what the command
// line says of them is one structure, so that a measured kernel is that of the program.
#ifndef CUFC_CODEGEN_DEVICE_ROAD_H
#define CUFC_CODEGEN_DEVICE_ROAD_H

#include "codegen/gpu/device_code.h"
#include "lower/lowering.h"
#include <memory>

namespace cufc {

struct CodeOptions {
  LoweringOptions lowering;
  DeviceCodeOptions device;
};

// Device code on its way, with what is known beside it.
struct DeviceProgram {
  std::unique_ptr<llvm::Module> module; // null after an error
  DeviceFacts facts;
};

// LLVM code of the device procedures, in which what the runtime library does has bodies. Must come
// before Lowering::lowerHost. The functions of kernels for CPUs are still there.
DeviceProgram lowerDeviceCode(Lowering &lowering, llvm::LLVMContext &context, const Gpu &lowest,
                              const CodeOptions &options);

// Optimised for a GPU and all later ones. What refers to other files becomes relocatable.
bool optimiseDeviceCode(DeviceProgram &program, const Gpu &lowest,
                        const std::optional<Toolkit> &toolkit, CodeOptions &options,
                        Diagnostics &diagnostics);

std::string ptxOf(const DeviceProgram &program, const Gpu &gpu, const CodeOptions &options);

} // namespace cufc
#endif // CUFC_CODEGEN_DEVICE_ROAD_H
