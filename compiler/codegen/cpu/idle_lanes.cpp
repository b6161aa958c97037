// Where the lanes of a warp share the elements of a row, the last ones often have none left:
//
//   for x from 0 to n - 1:                   first = c(k)
//     s(x) = s(x) + a(k + x)*v(c(k + x)) =>  for x from 0 to n - 1 up to whole vectors:
//                                              if (x < n) aa = a(k + x), cc = c(k + x)
//                                              else       cc = first
//                                              new = s(x) + aa*v(cc)
//                                              s(x) = x < n ? new : s(x)
//
// LLVM runs the elements that fill no vector one by one, by branches that no processor foretells
// for rows of some ten elements, and whole vectors that are loaded right after elements of them
// have been stored wait until all of that is in the cache. Idle lanes load from where the first
// lane does, which is there, and store what was in their place. That is for arrays of values that a
// thread keeps (thread_values.h), which have places for them and are not seen by anybody else.
#include "codegen/cpu/idle_lanes.h"
#include "codegen/branches.h"
#include "codegen/cpu/host_kernels.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr int mostSteps = 8; // of the computation of an address

constexpr size_t mostOthers = 2; // idle lanes load elements one by one in vain

constexpr uint64_t mostRounds = 64; // of longer rows the last vector is a small part

class ShortRow {
public:
  ShortRow(Loop &loop, FunctionAnalysisManager &analyses)
      : loop(loop), function(*loop.getHeader()->getParent()), layout(function.getDataLayout()),
        body(*loop.getHeader()), loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        aliases(analyses.getResult<AAManager>(function)),
        target(analyses.getResult<TargetIRAnalysis>(function)) {}

  bool run() {
    if (!readBounds() || !readBody() || stores.empty() || masked.empty() ||
        others.size() > mostOthers)
      return false;
    width = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() /
            widest;
    if (width < 2 || !isPowerOf2_64(width) || !canFill() || !findFirsts())
      return false;
    fill();
    return true;
  }

private:
  // for x = 0; ++x != rounds, as often as a row is long.
  bool readBounds() {
    auto *preheader = loop.getLoopPreheader();
    if (!preheader || loop.getNumBlocks() != 1 || !loop.getExitBlock())
      return false;
    x = dyn_cast<PHINode>(&body.front());
    test = loop.getLatchCmpInst();
    if (!x || !test || test->getPredicate() != ICmpInst::ICMP_EQ || !test->hasOneUse() ||
        !match(x->getIncomingValueForBlock(preheader), m_Zero()) ||
        !match(test->getOperand(0), m_Add(m_Specific(x), m_One())))
      return false;
    rounds = test->getOperand(1);
    most = evolution.getUnsignedRangeMax(evolution.getSCEV(rounds)).getLimitedValue();
    return most <= mostRounds && loop.isLoopInvariant(rounds) && !isa<Constant>(rounds) &&
           conditionalBranch(body.getTerminator())->getSuccessor(1) == &body &&
           std::distance(body.phis().begin(), body.phis().end()) == 1;
  }

  bool readBody() {
    for (Instruction &instruction : body) {
      if (&instruction == x || &instruction == test || instruction.isTerminator())
        continue;
      for (const User *user : instruction.users())
        if (!loop.contains(cast<Instruction>(user)))
          return false;
      if (!readOne(instruction))
        return false;
    }
    return true;
  }

