// Shuffles, votes and the clock by NVVM intrinsics. Names are cufc_<procedure>_<type>[_w]; the
// types are i4, i8, l4, r4, r8, and _w says that a width argument is given. All operations are over
// the whole warp (member mask of ones), as the procedures without a mask are defined.
#include "codegen/device_intrinsics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

class Definition {
public:
  explicit Definition(Function &function)
      : function(function), builder(BasicBlock::Create(function.getContext(), "entry", &function)) {
  }

  void build() {
    StringRef name = function.getName();
    name.consume_front("cufc_");
    if (name.consume_front("shfl"))
      builder.CreateRet(shuffle(name));
    else if (name == "gpu_time")
      clock();
    else
      builder.CreateRet(vote(name.take_until([](char c) { return c == '_'; })));
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
  }

private:
  Value *allLanes() { return builder.getInt32(~0u); }

  // Lanes are numbered from one, like threads; PTX counts from zero.
  Value *shuffle(StringRef name) {
    Intrinsic::ID id = name.starts_with("_up")     ? Intrinsic::nvvm_shfl_sync_up_i32
                       : name.starts_with("_down") ? Intrinsic::nvvm_shfl_sync_down_i32
                       : name.starts_with("_xor")  ? Intrinsic::nvvm_shfl_sync_bfly_i32
                                                   : Intrinsic::nvvm_shfl_sync_idx_i32;
    Value *value = function.getArg(0), *lane = function.getArg(1);
    if (id == Intrinsic::nvvm_shfl_sync_idx_i32)
      lane = builder.CreateSub(lane, builder.getInt32(1));
    // PTX ISA, shfl.sync: bits 8 to 12 keep lanes of one segment together, bits 0 to 4 are the last
    // lane that may be read (the first, for up).
    Value *width = builder.getInt32(32);
    if (function.arg_size() > 2)
      width = function.getArg(2);
    Value *clamp = builder.CreateShl(builder.CreateSub(builder.getInt32(32), width), 8);
    if (id != Intrinsic::nvvm_shfl_sync_up_i32)
      clamp = builder.CreateOr(clamp, 31);
    auto exchange = [&](Value *part) {
      return builder.CreateIntrinsic(builder.getInt32Ty(), id, {allLanes(), part, lane, clamp});
    };
    Type *type = value->getType();
    if (type->getPrimitiveSizeInBits() == 32)
      return builder.CreateBitCast(exchange(builder.CreateBitCast(value, builder.getInt32Ty())),
                                   type);
    Value *bits = builder.CreateBitCast(value, builder.getInt64Ty());
    Value *low = exchange(builder.CreateTrunc(bits, builder.getInt32Ty()));
    Value *high = exchange(builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt32Ty()));
    Value *whole =
        builder.CreateOr(builder.CreateZExt(low, builder.getInt64Ty()),
                         builder.CreateShl(builder.CreateZExt(high, builder.getInt64Ty()), 32));
    return builder.CreateBitCast(whole, type);
  }

  Value *vote(StringRef procedure) {
    Value *test = function.getArg(0);
    test = builder.CreateICmpNE(test, Constant::getNullValue(test->getType()));
    if (procedure == "ballot")
      return builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_vote_ballot_sync,
                                     {allLanes(), test});
    Intrinsic::ID id =
        procedure == "allthreads" ? Intrinsic::nvvm_vote_all_sync : Intrinsic::nvvm_vote_any_sync;
    Value *result = builder.CreateIntrinsic(builder.getInt1Ty(), id, {allLanes(), test});
    return builder.CreateZExt(result, function.getReturnType());
  }

  void clock() {
    Value *cycles =
        builder.CreateIntrinsic(builder.getInt64Ty(), Intrinsic::nvvm_read_ptx_sreg_clock64, {});
    builder.CreateStore(cycles, function.getArg(0));
    builder.CreateRetVoid();
  }

  Function &function;
  IRBuilder<> builder;
};

} // namespace

void defineDeviceIntrinsics(Module &module) {
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("cufc_") &&
        !function.getName().starts_with("cufc__ldg_")) // codegen/cache_hints.cpp
      Definition(function).build();
}

} // namespace cufc
