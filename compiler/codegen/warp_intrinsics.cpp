// Names are cufc_warp_<operation>_<type>[_w], _w for a shuffle with a width; "all_" before the
// operation is one of all lanes, without a mask. A shuffle moves 32 bits, so wider values and
// complex numbers go in parts; smaller ones are widened.
#include "codegen/warp_intrinsics.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

Intrinsic::ID reduction(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Case("reduce_add_i4", Intrinsic::nvvm_redux_sync_add)
      .Case("reduce_min_i4", Intrinsic::nvvm_redux_sync_min)
      .Case("reduce_max_i4", Intrinsic::nvvm_redux_sync_max)
      .Case("reduce_and_i4", Intrinsic::nvvm_redux_sync_and)
      .Case("reduce_or_i4", Intrinsic::nvvm_redux_sync_or)
      .Case("reduce_xor_i4", Intrinsic::nvvm_redux_sync_xor)
      .Default(Intrinsic::not_intrinsic);
}

Intrinsic::ID shuffle(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .StartsWith("shfl_up_", Intrinsic::nvvm_shfl_sync_up_i32)
      .StartsWith("shfl_down_", Intrinsic::nvvm_shfl_sync_down_i32)
      .StartsWith("shfl_xor_", Intrinsic::nvvm_shfl_sync_bfly_i32)
      .StartsWith("shfl_", Intrinsic::nvvm_shfl_sync_idx_i32)
      .Default(Intrinsic::not_intrinsic);
}

class Definition {
public:
  explicit Definition(Function &function)
      : function(function), builder(BasicBlock::Create(function.getContext(), "entry", &function)) {
  }

  void build() {
    StringRef name = function.getName();
    name.consume_front("cufc_warp_");
    hasMask = !name.consume_front("all_");
    Value *result = nullptr;
    if (Intrinsic::ID id = reduction(name))
      result = builder.CreateIntrinsic(builder.getInt32Ty(), id,
                                       {function.getArg(1), function.getArg(0)});
    else if (Intrinsic::ID id = shuffle(name))
      result = shuffled(id);
    else if (name == "activemask")
      result = builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_activemask, {});
    else if (name == "nanosleep")
      builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::nvvm_nanosleep, {function.getArg(0)});
    result ? builder.CreateRet(result) : builder.CreateRetVoid();
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
    function.addFnAttr(Attribute::Convergent);
  }

private:
  // Lanes are numbered from one, like threads; PTX counts from zero.
  Value *shuffled(Intrinsic::ID id) {
    exchange = id;
    unsigned first = hasMask ? 1 : 0; // argument after the mask
    mask = hasMask ? function.getArg(0) : static_cast<Value *>(builder.getInt32(~0u));
    lane = function.getArg(first + 1);
    if (id == Intrinsic::nvvm_shfl_sync_idx_i32)
      lane = builder.CreateSub(lane, builder.getInt32(1));
    // PTX ISA, shfl.sync: bits 8 to 12 keep lanes of one segment together, bits 0 to 4 are the last
    // lane that may be read (the first, for up).
    Value *width = builder.getInt32(32);
    if (function.arg_size() > first + 2)
      width = function.getArg(first + 2);
    clamp = builder.CreateShl(builder.CreateSub(builder.getInt32(32), width), 8);
    if (id != Intrinsic::nvvm_shfl_sync_up_i32)
      clamp = builder.CreateOr(clamp, 31);
    return exchanged(function.getArg(first));
  }

  Value *exchanged(Value *value) {
    Type *type = value->getType();
    if (auto *parts = dyn_cast<StructType>(type)) { // a complex number
      Value *result = PoisonValue::get(type);
      for (unsigned i = 0; i < parts->getNumElements(); ++i)
        result =
            builder.CreateInsertValue(result, exchanged(builder.CreateExtractValue(value, i)), i);
      return result;
    }
    unsigned size = type->getPrimitiveSizeInBits();
    Value *bits = builder.CreateBitCast(value, builder.getIntNTy(size));
    Value *result = nullptr;
    for (unsigned at = 0; at < size; at += 32) {
      Value *part = builder.CreateZExtOrTrunc(builder.CreateLShr(bits, at), builder.getInt32Ty());
      part = builder.CreateIntrinsic(builder.getInt32Ty(), exchange, {mask, part, lane, clamp});
      part = builder.CreateShl(builder.CreateZExtOrTrunc(part, bits->getType()), at);
      result = result ? builder.CreateOr(result, part) : part;
    }
    return builder.CreateBitCast(result, type);
  }

  Function &function;
  IRBuilder<> builder;
  bool hasMask = true;
  Intrinsic::ID exchange = Intrinsic::not_intrinsic;
  Value *mask = nullptr, *lane = nullptr, *clamp = nullptr;
};

