// Special registers (PTX ISA, "Special Registers") come from the block record and the thread's
// index; static shared variables are placed one after the other in the block's memory, dynamic
// shared memory follows.
#include "codegen/cpu/host_kernel_body.h"
#include "codegen/address_spaces.h"
#include "codegen/branches.h"
#include "codegen/cpu/shared_scopes.h"
#include "cufrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"

namespace cufc {
namespace {

using namespace llvm;

class BodyBuilder {
public:
  explicit BodyBuilder(Function &kernel) : kernel(kernel), context(kernel.getContext()) {}

  HostKernelBody run() {
    createFunction();
    loadArguments();
    replaceIntrinsics();
    uint64_t bytes = placeSharedVariables();
    replaceReturns();
    separateSharedMemory(*thread, sharedPlaces, argumentValues);
    if (!usesOtherBlocks)
      thread->addFnAttr(ownsSharedMemory);
    return {thread, bytes, unsupported, usesOtherBlocks, sharedVariables};
  }

private:
  void createFunction() {
    Type *i32 = Type::getInt32Ty(context), *pointer = PointerType::get(context, 0);
    auto *type = FunctionType::get(i32, {pointer, pointer, pointer, i32, i32, i32}, false);
    thread = Function::Create(type, GlobalValue::InternalLinkage, kernel.getName() + ".thread",
                              kernel.getParent());
    thread->splice(thread->end(), &kernel);
    thread->setSubprogram(kernel.getSubprogram());
    kernel.setSubprogram(nullptr);
    thread->getArg(0)->addAttr(Attribute::NoAlias);
    thread->getArg(1)->addAttr(Attribute::NoAlias);
    thread->getArg(2)->addAttr(Attribute::NoAlias);
    BasicBlock *start = &thread->getEntryBlock();
    std::vector<AllocaInst *> memories; // static while their block is the entry
    for (Instruction &instruction : *start)
      if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && memory->isStaticAlloca())
        memories.push_back(memory);
    BasicBlock *entry = BasicBlock::Create(context, "entry", thread, start);
    for (AllocaInst *memory : memories)
      memory->moveBefore(*entry, entry->end());
    builder = std::make_unique<IRBuilder<>>(Jump::Create(start, entry));
  }

  LoadInst *invariantLoad(Type *type, Value *address) {
    LoadInst *load = builder->CreateLoad(type, address);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    return load;
  }

  void loadArguments() {
    Type *pointer = PointerType::get(context, 0);
    for (Argument &argument : kernel.args()) {
      Value *slot =
          builder->CreateConstInBoundsGEP1_32(pointer, thread->getArg(1), argument.getArgNo());
      Value *value = invariantLoad(pointer, slot);
      if (!argument.hasByValAttr())
        value = invariantLoad(argument.getType(), value);
      else if (isWritten(argument)) // such as a pointer that is assigned; each thread has its own
        value = copyOf(argument.getParamByValType(), value);
      argument.replaceAllUsesWith(value);
      if (value->getType()->isPointerTy() && !isa<AllocaInst>(value))
        argumentValues.insert(value);
    }
  }

  static bool isWritten(const Value &address) {
    return any_of(address.users(), [&](const User *user) {
      if (auto *store = dyn_cast<StoreInst>(user))
        return store->getPointerOperand() == &address;
      if (auto *copy = dyn_cast<MemIntrinsic>(user))
        return copy->getRawDest() == &address;
      return isa<GEPOperator, AddrSpaceCastOperator>(user) && isWritten(*user);
    });
  }

  Value *copyOf(Type *type, Value *address) {
    const DataLayout &layout = kernel.getDataLayout();
    AllocaInst *copy = builder->CreateAlloca(type);
    Align alignment = layout.getABITypeAlign(type);
    builder->CreateMemCpy(copy, copy->getAlign(), address, alignment,
                          layout.getTypeAllocSize(type));
    return copy;
  }

  Value *blockField(size_t offset, unsigned dimension) {
    Value *address = builder->CreateConstInBoundsGEP1_64(builder->getInt8Ty(), thread->getArg(0),
                                                         offset + size_t(4) * dimension);
    return invariantLoad(builder->getInt32Ty(), address);
  }

  Value *linearThread() {
    Value *rows =
        builder->CreateMul(thread->getArg(5), blockField(offsetof(cufrt_block, block_dim), 1));
    Value *row = builder->CreateAdd(rows, thread->getArg(4));
    Value *before = builder->CreateMul(row, blockField(offsetof(cufrt_block, block_dim), 0));
    return builder->CreateAdd(before, thread->getArg(3));
  }

  Value *indexInCluster(unsigned dimension) {
    return builder->CreateURem(blockField(offsetof(cufrt_block, block_index), dimension),
                               blockField(offsetof(cufrt_block, cluster_dim), dimension));
  }

