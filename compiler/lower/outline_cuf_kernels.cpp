// Outlines every `!$cuf kernel do` (cuf.kernel) to a kernel function and a launch, at HLFIR level.
//
// The innermost loop is spread over x, the next over y, then z; loops further out run in full in
// every thread. Each spread loop strides by the whole grid, so any launch configuration is right;
// in a second function, for CPUs, each block does a chunk of it (spread_loops.h).
// The host counts the iterations, so that no thread divides.
// Values from outside become kernel arguments: device data by address, descriptors by their
// contents, host scalars by value (so each thread has its own copy, as the directive demands), and
// scalars that the loops reduce as a copy that the threads combine at the end.
#include "base/diag.h"
#include "base/kernel_names.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/covering_kernels.h"
#include "lower/data_location.h"
#include "lower/directive_body.h"
#include "lower/display_name.h"
#include "lower/equal_values.h"
#include "lower/grid_alignment.h"
#include "lower/grid_reductions.h"
#include "lower/kernel_shape.h"
#include "lower/mlir_state.h"
#include "lower/reductions.h"
#include "lower/spread_loops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace cufc {
namespace {

using namespace mlir;

class Outliner {
public:
  Outliner(cuf::KernelOp directive, SymbolTable &symbols, Diagnostics &diagnostics)
      : directive(directive), loc(directive.getLoc()), symbols(symbols), diagnostics(diagnostics),
        host(directive), device(directive.getContext()) {}

  bool run() {
    if (!removeSerialLoops(directive))
      return fail(Diag::NotImplemented,
                  std::string("a CUF kernel whose iterations all end with STOP"));
    hoistHostComponents(directive);
    size_t errors = diagnostics.list().size();
    reductions = findReductions(directive, diagnostics);
    if (diagnostics.list().size() != errors)
      return false;
    for (unsigned i = 0; i < directive.getLowerbound().size(); ++i)
      tripsOnHost.push_back(tripCount(i));
    createFunction(kernelName());
    if (!createBody())
      return false;
    createLaunch();
    directive.erase();
    return true;
  }

private:
  template <typename... Arguments>
  bool fail(DiagnosticId<Arguments...> id, const typename AsIs<Arguments>::type &...arguments) {
    failed = true;
    diagnostics.report(id, toSourceRange(loc), arguments...);
    return false;
  }

  bool createBody() {
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(directive.getRegion(), outside);
    for (Value value : outside)
      remap(value);
    if (failed)
      return false;
    createLoops();
    cloneBody();
    moveTemporaries();
    return true;
  }

  std::string kernelName() {
    auto parent = directive->getParentOfType<func::FuncOp>();
    std::string name =
        (cufKernelPrefix + parent.getSymName() + "_" + llvm::Twine(toSourceRange(loc).line)).str();
    for (char &c : name)
      if (!llvm::isAlnum(c))
        c = '_';
    return name;
  }

  void createFunction(const std::string &name) {
    auto parent = directive->getParentOfType<func::FuncOp>();
    kernel = func::FuncOp::create(loc, name, FunctionType::get(directive.getContext(), {}, {}));
    kernel->setAttr(
        cuf::getProcAttrName(),
        cuf::ProcAttributeAttr::get(directive.getContext(), cuf::ProcAttribute::Global));
    std::string display =
        displayName(parent.getSymName()) + ", line " + std::to_string(toSourceRange(loc).line);
    kernel->setAttr(displayAttribute, StringAttr::get(directive.getContext(), display));
    symbols.insert(kernel);
    entry = kernel.addEntryBlock();
    device.setInsertionPointToStart(entry);
  }

  // The form for CPUs takes the same values in the same order.
  Value argument(Value hostValue) {
    if (forCpu)
      hostValue = arguments[taken++];
    else
      arguments.push_back(hostValue);
    return entry->addArgument(hostValue.getType(), loc);
  }

