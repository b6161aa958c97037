// The device's share of a module: which functions and data it is made of, what the code generator
// must know of them, and the checks of what they may use.
#include "base/diag.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/FIRContext.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/device_procedures.h"
#include "lower/display_name.h"
#include "lower/mlir_state.h"
#include "lower/spread_loops.h"
#include "lower/unsupported_calls.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "llvm/ADT/SetVector.h"

namespace cufc {

std::string displayName(llvm::StringRef symbol) {
  if (symbol == fir::NameUniquer::doProgramEntry())
    return "main program";
  auto [kind, names] = fir::NameUniquer::deconstruct(symbol);
  if (kind == fir::NameUniquer::NameKind::NOT_UNIQUED)
    return symbol.str();
  std::string text;
  for (const std::string &part : names.modules)
    text += part + "::";
  for (const std::string &part : names.procs)
    if (!part.empty()) // a main program without a name
      text += part + "::";
  return text + names.name;
}

namespace {

using namespace mlir;

// The symbol that flang's pass for external names will give the function: k_ for _QPk.
std::string finalSymbol(func::FuncOp function) {
  auto name = fir::NameUniquer::deconstruct(function.getSymName());
  return fir::NameUniquer::isExternalFacingUniquedName(name) ? name.second.name + "_"
                                                             : function.getSymName().str();
}

void readLaunchBounds(func::FuncOp function, KernelFacts &facts) {
  auto bounds = function->getAttrOfType<cuf::LaunchBoundsAttr>(cuf::getLaunchBoundsAttrName());
  if (!bounds)
    return;
  facts.maxThreads = static_cast<int>(bounds.getMaxTPB().getInt());
  facts.minBlocks = static_cast<int>(bounds.getMinBPM().getInt());
  if (IntegerAttr cluster = bounds.getUpperBoundClusterSize())
    facts.maxClusterBlocks = static_cast<int>(cluster.getInt());
}

// Procedures and data that other files may use: those of modules, and external procedures.
bool isVisibleElsewhere(llvm::StringRef symbol) {
  auto [kind, names] = fir::NameUniquer::deconstruct(symbol);
  if (kind == fir::NameUniquer::NameKind::VARIABLE)
    return !names.modules.empty() && names.procs.empty();
  return names.procs.empty();
}

// Of an element of an array whose elements all have the size of its declared type; 0 for others.
uint32_t elementBytes(Operation *at, Type type) {
  auto array = dyn_cast<fir::SequenceType>(fir::unwrapRefType(type));
  if (auto box = dyn_cast<fir::BaseBoxType>(fir::unwrapRefType(type))) // by value for a kernel
    array = dyn_cast<fir::SequenceType>(fir::unwrapRefType(box.getEleTy()));
  if (!array || array.hasUnknownShape() || fir::hasDynamicSize(array.getEleTy()) ||
      fir::isPolymorphicType(type))
    return 0;
  auto module = at->getParentOfType<ModuleOp>();
  std::optional<DataLayout> layout = fir::support::getOrSetMLIRDataLayout(module, true);
  auto size = fir::getTypeSizeAndAlignment(at->getLoc(), array.getEleTy(), *layout,
                                           fir::KindMapping(module.getContext()));
  return size ? static_cast<uint32_t>(llvm::alignTo(size->first, size->second)) : 0;
}

KernelFacts kernelFacts(func::FuncOp function) {
  KernelFacts facts;
  facts.name = finalSymbol(function);
  auto display = function->getAttrOfType<StringAttr>(displayAttribute);
  facts.display = display ? display.str() : displayName(function.getSymName());
  for (Type argument : function.getArgumentTypes())
    facts.arguments.emplace_back().elementBytes = elementBytes(function, argument);
  function.walk([&](hlfir::DeclareOp declare) {
    auto argument = dyn_cast<BlockArgument>(declare.getMemref());
    if (!argument || argument.getOwner() != &function.front())
      return;
    auto attributes = declare.getFortranAttrs().value_or(fir::FortranVariableFlagsEnum::None);
    auto has = [&](fir::FortranVariableFlagsEnum flag) {
      return fir::bitEnumContainsAny(attributes, flag);
    };
    KernelArgumentFacts &fact = facts.arguments[argument.getArgNumber()];
    fact.readOnly = has(fir::FortranVariableFlagsEnum::intent_in);
    fact.mayAlias =
        has(fir::FortranVariableFlagsEnum::target) || has(fir::FortranVariableFlagsEnum::pointer);
  });
  readLaunchBounds(function, facts);
  return facts;
}

KernelArgumentFacts describedArray(fir::GlobalOp global) {
  KernelArgumentFacts facts;
  if (auto box = dyn_cast<fir::BaseBoxType>(global.getType())) {
    facts.elementBytes = elementBytes(global, box);
    facts.mayAlias = isa<fir::PointerType>(box.getEleTy()) || global.getTargetAttr();
  }
  return facts;
}

std::optional<DeviceVariableKind> variableKind(fir::GlobalOp global) {
  if (!global.getDataAttr() || !global.isInitialized())
    return std::nullopt;
  // The descriptor of a managed allocatable is an ordinary device variable.
  if (isa<fir::BaseBoxType>(global.getType()) &&
      *global.getDataAttr() != cuf::DataAttribute::Pinned)
    return DeviceVariableKind::Device;
  switch (*global.getDataAttr()) {
  case cuf::DataAttribute::Device:
    return DeviceVariableKind::Device;
  case cuf::DataAttribute::Constant:
    return DeviceVariableKind::Constant;
  case cuf::DataAttribute::Managed:
  case cuf::DataAttribute::Unified:
    return DeviceVariableKind::Managed;
  default:
    return std::nullopt;
  }
}

// Everything that device procedures reach, themselves included.
llvm::SetVector<Operation *> reachable(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> found;
  for (auto function : module.getOps<func::FuncOp>())
    if (isDeviceProcedure(function))
      found.insert(function);
  for (auto global : module.getOps<fir::GlobalOp>())
    if (variableKind(global))
      found.insert(global);
  for (size_t i = 0; i < found.size(); ++i)
    found[i]->walk([&](Operation *op) {
      for (NamedAttribute attribute : op->getAttrs())
        attribute.getValue().walk([&](SymbolRefAttr symbol) {
          if (Operation *target = symbols.lookup(symbol.getLeafReference()))
            found.insert(target);
        });
    });
  return found;
}

// Only the host launches kernels, so device code needs no declarations of them.
bool isKernelOfOtherFile(Operation &op) {
  auto function = dyn_cast<func::FuncOp>(op);
  return function && isKernel(function) && function.isDeclaration();
}

struct DeviceChecks : PassWrapper<DeviceChecks, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeviceChecks)
  DeviceChecks(DeviceFacts &facts, Diagnostics &diagnostics)
      : facts(facts), diagnostics(diagnostics) {}
  llvm::StringRef getArgument() const override { return "cufc-device-checks"; }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Operation *op) {
        if (auto address = dyn_cast<fir::AddrOfOp>(op))
          checkData(symbols, address);
        else if (auto call = dyn_cast<fir::CallOp>(op))
          checkCall(symbols, call);
      });
    // flang's code generator places constants by this attribute, but not those of other files.
    for (auto global : getOperation().getOps<fir::GlobalOp>())
      if (!global.isInitialized() && global.getDataAttr() == cuf::DataAttribute::Constant)
        global.removeDataAttrAttr();
    if (diagnostics.hasErrors())
      signalPassFailure();
  }

  // flang declares every module variable in scope; one that is only declared is not used.
  static Operation *firstUse(Operation *op) {
    for (Operation *user : op->getUsers()) {
      if (!isa<fir::DeclareOp, fir::EmboxOp, fir::ReboxOp, fir::ConvertOp, fir::CoordinateOp>(user))
        return user;
      if (Operation *use = firstUse(user))
        return use;
    }
    return nullptr;
  }

  void checkData(SymbolTable &symbols, fir::AddrOfOp address) {
    auto global = symbols.lookup<fir::GlobalOp>(address.getSymbol().getLeafReference());
    if (!global || global.getConstant() || !firstUse(address))
      return;
    llvm::StringRef name = global.getSymName();
    if (name.contains("__builtin_"))
      return;
    if (!global.getDataAttr())
      report(Diag::DeviceUsesHostData, firstUse(address), displayName(name));
    else if (!global.isInitialized())
      importData(global, firstUse(address));
  }

  void checkCall(SymbolTable &symbols, fir::CallOp call) {
    if (!call.getCallee())
      return;
    llvm::StringRef name = call.getCallee()->getLeafReference().getValue();
    auto callee = symbols.lookup<func::FuncOp>(name);
    bool onDevice = callee && isDeviceProcedure(callee);
    if (std::string part = unprintablePart(call); !part.empty())
      return report(Diag::DevicePrint, call, part);
    // One input or output statement is several calls; the first stands for it.
    if (hasDeviceVersion(name) || continuesStatement(name))
      return;
    if (onDevice && callee.isDeclaration())
      addImport(
          {finalSymbol(callee), displayName(name), true, false, toSourceRange(call->getLoc())});
    else if (onDevice)
      return;
    else if (std::string source = sourceName(name); !source.empty())
      report(Diag::DeviceUnsupportedCall, call, source);
    else
      report(Diag::DeviceCallsHost, call, displayName(name));
  }

  void importData(fir::GlobalOp global, Operation *use) {
    std::string name = global.getSymName().str();
    bool isConstant = global.getDataAttr() == cuf::DataAttribute::Constant;
    addImport({name, displayName(name), false, isConstant, toSourceRange(use->getLoc())});
  }

  void addImport(DeviceImport import) {
    auto isSame = [&](const DeviceImport &other) { return other.name == import.name; };
    if (std::none_of(facts.imports.begin(), facts.imports.end(), isSame))
      facts.imports.push_back(std::move(import));
  }

  void report(DiagnosticId<Text> id, Operation *op, const std::string &name) {
    diagnostics.report(id, toSourceRange(op->getLoc()), name);
  }

  DeviceFacts &facts;
  Diagnostics &diagnostics;
};

} // namespace

