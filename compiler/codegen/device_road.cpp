// See device_road.h.
#include "codegen/device_road.h"
#include "base/stage.h"
#include "codegen/automatic_arrays.h"
#include "codegen/cpu/access_checks.h"
#include "codegen/device_runtime.h"
#include "codegen/targets.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

DeviceProgram lowerDeviceCode(Lowering &lowering, llvm::LLVMContext &context, const Gpu &lowest,
                              const CodeOptions &options) {
  setStage("while lowering device code");
  std::unique_ptr<llvm::TargetMachine> target = deviceTarget(lowest, 0);
  DeviceProgram program{lowering.lowerDevice(context, *target), {}};
  if (!program.module)
    return program;
  if (options.lowering.checkDevice)
    markChecked(*program.module);
  program.facts = lowering.deviceFacts();
  defineDeviceRuntime(*program.module, program.facts.hasExtendedReals);
  program.facts.usesHeap = usesHeap(*program.module);
  placeImports(*program.module, program.facts);
  return program;
}

bool optimiseDeviceCode(DeviceProgram &program, const Gpu &lowest,
                        const std::optional<Toolkit> &toolkit, CodeOptions &options,
                        Diagnostics &diagnostics) {
  setStage("while generating device code");
  options.device.relocatable |= !program.facts.imports.empty();
  return optimiseDeviceModule(*program.module, program.facts, lowest, toolkit, options.device,
                              diagnostics);
}

std::string ptxOf(const DeviceProgram &program, const Gpu &gpu, const CodeOptions &options) {
  return emitPtx(*program.module, gpu, options.device.optimisation, options.device.fuse);
}

} // namespace cufc
