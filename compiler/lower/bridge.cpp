// flang's lowering bridge: parse tree to HLFIR. The only file of lower/ that includes flang's
// front-end headers.
#include "flang/Lower/Bridge.h"
#include "base/diag.h"
#include "base/flang_phrases.h"
#include "base/workarounds.h"
#include "flang/Frontend/CodeGenOptions.h"
#include "flang/Frontend/TargetOptions.h"
#include "flang/Lower/Support/Verifier.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/InitFIR.h"
#include "flang/Tools/CrossToolHelpers.h"
#include "frontend/flang_program.h"
#include "frontend/flang_setup.h"
#include "lower/data_location.h"
#include "lower/mlir_state.h"
#include "lower/openmp.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "source/language_options.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {

SourceRange toSourceRange(mlir::Location location) {
  SourceRange range;
  location->walk([&](mlir::Location part) {
    auto place = mlir::dyn_cast<mlir::FileLineColRange>(part);
    if (!place)
      return mlir::WalkResult::advance();
    range = {place.getFilename().str(), static_cast<int>(place.getStartLine()),
             static_cast<int>(place.getStartColumn()), static_cast<int>(place.getStartLine()),
             static_cast<int>(place.getStartColumn()) + 1};
    return mlir::WalkResult::interrupt();
  });
  return range;
}