  bool readOne(Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      stores.push_back(store);
      return store->isSimple() && noteType(store->getValueOperand()->getType());
    }
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (!load->isSimple() || !noteType(load->getType()))
        return false;
      const bool isOwn = isThreadValue(load->getPointerOperand());
      (!isElement(*load) ? others : isOwn ? own : masked).push_back(load);
      return true;
    }
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      return isTriviallyVectorizable(call->getIntrinsicID()) && !call->mayHaveSideEffects();
    return !isa<CallBase>(instruction) && !instruction.isIntDivRem() &&
           !instruction.mayReadOrWriteMemory() && !instruction.mayThrow();
  }

  bool noteType(Type *type) {
    widest = std::max<uint64_t>(widest, layout.getTypeSizeInBits(type));
    return type->isFloatingPointTy() || type->isIntegerTy();
  }

  // a(k + x).
  bool isElement(Instruction &access) {
    auto *address =
        dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(getLoadStorePointerOperand(&access)));
    if (!address || address->getLoop() != &loop || !address->isAffine())
      return false;
    auto *step = dyn_cast<SCEVConstant>(address->getStepRecurrence(evolution));
    return step && step->getAPInt() == layout.getTypeStoreSize(getLoadStoreType(&access));
  }

  // Whether the array has a place for each lane of the last vector.
  bool hasPlaces(Instruction &access) {
    Value *pointer = getLoadStorePointerOperand(&access);
    auto *array = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
    if (!array || !isThreadValue(pointer) || !isElement(access))
      return false;
    auto *address = cast<SCEVAddRecExpr>(evolution.getSCEV(pointer));
    std::optional<TypeSize> all = array->getAllocationSize(layout);
    const uint64_t lanes = alignTo(most, width);
    return address->getStart() == evolution.getSCEV(array) && all && !all->isScalable() &&
           all->getFixedValue() >= lanes * layout.getTypeStoreSize(getLoadStoreType(&access));
  }

  // What the lanes load at their own places comes before all stores.
  bool canFill() {
    return all_of(own, [&](LoadInst *load) { return hasPlaces(*load); }) &&
           all_of(stores, [&](StoreInst *store) {
             return hasPlaces(*store) && all_of(masked, [&](LoadInst *load) {
                      return target.isLegalMaskedLoad(FixedVectorType::get(load->getType(), width),
                                                      load->getAlign(),
                                                      load->getPointerAddressSpace()) &&
                             !isModSet(aliases.getModRefInfo(store, MemoryLocation::get(load)));
                    });
           });
  }

  // What the addresses of other loads depend on, which idle lanes take from the first lane.
  bool findFirsts() {
    SmallVector<Value *> work;
    SmallPtrSet<Value *, 16> seen;
    for (LoadInst *load : others)
      work.push_back(load->getPointerOperand());
    while (!work.empty()) {
      auto *value = dyn_cast<Instruction>(work.pop_back_val());
      if (!value || !loop.contains(value) || !seen.insert(value).second)
        continue;
      if (value == x)
        return false;
      auto *load = dyn_cast<LoadInst>(value);
      if (load && is_contained(masked, load))
        firsts.insert(load);
      else if (load && isThreadValue(load->getPointerOperand()))
        return false;
      else
        work.append(value->op_begin(), value->op_end());
    }
    return all_of(masked,
                  [&](LoadInst *load) { return canCopy(*load->getPointerOperand(), mostSteps); });
  }

  // Whether an address can be computed before the loop.
  bool canCopy(Value &value, int depth) const {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop.contains(instruction) || instruction == x)
      return true;
    return depth > 0 && !instruction->mayReadOrWriteMemory() && !isa<PHINode>(instruction) &&
           all_of(instruction->operands(),
                  [&](const Use &use) { return canCopy(*use, depth - 1); });
  }

  Value *copyOfFirst(Value *value, Instruction *place) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop.contains(instruction))
      return value;
    if (instruction == x)
      return ConstantInt::get(x->getType(), 0);
    Instruction *copy = instruction->clone();
    for (Use &use : copy->operands())
      use.set(copyOfFirst(use, place));
    copy->insertBefore(place->getIterator());
    return copy;
  }

  // Rows without idle lanes get a copy of the loop as it was, of which LLVM knows the rounds.
  void copyForFullRows() {
    BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock();
    BasicBlock *full = BasicBlock::Create(function.getContext(), "full.row", &function, &body);
    BasicBlock *part = SplitEdge(before, &body, nullptr, &loops);
    ValueToValueMapTy map;
    BasicBlock *copy = CloneBasicBlock(&body, map, ".full", &function);
    map[&body] = copy;
    remapInstructionsInBlocks({copy}, map);
    cast<PHINode>(map.lookup(x))->replaceIncomingBlockWith(part, full);
    cast<ICmpInst>(map.lookup(test))->setOperand(1, ConstantInt::get(rounds->getType(), most));
    for (PHINode &result : exit->phis())
      result.addIncoming(result.getIncomingValueForBlock(&body), copy);
    IRBuilder<> builder(full);
    builder.CreateBr(copy);
    builder.SetInsertPoint(before->getTerminator());
    Value *isFull = builder.CreateICmpEQ(rounds, ConstantInt::get(rounds->getType(), most));
    builder.CreateCondBr(isFull, full, part);
    before->getTerminator()->eraseFromParent();
  }

  void fill() {
    if (most % width == 0)
      copyForFullRows();
    Instruction *before = loop.getLoopPreheader()->getTerminator();
    DenseMap<LoadInst *, Value *> defaults;
    for (LoadInst *load : masked) {
      defaults[load] = PoisonValue::get(load->getType());
      if (!firsts.contains(load))
        continue;
      auto *first = cast<LoadInst>(copyOfFirst(load, before));
      first->setMetadata(LLVMContext::MD_access_group, nullptr);
      defaults[load] = first;
    }
    roundUp(*before);
    addStringMetadataToLoop(&loop, "llvm.loop.vectorize.width", width);
    addStringMetadataToLoop(&loop, "llvm.loop.interleave.count", 1);
    addStringMetadataToLoop(&loop, "llvm.loop.vectorize.enable", 1);
    BasicBlock *whole =
        SplitBlock(&body, body.getFirstNonPHIIt(), static_cast<DominatorTree *>(nullptr), &loops);
    BasicBlock *active = BasicBlock::Create(function.getContext(), "active", &function, whole);
    Instruction *old = body.getTerminator();
    for (LoadInst *load : masked)
      moveOperands(*load, *old);
    IRBuilder<> builder(old);
    Value *isActive = builder.CreateICmpULT(x, rounds, "is.active");
    builder.CreateCondBr(isActive, active, whole);
    old->eraseFromParent();
    builder.SetInsertPoint(active);
    Instruction *end = builder.CreateBr(whole);
    for (LoadInst *load : masked) {
      PHINode *value = PHINode::Create(load->getType(), 2, "", whole->begin());
      load->replaceAllUsesWith(value);
      load->moveBefore(end->getIterator());
      value->addIncoming(load, active);
      value->addIncoming(defaults[load], &body);
    }
    for (StoreInst *store : stores)
      keep(*store, *isActive);
  }

  void roundUp(Instruction &before) {
    IRBuilder<> builder(&before);
    Type *type = rounds->getType();
    Value *sum = builder.CreateAdd(rounds, ConstantInt::get(type, width - 1), "", true, true);
    test->setOperand(1, builder.CreateAnd(sum, ConstantInt::getSigned(type, -int64_t(width))));
  }

  // What an address is computed of.
  void moveOperands(Instruction &user, Instruction &place) {
    for (Use &use : user.operands())
      if (auto *operand = dyn_cast<Instruction>(use.get());
          operand && operand != x && operand->getParent() != &body && loop.contains(operand)) {
        moveOperands(*operand, place);
        operand->moveBefore(place.getIterator());
      }
  }

  void keep(StoreInst &store, Value &isActive) {
    IRBuilder<> builder(&store);
    Value *value = store.getValueOperand();
    LoadInst *old = builder.CreateAlignedLoad(value->getType(), store.getPointerOperand(),
                                              store.getAlign(), "kept");
    old->setMetadata(LLVMContext::MD_access_group, store.getMetadata(LLVMContext::MD_access_group));
    store.setOperand(0, builder.CreateSelect(&isActive, value, old));
  }

  Loop &loop;
  Function &function;
  const DataLayout &layout;
  BasicBlock &body;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  AAResults &aliases;
  TargetTransformInfo &target;
  PHINode *x = nullptr;
  ICmpInst *test = nullptr;
  Value *rounds = nullptr;
  uint64_t most = 0, widest = 1, width = 0; // rounds, bits, lanes
  SmallVector<StoreInst *, 2> stores;
  SmallVector<LoadInst *, 4> masked, own, others; // a(k + x), s(x), and elsewhere
  SmallPtrSet<LoadInst *, 4> firsts;
};

struct IdleLanes : PassInfoMixin<IdleLanes> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    if (!function.hasFnAttribute(blockFunctionMark))
      return PreservedAnalyses::all();
    SmallVector<BasicBlock *> ends;
    for (Loop *loop : threadLoops(analyses.getResult<LoopAnalysis>(function)))
      if (loop->getNumBlocks() == 1)
        ends.push_back(loop->getHeader());
    bool changed = false;
    for (BasicBlock *end : ends) {
      Loop *loop = analyses.getResult<LoopAnalysis>(function).getLoopFor(end);
      if (!loop || !ShortRow(*loop, analyses).run())
        continue;
      changed = true;
      analyses.invalidate(function, PreservedAnalyses::none());
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void fillLastVectors(PassBuilder &builder) {
  builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel level) {
        if (level.getSpeedupLevel() > 1)
          passes.addPass(IdleLanes());
      });
}

} // namespace cufc