  // The value inside the kernel that stands for `value` of the host.
  Value remap(Value value) {
    if (Value known = map.lookupOrNull(value))
      return known;
    Operation *op = value.getDefiningOp();
    if (op && (op->hasTrait<OpTrait::ConstantLike>() ||
               isa<fir::ShapeOp, fir::ShapeShiftOp, fir::ShiftOp, fir::UndefOp, fir::AbsentOp,
                   fir::ZeroOp>(op) ||
               isOfConstants(value)))
      return cloneOutside(op, value);
    // Memory that flang has taken for the body, such as the number of trips of a serial loop.
    if (isa_and_nonnull<fir::AllocaOp>(op) && op->getNumOperands() == 0)
      return cloneOutside(op, value);
    if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
      return remapDeclare(declare, value);
    if (auto part = dyn_cast_or_null<hlfir::DesignateOp>(op);
        part && isa<fir::BaseBoxType>(value.getType()) && !lowerBounds(part).empty())
      return remapPart(part);
    if (fir::isa_trivial(value.getType()) || isa<IndexType, fir::BaseBoxType>(value.getType()) ||
        isOnDevice(value)) {
      Value inside = equalArgument(value);
      if (!inside)
        inside = argument(value);
      numbers.emplace_back(value, inside);
      map.map(value, inside);
      return inside;
    }
    std::string type;
    llvm::raw_string_ostream(type) << value.getType();
    fail(Diag::KernelArgument, type);
    map.map(value, value);
    return value;
  }

  // What the kernel has of the same number: arrays of one shape have one distance between elements.
  Value equalArgument(Value value) {
    auto found = llvm::find_if(numbers, [&](auto &each) { return areEqual(each.first, value); });
    return found == numbers.end() ? Value() : found->second;
  }

  static llvm::SmallVector<Value> lowerBounds(hlfir::DesignateOp part) {
    Operation *shape = part.getShape() ? part.getShape().getDefiningOp() : nullptr;
    if (auto both = dyn_cast_or_null<fir::ShapeShiftOp>(shape))
      return llvm::to_vector(both.getOrigins());
    if (auto shift = dyn_cast_or_null<fir::ShiftOp>(shape))
      return llvm::to_vector(shift.getOrigins());
    return {};
  }

  // A component with other lower bounds than 1: its subscripts count from them, but the descriptor
  // that the kernel gets has 1.
  Value remapPart(hlfir::DesignateOp part) {
    Value inside = argument(part);
    llvm::SmallVector<Value> lower;
    for (Value bound : lowerBounds(part))
      lower.push_back(remap(bound));
    Value shift = fir::ShiftOp::create(
        device, loc, fir::ShiftType::get(directive.getContext(), lower.size()), lower);
    auto declare = hlfir::DeclareOp::create(device, loc, inside, "cufc.part", shift);
    map.map(part.getResult(), declare.getBase());
    return declare.getBase();
  }

  Value cloneOutside(Operation *op, Value value) {
    for (Value operand : op->getOperands())
      remap(operand);
    Operation *copy = device.clone(*op, map);
    map.map(op->getResults(), copy->getResults());
    return map.lookup(value);
  }

  Value remapDeclare(hlfir::DeclareOp declare, Value value) {
    Value memory = remapMemory(declare);
    if (!memory) {
      map.map(declare->getResults(), declare->getResults());
      return value;
    }
    if (declare.getShape())
      remap(declare.getShape());
    for (Value parameter : declare.getTypeparams())
      remap(parameter);
    if (Value scope = declare.getDummyScope(); scope && !map.contains(scope))
      map.map(scope, fir::DummyScopeOp::create(device, loc,
                                               fir::DummyScopeType::get(directive.getContext())));
    if (!map.contains(declare.getMemref()))
      map.map(declare.getMemref(), memory);
    Operation *copy = device.clone(*declare.getOperation(), map);
    map.map(declare->getResults(), copy->getResults());
    return map.lookup(value);
  }