  Value *clusterBlocks() {
    constexpr size_t sizes = offsetof(cufrt_block, cluster_dim);
    Value *plane = builder->CreateMul(blockField(sizes, 0), blockField(sizes, 1));
    return builder->CreateMul(plane, blockField(sizes, 2));
  }

  // The value of a special register, or null if `id` is none.
  Value *specialRegister(Intrinsic::ID id) {
    constexpr size_t threads = offsetof(cufrt_block, block_dim);
    constexpr size_t index = offsetof(cufrt_block, block_index);
    constexpr size_t blocks = offsetof(cufrt_block, grid_dim);
    switch (id) {
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return thread->getArg(3);
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
      return thread->getArg(4);
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return thread->getArg(5);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
      return blockField(threads, 0);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
      return blockField(threads, 1);
    case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
      return blockField(threads, 2);
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
      return blockField(index, 0);
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
      return blockField(index, 1);
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return blockField(index, 2);
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
      return blockField(blocks, 0);
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
      return blockField(blocks, 1);
    case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
      return blockField(blocks, 2);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_x:
      return blockField(offsetof(cufrt_block, cluster_dim), 0);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_y:
      return blockField(offsetof(cufrt_block, cluster_dim), 1);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctaid_z:
      return blockField(offsetof(cufrt_block, cluster_dim), 2);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_x:
      return indexInCluster(0);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_y:
      return indexInCluster(1);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctaid_z:
      return indexInCluster(2);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_ctarank:
      return blockField(offsetof(cufrt_block, cluster_rank), 0);
    case Intrinsic::nvvm_read_ptx_sreg_cluster_nctarank:
      return clusterBlocks();
    case Intrinsic::nvvm_read_ptx_sreg_warpsize:
      return builder->getInt32(32);
    case Intrinsic::nvvm_read_ptx_sreg_laneid:
      return builder->CreateAnd(linearThread(), 31);
    case Intrinsic::nvvm_read_ptx_sreg_warpid:
      return builder->CreateLShr(linearThread(), 5);
    default:
      return nullptr;
    }
  }

  static bool isFence(Intrinsic::ID id) {
    return id == Intrinsic::nvvm_membar_cta || id == Intrinsic::nvvm_membar_gl ||
           id == Intrinsic::nvvm_membar_sys;
  }

  static bool isClock(Intrinsic::ID id) {
    return id == Intrinsic::nvvm_read_ptx_sreg_clock ||
           id == Intrinsic::nvvm_read_ptx_sreg_clock64 ||
           id == Intrinsic::nvvm_read_ptx_sreg_globaltimer;
  }

  // What means nothing here: time passes anyway, and a cluster's barrier is complete when all wait.
  static bool isIdle(Intrinsic::ID id) {
    return id == Intrinsic::nvvm_nanosleep || id == Intrinsic::nvvm_barrier_cluster_arrive;
  }

  void replaceIntrinsics() {
    for (Instruction &instruction : make_early_inc_range(instructions(*thread))) {
      auto *call = dyn_cast<CallInst>(&instruction);
      if (!call)
        continue;
      Intrinsic::ID id = call->getIntrinsicID();
      if (isFence(id) || isClock(id) || isIdle(id) || id == Intrinsic::nvvm_mapa) {
        replaceInPlace(*call, id);
      } else if (Value *value = specialRegister(id)) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      } else if (call->isInlineAsm()) {
        unsupported = "inline PTX";
      } else {
        checkCall(*call);
      }
    }
  }

  void replaceInPlace(CallInst &call, Intrinsic::ID id) {
    IRBuilder<> here(&call);
    if (isFence(id)) {
      here.CreateFence(AtomicOrdering::SequentiallyConsistent);
    } else if (id == Intrinsic::nvvm_read_ptx_sreg_globaltimer) {
      call.replaceAllUsesWith(here.CreateCall(
          call.getModule()->getOrInsertFunction("cufrt_nv_globaltimer", here.getInt64Ty())));
    } else if (id == Intrinsic::nvvm_mapa) {
      call.replaceAllUsesWith(addressInBlock(here, call.getArgOperand(0), call.getArgOperand(1)));
    } else if (isClock(id)) {
      const bool isArm = call.getModule()->getTargetTriple().isAArch64();
      Value *cycles =
          isArm ? ticksOnArm(here)
                : here.CreateIntrinsic(here.getInt64Ty(), Intrinsic::readcyclecounter, {});
      call.replaceAllUsesWith(here.CreateTruncOrBitCast(cycles, call.getType()));
    }
    call.eraseFromParent();
  }

  // A program may not read aarch64's counter of cycles, for which LLVM's intrinsics give 0: that of
  // the system's time is near to it.
  static Value *ticksOnArm(IRBuilder<> &here) {
    auto *type = FunctionType::get(here.getInt64Ty(), false);
    return here.CreateCall(
        InlineAsm::get(type, "mrs $0, cntvct_el0", "=r", /*hasSideEffects=*/true));
  }