DeviceFacts collectDeviceFacts(ModuleOp module) {
  DeviceFacts facts;
  facts.hasExtendedReals = !fir::getTargetTriple(module).isAArch64();
  llvm::StringMap<std::vector<BlockSize>> launched = launchedBlocks(module);
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(cpuFormAttribute))
      continue;
    else if (isKernel(function) && !function.isDeclaration()) {
      facts.kernels.push_back(kernelFacts(function));
      facts.kernels.back().launchedBlocks = launched.lookup(function.getSymName());
    } else if (isDeviceProcedure(function) && !function.isDeclaration() &&
               isVisibleElsewhere(function.getSymName()))
      facts.procedures.push_back(finalSymbol(function));
  for (auto global : module.getOps<fir::GlobalOp>())
    if (auto kind = variableKind(global))
      facts.variables.push_back({global.getSymName().str(), *kind,
                                 isVisibleElsewhere(global.getSymName()), describedArray(global)});
  return facts;
}

// The descriptor of a Cray pointee is in the thread's own memory, wherever that is what it points
// to.
void keepPointeeDescriptors(ModuleOp module) {
  llvm::SmallVector<cuf::AllocOp> descriptors;
  module.walk([&](hlfir::DeclareOp declare) {
    auto attributes = declare.getFortranAttrs();
    if (auto alloc = declare.getMemref().getDefiningOp<cuf::AllocOp>();
        alloc && attributes &&
        bitEnumContainsAny(*attributes, fir::FortranVariableFlagsEnum::cray_pointee))
      descriptors.push_back(alloc);
  });
  for (cuf::AllocOp alloc : descriptors) {
    OpBuilder builder(alloc);
    Value memory = fir::AllocaOp::create(builder, alloc.getLoc(), alloc.getInType());
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      if (isa<cuf::FreeOp>(user))
        user->erase();
    alloc.getPtr().replaceAllUsesWith(memory);
    alloc.erase();
  }
}

