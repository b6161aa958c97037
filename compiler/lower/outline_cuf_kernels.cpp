// Outlines every `!$cuf kernel do` (cuf.kernel) to a kernel function and a launch, at HLFIR level.
//
// The innermost loop is spread over x, the next over y, then z; loops further out run in full in
// every thread. Each spread loop strides by the whole grid, so any launch configuration is right.
// The host counts the iterations, so that no thread divides.
// Values from outside become kernel arguments: device data by address, descriptors by their
// contents, host scalars by value (so each thread has its own copy, as the directive demands), and
// scalars that the loops reduce as a copy that the threads combine at the end.
#include "base/diag.h"
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/CUF/Attributes/CUFAttr.h"
#include "flang/Optimizer/Dialect/CUF/CUFOps.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIROpsSupport.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "flang/Optimizer/Support/InternalNames.h"
#include "lower/data_location.h"
#include "lower/directive_body.h"
#include "lower/display_name.h"
#include "lower/grid_reductions.h"
#include "lower/kernel_shape.h"
#include "lower/mlir_state.h"
#include "lower/reductions.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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
    createFunction();
    llvm::SetVector<Value> outside;
    getUsedValuesDefinedAbove(directive.getRegion(), outside);
    for (Value value : outside)
      remap(value);
    if (failed)
      return false;
    for (unsigned i = 0; i < directive.getLowerbound().size(); ++i)
      tripsOnHost.push_back(tripCount(i));
    createLoops();
    cloneBody();
    moveTemporaries();
    device.setInsertionPoint(end->getTerminator());
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

  void createFunction() {
    auto parent = directive->getParentOfType<func::FuncOp>();
    std::string name =
        ("cufk_" + parent.getSymName() + "_" + llvm::Twine(toSourceRange(loc).line)).str();
    for (char &c : name)
      if (!llvm::isAlnum(c))
        c = '_';
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

  Value argument(Value hostValue) {
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
                   fir::ZeroOp>(op)))
      return cloneOutside(op, value);
    if (isa_and_nonnull<fir::AllocaOp>(op) && op->getNumOperands() == 0)
      return remapTemporary(cast<fir::AllocaOp>(op));
    if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
      return remapDeclare(declare, value);
    if (fir::isa_trivial(value.getType()) || isa<IndexType>(value.getType())) {
      Value inside = argument(value);
      map.map(value, inside);
      return inside;
    }
    if (isa<fir::BaseBoxType>(value.getType()) || isOnDevice(value)) {
      Value inside = argument(value);
      map.map(value, inside);
      return inside;
    }
    std::string type;
    llvm::raw_string_ostream(type) << value.getType();
    fail(Diag::KernelArgument, type);
    map.map(value, value);
    return value;
  }

  Value cloneOutside(Operation *op, Value value) {
    for (Value operand : op->getOperands())
      remap(operand);
    Operation *copy = device.clone(*op, map);
    map.map(op->getResults(), copy->getResults());
    return map.lookup(value);
  }

  // Memory that flang has taken for the body, such as the number of trips of a serial loop.
  Value remapTemporary(fir::AllocaOp memory) {
    Value copy = device.clone(*memory)->getResult(0);
    map.map(memory.getResult(), copy);
    return copy;
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
      Value inside = argument(fir::LoadOp::create(host, loc, memory));
      Value copy = fir::AllocaOp::create(device, loc, element);
      fir::StoreOp::create(device, loc, inside, copy);
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

  // Number of this thread in the grid along dimension d, and the number of threads.
  std::pair<Value, Value> position(unsigned d) {
    Type i32 = device.getI32Type();
    auto read = [&](auto x, auto y, auto z) -> Value { return d == 0 ? x() : d == 1 ? y() : z(); };
    auto make = [&]<typename Op>(std::type_identity<Op>) {
      return [&] { return Value(Op::create(device, loc, i32)); };
    };
    Value thread = read(make(std::type_identity<NVVM::ThreadIdXOp>{}),
                        make(std::type_identity<NVVM::ThreadIdYOp>{}),
                        make(std::type_identity<NVVM::ThreadIdZOp>{}));
    Value block = read(make(std::type_identity<NVVM::BlockIdXOp>{}),
                       make(std::type_identity<NVVM::BlockIdYOp>{}),
                       make(std::type_identity<NVVM::BlockIdZOp>{}));
    Value threads = read(make(std::type_identity<NVVM::BlockDimXOp>{}),
                         make(std::type_identity<NVVM::BlockDimYOp>{}),
                         make(std::type_identity<NVVM::BlockDimZOp>{}));
    Value blocks = read(make(std::type_identity<NVVM::GridDimXOp>{}),
                        make(std::type_identity<NVVM::GridDimYOp>{}),
                        make(std::type_identity<NVVM::GridDimZOp>{}));
    auto wide = [&](Value v) -> Value {
      return arith::IndexCastOp::create(device, loc, device.getIndexType(), v);
    };
    Value base = arith::MulIOp::create(device, loc, wide(block), wide(threads));
    return {arith::AddIOp::create(device, loc, base, wide(thread)),
            arith::MulIOp::create(device, loc, wide(blocks), wide(threads))};
  }

  // What a thread does of a loop: its iterations, counted from zero, are
  // offset + scale * (first, first + stride, ... below end), without a scale just those numbers.
  struct Spread {
    Value first, end, stride, offset, scale;
  };

  void createLoops() {
    unsigned loops = directive.getLowerbound().size();
    llvm::SmallVector<Value> lower, step, trips;
    for (unsigned i = 0; i < loops; ++i) {
      trips.push_back(remap(tripsOnHost[i]));
      lower.push_back(asIndex(device, loc, remap(directive.getLowerbound()[i])));
      step.push_back(asIndex(device, loc, remap(directive.getStep()[i])));
    }
    llvm::SmallVector<Spread> spread;
    for (unsigned i = 0; i < loops; ++i)
      spread.push_back(spreadLoop(loops - 1 - i, trips[i], loops));
    latch = end = addBlock();
    for (unsigned i = 0; i < loops; ++i) {
      Value trip = openLoop(spread[i]);
      Value number = device.createOrFold<arith::AddIOp>(
          loc, lower[i], device.createOrFold<arith::MulIOp>(loc, trip, step[i]));
      number = device.createOrFold<fir::ConvertOp>(
          loc, directive.getRegion().getArgument(i).getType(), number);
      map.map(directive.getRegion().getArgument(i), number);
      loopVariables.push_back(number);
    }
    OpBuilder atEnd = OpBuilder::atBlockEnd(end);
    func::ReturnOp::create(atEnd, loc);
  }

  Block *addBlock() {
    kernel.getBody().push_back(new Block);
    return &kernel.getBody().back();
  }

  // Begins a loop at the place of `device`, which is in its body then, and sets `latch`, where an
  // iteration ends. The number of the iteration.
  Value openLoop(const Spread &by) {
    Block *header = addBlock(), *body = addBlock(), *next = addBlock();
    Value counter = header->addArgument(device.getIndexType(), loc);
    cf::BranchOp::create(device, loc, header, by.first);
    device.setInsertionPointToEnd(header);
    Value goesOn = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::slt, counter, by.end);
    cf::CondBranchOp::create(device, loc, goesOn, body, latch);
    device.setInsertionPointToEnd(next);
    Value following = arith::AddIOp::create(device, loc, counter, by.stride);
    cf::BranchOp::create(device, loc, header, following);
    latch = next;
    device.setInsertionPointToEnd(body);
    if (!by.scale)
      return counter;
    return arith::AddIOp::create(device, loc, by.offset,
                                 arith::MulIOp::create(device, loc, counter, by.scale));
  }

  Spread spreadLoop(unsigned d, Value trips, unsigned loops) {
    Value zero = arith::ConstantIndexOp::create(device, loc, 0),
          one = arith::ConstantIndexOp::create(device, loc, 1);
    if (d >= 3)
      return {zero, trips, one, {}, {}};
    auto [thread, threads] = position(d);
    if (d == 0)
      thread = withoutDuplicates(thread, trips, loops);
    if (d > 0 || reductions.empty())
      return {thread, trips, threads, {}, {}};
    // Threads that reduce do many iterations. LLVM unrolls a loop whose count it knows; otherwise
    // the division would cost more than the loop.
    Value left = arith::SubIOp::create(device, loc, trips, thread);
    Value last =
        arith::AddIOp::create(device, loc, left, arith::SubIOp::create(device, loc, threads, one));
    return {zero, arith::DivSIOp::create(device, loc, last, threads), one, thread, threads};
  }

  void cloneBody() {
    Region &region = directive.getRegion();
    if (region.hasOneBlock()) {
      for (Operation &op : region.front().without_terminator())
        device.clone(op, map);
      cf::BranchOp::create(device, loc, latch);
      return;
    }
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

  // Threads along a dimension over which no loop is spread would do the same iterations again: of
  // them only the first does any. The others begin with number `end`.
  Value withoutDuplicates(Value first, Value end, unsigned loops) {
    for (unsigned d = loops; d < 3; ++d) {
      if (!isGiven(d))
        continue;
      Value zero = arith::ConstantIndexOp::create(device, loc, 0);
      Value other =
          arith::CmpIOp::create(device, loc, arith::CmpIPredicate::ne, position(d).first, zero);
      first = arith::SelectOp::create(device, loc, other, end, first);
    }
    return first;
  }

  void createLaunch() {
    auto [grid, block] = kernelShape(host, directive, tripsOnHost, !reductions.empty());
    GridReductions results(host, loc, directive.getStream(), grid, reductions.size());
    if (!reductions.empty())
      reduceInKernel(argument(results.workspace()));
    kernel.setFunctionType(
        FunctionType::get(directive.getContext(), entry->getArgumentTypes(), {}));
    cuf::KernelLaunchOp::create(host, loc, SymbolRefAttr::get(kernel), grid[0], grid[1], grid[2],
                                block[0], block[1], block[2], Value(), directive.getStream(),
                                arguments, ArrayAttr(), ArrayAttr());
    for (auto [slot, reduction] : llvm::enumerate(reductions))
      if (!isOnDevice(reduction.variable->getResult(0)))
        results.update(slot, reduction);
  }

  // Combines the threads' copies at the end of the kernel; variables on the device are updated
  // there.
  void reduceInKernel(Value workspace) {
    for (auto [slot, reduction] : llvm::enumerate(reductions)) {
      hlfir::DeclareOp variable = reduction.variable;
      Value copy = map.lookupOrNull(variable.getBase());
      Value own = fir::LoadOp::create(device, loc, copy);
      Value complete = reduceOverGrid(device, loc, reduction.operation, own, workspace, slot);
      if (!isOnDevice(variable.getBase()))
        continue;
      Value target = deviceVariable(variable);
      auto last = fir::IfOp::create(device, loc, complete, false);
      OpBuilder inside = last.getThenBodyBuilder();
      updateVariable(inside, loc, reduction, target,
                     reducedValue(inside, loc, workspace, slot, scalarType(variable)));
    }
  }

  // The address of a device variable, where its declaration in the kernel names a thread's copy.
  Value deviceVariable(hlfir::DeclareOp variable) {
    if (auto global = variable.getMemref().getDefiningOp<fir::AddrOfOp>())
      return device.clone(*global)->getResult(0);
    return argument(variable.getMemref());
  }

  cuf::KernelOp directive;
  Location loc;
  SymbolTable &symbols;
  Diagnostics &diagnostics;
  OpBuilder host, device;
  func::FuncOp kernel;
  Block *entry = nullptr, *latch = nullptr, *end = nullptr;
  IRMapping map;
  llvm::SmallVector<Value> arguments, loopVariables, tripsOnHost;
  std::vector<Reduction> reductions;
  bool failed = false;
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
