// ALLOCATE of what is allocated, DEALLOCATE of what is not, and memory that there is not, end the
// program with a message.
//
// Without STAT=, flang allocates host data of intrinsic types inline and asks nothing:
//
//   %new = fir.allocmem !fir.array<?xf32>, %n {fir.must_be_heap = true, uniq_name = "_QFEa.alloc"}
//   %box = fir.embox %new(...)
//   fir.store %box to %a
//
// gets before it, with the address that %a has,
//
//   fir.if %address != 0 { fir.call @cufrt_is_allocated(file, line, "a") }
//   fir.if (%n > most)   { fir.call @cufrt_no_memory(file, line, "a", %n) }
//
// and behind it the second again, if %new is null. DEALLOCATE is a fir.freemem of the address in a
// variable's descriptor that is in no comparison of this address with null: flang compares where it
// deallocates by itself.
#include "flang/Optimizer/Builder/FIRBuilder.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/HLFIR/HLFIROps.h"
#include "lower/device_procedures.h"
#include "lower/mlir_state.h"
#include "lower/runtime_calls.h"
#include "lower/variable_names.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace cufc {
namespace {

using namespace mlir;

// No machine has this many elements, and the bytes of that many can be counted: of 16 bytes each.
constexpr int64_t mostElements = int64_t(1) << 47;

// Null if the memory is not that of an allocatable variable.
Value descriptorOf(fir::AllocMemOp memory) {
  for (Operation *user : memory->getUsers())
    if (auto box = dyn_cast<fir::EmboxOp>(user))
      for (Operation *stored : box->getUsers())
        if (auto store = dyn_cast<fir::StoreOp>(stored))
          return store.getMemref();
  return {};
}

// The descriptor that an address was read from.
Value descriptorOf(Value address) {
  auto read = address.getDefiningOp<fir::BoxAddrOp>();
  auto load = read ? read.getVal().getDefiningOp<fir::LoadOp>() : fir::LoadOp();
  return load ? load.getMemref() : Value();
}

bool comparesWithNull(Value condition, Value descriptor) {
  auto compared = condition.getDefiningOp<arith::CmpIOp>();
  auto address = compared ? compared.getLhs().getDefiningOp<fir::ConvertOp>() : fir::ConvertOp();
  return address && descriptorOf(address.getValue()) == descriptor;
}

// Private copies of OpenMP are made and freed in regions of their own; nothing is allocated there
// before.
bool isCopy(Operation *op) {
  return op->getParentOfType<omp::PrivateClauseOp>() ||
         op->getParentOfType<omp::DeclareReductionOp>();
}

class AllocationChecks {
public:
  explicit AllocationChecks(ModuleOp module) : module(module), kinds(fir::getKindMapping(module)) {}

  void check(fir::AllocMemOp memory) {
    Value descriptor = descriptorOf(memory);
    std::string name = descriptor ? variableName(descriptor) : std::string();
    if (name.empty())
      return;
    fir::FirOpBuilder builder(memory, kinds);
    Location loc = memory.getLoc();
    Value null = isNull(builder, loc, addressIn(builder, loc, descriptor));
    Value allocated = arith::XOrIOp::create(builder, loc, null, builder.createBool(loc, true));
    callIf(builder, loc, allocated, "cufrt_is_allocated", name, {});
    Value count;
    Value isTooLarge = countElements(builder, loc, memory, count);
    callIf(builder, loc, isTooLarge, "cufrt_no_memory", name, count);
    builder.setInsertionPointAfter(memory);
    callIf(builder, loc, isNull(builder, loc, memory.getResult()), "cufrt_no_memory", name, count);
  }

  void check(fir::FreeMemOp release) {
    Value descriptor = descriptorOf(release.getHeapref());
    auto around = dyn_cast<fir::IfOp>(release->getParentOp());
    std::string name = descriptor ? variableName(descriptor) : std::string();
    if (name.empty() || (around && comparesWithNull(around.getCondition(), descriptor)))
      return;
    fir::FirOpBuilder builder(release, kinds);
    Location loc = release.getLoc();
    callIf(builder, loc, isNull(builder, loc, release.getHeapref()), "cufrt_is_not_allocated", name,
           {});
  }

private:
  static Value addressIn(fir::FirOpBuilder &builder, Location loc, Value descriptor) {
    return fir::BoxAddrOp::create(builder, loc, fir::LoadOp::create(builder, loc, descriptor));
  }

  static Value isNull(fir::FirOpBuilder &builder, Location loc, Value address) {
    return builder.genIsNullAddr(loc, address);
  }

  // Gives whether there are too many, and in `count` the product of the extents and of a length of
  // characters, or -1 if that is no number of 64 bits.
  static Value countElements(fir::FirOpBuilder &builder, Location loc, fir::AllocMemOp memory,
                             Value &count) {
    Type number = builder.getI64Type();
    Value zero = builder.createIntegerConstant(loc, number, 0);
    Value isOver = builder.createBool(loc, false);
    Value product = builder.createIntegerConstant(loc, number, 1);
    for (Value factor : memory->getOperands()) {
      auto wide = arith::MulUIExtendedOp::create(builder, loc, product,
                                                 builder.createConvert(loc, number, factor));
      product = wide.getLow();
      Value over =
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, wide.getHigh(), zero);
      isOver = arith::OrIOp::create(builder, loc, isOver, over);
    }
    count = arith::SelectOp::create(builder, loc, isOver,
                                    builder.createIntegerConstant(loc, number, -1), product);
    Value most = builder.createIntegerConstant(loc, number, mostElements);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ugt, count, most);
  }

  static void callIf(fir::FirOpBuilder &builder, Location loc, Value condition,
                     llvm::StringRef function, const std::string &name, Value count) {
    auto branch = fir::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&branch.getThenRegion().front());
    SourceRange place = toSourceRange(loc);
    llvm::SmallVector<Value> operands{
        textArgument(builder, loc, place.file),
        builder.createIntegerConstant(loc, builder.getI32Type(), place.line),
        textArgument(builder, loc, name)};
    if (count)
      operands.push_back(count);
    callRuntime(builder, loc, function, operands, {});
  }

  ModuleOp module;
  fir::KindMapping kinds;
};

} // namespace

void checkAllocations(ModuleOp module) {
  llvm::SmallVector<fir::AllocMemOp> allocations;
  llvm::SmallVector<fir::FreeMemOp> releases;
  module.walk([&](Operation *op) {
    if (isCopy(op))
      return;
    auto memory = dyn_cast<fir::AllocMemOp>(op);
    if (memory && memory->hasAttr("fir.must_be_heap") && memory.getUniqName() &&
        memory.getUniqName()->ends_with(".alloc"))
      allocations.push_back(memory);
    else if (auto release = dyn_cast<fir::FreeMemOp>(op))
      releases.push_back(release);
  });
  AllocationChecks checks(module);
  for (fir::AllocMemOp memory : allocations)
    checks.check(memory);
  for (fir::FreeMemOp release : releases)
    checks.check(release);
}

} // namespace cufc
