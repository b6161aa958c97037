// The NVVM intrinsics that synchronise, one row each.
#include "codegen/cpu/sync_operations.h"
#include "codegen/group_operations.h"
#include "codegen/matrix_operations.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {

using namespace llvm;

namespace {

constexpr const char *widePrefix = "cufc.shuffle.", *ticketPrefix = "cufc.ticket.";

} // namespace

FunctionCallee wideShuffle(Module &module, cufrt_sync kind) {
  Type *word = Type::getInt32Ty(module.getContext()), *wide = Type::getInt64Ty(module.getContext());
  return module.getOrInsertFunction(widePrefix + std::to_string(kind),
                                    FunctionType::get(wide, {word, wide, word, word}, false));
}

FunctionCallee ticketFunction(Module &module, Type *type) {
  LLVMContext &context = module.getContext();
  Type *flag = Type::getInt1Ty(context);
  Type *arguments[] = {PointerType::get(context, 0), type, flag, flag, type};
  return module.getOrInsertFunction(ticketPrefix + std::to_string(type->getIntegerBitWidth()),
                                    FunctionType::get(type, arguments, false));
}

// A table. NOLINTNEXTLINE(readability-function-size)
std::optional<SyncOperation> syncOperation(const CallBase &call) {
  auto argument = [&](unsigned i) { return call.getArgOperand(i); };
  auto barrier = [&](cufrt_sync kind) {
    SyncOperation operation{kind};
    if (call.arg_size() > 1)
      operation.operand = argument(1);
    return operation;
  };
  auto warp = [&](cufrt_sync kind) {
    SyncOperation operation{kind};
    operation.mask = argument(0);
    if (call.arg_size() > 1)
      operation.operand = argument(1);
    operation.givesPair = call.getType()->isStructTy();
    return operation;
  };
  auto shuffle = [&](cufrt_sync kind) {
    SyncOperation operation = warp(kind);
    operation.lane = argument(2);
    operation.clamp = argument(3);
    return operation;
  };
  auto reduction = [&](cufrt_sync kind) {
    SyncOperation operation{kind};
    operation.operand = argument(0);
    operation.mask = argument(1);
    return operation;
  };
  if (call.getCalledFunction() && call.getCalledFunction()->getName() == gridBarrier)
    return SyncOperation{CUFRT_GRID_BARRIER};
  if (call.getCalledFunction() && call.getCalledFunction()->getName() == matrixOperation)
    return warp(CUFRT_MATRIX);
  if (StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
      name.consume_front(widePrefix)) {
    int kind = 0;
    name.getAsInteger(10, kind);
    return shuffle(static_cast<cufrt_sync>(kind));
  }
  if (call.getCalledFunction() && call.getCalledFunction()->getName().starts_with(ticketPrefix))
    return SyncOperation{ticketOperation};
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case Intrinsic::nvvm_barrier_cta_sync_all:
    return SyncOperation{CUFRT_BARRIER};
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_all:
    return barrier(CUFRT_BARRIER_AND);
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_all:
    return barrier(CUFRT_BARRIER_OR);
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_popc_all:
    return barrier(CUFRT_BARRIER_COUNT);
  case Intrinsic::nvvm_bar_warp_sync:
    return warp(CUFRT_WARP_BARRIER);
  case Intrinsic::nvvm_vote_all_sync:
    return warp(CUFRT_VOTE_ALL);
  case Intrinsic::nvvm_vote_any_sync:
    return warp(CUFRT_VOTE_ANY);
  case Intrinsic::nvvm_vote_uni_sync:
    return warp(CUFRT_VOTE_UNIFORM);
  case Intrinsic::nvvm_vote_ballot_sync:
    return warp(CUFRT_VOTE_BALLOT);
  case Intrinsic::nvvm_shfl_sync_idx_i32:
  case Intrinsic::nvvm_shfl_sync_idx_f32:
  case Intrinsic::nvvm_shfl_sync_idx_i32p:
  case Intrinsic::nvvm_shfl_sync_idx_f32p:
    return shuffle(CUFRT_SHUFFLE_INDEX);
  case Intrinsic::nvvm_shfl_sync_up_i32:
  case Intrinsic::nvvm_shfl_sync_up_f32:
  case Intrinsic::nvvm_shfl_sync_up_i32p:
  case Intrinsic::nvvm_shfl_sync_up_f32p:
    return shuffle(CUFRT_SHUFFLE_UP);
  case Intrinsic::nvvm_shfl_sync_down_i32:
  case Intrinsic::nvvm_shfl_sync_down_f32:
  case Intrinsic::nvvm_shfl_sync_down_i32p:
  case Intrinsic::nvvm_shfl_sync_down_f32p:
    return shuffle(CUFRT_SHUFFLE_DOWN);
  case Intrinsic::nvvm_shfl_sync_bfly_i32:
  case Intrinsic::nvvm_shfl_sync_bfly_f32:
  case Intrinsic::nvvm_shfl_sync_bfly_i32p:
  case Intrinsic::nvvm_shfl_sync_bfly_f32p:
    return shuffle(CUFRT_SHUFFLE_XOR);
  case Intrinsic::nvvm_match_any_sync_i32:
  case Intrinsic::nvvm_match_any_sync_i64:
    return warp(CUFRT_MATCH_ANY);
  case Intrinsic::nvvm_match_all_sync_i32p:
  case Intrinsic::nvvm_match_all_sync_i64p:
    return warp(CUFRT_MATCH_ALL);
  case Intrinsic::nvvm_redux_sync_add:
    return reduction(CUFRT_REDUCE_ADD);
  case Intrinsic::nvvm_redux_sync_min:
    return reduction(CUFRT_REDUCE_MIN);
  case Intrinsic::nvvm_redux_sync_max:
    return reduction(CUFRT_REDUCE_MAX);
  case Intrinsic::nvvm_redux_sync_and:
    return reduction(CUFRT_REDUCE_AND);
  case Intrinsic::nvvm_redux_sync_or:
    return reduction(CUFRT_REDUCE_OR);
  case Intrinsic::nvvm_redux_sync_xor:
    return reduction(CUFRT_REDUCE_XOR);
  case Intrinsic::nvvm_activemask:
    return SyncOperation{CUFRT_ACTIVE_MASK};
  case Intrinsic::nvvm_barrier_cluster_wait:
  case Intrinsic::nvvm_barrier_cluster_wait_aligned:
    return SyncOperation{CUFRT_CLUSTER_BARRIER};
  default:
    return std::nullopt;
  }
}