namespace {

// "…/ConvertExpr.cpp:12: not yet implemented: X" is a gap of flang's lowering; everything else that
// MLIR reports is a bug.
mlir::LogicalResult report(mlir::Diagnostic &message, Diagnostics &diagnostics) {
  if (message.getSeverity() != mlir::DiagnosticSeverity::Error)
    return mlir::success();
  std::string text = message.str();
  SourceRange range = toSourceRange(message.getLocation());
  if (isPhrase(text, Phrase::NotImplemented))
    diagnostics.report(Diag::NotImplemented, range, inPhrase(text, Phrase::NotImplemented, 1));
  else if (isPhrase(text, Phrase::MultiImage))
    diagnostics.report(Diag::NotImplemented, range, std::string("coarrays and images"));
  else if (!diagnostics.hasErrors()) // an error before it says enough
    diagnostics.report(Diag::LoweringFailed, range, std::string("while lowering"), text);
  return mlir::success();
}

std::unique_ptr<MlirState> makeState() {
  auto state = std::make_unique<MlirState>();
  mlir::DialectRegistry registry;
  fir::support::registerDialects(registry);
  fir::support::addFIRExtensions(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  state->context =
      std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  fir::support::loadDialects(*state->context);
  fir::support::registerLLVMTranslation(*state->context);
  return state;
}

// "m::p::t%component" of a component of a derived type, as fir::NameUniquer names the type: without
// the name of a main program.
std::string componentKey(const Fortran::semantics::Symbol &component,
                         const Fortran::semantics::Scope &type) {
  std::string key = type.symbol()->name().ToString() + "%" + component.name().ToString();
  for (const auto *scope = &type.parent(); !scope->IsGlobal(); scope = &scope->parent())
    if (scope->kind() == Fortran::semantics::Scope::Kind::MainProgram)
      key = "::" + key;
    else if (const Fortran::semantics::Symbol *symbol = scope->symbol())
      key = symbol->name().ToString() + "::" + key;
  return key;
}

void collectComponents(const Fortran::semantics::Scope &scope,
                       std::vector<mlir::NamedAttribute> &found, mlir::MLIRContext &context) {
  if (scope.IsDerivedType() && scope.symbol())
    for (const auto &[name, component] : scope)
      if (const auto *object = component->detailsIf<Fortran::semantics::ObjectEntityDetails>();
          object && object->cudaDataAttr())
        found.emplace_back(mlir::StringAttr::get(&context, componentKey(*component, scope)),
                           cuf::getDataAttribute(&context, object->cudaDataAttr()));
  for (const Fortran::semantics::Scope &child : scope.children())
    collectComponents(child, found, context);
}

// The numbers that managedBindingsAttribute has for a procedure; none if it takes no managed data.
std::vector<int32_t> managedDummies(const Fortran::semantics::Symbol &procedure) {
  const auto *details = procedure.GetUltimate().detailsIf<Fortran::semantics::SubprogramDetails>();
  if (!details)
    return {};
  std::vector<int32_t> numbers{static_cast<int32_t>(details->dummyArgs().size())};
  for (auto [number, dummy] : llvm::enumerate(details->dummyArgs()))
    if (dummy &&
        Fortran::semantics::GetCUDADataAttr(dummy) == Fortran::common::CUDADataAttr::Managed)
      numbers.push_back(static_cast<int32_t>(number));
  return numbers.size() > 1 ? numbers : std::vector<int32_t>();
}

void collectBindings(const Fortran::semantics::Scope &scope,
                     std::vector<mlir::NamedAttribute> &found, mlir::MLIRContext &context) {
  if (scope.IsDerivedType() && scope.symbol())
    for (const auto &[name, component] : scope)
      if (const auto *binding = component->detailsIf<Fortran::semantics::ProcBindingDetails>())
        if (auto numbers = managedDummies(binding->symbol()); !numbers.empty())
          found.emplace_back(mlir::StringAttr::get(&context, componentKey(*component, scope)),
                             mlir::DenseI32ArrayAttr::get(&context, numbers));
  for (const Fortran::semantics::Scope &child : scope.children())
    collectBindings(child, found, context);
}

// FIR's derived types do not say which components are on the device, nor what bound procedures
// take; attributes of the module do.
void recordComponents(mlir::ModuleOp module, Fortran::semantics::SemanticsContext &semantics) {
  auto record = [&](const char *name, auto collect) {
    std::vector<mlir::NamedAttribute> found;
    collect(semantics.globalScope(), found, *module.getContext());
    if (!found.empty())
      module->setAttr(name, mlir::DictionaryAttr::get(module.getContext(), found));
  };
  record(componentsAttribute, collectComponents);
  record(managedBindingsAttribute, collectBindings);
}

} // namespace

std::unique_ptr<MlirState> lowerToHlfir(Program &program, const llvm::TargetMachine &host,
                                        Diagnostics &diagnostics) {
  FlangProgram &flang = program.flang();
  Fortran::semantics::SemanticsContext &semantics = *flang.context;
  std::unique_ptr<MlirState> state = makeState();
  fir::KindMapping kinds(state->context.get());
  Fortran::lower::LoweringOptions options;
  options.setComplexDivisionToRuntime(false);
  const LanguageOptions language = languageIn(program.options().macros);
  options.setReallocateLHS(language.reallocate);
  options.setUnderscoring(language.underscore);
  // The main program sets what its environment leaves open.
  std::vector<Fortran::lower::EnvironmentDefault> environment;
  if (!language.conversion.empty())
    environment.push_back({"FORT_CONVERT", language.conversion});
  Fortran::frontend::TargetOptions targetOptions;
  Fortran::frontend::CodeGenOptions codeGenOptions;
  auto bridge = Fortran::lower::LoweringBridge::create(
      *state->context, semantics, flang.kinds, semantics.intrinsics(),
      semantics.targetCharacteristics(), flang.cooked, host.getTargetTriple().str(), kinds, options,
      environment, semantics.languageFeatures(), host, targetOptions, codeGenOptions);
  // After `create`, which installs a handler that prints.
  state->handler = std::make_unique<mlir::ScopedDiagnosticHandler>(
      state->context.get(),
      [&](mlir::Diagnostic &message) { return report(message, diagnostics); });
  if (int version = flang.languageOptions.OpenMPVersion) { // lowering looks at it
#if LLVM_VERSION_MAJOR >= 23
    mlir::omp::setOffloadModuleInterfaceAttributes(bridge.getModule(),
                                                   makeOffloadModuleOpts(flang.languageOptions));
    mlir::omp::setOpenMPVersionAttribute(bridge.getModule(), version);
#else
    setOffloadModuleInterfaceAttributes(bridge.getModule(), flang.languageOptions);
    setOpenMPVersionAttribute(bridge.getModule(), version);
#endif
  }
  if (usesThreads(program.options()))
    bridge.getModule()->setAttr(threadsAttribute, mlir::UnitAttr::get(state->context.get()));
  bridge.lower(*flang.parsing->parseTree(), semantics);
  state->module = bridge.getModuleAndRelease();
  recordComponents(*state->module, semantics);
  if (isMade(Workaround::TransferForms))
    normaliseTransfers(*state->module);
  if (isMade(Workaround::InlineInitialisation))
    initialiseInline(*state->module);
  mlir::PassManager verify(state->context.get());
  verify.addPass(std::make_unique<Fortran::lower::VerifierPass>());
  if (mlir::failed(verify.run(*state->module)) || diagnostics.hasErrors())
    state->module = nullptr;
  return state;
}

} // namespace cufc
