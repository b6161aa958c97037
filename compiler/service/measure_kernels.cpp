// The way to PTX is that of `cufc -gpu=ccNN` (codegen/device_road.h), so that registers are those
// of the program. A GPU that ptxas does not know is answered by the nearest that it knows.
#include "service/measure_kernels.h"
#include "base/stage.h"
#include "codegen/cpu/cpu_forms.h"
#include "codegen/targets.h"
#include "codegen/toolkit.h"
#include "driver/code_options.h"
#include "driver/compile.h"
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
    if (!toolkit || !gpu) {
      costs.noAssembler = true;
      costs.missing = "ptxas of the CUDA Toolkit was not found; set CUDA_HOME or put nvcc on PATH";
      return std::move(costs);
    }
    const Toolkit &tools = *toolkit;
    costs.compiledFor = gpu->number;
    code.lowering.debugLines = code.device.lineInfo = request.keepPtx;
    std::string ptx;
    DeviceFacts facts;
    if (makePtx(ptx, facts))
      measure(tools, ptx, facts);
    return std::move(costs);
  }

private:
  bool fail() {
    costs.missing = firstError(diagnostics);
    return false;
  }

  bool makePtx(std::string &ptx, DeviceFacts &facts) {
    setStage("while parsing and checking");
    std::unique_ptr<llvm::TargetMachine> host = hostTarget(code.lowering.optimisation);
    FrontendOptions settings = request.front;
    settings.analysis = false;
    Program program(settings, *host, stock);
    if (!program.analyse(diagnostics) || diagnostics.hasErrors())
      return fail();
    setStage("while lowering");
    Lowering lowering(program, *host, code.lowering, diagnostics);
    if (lowering.failed())
      return fail();
    if (!lowering.hasDeviceCode())
      return true;
    llvm::LLVMContext context;
    reportMessages(context, diagnostics);
    DeviceProgram device = lowerDeviceCode(lowering, context, *gpu, code);
    if (!device.module)
      return fail();
    dropCpuForms(*device.module);
    if (!optimiseDeviceCode(device, *gpu, toolkit, code, diagnostics))
      return fail();
    ptx = ptxOf(device, *gpu, code);
    facts = std::move(device.facts);
    return true;
  }

  void measure(const Toolkit &tools, const std::string &ptx, const DeviceFacts &facts) {
    setStage("while measuring kernels");
    AssemblerChoice choice;
    choice.ptxas = tools.program("ptxas");
    choice.version = fmt::format("{} {}", tools.root, tools.version);
    choice.gpu = gpu->number;
    choice.optimisation = code.device.optimisation;
    choice.maxRegisters = code.device.maxRegisters;
    choice.cache = request.cache;
    choice.keepPtx = request.keepPtx;
    addCosts(ptx, choice, costs);
    if (request.keepSass && !ptx.empty())
      addMachineCode(ptx, choice, tools.optionalProgram("nvdisasm"), costs);
    takePackedKernels(facts);
    for (KernelCost &cost : costs.kernels)
      for (const KernelFacts &kernel : facts.kernels)
        if (kernel.name == cost.symbol) {
          cost.display = kernel.display;
          cost.maxThreads = kernel.maxThreads;
          cost.minBlocks = kernel.minBlocks;
        }
  }

  // The costs of a kernel are those of the entry for arrays without gaps, if it has one.
  void takePackedKernels(const DeviceFacts &facts) {
    auto costOf = [&](const std::string &symbol) {
      return std::find_if(costs.kernels.begin(), costs.kernels.end(),
                          [&](const KernelCost &cost) { return cost.symbol == symbol; });
    };
    for (const PackedKernel &packed : facts.packed) {
      auto plain = costOf(packed.kernel), entry = costOf(packed.name);
      if (plain == costs.kernels.end() || entry == costs.kernels.end())
        continue;
      *plain = std::move(*entry);
      plain->symbol = packed.kernel;
      costs.kernels.erase(entry);
    }
  }

  const CostRequest &request;
  CodeOptions code = request.code;
  ProgramStock *stock;
  std::optional<Toolkit> toolkit;
  const Gpu *gpu = nullptr;
  Diagnostics diagnostics;
  FileCosts costs;
};

// Bindings, so that a new option is not forgotten.
constexpr auto fields = [](auto &archive, auto &r) {
  frontFields(archive, r.front);
  auto &[optimisation, debugLines, largeArrays, checkDevice, checkHost, managed, fuseHost] =
      r.code.lowering;
  archive(optimisation, debugLines, largeArrays, checkDevice, checkHost, managed, fuseHost);
  auto &[level, fastMath, lineInfo, report, maxRegisters, relocatable, fuse, flushDenormals, debug,
         large] = r.code.device;
  archive(level, fastMath, lineInfo, report, maxRegisters, relocatable, fuse, flushDenormals, debug,
          large);
  archive(r.gpu, r.cache, r.keepPtx, r.keepSass);
};

} // namespace

CostRequest costRequest(FrontendOptions front, const Options &options, int gpu) {
  CostRequest request;
  request.front = std::move(front);
  request.gpu = gpu;
  request.code = codeOptions(options);
  request.code.lowering.checkDevice = request.code.lowering.checkHost = false;
  request.code.device.debug = request.code.device.report = false;
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
