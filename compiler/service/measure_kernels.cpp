// The way to PTX is that of `cufc -gpu=ccNN`, so that registers are those of the program. A GPU
// that ptxas does not know is answered by the nearest that it knows.
#include "service/measure_kernels.h"
#include "base/stage.h"
#include "codegen/device_code.h"
#include "codegen/device_runtime.h"
#include "codegen/targets.h"
#include "codegen/toolkit.h"
#include "driver/llvm_errors.h"
#include "frontend/program_stock.h"
#include "lower/lowering.h"
#include "service/front_fields.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include <algorithm>
#include <fmt/format.h>

namespace cufc {
namespace {

// The GPU itself, the next newer one, or the newest; null if ptxas knows none.
const Gpu *nearestSupported(const Toolkit &toolkit, int number) {
  const Gpu *best = nullptr;
  for (const Gpu &gpu : allGpus()) {
    if (!toolkit.supports(gpu))
      continue;
    best = &gpu;
    if (gpu.number >= number)
      break;
  }
  return best;
}

std::string firstError(const Diagnostics &diagnostics) {
  for (const Diagnostic &diagnostic : diagnostics.list())
    if (diagnostic.severity == Severity::Error)
      return diagnostic.range.line > 0
                 ? fmt::format("line {}: {}", diagnostic.range.line, diagnostic.message)
                 : diagnostic.message;
  return "the compiler stopped";
}

class Measuring {
public:
  Measuring(const CostRequest &request, ProgramStock *stock) : request(request), stock(stock) {}

  FileCosts run() {
    costs.gpu = costs.compiledFor = request.gpu;
    toolkit = findToolkit();
    gpu = toolkit ? nearestSupported(*toolkit, request.gpu) : nullptr;
    if (!gpu) {
      costs.noAssembler = true;
      costs.missing = "ptxas of the CUDA Toolkit was not found; set CUDA_HOME or put nvcc on PATH";
      return std::move(costs);
    }
    costs.compiledFor = gpu->number;
    std::string ptx;
    DeviceFacts facts;
    if (makePtx(ptx, facts))
      measure(ptx, facts);
    return std::move(costs);
  }

private:
  bool fail() {
    costs.missing = firstError(diagnostics);
    return false;
  }

  bool makePtx(std::string &ptx, DeviceFacts &facts) {
    setStage("while parsing and checking");
    std::unique_ptr<llvm::TargetMachine> host = hostTarget(request.optimisation);
    FrontendOptions settings = request.front;
    settings.analysis = false;
    Program program(settings, *host, stock);
    if (!program.analyse(diagnostics) || diagnostics.hasErrors())
      return fail();
    setStage("while lowering");
    LoweringOptions options{request.optimisation, request.keepPtx, request.largeArrays};
    Lowering lowering(program, *host, options, diagnostics);
    if (lowering.failed())
      return fail();
    if (!lowering.hasDeviceCode())
      return true;
    llvm::LLVMContext context;
    reportMessages(context, diagnostics);
    setStage("while lowering device code");
    std::unique_ptr<llvm::TargetMachine> target = deviceTarget(*gpu, 0);
    std::unique_ptr<llvm::Module> device = lowering.lowerDevice(context, *target);
    if (!device)
      return fail();
    defineDeviceRuntime(*device);
    facts = lowering.deviceFacts();
    placeImports(*device, facts);
    setStage("while generating device code");
    DeviceCodeOptions deviceOptions{optimisationOfDevice(), request.fastMath, request.keepPtx};
    deviceOptions.relocatable = !facts.imports.empty();
    deviceOptions.fuse = request.fuse;
    deviceOptions.flushDenormals = request.flushDenormals;
    if (!optimiseDeviceModule(*device, facts, *gpu, toolkit, deviceOptions, diagnostics))
      return fail();
    ptx = emitPtx(*device, *gpu, deviceOptions.optimisation, request.fuse);
    return true;
  }

  int optimisationOfDevice() const { return request.optimisation == 0 ? 0 : 3; }

  void measure(const std::string &ptx, const DeviceFacts &facts) {
    setStage("while measuring kernels");
    AssemblerChoice choice;
    choice.ptxas = toolkit->program("ptxas");
    choice.version = fmt::format("{} {}", toolkit->root, toolkit->version);
    choice.gpu = gpu->number;
    choice.optimisation = optimisationOfDevice();
    choice.maxRegisters = request.maxRegisters;
    choice.cache = request.cache;
    choice.keepPtx = request.keepPtx;
    addCosts(ptx, choice, costs);
    if (request.keepSass && !ptx.empty())
      addMachineCode(ptx, choice, toolkit->optionalProgram("nvdisasm"), costs);
    for (KernelCost &cost : costs.kernels)
      for (const KernelFacts &kernel : facts.kernels)
        if (kernel.name == cost.symbol) {
          cost.display = kernel.display;
          cost.maxThreads = kernel.maxThreads;
          cost.minBlocks = kernel.minBlocks;
        }
  }

  const CostRequest &request;
  ProgramStock *stock;
  std::optional<Toolkit> toolkit;
  const Gpu *gpu = nullptr;
  Diagnostics diagnostics;
  FileCosts costs;
};

constexpr auto fields = [](auto &archive, auto &r) {
  frontFields(archive, r.front);
  archive(r.gpu, r.optimisation, r.fastMath, r.largeArrays, r.fuse, r.flushDenormals,
          r.maxRegisters, r.cache, r.keepPtx, r.keepSass);
};

} // namespace

CostRequest costRequest(FrontendOptions front, const Options &options, int gpu) {
  CostRequest request;
  request.front = std::move(front);
  request.gpu = gpu;
  request.optimisation = options.optimisation;
  request.fastMath = options.fastMath;
  request.largeArrays = options.largeArrays;
  request.fuse = options.fuse;
  request.flushDenormals = options.flushDenormals;
  request.maxRegisters = options.maxRegisters;
  return request;
}

std::string toBytes(const CostRequest &request) { return requestBytes(request, fields); }

std::optional<CostRequest> costRequestFromBytes(std::string_view bytes) {
  return requestOf<CostRequest>(bytes, fields);
}

FileCosts measureKernels(const CostRequest &request, ProgramStock *stock) {
  return Measuring(request, stock).run();
}

} // namespace cufc
