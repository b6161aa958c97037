// See early_loads.h.
#include "codegen/gpu/early_loads.h"
#include "codegen/address_spaces.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

// Bytes that are on their way at a division. More cost registers, and many are on their way anyhow.
constexpr uint64_t mostLoaded = 64;
constexpr unsigned mostDepth = 4; // of the computation of an address

uint64_t sizeOf(const LoadInst &load) {
  return load.getDataLayout().getTypeStoreSize(load.getType());
}

// Others need little or no time: of shared memory, of arguments and of a thread's own variables.
bool isOfData(const LoadInst &load) {
  const unsigned space = load.getPointerAddressSpace();
  if (!load.isSimple() || (space != globalSpace && space != genericSpace))
    return false;
  const Value *object = getUnderlyingObject(load.getPointerOperand());
  auto *argument = dyn_cast<Argument>(object);
  return !isa<AllocaInst>(object) && !(argument && argument->hasByValAttr());
}

class EarlyLoads {
public:
  explicit EarlyLoads(Function &function)
      : function(function), dominators(function), after(function), loops(dominators) {}

  void run() {
    for (BasicBlock *block : post_order(&function))
      gatherBehind(*block);
    for (BasicBlock &block : function) {
      moveInside(block);
      moveOverOwnStores(block);
    }
  }

private:
  struct Division {
    Instruction *at;
    uint64_t loaded; // bytes, between the division before it and this one
  };

  // Where a block of a loop branches, and all branches come together again: what is read behind
  // that and never written is read before. Functions of mathematics have such branches. Outside of
  // loops other threads run while one waits, if registers are left for them.
  void gatherBehind(BasicBlock &block) {
    auto *node = after.getNode(&block);
    BasicBlock *behind = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (block.getTerminator()->getNumSuccessors() < 2 || !behind ||
        !dominators.properlyDominates(&block, behind) || !loops.getLoopFor(&block) ||
        loops.getLoopFor(&block) != loops.getLoopFor(behind))
      return;
    Division branch{block.getTerminator(), waitingAtEnd(block)};
    for (Instruction &instruction : make_early_inc_range(*behind))
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && isOfData(*load) && load->hasMetadata(LLVMContext::MD_invariant_load))
        moveBefore(*load, branch);
  }

  static uint64_t waitingAtEnd(BasicBlock &block) {
    uint64_t waiting = 0;
    for (Instruction &instruction : block)
      if (becomesBranches(instruction))
        waiting = 0;
      else if (auto *load = dyn_cast<LoadInst>(&instruction); load && isOfData(*load))
        waiting += sizeOf(*load);
    return waiting;
  }

  void moveInside(BasicBlock &block) {
    SmallVector<Division> divisions;
    uint64_t waiting = 0;        // bytes that were loaded since the last division
    size_t divisionsAtWrite = 0; // of the divisions, those before the last write
    for (Instruction &instruction : make_early_inc_range(block)) {
      if (auto *load = dyn_cast<LoadInst>(&instruction); load && isOfData(*load)) {
        // Others may write there: it stays behind the last write.
        const bool isWritten = !load->hasMetadata(LLVMContext::MD_invariant_load);
        auto places = drop_begin(divisions, isWritten ? divisionsAtWrite : 0);
        if (none_of(places, [&](Division &division) { return moveBefore(*load, division); }))
          waiting += sizeOf(*load);
      }
      if (becomesBranches(instruction)) {
        divisions.push_back({&instruction, waiting});
        waiting = 0;
      }
      if (instruction.mayWriteToMemory())
        divisionsAtWrite = divisions.size();
    }
  }

  // A thread's own arrays are one piece of local memory for ptxas, so that loads of one wait for
  // stores in another.
  void moveOverOwnStores(BasicBlock &block) {
    SmallVector<std::pair<Division, const AllocaInst *>>
        stores; // with nothing else written between
    for (Instruction &instruction : make_early_inc_range(block)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (const AllocaInst *array = load && load->isSimple() ? ownArray(load) : nullptr)
        moveOver(stores, *load, *array);
      if (!instruction.mayWriteToMemory())
        continue;
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (const AllocaInst *array = store && store->isSimple() ? ownArray(store) : nullptr)
        stores.push_back({{store, 0}, array});
      else
        stores.clear();
    }
  }

  static const AllocaInst *ownArray(const Instruction *access) {
    return dyn_cast<AllocaInst>(getUnderlyingObject(getLoadStorePointerOperand(access)));
  }

  void moveOver(MutableArrayRef<std::pair<Division, const AllocaInst *>> stores, LoadInst &load,
                const AllocaInst &array) {
    size_t first = stores.size();
    while (first > 0 && stores[first - 1].second != &array)
      --first;
    for (auto &[place, written] : stores.drop_front(first))
      if (moveBefore(load, place))
        return;
  }

  bool moveBefore(LoadInst &load, Division &division) {
    const uint64_t size = sizeOf(load);
    if (division.loaded + size > mostLoaded || !precedes(load.getPointerOperand(), *division.at, 0))
      return false;
    division.loaded += size;
    bring(load.getPointerOperand(), *division.at);
    load.moveBefore(division.at->getIterator());
    return true;
  }

  bool isThere(const Value *value, const Instruction &place) const {
    auto *instruction = dyn_cast<Instruction>(value);
    return !instruction || dominators.dominates(instruction, &place);
  }

  // Whether a number can be computed before an instruction at the cost of a few others.
  bool precedes(const Value *value, const Instruction &place, unsigned depth) const {
    if (isThere(value, place))
      return true;
    auto *instruction = cast<Instruction>(value);
    auto *call = dyn_cast<CallInst>(instruction);
    const bool isCheap =
        call ? call->isInlineAsm() && call->doesNotAccessMemory() && !call->isConvergent()
             : isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction);
    if (depth > mostDepth || !isCheap || instruction->isIntDivRem() ||
        instruction->getType()->isFloatingPointTy())
      return false;
    return all_of(instruction->operands(),
                  [&](const Use &use) { return precedes(use.get(), place, depth + 1); });
  }

  void bring(Value *value, Instruction &place) {
    if (isThere(value, place))
      return;
    auto *instruction = cast<Instruction>(value);
    for (Use &use : instruction->operands())
      bring(use.get(), place);
    instruction->moveBefore(place.getIterator());
  }

  Function &function;
  DominatorTree dominators;
  PostDominatorTree after;
  LoopInfo loops;
};

} // namespace

bool becomesBranches(const Instruction &instruction) {
  if (instruction.getType()->isVectorTy())
    return false;
  if (instruction.getOpcode() == Instruction::FDiv)
    return !instruction.hasApproxFunc() && !instruction.hasAllowReciprocal();
  if (instruction.isIntDivRem())
    return instruction.getType()->isIntegerTy(64) && !isa<Constant>(instruction.getOperand(1));
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call)
    return false;
  switch (call->getIntrinsicID()) {
  case Intrinsic::sqrt:
    return !call->hasApproxFunc();
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
  case Intrinsic::nvvm_rcp_rn_f:
  case Intrinsic::nvvm_rcp_rn_d:
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_d:
    return true;
  default:
    return false;
  }
}

void loadEarly(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      EarlyLoads(function).run();
}

} // namespace cufc
