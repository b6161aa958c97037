// Outlines every `!$cuf kernel do` (cuf.kernel) to a kernel function and a launch, at HLFIR level.
//
// The innermost loop is spread over x, the next over y, then z; loops further out run in full in
// every thread. Each spread loop strides by the whole grid, so any launch configuration is right.
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
#include "lower/grid_reductions.h"
#include "lower/kernel_shape.h"
#include "lower/mlir_state.h"
#include "lower/reductions.h"
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
        (cufKernelPrefix + parent.getSymName() + "_" + llvm::Twine(toSourceRange(loc).line)).str();
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
    // Memory that flang has taken for the body, such as the number of trips of a serial loop.
    if (isa_and_nonnull<fir::AllocaOp>(op) && op->getNumOperands() == 0)
      return cloneOutside(op, value);
    if (auto declare = dyn_cast_or_null<hlfir::DeclareOp>(op))
      return remapDeclare(declare, value);
    if (fir::isa_trivial(value.getType()) || isa<IndexType, fir::BaseBoxType>(value.getType()) ||
        isOnDevice(value)) {
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

  // What a thread does of a loop: the iterations first, first + stride, ... below end. They are
  // counted where a thread does many, since LLVM unrolls a loop whose count it knows; otherwise the
  // division would cost more than the loop.
  struct Spread {
    Value first, end, stride;
    bool counted = false;
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
    llvm::SmallVector<Value> counters;
    for (unsigned i = 0; i < loops; ++i) {
      hasWideLoops |= !countsNarrow(i);
      counters.push_back(countsNarrow(i) ? openNarrowLoop(spread[i]) : openLoop(spread[i]));
    }
    for (unsigned i = 0; i < loops; ++i) { // in the innermost loop: codegen/spread_counters.h
      Value trip = counters[i];
      auto sized = [&](Value v) {
        return device.createOrFold<fir::ConvertOp>(loc, trip.getType(), v);
      };
      Value number = device.createOrFold<arith::AddIOp>(
          loc, sized(lower[i]), device.createOrFold<arith::MulIOp>(loc, trip, sized(step[i])));
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

  // As openLoop, with the counter in 32 bits without a sign: the type of the result. The grid may
  // have more threads than the loop has iterations, so what is left is compared before the stride
  // is added. Iterations that are counted may be 2**32, which end where the count is zero again.
  Value openNarrowLoop(const Spread &by) {
    Type narrow = device.getI32Type();
    auto low = [&](Value v) -> Value { return fir::ConvertOp::create(device, loc, narrow, v); };
    Block *body = addBlock(), *next = addBlock();
    Value counter = body->addArgument(narrow, loc);
    Value most = arith::ConstantIndexOp::create(device, loc, UINT32_MAX);
    Value end = low(by.end), stride = low(arith::MinUIOp::create(device, loc, by.stride, most));
    Value any = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::slt, by.first, by.end);
    Value first = low(by.first), begin = first, step = stride;
    if (by.counted) {
      step = arith::ConstantOp::create(device, loc, device.getI32IntegerAttr(1));
      begin = arith::SubIOp::create(device, loc, step, step);
      Value before =
          arith::SubIOp::create(device, loc, arith::SubIOp::create(device, loc, end, first), step);
      end = arith::AddIOp::create(device, loc, arith::DivUIOp::create(device, loc, before, stride),
                                  step);
    }
    cf::CondBranchOp::create(device, loc, any, body, ValueRange{begin}, latch, {});
    device.setInsertionPointToEnd(next);
    Value left = arith::SubIOp::create(device, loc, end, counter);
    auto goesOn = by.counted ? arith::CmpIPredicate::ne : arith::CmpIPredicate::ugt;
    Value more = arith::CmpIOp::create(device, loc, goesOn, left, step);
    Value following = arith::AddIOp::create(device, loc, counter, step);
    markRepetition(
        cf::CondBranchOp::create(device, loc, more, body, ValueRange{following}, latch, {}));
    latch = next;
    device.setInsertionPointToEnd(body);
    return by.counted ? afterwards(first, counter, stride) : counter;
  }

  // Begins a loop at the place of `device`, which is in its body then, and sets `latch`, where an
  // iteration ends. The number of the iteration.
  Value openLoop(const Spread &by) {
    Block *header = addBlock(), *body = addBlock(), *next = addBlock();
    Value counter = header->addArgument(device.getIndexType(), loc);
    Value first = by.first, end = by.end, step = by.stride;
    if (by.counted) {
      first = arith::ConstantIndexOp::create(device, loc, 0);
      step = arith::ConstantIndexOp::create(device, loc, 1);
      Value left = arith::SubIOp::create(device, loc, by.end, by.first);
      Value rest = arith::SubIOp::create(device, loc, by.stride, step);
      end = arith::DivSIOp::create(device, loc, arith::AddIOp::create(device, loc, left, rest),
                                   by.stride);
    }
    cf::BranchOp::create(device, loc, header, first);
    device.setInsertionPointToEnd(header);
    Value goesOn = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::slt, counter, end);
    cf::CondBranchOp::create(device, loc, goesOn, body, latch);
    device.setInsertionPointToEnd(next);
    Value following = arith::AddIOp::create(device, loc, counter, step);
    cf::BranchOp::create(device, loc, header, following);
    latch = next;
    device.setInsertionPointToEnd(body);
    return by.counted ? afterwards(by.first, counter, by.stride) : counter;
  }

  Value afterwards(Value first, Value counter, Value stride) {
    return arith::AddIOp::create(device, loc, first,
                                 arith::MulIOp::create(device, loc, counter, stride));
  }

  Spread spreadLoop(unsigned d, Value trips, unsigned loops) {
    if (d >= 3)
      return {arith::ConstantIndexOp::create(device, loc, 0), trips,
              arith::ConstantIndexOp::create(device, loc, 1)};
    auto [thread, threads] = gridPosition(device, loc, d);
    if (d == 0)
      thread = withoutDuplicates(thread, trips, loops);
    return {thread, trips, threads, d == 0 && !reductions.empty()};
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

  // Threads along a dimension over which no loop is spread would do the same iterations again: of
  // them only the first does any. The others begin with number `end`.
  Value withoutDuplicates(Value first, Value end, unsigned loops) {
    for (unsigned d = loops; d < 3; ++d) {
      if (!isGiven(d))
        continue;
      Value zero = arith::ConstantIndexOp::create(device, loc, 0);
      Value other = arith::CmpIOp::create(device, loc, arith::CmpIPredicate::ne,
                                          gridPosition(device, loc, d).first, zero);
      first = arith::SelectOp::create(device, loc, other, end, first);
    }
    return first;
  }

  void createLaunch() {
    KernelShape shape = kernelShape(host, directive, tripsOnHost, !reductions.empty());
    GridReductions results(host, loc, directive.getStream(), shape.grid, reductions.size());
    if (!reductions.empty())
      reduceInKernel(argument(results.workspace()));
    kernel.setFunctionType(
        FunctionType::get(directive.getContext(), entry->getArgumentTypes(), {}));
    size_t loops = tripsOnHost.size();
    if (loops < 2 || loops > 3 || hasWideLoops || !reductions.empty()) {
      launch(host, kernel, shape);
    } else {
      auto choice = fir::IfOp::create(host, loc, coversLoops(host, loc, shape, tripsOnHost), true);
      launch(choice.getThenBodyBuilder(), withoutRepetitions(kernel, symbols), shape);
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
  bool failed = false, hasWideLoops = false;
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
