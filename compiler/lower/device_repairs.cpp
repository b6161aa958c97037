// What flang 22 lowers for the host alone, or not as CUDA Fortran defines it, mended in the device
// module before the passes see it:
//
//   atomiccas      gives the old value, not whether it swapped
//   matches        compare the bits of reals, not what is left of them as integers
//   votes          an integer predicate is true if it is not zero, not if it is odd
//   on_device      is true
//   nearest        a second argument of zero stops the kernel; there are no flags of exceptions
//   ieee           flags of exceptions, which a procedure saves and restores, do not exist
//   transfer       of scalars reads the source's memory, not a copy that the run-time library makes
#include "base/workarounds.h"
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "lower/device_procedures.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace cufc {
namespace {

using namespace mlir;

// The value of a type that flang has made an integer for the operation: a real by its bits.
Value convertBits(OpBuilder &builder, Location place, Value bits, Type type) {
  if (bits.getType() == type)
    return bits;
  if (isa<FloatType>(type))
    return arith::BitcastOp::create(builder, place, type, bits);
  return fir::ConvertOp::create(builder, place, type, bits);
}

// CUDA Fortran's atomiccas returns the old value; flang 22 gives the success flag.
void fixCompareAndSwap(ModuleOp module) {
  llvm::SmallVector<LLVM::ExtractValueOp> flags;
  module.walk([&](LLVM::ExtractValueOp op) {
    if (op.getContainer().getDefiningOp<LLVM::AtomicCmpXchgOp>() && op.getPosition()[0] == 1)
      flags.push_back(op);
  });
  for (LLVM::ExtractValueOp flag : flags) {
    OpBuilder builder(flag);
    Value old = LLVM::ExtractValueOp::create(builder, flag.getLoc(), flag.getContainer(),
                                             llvm::ArrayRef<int64_t>{0});
    for (Operation *user : llvm::make_early_inc_range(flag->getUsers()))
      if (auto convert = dyn_cast<fir::ConvertOp>(user)) {
        Value result = convertBits(builder, flag.getLoc(), old, convert.getType());
        convert.replaceAllUsesWith(result);
        convert.erase();
      }
  }
}

// A match compares the bits of reals; flang 22 converts them to integers.
void fixMatches(ModuleOp module) {
  module.walk([](NVVM::MatchSyncOp match) {
    auto convert = match.getVal().getDefiningOp<fir::ConvertOp>();
    if (!convert || !isa<FloatType>(convert.getValue().getType()))
      return;
    OpBuilder builder(match);
    match.getValMutable().assign(arith::BitcastOp::create(
        builder, match.getLoc(), match.getVal().getType(), convert.getValue()));
  });
}

// An integer predicate of a vote is true if it is not zero; flang 22 takes its lowest bit.
void fixVotes(ModuleOp module) {
  module.walk([](NVVM::VoteSyncOp vote) {
    auto convert = vote.getPred().getDefiningOp<fir::ConvertOp>();
    if (!convert || !convert.getValue().getType().isInteger())
      return;
    OpBuilder builder(vote);
    Value test = convert.getValue();
    Value zero = arith::ConstantOp::create(builder, vote.getLoc(),
                                           builder.getIntegerAttr(test.getType(), 0));
    vote.getPredMutable().assign(
        arith::CmpIOp::create(builder, vote.getLoc(), arith::CmpIPredicate::ne, test, zero));
  });
}

// flang's rewrite of on_device takes all code outside of a gpu.module for the host's.
void answerOnDevice(ModuleOp module) {
  module.walk([](fir::CallOp call) {
    if (!call.getCallee() || call.getCallee()->getLeafReference().getValue() != "on_device")
      return;
    OpBuilder builder(call);
    Value yes = arith::ConstantOp::create(builder, call.getLoc(), builder.getBoolAttr(true));
    call.getResult(0).replaceAllUsesWith(
        fir::ConvertOp::create(builder, call.getLoc(), call.getResult(0).getType(), yes));
    call.erase();
  });
}

// flang lowers nearest with code that reports an argument of zero, and raises flags that no GPU
// has.
void simplifyNearest(ModuleOp module) {
  module.walk([](fir::CallOp call) {
    if (!call.getCallee())
      return;
    llvm::StringRef callee = call.getCallee()->getLeafReference().getValue();
    OpBuilder builder(call);
    if (callee == "_FortranAReportFatalUserError")
      LLVM::Trap::create(builder, call.getLoc());
    else if (callee == "_FortranAMapException")
      call.getResult(0).replaceAllUsesWith(call.getArgOperands()[0]);
    else if (callee != "_FortranAferaiseexcept")
      return;
    call.erase();
  });
}

// Bytes of a number or logical value; 0 for another type.
unsigned scalarBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * scalarBytes(complex.getElementType());
  if (auto logical = dyn_cast<fir::LogicalType>(type))
    return logical.getFKind();
  return type.isIntOrFloat() ? (type.getIntOrFloatBitWidth() + 7) / 8 : 0;
}