  // The place of a shared variable in the memory of another block of the cluster.
  Value *addressInBlock(IRBuilder<> &here, Value *address, Value *rank) {
    usesOtherBlocks = true;
    auto field = [&](size_t offset) {
      Value *slot = here.CreateConstInBoundsGEP1_64(here.getInt8Ty(), thread->getArg(0), offset);
      return here.CreateLoad(here.getPtrTy(), slot);
    };
    Value *own = here.CreatePtrToInt(field(offsetof(cufrt_block, shared)), here.getInt64Ty());
    Value *offset = here.CreateSub(here.CreatePtrToInt(address, here.getInt64Ty()), own);
    Value *slot =
        here.CreateInBoundsGEP(here.getPtrTy(), field(offsetof(cufrt_block, cluster_shared)),
                               here.CreateZExt(rank, here.getInt64Ty()));
    return here.CreateGEP(here.getInt8Ty(), here.CreateLoad(here.getPtrTy(), slot), offset);
  }

  void checkCall(CallInst &call) {
    static constexpr StringLiteral synchronising[] = {
        "llvm.nvvm.barrier.cta", "llvm.nvvm.bar.warp",
        "llvm.nvvm.vote",        "llvm.nvvm.shfl",
        "llvm.nvvm.match",       "llvm.nvvm.redux.sync",
        "llvm.nvvm.activemask",  "llvm.nvvm.barrier.cluster.wait"};
    StringRef name = call.getCalledFunction() ? call.getCalledFunction()->getName() : "";
    bool known = !name.starts_with("llvm.nvvm.");
    for (StringRef prefix : synchronising)
      known |= name.starts_with(prefix);
    if (!known)
      unsupported = name.str();
  }

  // Gives each shared variable that the thread uses its place; returns the bytes taken by static
  // ones.
  uint64_t placeSharedVariables() {
    const DataLayout &layout = thread->getDataLayout();
    Value *memory = nullptr;
    uint64_t bytes = 0;
    std::vector<GlobalVariable *> dynamic;
    auto use = [&](GlobalVariable &variable, uint64_t offset, DenseSet<const Value *> &places) {
      if (!memory) {
        Value *slot = builder->CreateConstInBoundsGEP1_64(builder->getInt8Ty(), thread->getArg(0),
                                                          offsetof(cufrt_block, shared));
        memory = invariantLoad(PointerType::get(context, 0), slot);
      }
      Value *address = builder->CreateConstInBoundsGEP1_64(builder->getInt8Ty(), memory, offset);
      Value *place = builder->CreateAddrSpaceCast(address, variable.getType());
      places.insert(place);
      variable.replaceUsesWithIf(place, [&](Use &use) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        return user && user->getFunction() == thread;
      });
    };
    for (GlobalVariable &variable : thread->getParent()->globals()) {
      if (variable.getAddressSpace() != sharedSpace || !usedHere(variable))
        continue;
      uint64_t size = layout.getTypeAllocSize(variable.getValueType());
      if (size == 0) {
        dynamic.push_back(&variable);
        continue;
      }
      bytes = alignTo(bytes, std::max<uint64_t>(variable.getAlign().valueOrOne().value(), 16));
      use(variable, bytes, sharedPlaces.emplace_back());
      sharedVariables.push_back({variable.getName().str(), bytes, size});
      bytes += size;
    }
    bytes = alignTo(bytes, 16);
    if (!dynamic.empty())
      sharedPlaces.emplace_back();
    for (GlobalVariable *variable : dynamic)
      use(*variable, bytes, sharedPlaces.back());
    return bytes;
  }

  bool usedHere(GlobalVariable &variable) {
    Constant *constant = &variable;
    convertUsersOfConstantsToInstructions(constant, thread);
    for (User *user : variable.users())
      if (auto *instruction = dyn_cast<Instruction>(user);
          instruction && instruction->getFunction() == thread)
        return true;
    return false;
  }

  void replaceReturns() {
    for (BasicBlock &block : *thread)
      if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator())) {
        ReturnInst::Create(context, ConstantInt::get(Type::getInt32Ty(context), 0), &block);
        ret->eraseFromParent();
      }
  }

  Function &kernel;
  LLVMContext &context;
  Function *thread = nullptr;
  std::unique_ptr<IRBuilder<>> builder;
  std::string unsupported;
  bool usesOtherBlocks = false;
  std::vector<SharedVariable> sharedVariables;
  std::vector<DenseSet<const Value *>> sharedPlaces; // their addresses
  DenseSet<const Value *> argumentValues;            // those that are addresses
};

} // namespace

HostKernelBody makeThreadFunction(Function &kernel) { return BodyBuilder(kernel).run(); }

} // namespace cufc
