// Kernels on the host side: a launch becomes a call of the runtime's launch entry point, and the
// kernel itself a declaration whose address is the key of the launch.
//
// Every argument is passed by the address of its value. For a descriptor that is the descriptor
// itself, which the kernel takes by value (device_lowering.cpp), so that no device memory is needed
// for it. In place of that of an argument which is not there goes one of zeros, by whose version
// the kernel knows it.
#include "base/diag.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "lower/spread_loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace cufc {
namespace {

using namespace mlir;

class LaunchLowering {
public:
  LaunchLowering(cuf::KernelLaunchOp launch, SymbolTable &symbols, Diagnostics &diagnostics)
      : launch(launch), loc(launch.getLoc()), symbols(symbols), diagnostics(diagnostics),
        builder(launch.getOperation(), fir::getKindMapping(launch->getParentOfType<ModuleOp>())),
        pointer(fir::LLVMPointerType::get(builder.getI8Type())) {}

  void run() {
    auto kernel = symbols.lookup<func::FuncOp>(launch.getCallee().getLeafReference());
    if (!kernel)
      return;
    Value arguments = argumentArray();
    if (!arguments)
      return;
    Value stub = fir::AddrOfOp::create(builder, loc, kernel.getFunctionType(), launch.getCallee());
    llvm::SmallVector<Value> operands{asPointer(stub)};
    appendCluster(kernel, operands);
    for (Value size : {launch.getGridX(), launch.getGridY(), launch.getGridZ(), launch.getBlockX(),
                       launch.getBlockY(), launch.getBlockZ()})
      operands.push_back(fir::ConvertOp::create(builder, loc, builder.getI64Type(), size));
    operands.push_back(launch.getStream() ? asPointer(launch.getStream()) : null());
    operands.push_back(
        launch.getBytes()
            ? fir::ConvertOp::create(builder, loc, builder.getI32Type(), launch.getBytes())
            : builder.createIntegerConstant(loc, builder.getI32Type(), 0));
    operands.push_back(arguments);
    operands.push_back(null());
    fir::CallOp::create(builder, loc, entryPoint(kernel, operands), operands);
    launch.erase();
  }

private:
  void appendCluster(func::FuncOp kernel, llvm::SmallVector<Value> &operands) {
    auto cluster = kernel->getAttrOfType<cuf::ClusterDimsAttr>(cuf::getClusterDimsAttrName());
    if (!cluster)
      return;
    for (IntegerAttr size : {cluster.getX(), cluster.getY(), cluster.getZ()})
      operands.push_back(builder.createIntegerConstant(loc, builder.getI64Type(), size.getInt()));
  }

  func::FuncOp entryPoint(func::FuncOp kernel, ValueRange operands) {
    bool hasCluster = kernel->hasAttr(cuf::getClusterDimsAttrName());
    bool waitsForGrid = procedureAttribute(kernel) == cuf::ProcAttribute::GridGlobal;
    llvm::StringRef name = hasCluster && waitsForGrid ? "cufrt_launch_cooperative_cluster"
                           : hasCluster               ? "_FortranACUFLaunchClusterKernel"
                           : waitsForGrid             ? "_FortranACUFLaunchCooperativeKernel"
                                                      : "_FortranACUFLaunchKernel";
    if (func::FuncOp known = builder.getNamedFunction(name))
      return known;
    auto type = FunctionType::get(builder.getContext(), operands.getTypes(), {});
    return builder.createFunction(loc, name, type);
  }

  // The address of an array that holds the address of each argument's value.
  Value argumentArray() {
    unsigned count = launch.getArgs().size();
    Type arrayType = fir::SequenceType::get({static_cast<int64_t>(std::max(count, 1u))}, pointer);
    Value array = temporary(arrayType);
    for (unsigned i = 0; i < count; ++i) {
      Value argument = launch.getArgs()[i];
      Value address = isByValue(i) ? argument : argumentAddress(argument);
      if (!address)
        return {};
      Value index = builder.createIntegerConstant(loc, builder.getIndexType(), i);
      Value slot = fir::CoordinateOp::create(builder, loc, fir::ReferenceType::get(pointer), array,
                                             ValueRange{index});
      fir::StoreOp::create(builder, loc, asPointer(address), slot);
    }
    return asPointer(array);
  }

  bool isByValue(unsigned number) {
    auto numbers = launch->getAttrOfType<DenseI64ArrayAttr>(byValueAttribute);
    return numbers && llvm::is_contained(numbers.asArrayRef(), number);
  }

