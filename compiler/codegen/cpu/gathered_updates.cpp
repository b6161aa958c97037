// In a histogram
//
//   k = atomicadd(counts(bin), 1)
//
// nobody asks for the old value, and nothing else in the kernel reads or writes `counts`. So no
// thread sees when an update is made, and those of one element may be added up before. Each core
// has a table for that, found by the address:
//
//   slot = updates(address/size mod slots)
//   if (slot.address == address) slot.value += 1; else cufrt_gather_update(...)
//
// which needs no lock, and no line of the cache that another core wants. The runtime library makes
// the updates when a slot gets another address and when the core has no more blocks to run
// (runtime/host/gathered_updates.h). Integer operations give the same in any order.
//
// Sums come to the core's copy of the array before that, if there is one (runtime/host/own_sums.h),
// those of reals, too, since the order of atomic updates is open:
//
//   if (address - own.array < own.bytes) *(address + own.distance) += 1; else as above, or
//   atomically
//
// What an access leads to is an object: a dummy argument without TARGET and POINTER (Fortran 2018,
// 15.5.2.13, forbids other names for what is changed), a variable of a module, an allocatable of a
// module. An access to anything else leaves all updates as they are, and so does whatever blocks
// may talk to each other by.
#include "codegen/cpu/gathered_updates.h"
#include "codegen/address_spaces.h"
#include "codegen/cpu/host_kernels.h"
#include "codegen/cpu/own_sums.h"
#include "codegen/described_arrays.h"
#include "cufrt/abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

constexpr const char *gatherMark = "cufc.gather_update";
constexpr int hitsForMiss = 1000; // what the branch expects

std::optional<cufrt_update> kindOf(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Add:
    return CUFRT_UPDATE_ADD;
  case AtomicRMWInst::And:
    return CUFRT_UPDATE_AND;
  case AtomicRMWInst::Or:
    return CUFRT_UPDATE_OR;
  case AtomicRMWInst::Xor:
    return CUFRT_UPDATE_XOR;
  case AtomicRMWInst::Max:
    return CUFRT_UPDATE_MAX;
  case AtomicRMWInst::Min:
    return CUFRT_UPDATE_MIN;
  case AtomicRMWInst::UMax:
    return CUFRT_UPDATE_UMAX;
  case AtomicRMWInst::UMin:
    return CUFRT_UPDATE_UMIN;
  default:
    return std::nullopt;
  }
}

bool isRealUpdate(const AtomicRMWInst &update) {
  const AtomicRMWInst::BinOp operation = update.getOperation();
  return (operation == AtomicRMWInst::FAdd || operation == AtomicRMWInst::FMax ||
          operation == AtomicRMWInst::FMin) &&
         (update.getType()->isFloatTy() || update.getType()->isDoubleTy());
}

bool isIntegerUpdate(const AtomicRMWInst &update) {
  return kindOf(update.getOperation()) &&
         (update.getType()->isIntegerTy(32) || update.getType()->isIntegerTy(64));
}

// Of a descriptor that is an allocatable's from the start (flang's CFI_cdesc_t: attribute).
bool isAllocatable(const GlobalVariable &variable) {
  constexpr unsigned attributeField = 5, allocatable = 2;
  const auto *fields =
      variable.hasInitializer() ? dyn_cast<ConstantStruct>(variable.getInitializer()) : nullptr;
  const auto *attribute = fields && fields->getNumOperands() > attributeField
                              ? dyn_cast<ConstantInt>(fields->getOperand(attributeField))
                              : nullptr;
  return attribute && attribute->getBitWidth() == 8 && attribute->getZExtValue() == allocatable;
}

class GatheredUpdates {
public:
  GatheredUpdates(Function &kernel, const KernelFacts &facts) : kernel(kernel), facts(facts) {}

  void mark() {
    if (kernel.arg_size() != facts.arguments.size())
      return;
    for (Instruction &instruction : instructions(kernel))
      if (instruction.mayReadOrWriteMemory() && !read(instruction))
        return;
    MDNode *mark = MDNode::get(kernel.getContext(), {});
    for (auto &[object, found] : updates)
      if (found.isUniform && !others.contains(object))
        for (AtomicRMWInst *update : found.all)
          update->setMetadata(gatherMark, mark);
  }

private:
  struct Updates {
    std::vector<AtomicRMWInst *> all;
    bool isUniform = true; // one operation on one type
  };