  // The storage of a variable as the kernel sees it, or null after an error.
  Value remapMemory(hlfir::DeclareOp declare) {
    Value memory = declare.getMemref();
    if (Value known = map.lookupOrNull(memory))
      return known;
    if (const Reduction *reduction = reductionOf(declare))
      return accumulator(*reduction);
    if (auto outer = memory.getDefiningOp<hlfir::DeclareOp>(); outer && isOnDevice(memory))
      return remap(memory);
    auto global = memory.getDefiningOp<fir::AddrOfOp>();
    if (global && (isOnDevice(declare.getBase()) || isConstant(global)))
      return cloneOutside(global, memory);
    Type element = fir::unwrapRefType(memory.getType());
    if (isOnDevice(declare.getBase()) || isa<fir::BaseBoxType>(memory.getType()))
      return isa<fir::BaseBoxType>(memory.getType()) && !isOnDevice(declare.getBase())
                 ? hostData(declare)
                 : argument(memory);
    if (fir::isa_trivial(element)) {
      Value inside = argument(forCpu ? Value() : fir::LoadOp::create(host, loc, memory));
      Value copy = fir::AllocaOp::create(device, loc, element);
      fir::StoreOp::create(device, loc, inside, copy);
      copies.push_back({inside, copy});
      return copy;
    }
    return hostData(declare);
  }

  const Reduction *reductionOf(hlfir::DeclareOp declare) const {
    auto found =
        llvm::find_if(reductions, [&](const Reduction &r) { return r.variable == declare; });
    return found == reductions.end() ? nullptr : &*found;
  }

  static Type scalarType(hlfir::DeclareOp declare) {
    return fir::unwrapRefType(declare.getMemref().getType());
  }

  // A thread's own copy of a variable that the loops reduce.
  Value accumulator(const Reduction &reduction) {
    Type type = scalarType(reduction.variable);
    Value copy = fir::AllocaOp::create(device, loc, type);
    fir::StoreOp::create(device, loc, neutralValue(device, loc, reduction.operation, type), copy);
    return copy;
  }

  bool isConstant(fir::AddrOfOp address) {
    auto global = symbols.lookup<fir::GlobalOp>(address.getSymbol().getLeafReference());
    return global && global.getConstant();
  }

  Value hostData(hlfir::DeclareOp declare) {
    auto names = fir::NameUniquer::deconstruct(declare.getUniqName()).second;
    fail(Diag::DeviceUsesHostData, names.name);
    return {};
  }

  // Bounds of DO CONCURRENT have the type of its variables.
  static Value asIndex(OpBuilder &builder, Location loc, Value value) {
    return builder.createOrFold<fir::ConvertOp>(loc, builder.getIndexType(), value);
  }

  // Iterations of loop i, on the host.
  Value tripCount(unsigned i) {
    Value lower = asIndex(host, loc, directive.getLowerbound()[i]),
          upper = asIndex(host, loc, directive.getUpperbound()[i]),
          step = asIndex(host, loc, directive.getStep()[i]);
    Value last = host.createOrFold<arith::AddIOp>(
        loc, host.createOrFold<arith::SubIOp>(loc, upper, lower), step);
    return host.createOrFold<arith::DivSIOp>(loc, last, step);
  }

  void createLoops() {
    llvm::SmallVector<SpreadLoop> nest;
    for (unsigned i = 0; i < tripsOnHost.size(); ++i) {
      Value trips = remap(tripsOnHost[i]);
      Value lower = asIndex(device, loc, remap(directive.getLowerbound()[i]));
      Value step = asIndex(device, loc, remap(directive.getStep()[i]));
      nest.push_back(
          {lower, step, trips, directive.getRegion().getArgument(i).getType(), countsNarrow(i)});
      hasWideLoops |= !countsNarrow(i);
    }
    llvm::SmallVector<unsigned> idle;
    for (unsigned d = nest.size(); d < 3; ++d)
      if (isGiven(d))
        idle.push_back(d);
    SpreadLoops loops(device, kernel, nest, idle);
    loopVariables =
        forCpu ? loops.inChunks(usesColumns(directive)) : loops.overGrid(!reductions.empty());
    for (auto [argument, number] : llvm::zip(directive.getRegion().getArguments(), loopVariables))
      map.map(argument, number);
    if (forCpu) // where iterations follow each other that are threads of a GPU
      for (auto [value, copy] : copies)
        fir::StoreOp::create(device, loc, value, copy);
    latch = loops.latch();
    end = loops.end();
  }