  Value argumentAddress(Value argument) {
    Type type = argument.getType();
    if (fir::isa_ref_type(type) && isa<fir::BaseBoxType>(fir::unwrapRefType(type)))
      return mayBeAbsent(argument) ? presentOrZeros(argument, asPointer(argument)) : argument;
    if (isa<fir::BaseBoxType>(type) && mayBeAbsent(argument))
      return spillIfPresent(argument);
    if (isa<fir::BaseBoxType>(type) || fir::isa_trivial(type) || isa<IndexType>(type) ||
        fir::isa_derived(type) || isa<fir::BoxCharType>(type))
      return spill(argument);
    if (fir::isa_ref_type(type))
      return spill(asPointer(argument));
    std::string text;
    llvm::raw_string_ostream(text) << type;
    diagnostics.report(Diag::KernelArgument, toSourceRange(loc), text);
    return {};
  }

  Value spill(Value value) {
    Value memory = temporary(value.getType());
    fir::StoreOp::create(builder, loc, value, memory);
    return memory;
  }

  // Whether it may be an optional dummy argument of the caller, or none at all.
  static bool mayBeAbsent(Value argument) {
    Operation *op = argument.getDefiningOp();
    return !op || !isa<fir::EmboxOp, fir::ReboxOp, fir::LoadOp, fir::AllocaOp>(op) ||
           (isa<fir::ReboxOp>(op) && op->hasAttr("optional")); // in flang 23
  }

  Value spillIfPresent(Value box) {
    Value memory = temporary(box.getType());
    Value present = fir::IsPresentOp::create(builder, loc, builder.getI1Type(), box);
    builder.genIfThen(loc, present)
        .genThen([&] { fir::StoreOp::create(builder, loc, box, memory); })
        .end();
    return presentOrZeros(box, asPointer(memory));
  }

  Value presentOrZeros(Value argument, Value address) {
    Value present = fir::IsPresentOp::create(builder, loc, builder.getI1Type(), argument);
    Value zeros = callRuntime(builder, loc, "cufrt_absent_descriptor", {}, {pointer});
    return arith::SelectOp::create(builder, loc, present, address, zeros);
  }

  // Memory of the calling procedure, in its entry block so that a launch in a loop reuses it; or of
  // the thread, in code that several threads run.
  Value temporary(Type type) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(builder.getAllocaBlock());
    return fir::AllocaOp::create(builder, loc, type);
  }

  Value asPointer(Value value) { return fir::ConvertOp::create(builder, loc, pointer, value); }
  Value null() { return fir::ZeroOp::create(builder, loc, pointer); }

  cuf::KernelLaunchOp launch;
  Location loc;
  SymbolTable &symbols;
  Diagnostics &diagnostics;
  fir::FirOpBuilder builder;
  Type pointer;
};

struct LowerLaunches : PassWrapper<LowerLaunches, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerLaunches)
  explicit LowerLaunches(Diagnostics &diagnostics) : diagnostics(diagnostics) {}
  llvm::StringRef getArgument() const override { return "cufc-lower-launches"; }

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    llvm::SmallVector<cuf::KernelLaunchOp> launches;
    getOperation().walk([&](cuf::KernelLaunchOp launch) { launches.push_back(launch); });
    for (cuf::KernelLaunchOp launch : launches)
      LaunchLowering(launch, symbols, diagnostics).run();
    if (diagnostics.hasErrors())
      signalPassFailure();
  }
  Diagnostics &diagnostics;
};

// A device procedure that the table of a type's procedures names. Host code does not call it
// (checks/host_calls.cpp).
void makeUncallable(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockEnd(function.addEntryBlock());
  fir::UnreachableOp::create(builder, function.getLoc());
}

struct HostStubs : PassWrapper<HostStubs, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostStubs)
  llvm::StringRef getArgument() const override { return "cufc-host-stubs"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    for (auto function : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
      cuf::ProcAttribute attribute = procedureAttribute(function);
      if (attribute == cuf::ProcAttribute::Host || attribute == cuf::ProcAttribute::HostDevice ||
          function.isDeclaration())
        continue;
      bool isCalled = isKernel(function) && !function->hasAttr(cpuFormAttribute);
      if (!isCalled && SymbolTable::symbolKnownUseEmpty(function, module)) {
        function.erase();
        continue;
      }
      function.getBody().dropAllReferences();
      function.getBody().getBlocks().clear();
      if (isKernel(function))
        function.setPrivate();
      else
        makeUncallable(function);
    }
  }
};

} // namespace

std::unique_ptr<Pass> createLowerLaunches(Diagnostics &diagnostics) {
  return std::make_unique<LowerLaunches>(diagnostics);
}
std::unique_ptr<Pass> createHostStubs() { return std::make_unique<HostStubs>(); }

} // namespace cufc