  bool isDummy(const Argument &argument) const {
    return !facts.arguments[argument.getArgNo()].mayAlias;
  }

  // What an address leads to, as a value that stands for it; null if that may be several things.
  const Value *objectOf(const Value *address) const {
    const Value *object = getUnderlyingObject(address, 0);
    if (isa<AllocaInst, GlobalVariable>(object))
      return object;
    if (auto *argument = dyn_cast<Argument>(object))
      return argument->hasByValAttr() || isDummy(*argument) ? object : nullptr;
    auto *load = dyn_cast<LoadInst>(object);
    if (!load || !load->isSimple())
      return nullptr;
    const Value *place = load->getPointerOperand()->stripPointerCasts(); // of a descriptor's start
    if (auto *argument = dyn_cast<Argument>(place)) {
      Type *value = argument->getParamByValType();
      return value && isDescriptor(value) && isDummy(*argument) ? place : nullptr;
    }
    auto *variable = dyn_cast<GlobalVariable>(place);
    return variable && isAllocatable(*variable) ? place : nullptr;
  }

  // What stands at an address, or the data that a descriptor there leads to.
  using Object = PointerIntPair<const Value *, 1, bool>;

  std::optional<Object> dataOf(const Value *address) const {
    const Value *object = objectOf(address);
    bool isDescribed = isa<LoadInst>(getUnderlyingObject(address, 0));
    return object ? std::optional(Object(object, isDescribed)) : std::nullopt;
  }

  static bool isOfBlock(const Value *object) {
    return isa<AllocaInst>(object) || object->getType()->getPointerAddressSpace() == sharedSpace;
  }

  // Whether the instruction leaves updates unseen.
  bool read(Instruction &instruction) {
    if (instruction.isVolatile() || isa<FenceInst>(instruction))
      return false;
    if (auto *call = dyn_cast<CallBase>(&instruction))
      return readCall(*call);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return readUpdate(*update);
    auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
    const Value *address =
        exchange ? exchange->getPointerOperand() : getLoadStorePointerOperand(&instruction);
    return address && addOther(address);
  }

  // Barriers of the block, and copies such as of arguments that are values.
  bool readCall(CallBase &call) {
    if (auto *copy = dyn_cast<AnyMemIntrinsic>(&call)) {
      auto *transfer = dyn_cast<AnyMemTransferInst>(&call);
      return addOther(copy->getRawDest()) && (!transfer || addOther(transfer->getRawSource()));
    }
    auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
    if (!intrinsic)
      return false;
    StringRef name = call.getCalledFunction()->getName();
    return intrinsic->onlyAccessesInaccessibleMemory() || isa<LifetimeIntrinsic>(intrinsic) ||
           name.starts_with("llvm.nvvm.barrier.cta") || name.starts_with("llvm.nvvm.bar.warp") ||
           name.starts_with("llvm.nvvm.shfl") || name.starts_with("llvm.nvvm.vote");
  }

  bool readUpdate(AtomicRMWInst &update) {
    std::optional<Object> object = dataOf(update.getPointerOperand());
    if (!object)
      return false;
    if (!update.use_empty() || !(isIntegerUpdate(update) || isRealUpdate(update)) ||
        isOfBlock(object->getPointer()) || update.getOrdering() != AtomicOrdering::Monotonic ||
        update.getSyncScopeID() == SyncScope::System ||
        update.getAlign().value() < update.getDataLayout().getTypeStoreSize(update.getType()))
      return addOther(update.getPointerOperand());
    Updates &known = updates[*object];
    known.all.push_back(&update);
    known.isUniform &= known.all.front()->getOperation() == update.getOperation() &&
                       known.all.front()->getType() == update.getType();
    return true;
  }

  bool addOther(const Value *address) {
    std::optional<Object> object = dataOf(address);
    if (object)
      others.insert(*object);
    return object.has_value();
  }

  Function &kernel;
  const KernelFacts &facts;
  MapVector<Object, Updates> updates;
  DenseSet<Object> others; // that are accessed in another way
};