  // Whether the loop's variable has at most 32 bits, so that its iterations can be counted so.
  bool countsNarrow(unsigned i) {
    auto variable = directive.getRegion().getArgument(i);
    auto isNarrow = [](Operation *user) {
      auto integer = dyn_cast<IntegerType>(user->getResultTypes().front());
      return integer && integer.getWidth() <= 32;
    };
    return !variable.use_empty() && llvm::all_of(variable.getUsers(), [&](Operation *user) {
      return isa<fir::ConvertOp>(user) && isNarrow(user);
    });
  }

  void cloneBody() {
    Region &region = directive.getRegion();
    region.cloneInto(&kernel.getBody(), map);
    Block *first = map.lookup(&region.front());
    for (auto [inside, number] : llvm::zip(first->getArguments(), loopVariables))
      inside.replaceAllUsesWith(number);
    first->eraseArguments(0, first->getNumArguments());
    cf::BranchOp::create(device, loc, first);
    for (Block &block : region)
      if (isa<fir::FirEndOp>(block.getTerminator())) {
        Operation *terminator = map.lookup(&block)->getTerminator();
        OpBuilder before(terminator);
        cf::BranchOp::create(before, loc, latch);
        terminator->erase();
      }
  }

  // Memory taken in a loop would be taken again in each iteration.
  void moveTemporaries() {
    kernel.walk([&](fir::AllocaOp memory) {
      if (memory->getNumOperands() == 0)
        memory->moveBefore(entry, entry->begin());
    });
  }

  // Whether the configuration names a number other than 1 for dimension d.
  bool isGiven(unsigned d) {
    auto names = [&](OperandRange sizes) {
      llvm::APInt constant;
      return d < sizes.size() &&
             !(matchPattern(sizes[d], m_ConstantInt(&constant)) && constant.ule(1));
    };
    return names(directive.getGrid()) || names(directive.getBlock());
  }

  // What is behind the loops, and the function's type.
  void completeFunction(Value workspace) {
    device.setInsertionPoint(end->getTerminator());
    if (!reductions.empty())
      reduceInKernel(argument(workspace));
    if (before)
      argument(before);
    kernel.setFunctionType(
        FunctionType::get(directive.getContext(), entry->getArgumentTypes(), {}));
  }

  // A second function with the same arguments, which codegen/cpu/host_kernels.cpp takes for the
  // kernel.
  void createCpuForm(Value workspace) {
    func::FuncOp forGpu = kernel;
    forCpu = true;
    map.clear();
    copies.clear();
    numbers.clear();
    createFunction((forGpu.getSymName() + cpuFormSuffix).str());
    kernel->setAttr(cpuFormAttribute, UnitAttr::get(directive.getContext()));
    createBody();
    completeFunction(workspace);
    kernel = forGpu;
  }

  // Whether there is a form for grids that cover the loops.
  bool hasCoveringForm() const {
    size_t loops = tripsOnHost.size();
    return loops >= 2 && loops <= 3 && !hasWideLoops && (reductions.empty() || isUneven(directive));
  }

  // The threads along each loop that cover it.
  llvm::SmallVector<Value> coveringThreads() {
    llvm::SmallVector<Value> threads = tripsOnHost;
    before = hasCoveringForm() ? threadsBefore(host, directive, threads.back()) : Value();
    if (before)
      threads.back() = arith::AddIOp::create(
          host, loc, threads.back(),
          fir::ConvertOp::create(host, loc, host.getIndexType(), before).getResult());
    return threads;
  }

