// cufc-opt: runs single passes on MLIR text, for tests (tests/passes) and for looking at one of
// them.
//
//   cufc-opt --cufc-shifted-arrays a.mlir
//
// It knows the passes of cufc, those of flang that stand between them, and MLIR's, with the options
// of mlir-opt. Steps that run before the pass managers (Lowering in pipelines.cpp) are passes here.
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/HLFIR/Passes.h"
#include "flang/Optimizer/Support/InitFIR.h"
#include "flang/Optimizer/Transforms/Passes.h"
#include "lower/argument_forms.h"
#include "lower/array_assignments.h"
#include "lower/device_procedures.h"
#include "lower/local_values.h"
#include "lower/mlir_state.h"
#include "lower/openmp.h"
#include "lower/shared_labels.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

namespace cufc {
namespace {

using namespace mlir;

// A step that is a function of the module.
struct Step {
  const char *name, *description;
  void (*run)(ModuleOp, Diagnostics &);
};

constexpr Step steps[] = {
    {"cufc-private-device-data", "private copies of device data get memory of the device",
     [](ModuleOp module, Diagnostics &) { placePrivateDeviceData(module); }},
    {"cufc-device-addresses", "c_devloc of module data gives its device address",
     [](ModuleOp module, Diagnostics &) { addressModuleData(module); }},
    {"cufc-unused-variables", "drops what a procedure declares and does not use",
     [](ModuleOp module, Diagnostics &) { dropUnusedVariables(module); }},
    {"cufc-local-values", "local variables begin with zero",
     [](ModuleOp module, Diagnostics &) { initialiseLocals(module, {"zero", "0", "false"}); }},
    {"cufc-shifted-arrays", "CSHIFT counts from 1",
     [](ModuleOp module, Diagnostics &) { repairShifts(module); }},
    {"cufc-device-intrinsics", "array intrinsics of device data become CUF kernels",
     [](ModuleOp module, Diagnostics &) { computeOnDevice(module); }},
    {"cufc-outline-kernels", "CUF kernels become kernels and launches",
     [](ModuleOp module, Diagnostics &found) { outlineCufKernels(module, found); }},
    {"cufc-own-descriptors", "routines that allocate get the caller's own descriptor",
     [](ModuleOp module, Diagnostics &found) { passOwnDescriptors(module, found); }},
    {"cufc-initialise-inline", "device procedures store the initial values of components",
     [](ModuleOp module, Diagnostics &) { initialiseInline(module); }},
    {"cufc-host-reads", "device data that host code reads is copied to the host",
     [](ModuleOp module, Diagnostics &) { copyHostReads(module, cuf::ProcAttribute::Host); }},
    {"cufc-device-objects", "host code handles device objects by the runtime",
     [](ModuleOp module, Diagnostics &found) { lowerDeviceObjects(module, false, found); }},
    {"cufc-managed-components", "managed components are moved to managed memory",
     [](ModuleOp module, Diagnostics &) { moveManagedComponents(module); }},
    {"cufc-transfer-forms", "transfers get variables on both sides",
     [](ModuleOp module, Diagnostics &) { normaliseTransfers(module); }},
    {"cufc-transfers", "transfers become calls of the runtime",
     [](ModuleOp module, Diagnostics &) { lowerTransfers(module, cuf::ProcAttribute::Host); }},
    {"cufc-device-storage", "memory of device variables comes from the runtime",
     [](ModuleOp module, Diagnostics &) { lowerDeviceStorage(module); }},
    {"cufc-managed-arguments", "expressions for managed dummies get managed memory",
     [](ModuleOp module, Diagnostics &) { manageArguments(module); }},
    {"cufc-value-arguments", "marks what is passed by value",
     [](ModuleOp module, Diagnostics &) { markValueArguments(module); }},
    {"cufc-assign-transfers", "transfers of device code are assignments",
     [](ModuleOp module, Diagnostics &) { assignTransfers(module); }},
    {"cufc-keep-device-code", "only device procedures and what they reach remain",
     [](ModuleOp module, Diagnostics &) { keepDeviceCode(module); }},
    {"cufc-device-repairs", "mends what flang lowers wrongly for devices",
     [](ModuleOp module, Diagnostics &) { repairDeviceCode(module); }},
    {"cufc-thread-indices", "threadIdx and its like as whole values",
     [](ModuleOp module, Diagnostics &) { completeThreadIndices(module); }},
    {"cufc-allocation-checks", "ALLOCATE and DEALLOCATE without STAT= look whether they may",
     [](ModuleOp module, Diagnostics &) { checkAllocations(module); }},
    {"cufc-openmp-reductions", "additions of reductions may be done in any order",
     [](ModuleOp module, Diagnostics &) { reorderReductions(module); }},
    {"cufc-openmp-schedules", "chunks of loops come from one queue",
     [](ModuleOp module, Diagnostics &) { queueChunks(module); }},
};

struct StepPass : PassWrapper<StepPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepPass)
  explicit StepPass(const Step &step) : step(step) {}
  llvm::StringRef getArgument() const override { return step.name; }
  llvm::StringRef getDescription() const override { return step.description; }
  void runOnOperation() override {
    Diagnostics found;
    step.run(getOperation(), found);
    bool failed = found.hasErrors();
    found.flush();
    if (failed)
      signalPassFailure();
  }
  const Step &step;
};

// What passes collect beside the module, and have no reader here.
DeviceFacts facts;
Diagnostics diagnostics;

void registerPasses() {
  for (const Step &step : steps)
    registerPass([&step] { return std::make_unique<StepPass>(step); });
  registerPass([] { return createCopyDerivedTypes(); });
  registerPass([] { return createPlaceSharedArrays(); });
  registerPass([] { return createInlineAssignments(); });
  registerPass([] { return createRealExtremes(); });
  registerPass([] { return createArrayConstructors(); });
  registerPass([] { return createElementProducts(); });
  registerPass([] { return createWhereLoops(); });
  registerPass([] { return createRepeatedElements(); });
  registerPass([] { return createKnownExtents(); });
  registerPass([] { return createStackTemporaries(); });
  registerPass([] { return createValueStructures(); });
  registerPass([] { return createValueRegisters(); });
  registerPass([] { return createBoundsChecks(); });
  registerPass([] { return createNarrowIndices(); });
  registerPass([] { return createArgumentForms(); });
  registerPass([] { return createSharedLabels(/*underscore=*/true); });
  registerPass([] { return createHostStubs(); });
  registerPass([] { return createLowerLaunches(diagnostics); });
  registerPass([] { return createDeviceChecks(facts, diagnostics); });
  registerPass([] { return createGridBarrierCheck(diagnostics); });
  registerPass([] { return createGpuFeatureCheck(facts, diagnostics); });
  registerPass([] { return createDeviceLowering(); });
  registerPass([] { return createHostLowering(); });
}

} // namespace
} // namespace cufc

int main(int count, char **arguments) {
  fir::support::registerMLIRPassesForFortranTools();
  hlfir::registerHLFIRPasses();
  fir::registerOptTransformPasses();
  fir::registerOptCodeGenPasses();
  cufc::registerPasses();
  mlir::DialectRegistry registry;
  fir::support::registerDialects(registry);
  fir::support::addFIRExtensions(registry);
  bool good = mlir::succeeded(
      mlir::MlirOptMain(count, arguments, "cufc-opt: single passes of cufc\n", registry));
  bool said = cufc::diagnostics.hasErrors();
  cufc::diagnostics.flush(); // warnings and errors of checks, on stderr
  return good && !said ? 0 : 1;
}