bool waitsForGrid(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    auto operation = call ? syncOperation(*call) : std::nullopt;
    return operation && operation->kind == CUFRT_GRID_BARRIER;
  });
}

namespace {

Value *fromBits(IRBuilder<> &builder, Type *type, Value *bits) {
  if (type->isIntegerTy(1))
    return builder.CreateICmpNE(bits, ConstantInt::get(bits->getType(), 0));
  if (type->isFloatTy())
    return builder.CreateBitCast(builder.CreateTrunc(bits, builder.getInt32Ty()), type);
  return builder.CreateTrunc(bits, type);
}

} // namespace

Value *syncResult(IRBuilder<> &builder, const SyncOperation &operation, Type *type, Value *result) {
  if (type->isVoidTy())
    return nullptr;
  if (!operation.givesPair)
    return fromBits(builder, type, result);
  auto *pair = cast<StructType>(type);
  Value *low = fromBits(builder, pair->getElementType(0), result);
  // match.all has no second result in the frame: the mask is zero if the values differ.
  Value *flag = operation.kind == CUFRT_MATCH_ALL
                    ? builder.CreateICmpNE(result, builder.getInt64(0))
                    : fromBits(builder, builder.getInt1Ty(), builder.CreateLShr(result, 32));
  Value *value = builder.CreateInsertValue(PoisonValue::get(type), low, 0);
  return builder.CreateInsertValue(value, flag, 1);
}

} // namespace cufc