  void createLaunch() {
    llvm::SmallVector<Value> threads = coveringThreads();
    KernelShape shape = kernelShape(host, directive, kernel, threads, !reductions.empty());
    GridReductions results(host, loc, directive.getStream(), shape.grid, reductions.size());
    completeFunction(results.workspace());
    std::optional<unsigned> argumentOfBefore;
    if (before)
      argumentOfBefore = kernel.getNumArguments() - 1;
    createCpuForm(results.workspace());
    if (!hasCoveringForm()) {
      launch(host, kernel, shape);
    } else {
      auto choice = fir::IfOp::create(host, loc, coversLoops(host, loc, shape, threads), true);
      launch(choice.getThenBodyBuilder(), withoutRepetitions(kernel, symbols, argumentOfBefore),
             shape);
      launch(choice.getElseBodyBuilder(), kernel, shape);
    }
    for (auto [slot, reduction] : llvm::enumerate(reductions))
      if (!isOnDevice(reduction.variable->getResult(0)))
        results.update(slot, reduction);
  }

  void launch(OpBuilder builder, func::FuncOp function, const KernelShape &shape) {
    auto [grid, block] = shape;
    cuf::KernelLaunchOp::create(builder, loc, SymbolRefAttr::get(function), grid[0], grid[1],
                                grid[2], block[0], block[1], block[2], Value(),
                                directive.getStream(), arguments, ArrayAttr(), ArrayAttr());
  }

  // Combines the threads' copies at the end of the kernel; variables on the device are updated
  // there.
  void reduceInKernel(Value workspace) {
    llvm::SmallVector<ReducedPart> parts;
    for (const Reduction &reduction : reductions) {
      hlfir::DeclareOp variable = reduction.variable;
      Value copy = map.lookupOrNull(variable.getBase());
      parts.push_back({reduction.operation, fir::LoadOp::create(device, loc, copy)});
    }
    Value complete =
        forCpu || parts.empty() ? Value() : reduceOverGrid(device, loc, parts, workspace);
    for (auto [slot, reduction] : llvm::enumerate(reductions)) {
      if (forCpu)
        complete = gatherOverGrid(device, loc, parts[slot], workspace, slot);
      updateOnDevice(reduction, complete, workspace, slot);
    }
  }

  void updateOnDevice(const Reduction &reduction, Value complete, Value workspace, unsigned slot) {
    hlfir::DeclareOp variable = reduction.variable;
    if (!isOnDevice(variable.getBase()))
      return;
    Value target = deviceVariable(variable);
    auto last = fir::IfOp::create(device, loc, complete, false);
    OpBuilder inside = last.getThenBodyBuilder();
    updateVariable(inside, loc, reduction, target,
                   reducedValue(inside, loc, workspace, slot, scalarType(variable)));
  }

  // The address of a device variable, where its declaration in the kernel names a thread's copy.
  Value deviceVariable(hlfir::DeclareOp variable) {
    if (auto global = variable.getMemref().getDefiningOp<fir::AddrOfOp>())
      return device.clone(*global)->getResult(0);
    return argument(variable.getMemref());
  }

  cuf::KernelOp directive;
  Location loc;
  Value before; // threads that stand before the first iteration; the kernel's last argument
  SymbolTable &symbols;
  Diagnostics &diagnostics;
  OpBuilder host, device;
  func::FuncOp kernel;
  Block *entry = nullptr, *latch = nullptr, *end = nullptr;
  IRMapping map;
  llvm::SmallVector<Value> arguments, loopVariables, tripsOnHost;
  std::vector<Reduction> reductions;
  llvm::SmallVector<std::pair<Value, Value>> copies; // of host scalars: their values, their memory
  llvm::SmallVector<std::pair<Value, Value>>
      numbers;      // of the host, and the arguments that have them
  size_t taken = 0; // of the arguments
  bool failed = false, hasWideLoops = false, forCpu = false;
};

} // namespace

bool outlineCufKernels(ModuleOp module, Diagnostics &diagnostics) {
  SymbolTable symbols(module);
  llvm::SmallVector<cuf::KernelOp> directives;
  module.walk([&](cuf::KernelOp op) { directives.push_back(op); });
  bool good = true;
  for (cuf::KernelOp directive : directives)
    good &= Outliner(directive, symbols, diagnostics).run();
  return good;
}

} // namespace cufc