Value *combined(IRBuilder<> &builder, Intrinsic::ID id, Value *a, Value *b) {
  switch (id) {
  case Intrinsic::nvvm_redux_sync_add:
    return builder.CreateAdd(a, b);
  case Intrinsic::nvvm_redux_sync_min:
    return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  case Intrinsic::nvvm_redux_sync_max:
    return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  case Intrinsic::nvvm_redux_sync_and:
    return builder.CreateAnd(a, b);
  case Intrinsic::nvvm_redux_sync_or:
    return builder.CreateOr(a, b);
  default:
    return builder.CreateXor(a, b);
  }
}

bool isReduction(Intrinsic::ID id) {
  return is_contained({Intrinsic::nvvm_redux_sync_add, Intrinsic::nvvm_redux_sync_min,
                       Intrinsic::nvvm_redux_sync_max, Intrinsic::nvvm_redux_sync_and,
                       Intrinsic::nvvm_redux_sync_or, Intrinsic::nvvm_redux_sync_xor},
                      id);
}

uint32_t neutralElement(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_redux_sync_min:
    return INT32_MAX;
  case Intrinsic::nvvm_redux_sync_max:
    return static_cast<uint32_t>(INT32_MIN);
  case Intrinsic::nvvm_redux_sync_and:
    return UINT32_MAX;
  default:
    return 0;
  }
}

// i32 (value, mask): combines the values of the mask's lanes, one after the other; every lane goes
// the same way round the loop.
void defineByShuffles(Function &function, Intrinsic::ID id) {
  LLVMContext &context = function.getContext();
  BasicBlock *entry = BasicBlock::Create(context, "entry", &function);
  BasicBlock *loop = BasicBlock::Create(context, "loop", &function);
  BasicBlock *done = BasicBlock::Create(context, "done", &function);
  IRBuilder<> builder(entry);
  Value *value = function.getArg(0), *mask = function.getArg(1);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  PHINode *rest = builder.CreatePHI(builder.getInt32Ty(), 2);
  PHINode *sum = builder.CreatePHI(builder.getInt32Ty(), 2);
  Value *lane = builder.CreateBinaryIntrinsic(Intrinsic::cttz, rest, builder.getFalse());
  Value *part = builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_shfl_sync_idx_i32,
                                        {mask, value, lane, builder.getInt32(31)});
  Value *total = combined(builder, id, sum, part);
  Value *others = builder.CreateAnd(rest, builder.CreateSub(rest, builder.getInt32(1)));
  rest->addIncoming(mask, entry);
  rest->addIncoming(others, loop);
  sum->addIncoming(builder.getInt32(neutralElement(id)), entry);
  sum->addIncoming(total, loop);
  builder.CreateCondBr(builder.CreateIsNotNull(others), loop, done);
  builder.SetInsertPoint(done);
  builder.CreateRet(total);
  function.addFnAttr(Attribute::Convergent);
}

} // namespace

void defineWarpIntrinsics(Module &module) {
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("cufc_warp_"))
      Definition(function).build();
}

void expandWarpReductions(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    Intrinsic::ID id = function.getIntrinsicID();
    if (!isReduction(id))
      continue;
    Function *body = Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                                      "cufc.reduce", module);
    defineByShuffles(*body, id);
    function.replaceAllUsesWith(body);
    function.eraseFromParent();
  }
}

} // namespace cufc
