// The barrier of a grid: a cooperative launch gives the kernel a workspace, whose address stands in
// the registers %envreg1 and %envreg2 (so does the code that nvcc makes). Its second word counts
// arrivals: each block adds one, the first block what is missing to 2**31, so that the highest bit
// changes when the last one arrives, whatever the count was before. One thread of each block adds
// with release semantics and then waits with acquire semantics until the bit has changed; barriers
// of the block before and after extend both to the block's other threads (PTX ISA, "Causality").
#include "codegen/group_operations.h"
#include "codegen/address_spaces.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;

void callVoid(IRBuilder<> &builder, Intrinsic::ID id, ArrayRef<Value *> arguments = {}) {
  builder.CreateIntrinsic(builder.getVoidTy(), id, arguments);
}

void blockBarrier(IRBuilder<> &builder) {
  callVoid(builder, Intrinsic::nvvm_barrier_cta_sync_all, {builder.getInt32(0)});
}

void defineOperation(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  StringRef name = function.getName();
  name.consume_front("cufc_group_");
  Value *result = nullptr;
  if (name == "sync_grid") {
    FunctionCallee barrier =
        function.getParent()->getOrInsertFunction(gridBarrier, builder.getVoidTy());
    cast<Function>(barrier.getCallee())->setConvergent();
    builder.CreateCall(barrier);
  } else if (name == "sync_block") {
    blockBarrier(builder);
  } else if (name == "sync_warp") {
    callVoid(builder, Intrinsic::nvvm_bar_warp_sync, {builder.getInt32(~0u)});
  } else if (name == "sync_cluster") {
    callVoid(builder, Intrinsic::nvvm_barrier_cluster_arrive);
    callVoid(builder, Intrinsic::nvvm_barrier_cluster_wait);
  } else { // the address in another block, whose rank counts from one
    Value *rank = builder.CreateSub(function.getArg(1), builder.getInt32(1));
    Value *address = builder.CreateIntrinsic(builder.getPtrTy(), Intrinsic::nvvm_mapa,
                                             {function.getArg(0), rank});
    result = builder.CreatePtrToInt(address, function.getReturnType());
  }
  result ? builder.CreateRet(result) : builder.CreateRetVoid();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::AlwaysInline);
  function.addFnAttr(Attribute::Convergent);
}

// The body of gridBarrier.
class GridBarrier {
public:
  explicit GridBarrier(Function &function)
      : function(function), context(function.getContext()), builder(newBlock("entry")) {}

  void build() {
    Value *workspace = workspaceAddress();
    BasicBlock *none = newBlock("no_workspace"), *arrive = newBlock("arrive");
    BasicBlock *wait = newBlock("wait"), *done = newBlock("done"), *start = newBlock("start");
    builder.CreateCondBr(builder.CreateIsNull(workspace), none, start);
    builder.SetInsertPoint(none); // not a cooperative launch
    callVoid(builder, Intrinsic::trap);
    builder.CreateUnreachable();
    builder.SetInsertPoint(start);
    blockBarrier(builder);
    builder.CreateCondBr(isFirst(Intrinsic::nvvm_read_ptx_sreg_tid_x,
                                 Intrinsic::nvvm_read_ptx_sreg_tid_y,
                                 Intrinsic::nvvm_read_ptx_sreg_tid_z),
                         arrive, done);
    builder.SetInsertPoint(arrive);
    SyncScope::ID device = context.getOrInsertSyncScopeID("device");
    // A fence, since the code generator makes every addition a relaxed one.
    builder.CreateFence(AtomicOrdering::AcquireRelease, device);
    Value *before =
        builder.CreateAtomicRMW(AtomicRMWInst::Add, counterAddress(workspace), increment(),
                                Align(4), AtomicOrdering::Monotonic, device);
    builder.CreateBr(wait);
    builder.SetInsertPoint(wait);
    LoadInst *now = builder.CreateAlignedLoad(builder.getInt32Ty(), counter, Align(4));
    now->setAtomic(AtomicOrdering::Acquire, device);
    Value *changed = builder.CreateICmpSLT(builder.CreateXor(now, before), builder.getInt32(0));
    builder.CreateCondBr(changed, done, wait);
    builder.SetInsertPoint(done);
    blockBarrier(builder);
    builder.CreateRetVoid();
  }

private:
  BasicBlock *newBlock(const char *name) { return BasicBlock::Create(context, name, &function); }

  Value *special(Intrinsic::ID id) { return builder.CreateIntrinsic(builder.getInt32Ty(), id, {}); }

  Value *workspaceAddress() {
    Type *i64 = builder.getInt64Ty();
    Value *high = builder.CreateZExt(special(Intrinsic::nvvm_read_ptx_sreg_envreg1), i64);
    Value *low = builder.CreateZExt(special(Intrinsic::nvvm_read_ptx_sreg_envreg2), i64);
    return builder.CreateOr(builder.CreateShl(high, 32), low);
  }

  Value *counterAddress(Value *workspace) {
    Value *address = builder.CreateAdd(workspace, builder.getInt64(4));
    return counter = builder.CreateIntToPtr(address, PointerType::get(context, globalSpace));
  }

  Value *isFirst(Intrinsic::ID x, Intrinsic::ID y, Intrinsic::ID z) {
    Value *any = builder.CreateOr(builder.CreateOr(special(x), special(y)), special(z));
    return builder.CreateIsNull(any);
  }

  Value *increment() {
    Value *blocks =
        builder.CreateMul(builder.CreateMul(special(Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
                                            special(Intrinsic::nvvm_read_ptx_sreg_nctaid_y)),
                          special(Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
    Value *missing = builder.CreateSub(builder.getInt32(0x80000001u), blocks);
    return builder.CreateSelect(isFirst(Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                                        Intrinsic::nvvm_read_ptx_sreg_ctaid_z),
                                missing, builder.getInt32(1));
  }

  Function &function;
  LLVMContext &context;
  IRBuilder<> builder;
  Value *counter = nullptr;
};

bool isClusterOperation(const Function &function) {
  StringRef name = function.getName();
  for (StringRef prefix :
       {"llvm.nvvm.barrier.cluster.", "llvm.nvvm.mapa", "llvm.nvvm.read.ptx.sreg.cluster.",
        "llvm.nvvm.read.ptx.sreg.clusterid.", "llvm.nvvm.read.ptx.sreg.nclusterid."})
    if (name.starts_with(prefix))
      return true;
  return false;
}

} // namespace

void defineGroupOperations(Module &module) {
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("cufc_group_"))
      defineOperation(function);
}

void defineGridBarrier(Module &module) {
  Function *function = module.getFunction(gridBarrier);
  if (!function || !function->isDeclaration())
    return;
  GridBarrier(*function).build();
  function->setLinkage(GlobalValue::InternalLinkage);
}

bool usesClusters(const Module &module) {
  for (const Function &function : module)
    if (isClusterOperation(function) && !function.use_empty())
      return true;
  return false;
}

void trapAtClusters(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!isClusterOperation(function))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      callVoid(builder, Intrinsic::trap);
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace cufc
