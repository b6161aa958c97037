// The order of passes, read top to bottom. The order is part of the design: most of flang's CUDA
// passes only work where they stand here.
#include "flang/Optimizer/Passes/Pipelines.h"
#include "base/diag.h"
#include "base/workarounds.h"
#include "flang/Optimizer/CodeGen/CodeGen.h"
#include "flang/Optimizer/Dialect/Support/FIRContext.h"
#include "flang/Optimizer/HLFIR/Passes.h"
#include "flang/Optimizer/OpenMP/Passes.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "flang/Optimizer/Transforms/Passes.h"
#include "lower/argument_forms.h"
#include "lower/array_assignments.h"
#include "lower/assignments_in_place.h"
#include "lower/component_assignments.h"
#include "lower/debug_variables.h"
#include "lower/debugger_word.h"
#include "lower/extremes.h"
#include "lower/local_values.h"
#include "lower/matrix_products.h"
#include "lower/mlir_state.h"
#include "lower/openmp.h"
#include "lower/section_elements.h"
#include "lower/shared_labels.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "source/language_options.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {
namespace {

using namespace mlir;

llvm::OptimizationLevel level(const LoweringOptions &options) {
  return options.optimisation == 0   ? llvm::OptimizationLevel::O0
         : options.optimisation == 1 ? llvm::OptimizationLevel::O1
         : options.optimisation == 2 ? llvm::OptimizationLevel::O2
                                     : llvm::OptimizationLevel::O3;
}

MLIRToLLVMPassPipelineConfig configuration(const LoweringOptions &options) {
  MLIRToLLVMPassPipelineConfig config(level(options));
  config.AliasAnalysis = options.optimisation > 0;
  fir::registerDefaultInlinerPass(config);
  return config;
}

void addDebugInformation(PassManager &passes, ModuleOp module, const LoweringOptions &options,
                         bool forDevice) {
  if (!options.debugLines)
    return;
  bool hasVariables = module->hasAttr(debuggerAttribute);
  fir::AddDebugInfoOptions debug;
  debug.debugLevel =
      hasVariables ? LLVM::DIEmissionKind::Full : LLVM::DIEmissionKind::LineTablesOnly;
  debug.isOptimized = options.optimisation > 0;
  debug.dwarfVersion = 4;
  if (hasVariables)
    passes.addPass(createSelectVariables(forDevice));
  passes.addPass(fir::createAddDebugInfoPass(debug));
  if (hasVariables)
    passes.addPass(createCompleteVariables());
}

// What the source's options say of its code; the module has marks of it.
constexpr const char *plainNamesAttribute = "cufc.plain_names";
constexpr const char *stackArraysAttribute = "cufc.stack_arrays";
// Larger local arrays of host code, and all whose extents are not constant, are on the heap, as
// other compilers for CUDA Fortran have them: a stack has 8 MiB.
constexpr std::size_t mostStackElements = 8192;

void markLanguage(ModuleOp module, const LanguageOptions &language) {
  UnitAttr mark = UnitAttr::get(module.getContext());
  if (!language.underscore)
    module->setAttr(plainNamesAttribute, mark);
  if (language.stackArrays)
    module->setAttr(stackArraysAttribute, mark);
}

void markForDebugger(ModuleOp module, const MacroList &macros, int optimisation) {
  UnitAttr mark = UnitAttr::get(module.getContext());
  if (!llvm::is_contained(macros, MacroList::value_type(debuggerWord, true)))
    return;
  module->setAttr(debuggerAttribute, mark);
  if (optimisation == 0)
    module->setAttr(debugTablesAttribute, mark);
}

// FIR without array operations to FIR that the LLVM conversion takes.
void addCodeGenPreparation(PassManager &passes, ModuleOp module, const LoweringOptions &options,
                           const fir::TargetRewritePassOptions &abi, bool forDevice) {
  passes.addPass(fir::createBoxedProcedurePass());
  if (options.optimisation > 0)
    passes.addPass(fir::createAddAliasTags());
  passes.addNestedPass<func::FuncOp>(fir::createAbstractResultOpt());
  passes.addNestedPass<omp::PrivateClauseOp>(fir::createAbstractResultOpt());
  passes.addNestedPass<omp::DeclareReductionOp>(fir::createAbstractResultOpt());
  passes.addNestedPass<fir::GlobalOp>(fir::createAbstractResultOpt()); // bindings of types
  fir::addCodeGenRewritePass(passes, /*preserveDeclare=*/module->hasAttr(debuggerAttribute));
  fir::addExternalNameConversionPass(passes, !module->hasAttr(plainNamesAttribute));
  addDebugInformation(passes, module, options, forDevice);
  if (forDevice)
    passes.addPass(createValueStructures());
  else if (isMade(Workaround::ValueRegisters))
    passes.addPass(createValueRegisters());
  passes.addPass(fir::createTargetRewritePass(abi));
  fir::addCompilerGeneratedNamesConversionPass(passes);
}

// Copies a pass from one list to another, as pass managers do when they copy themselves.
std::unique_ptr<Pass> copyOf(const Pass &pass) {
  struct Copier : Pass {
    using Pass::clone; // protected
  };
  return (pass.*&Copier::clone)();
}

void addFlangsConversionToFir(PassManager &passes, llvm::OptimizationLevel level) {
#if LLVM_VERSION_MAJOR >= 23
  fir::createHLFIRToFIRPassPipeline(passes, fir::EnableOpenMP::Full,
                                    MLIRToLLVMPassPipelineConfig(level));
#else
  fir::createHLFIRToFIRPassPipeline(passes, fir::EnableOpenMP::Full, level);
#endif
}

// flang's passes from HLFIR to FIR. Checks of bounds come before the last of them: designators
// still know their arrays, and no expression is left that must be free of side effects. So do
// assignments of arrays in device code, and elements of sections.
void addConversionToFir(PassManager &passes, llvm::OptimizationLevel level, bool checkBounds,
                        bool forDevice) {
  if (!checkBounds && !forDevice && level == llvm::OptimizationLevel::O0)
    return addFlangsConversionToFir(passes, level);
  PassManager conversion(passes.getContext(), ModuleOp::getOperationName(),
                         OpPassManager::Nesting::Implicit);
  addFlangsConversionToFir(conversion, level);
  for (Pass &pass : conversion.getPasses()) {
    bool last = pass.getArgument() == "convert-hlfir-to-fir";
    if (last && checkBounds)
      passes.addPass(createBoundsChecks());
    if (last && checkBounds && forDevice)
      passes.addPass(createVariableMarks());
    if (last && forDevice && isMade(Workaround::ArrayAssignments))
      passes.addNestedPass<func::FuncOp>(createInlineAssignments());
    if (last && !checkBounds)
      passes.addNestedPass<func::FuncOp>(
          createSectionElements(forDevice ? SectionKind::UnknownStrides : SectionKind::Any));
    passes.addPass(copyOf(pass));
  }
}

// Whether products and sums of host code are rounded once.
bool fusesProducts(const llvm::TargetMachine &host, const LoweringOptions &options) {
#if LLVM_VERSION_MAJOR >= 23
  const llvm::MCSubtargetInfo &processor = host.getMCSubtargetInfo();
#else
  const llvm::MCSubtargetInfo &processor = *host.getMCSubtargetInfo();
#endif
  return options.fuseHost && (!host.getTargetTriple().isX86() || processor.checkFeatures("+fma"));
}

// Expressions become one loop body each first, as flang's passes have them after this.
void addExpressions(PassManager &passes, bool fused) {
  passes.addNestedPass<func::FuncOp>(createKnownExtents());
  passes.addNestedPass<func::FuncOp>(hlfir::createExpressionSimplification());
  passes.addNestedPass<func::FuncOp>(createComponentAssignments());
  passes.addNestedPass<func::FuncOp>(createMatrixProducts(fused));
  passes.addNestedPass<func::FuncOp>(createExtremes());
  passes.addNestedPass<func::FuncOp>(hlfir::createSimplifyHLFIRIntrinsics());
  passes.addNestedPass<func::FuncOp>(hlfir::createInlineElementals());
  passes.addNestedPass<func::FuncOp>(createAssignmentsInPlace());
}

void buildDevicePipeline(PassManager &passes, ModuleOp module, const LoweringOptions &hostOptions,
                         DeviceFacts &facts, Diagnostics &diagnostics) {
  // Array operations must be inlined at every level: there is no run-time library to call.
  LoweringOptions options = hostOptions;
  options.optimisation = std::max(options.optimisation, 2);
  MLIRToLLVMPassPipelineConfig config = configuration(options);
  passes.addNestedPass<func::FuncOp>(createRealExtremes());
  if (isMade(Workaround::ArrayConstructors))
    passes.addNestedPass<func::FuncOp>(createArrayConstructors());
  if (isMade(Workaround::DerivedCopies))
    passes.addNestedPass<func::FuncOp>(createCopyDerivedTypes());
  passes.addNestedPass<func::FuncOp>(createPlaceSharedArrays());
  if (!options.checkDevice)
    passes.addNestedPass<func::FuncOp>(createKnownExtents());
  passes.addNestedPass<func::FuncOp>(createElementProducts());
  passes.addNestedPass<func::FuncOp>(createWhereLoops());
  passes.addNestedPass<func::FuncOp>(hlfir::createExpressionSimplification());
  passes.addNestedPass<func::FuncOp>(hlfir::createSimplifyHLFIRIntrinsics());
  passes.addNestedPass<func::FuncOp>(createRepeatedElements());
  addConversionToFir(passes, level(options), options.checkDevice, /*forDevice=*/true);
  if (isMade(Workaround::StackTemporaries))
    passes.addNestedPass<func::FuncOp>(createStackTemporaries());
  passes.addPass(fir::createCUFFunctionRewrite());
  passes.addNestedPass<func::FuncOp>(fir::createCUFPredefinedVarToGPU());
  fir::createDefaultFIROptimizerPassPipeline(passes, config);
  passes.addPass(createDeviceChecks(facts, diagnostics));
  passes.addPass(createGridBarrierCheck(diagnostics));
  passes.addPass(createGpuFeatureCheck(facts, diagnostics));
  if (!options.largeArrays)
    passes.addPass(createNarrowIndices());
  // Only device code calls device code, so complex and character arguments need no C convention
  // (for which flang has no rules on NVPTX).
  fir::TargetRewritePassOptions abi;
  abi.noCharacterConversion = abi.noComplexConversion = true;
  addCodeGenPreparation(passes, module, options, abi, /*forDevice=*/true);
  passes.addPass(createDeviceLowering());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

void buildHostPipeline(PassManager &passes, ModuleOp module, const LoweringOptions &options,
                       const llvm::TargetMachine &host, Diagnostics &diagnostics) {
  MLIRToLLVMPassPipelineConfig config = configuration(options);
  config.StackArrays = module->hasAttr(stackArraysAttribute);
  config.LoopVersioning = options.optimisation > 2; // a copy of loops for arrays without gaps
  passes.addPass(createHostStubs());
  if (options.optimisation > 0 && isMade(Workaround::ArrayConstructors))
    passes.addNestedPass<func::FuncOp>(createArrayConstructors());
  if (options.optimisation > 1 && !options.checkHost && !options.managed)
    addExpressions(passes, fusesProducts(host, options));
  addConversionToFir(passes, level(options), options.checkHost, /*forDevice=*/false);
  if (options.optimisation > 0 && isMade(Workaround::StackTemporaries))
    passes.addNestedPass<func::FuncOp>(createStackTemporaries());
  passes.addPass(fir::createCUFFunctionRewrite());
  passes.addNestedPass<func::FuncOp>(fir::createCUFPredefinedVarToGPU());
  passes.addPass(createLowerLaunches(diagnostics));
  passes.addPass(fir::createCUFAllocationConversion());
  passes.addPass(fir::createCUFOpConversion());
#if LLVM_VERSION_MAJOR >= 23
  passes.addPass(createConstantAddresses());
  passes.addPass(fir::createCUFOpConversionLate()); // addresses of module data, which the pass
                                                    // before made in 22
#endif
  passes.addPass(createArgumentForms());
  if (isMade(Workaround::SharedLabels))
    passes.addPass(createSharedLabels(!module->hasAttr(plainNamesAttribute)));
  if (!config.StackArrays)
    passes.addNestedPass<func::FuncOp>(fir::createMemoryAllocationOpt({true, mostStackElements}));
  fir::createDefaultFIROptimizerPassPipeline(passes, config);
  addCodeGenPreparation(passes, module, options, {}, /*forDevice=*/false);
  passes.addNestedPass<func::FuncOp>(flangomp::createLowerNontemporalPass());
  passes.addPass(createHostLowering());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

} // namespace

Lowering::Lowering(Program &program, const llvm::TargetMachine &host,
                   const LoweringOptions &options, Diagnostics &diagnostics)
    : options(options), diagnostics(diagnostics), host(host) {
  state = lowerToHlfir(program, host, diagnostics);
  if (!state->module)
    return;
  markLanguage(*state->module, languageIn(program.options().macros));
  markForDebugger(*state->module, program.options().macros, options.optimisation);
  if (isMade(Workaround::PrivateDeviceData))
    placePrivateDeviceData(*state->module);
  if (isMade(Workaround::ModuleAddresses))
    addressModuleData(*state->module);
  if (isMade(Workaround::KeptAllocations))
    keepAllocations(*state->module);
  if (isMade(Workaround::UnusedVariables))
    dropUnusedVariables(*state->module);
  initialiseLocals(*state->module, languageIn(program.options().macros).initial);
  if (isMade(Workaround::ShiftedArrays))
    repairShifts(*state->module);
  computeOnDevice(*state->module);
  if (!outlineCufKernels(*state->module, diagnostics) ||
      (isMade(Workaround::OwnDescriptors) && !passOwnDescriptors(*state->module, diagnostics)))
    return;
  if (isMade(Workaround::InlineInitialisation)) // in the kernels that CUF kernels have become
    initialiseInline(*state->module);
  if (isMade(Workaround::HostReads))
    copyHostReads(*state->module, cuf::ProcAttribute::Host);
  if (isMade(Workaround::DeviceObjects))
    lowerDeviceObjects(*state->module, options.managed, diagnostics);
  if (isMade(Workaround::ManagedComponents))
    moveManagedComponents(*state->module);
  lowerTransfers(*state->module, cuf::ProcAttribute::Host);
  if (isMade(Workaround::DeviceStorage))
    lowerDeviceStorage(*state->module);
  if (isMade(Workaround::ManagedArguments))
    manageArguments(*state->module);
  if (isMade(Workaround::ValueArguments))
    markValueArguments(*state->module);
  facts = collectDeviceFacts(*state->module);
  good = !diagnostics.hasErrors();
}

Lowering::~Lowering() = default;

std::string Lowering::hlfirText() const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  state->module->print(stream);
  return text;
}

namespace {

// OpenMP constructs of host code before they become FIR. DO CONCURRENT becomes PARALLEL DO here,
// when device code has gone its own way.
void addOpenmp(PassManager &passes, ModuleOp module) {
  using Mapping = Fortran::frontend::CodeGenOptions::DoConcurrentMappingKind;
  bool threads = module->hasAttr(threadsAttribute);
  if (threads || module->hasAttr("omp.version"))
    fir::createOpenMPFIRPassPipeline(
        passes, {/*isTargetDevice=*/false, threads ? Mapping::DCMK_Host : Mapping::DCMK_None});
}

void retarget(ModuleOp module, const llvm::TargetMachine &target) {
  for (const char *name : {"llvm.data_layout", "dlti.dl_spec", "fir.target_cpu", "fir.tune_cpu",
                           "fir.target_features"})
    module->removeAttr(name);
  fir::setTargetTriple(module, target.getTargetTriple().str());
  fir::support::setMLIRDataLayout(module, target.createDataLayout());
}

std::unique_ptr<llvm::Module> translate(ModuleOp module, llvm::LLVMContext &context,
                                        const llvm::TargetMachine &target,
                                        Diagnostics &diagnostics) {
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(module, context);
  if (!result) {
    diagnostics.report(Diag::LoweringFailed, {}, std::string("while translating to LLVM IR"),
                       std::string("no module"));
    return nullptr;
  }
  result->setTargetTriple(target.getTargetTriple());
  result->setDataLayout(target.createDataLayout());
  return result;
}

// What the passes make is verified once: to do so after each takes 6 % of the time of a
// compilation.
LogicalResult runVerified(PassManager &passes, ModuleOp module) {
  passes.enableVerifier(false);
  return success(succeeded(passes.run(module)) && succeeded(mlir::verify(module)));
}

} // namespace

void registerMlirOptions() {
  // By name, for --mlir-print-ir-after=convert-hlfir-to-fir.
  hlfir::registerHLFIRPasses();
  fir::registerOptTransformPasses();
  fir::registerOptCodeGenPasses();
  mlir::registerMLIRContextCLOptions();
  mlir::registerPassManagerCLOptions();
}

std::unique_ptr<llvm::Module> Lowering::lowerDevice(llvm::LLVMContext &context,
                                                    const llvm::TargetMachine &device) {
  OwningOpRef<ModuleOp> module(state->module->clone());
  assignTransfers(*module);
  keepDeviceCode(*module);
  if (isMade(Workaround::ThreadIndices))
    completeThreadIndices(*module);
  retarget(*module, device);
  PassManager passes((*module)->getName(), OpPassManager::Nesting::Implicit);
  (void)mlir::applyPassManagerCLOptions(passes); // -mmlir
  buildDevicePipeline(passes, *module, options, facts, diagnostics);
  if (mlir::failed(runVerified(passes, *module))) {
    if (!diagnostics.hasErrors())
      diagnostics.report(Diag::LoweringFailed, {}, std::string("in a pass over device code"),
                         std::string("no message"));
    return nullptr;
  }
  return translate(*module, context, device, diagnostics);
}

std::unique_ptr<llvm::Module> Lowering::lowerHost(llvm::LLVMContext &context) {
  if (isMade(Workaround::HostReads))
    copyHostReads(*state->module, cuf::ProcAttribute::HostDevice);
  lowerTransfers(*state->module, cuf::ProcAttribute::HostDevice);
  if (options.optimisation > 1)
    reorderReductions(*state->module);
  queueChunks(*state->module);
  if (isMade(Workaround::UncheckedAllocations))
    checkAllocations(*state->module);
  PassManager passes((*state->module)->getName(), OpPassManager::Nesting::Implicit);
  (void)mlir::applyPassManagerCLOptions(passes);
  addOpenmp(passes, *state->module);
  buildHostPipeline(passes, *state->module, options, host, diagnostics);
  if (mlir::failed(runVerified(passes, *state->module))) {
    if (!diagnostics.hasErrors())
      diagnostics.report(Diag::LoweringFailed, {}, std::string("in a pass over host code"),
                         std::string("no message"));
    return nullptr;
  }
  return translate(*state->module, context, host, diagnostics);
}

} // namespace cufc