class TableUpdate {
public:
  TableUpdate(AtomicRMWInst &update, cufrt_update kind, Value *table)
      : update(update), kind(kind), table(table) {}

  void replace() {
    LLVMContext &context = update.getContext();
    IRBuilder<> builder(&update);
    Type *wide = builder.getInt64Ty();
    uint64_t bytes = update.getDataLayout().getTypeStoreSize(update.getType());
    Value *address = builder.CreatePtrToInt(update.getPointerOperand(), wide);
    Value *number =
        builder.CreateAnd(builder.CreateLShr(address, Log2_64(bytes)), CUFRT_UPDATE_SLOTS - 1);
    Value *slot = builder.CreateInBoundsGEP(ArrayType::get(wide, 2), table, number);
    Value *known = builder.CreateLoad(wide, slot);
    Instruction *miss = nullptr, *hit = nullptr;
    SplitBlockAndInsertIfThenElse(builder.CreateICmpEQ(known, address), &update, &hit, &miss,
                                  MDBuilder(context).createBranchWeights(hitsForMiss, 1));
    builder.SetInsertPoint(hit);
    Value *place = builder.CreateConstInBoundsGEP1_64(wide, slot, 1);
    Value *sum =
        buildAtomicRMWValue(update.getOperation(), builder,
                            builder.CreateLoad(update.getType(), place), update.getValOperand());
    builder.CreateStore(sum, place);
    builder.SetInsertPoint(miss);
    builder.CreateCall(update.getModule()->getOrInsertFunction(
                           "cufrt_gather_update", builder.getVoidTy(), builder.getPtrTy(),
                           builder.getPtrTy(), wide, builder.getInt32Ty(), builder.getInt32Ty()),
                       {table, builder.CreateIntToPtr(address, builder.getPtrTy()),
                        builder.CreateZExt(update.getValOperand(), wide), builder.getInt32(kind),
                        builder.getInt32(static_cast<uint32_t>(bytes))});
    update.eraseFromParent();
  }

private:
  AtomicRMWInst &update;
  cufrt_update kind;
  Value *table;
};

void gatherUpdates(Function &block) {
  std::vector<AtomicRMWInst *> marked;
  for (Instruction &instruction : instructions(block))
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
        update && update->hasMetadata(gatherMark) && update->use_empty())
      marked.push_back(update);
  if (marked.empty())
    return;
  IRBuilder<> builder(&*block.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block.getArg(0),
                                                    offsetof(cufrt_block, updates));
  LoadInst *table = builder.CreateLoad(builder.getPtrTy(), place);
  table->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(block.getContext(), {}));
  marked = makeInRegisters(block, marked);
  makeInOwnSums(block, marked);
  for (AtomicRMWInst *update : marked)
    if (std::optional<cufrt_update> kind = kindOf(update->getOperation()))
      TableUpdate(*update, *kind, table).replace();
}

} // namespace

void markGatheredUpdates(Function &kernel, const KernelFacts &facts) {
  GatheredUpdates(kernel, facts).mark();
}

// Loops that wait read with an atomic operation, or what is volatile, or behind a fence.
bool blocksAreIndependent(const Function &kernel) {
  auto mayWait = [](const Instruction &instruction) {
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return update->isVolatile() || !update->use_empty();
    auto *call = dyn_cast<CallBase>(&instruction);
    return call ? call->mayReadOrWriteMemory() &&
                      call->getCalledFunction()->getName().starts_with("llvm.nvvm.membar")
                : instruction.isAtomic() || instruction.isVolatile();
  };
  for (const Instruction &instruction : instructions(kernel))
    if (auto *call = dyn_cast<CallBase>(&instruction);
        call && call->mayReadOrWriteMemory() && !isa<IntrinsicInst>(call))
      return false;
  for (auto part = scc_begin(&kernel); !part.isAtEnd(); ++part)
    if (part.hasCycle() &&
        any_of(*part, [&](const BasicBlock *block) { return any_of(*block, mayWait); }))
      return false;
  return true;
}

void gatherUpdates(Module &module) {
  for (Function &function : module)
    if (function.hasFnAttribute(blockFunctionMark))
      gatherUpdates(function);
}

} // namespace cufc