// The box that a call converts to box<none>, or a reference to it.
Value beforeConversion(Value argument) {
  auto convert = argument.getDefiningOp<fir::ConvertOp>();
  return convert ? convert.getValue() : argument;
}

// Lets the readers of the result's descriptor read the source.
void readSource(Value result, Value source) {
  for (Operation *user : llvm::make_early_inc_range(result.getUsers())) {
    auto load = dyn_cast<fir::LoadOp>(user);
    if (!load)
      continue;
    for (Operation *reader : llvm::make_early_inc_range(load->getUsers())) {
      auto address = dyn_cast<fir::BoxAddrOp>(reader);
      if (!address)
        continue;
      OpBuilder builder(address);
      for (Operation *last : llvm::make_early_inc_range(address->getUsers()))
        if (isa<fir::FreeMemOp>(last))
          last->erase();
      Value there = fir::BoxAddrOp::create(builder, address.getLoc(), source);
      there = fir::ConvertOp::create(builder, address.getLoc(), address.getType(), there);
      address.replaceAllUsesWith(there);
      address.erase();
    }
  }
}

void inlineScalarTransfers(ModuleOp module) {
  llvm::SmallVector<fir::CallOp> calls;
  module.walk([&](fir::CallOp call) {
    if (call.getCallee() && call.getCallee()->getLeafReference().getValue() == "_FortranATransfer")
      calls.push_back(call);
  });
  for (fir::CallOp call : calls) {
    Value result = beforeConversion(call.getArgOperands()[0]);
    Value source = beforeConversion(call.getArgOperands()[1]);
    auto box = dyn_cast<fir::BoxType>(source.getType());
    Type resultType = fir::unwrapPassByRefType(fir::unwrapRefType(result.getType()));
    if (!box)
      continue;
    unsigned bytes = scalarBytes(resultType),
             there = scalarBytes(fir::unwrapRefType(box.getEleTy()));
    if (bytes == 0 || bytes > there)
      continue;
    readSource(result, source);
    call.erase();
  }
}

// A procedure that uses ieee_exceptions saves the flags of exceptions and restores them (F2023
// 17.3 paragraph 5).
void dropExceptionFlags(ModuleOp module) {
  llvm::SmallVector<fir::CallOp> calls;
  module.walk([&](fir::CallOp call) {
    llvm::StringRef name = call.getCallee() ? call.getCallee()->getLeafReference().getValue() : "";
    if (name == "fetestexcept" || name == "feclearexcept" || name == "feraiseexcept")
      calls.push_back(call);
  });
  for (fir::CallOp call : calls) {
    OpBuilder builder(call);
    Value none = arith::ConstantOp::create(builder, call.getLoc(),
                                           builder.getZeroAttr(call.getResult(0).getType()));
    call.getResult(0).replaceAllUsesWith(none);
    call.erase();
  }
}

} // namespace

void repairDeviceCode(ModuleOp module) {
  static constexpr std::pair<Workaround, void (*)(ModuleOp)> repairs[] = {
      {Workaround::CompareAndSwap, fixCompareAndSwap},
      {Workaround::MatchBits, fixMatches},
      {Workaround::VotePredicates, fixVotes},
      {Workaround::OnDevice, answerOnDevice},
      {Workaround::Nearest, simplifyNearest},
      {Workaround::ScalarTransfers, inlineScalarTransfers}};
  for (auto [defect, repair] : repairs)
    if (isMade(defect))
      repair(module);
  dropExceptionFlags(module);
}

} // namespace cufc