// flang names the thread's copy of every THREADPRIVATE variable in scope, used or not. Device code
// has no such copies: a use is one of the host's variable, and an error.
static void dropThreadCopies(ModuleOp module) {
  llvm::SmallVector<omp::ThreadprivateOp> copies;
  module.walk([&](omp::ThreadprivateOp copy) { copies.push_back(copy); });
  for (omp::ThreadprivateOp copy : copies) {
    copy.getResult().replaceAllUsesWith(copy.getSymAddr());
    copy.erase();
  }
}

void keepDeviceCode(ModuleOp module) {
  llvm::SetVector<Operation *> kept = reachable(module);
  for (Operation &op : llvm::make_early_inc_range(module.getBody()->getOperations()))
    if (isa<func::FuncOp, fir::GlobalOp, omp::PrivateClauseOp, omp::DeclareReductionOp>(op) &&
        (!kept.contains(&op) || isKernelOfOtherFile(op)))
      op.erase();
  // Data comes first: flang's code generator takes the address space from what it has converted.
  llvm::SmallVector<fir::GlobalOp> globals(module.getOps<fir::GlobalOp>());
  for (fir::GlobalOp global : llvm::reverse(globals))
    global->moveBefore(&module.getBody()->front());
  dropThreadCopies(module);
  repairDeviceCode(module);
  keepPointeeDescriptors(module);
  // Descriptors live in the threads' own memory here: drop the host's notion of where data lies.
  module.walk([](hlfir::DeclareOp declare) { declare.removeDataAttrAttr(); });
  for (auto function : module.getOps<func::FuncOp>()) {
    if (isKernel(function) && !function.isDeclaration())
      function->setAttr(kernelAttribute, UnitAttr::get(module.getContext()));
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      function.removeArgAttr(i, cuf::getDataAttrName());
  }
}

std::unique_ptr<Pass> createDeviceChecks(DeviceFacts &facts, Diagnostics &diagnostics) {
  return std::make_unique<DeviceChecks>(facts, diagnostics);
}

} // namespace cufc
