//   for x:                           for groups of 16 threads:
//     for j = x + 1 .. n               for x of the group:
//       s += f(x, j)              =>     for j = first + 1 .. last: s = j > x ? s + f(x, j) : s
//                                        for j = last + 1 .. n: s += f(x, j)
//
// and likewise, the other way round, for j = 1 .. x. Then branches are the same for all threads of
// a group, which thread_columns.h makes vectors of. A thread computes some f(x, j) more, whose
// values nobody uses: they must be without effect and may only load what the thread with most
// rounds loads, which is what j alone leads to, or what each thread loads in each round. Where a
// thread of the group has no round at all, the loop is as it was.
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr int threadsOfGroup = 16;
constexpr size_t mostInstructions = 96;

class Triangle {
public:
  Triangle(Loop &threads, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : threads(threads), loops(loops), dominators(dominators), evolution(evolution),
        expander(evolution, "triangle") {}

  bool run() {
    if (!hasShape() || !readRounds() || !readCounters() || !isHarmless())
      return false;
    rewrite();
    return true;
  }

private:
  bool hasShape() {
    if (threads.getSubLoops().size() != 1)
      return false;
    inner = threads.getSubLoops().front();
    header = inner->getHeader();
    latch = inner->getLoopLatch();
    behind = inner->getExitBlock();
    if (!inner->isInnermost() || !latch || !behind || !inner->getLoopPreheader() ||
        inner->getExitingBlock() != header || behind->getSinglePredecessor() != header)
      return false;
    plain = readThreadLoop(threads);
    return plain.x && threads.getExitingBlock() == plain.latch && isStraight();
  }

  // But for the two loops there is one way.
  bool isStraight() const {
    return instructionsOf(threads) <= mostInstructions &&
           all_of(threads.blocks(), [&](const BasicBlock *block) {
             return block == header || block == plain.latch || block->getUniqueSuccessor();
           });
  }

  // A DO loop counts down from the number of its rounds, which changes by one.
  bool readRounds() {
    branch = conditionalBranch(header->getTerminator());
    Value *counted = nullptr;
    if (!branch || branch->getSuccessor(1) != behind ||
        !match(branch->getCondition(),
               m_SpecificICmp(ICmpInst::ICMP_SGT, m_Value(counted), m_Zero())))
      return false;
    count = dyn_cast<PHINode>(counted);
    if (!count || count->getParent() != header || !count->getType()->isIntegerTy(64))
      return false;
    auto *next = dyn_cast<Instruction>(count->getIncomingValueForBlock(latch));
    if (!next ||
        !(match(next, m_Add(m_Specific(count), m_AllOnes())) ||
          match(next, m_Sub(m_Specific(count), m_One()))) ||
        !next->hasOneUse() || !count->hasNUses(2))
      return false;
    auto *number = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(countOfThread()));
    auto *change = number ? dyn_cast<SCEVConstant>(number->getStepRecurrence(evolution)) : nullptr;
    if (!change || number->getLoop() != &threads || !number->isAffine() ||
        !isKnownBefore(*number->getStart()))
      return false;
    rounds = number;
    isFalling = change->getAPInt().isAllOnes();
    return isFalling || change->getAPInt().isOne();
  }

  Value *countOfThread() const {
    return count->getIncomingValueForBlock(inner->getLoopPreheader());
  }

  bool isKnownBefore(const SCEV &value) const {
    return evolution.isLoopInvariant(&value, &threads) &&
           expander.isSafeToExpandAt(&value, threads.getLoopPreheader()->getTerminator());
  }

  // Indices that are the same for all threads in the rounds that they have together, and what else
  // is carried from round to round.
  bool readCounters() {
    for (PHINode &phi : header->phis()) {
      if (&phi == count)
        continue;
      if (!isIndex(phi)) {
        carried.push_back(&phi);
        continue;
      }
      if (any_of(phi.users(),
                 [&](User *user) { return !inner->contains(cast<Instruction>(user)); }))
        return false;
      indices.push_back(&phi);
    }
    return !carried.empty();
  }

  bool isIndex(PHINode &phi) const {
    Value *step = nullptr;
    if (!phi.getType()->isIntegerTy() ||
        !match(phi.getIncomingValueForBlock(latch), m_c_Add(m_Specific(&phi), m_Value(step))) ||
        !threads.isLoopInvariant(step))
      return false;
    const SCEV *start = evolution.getSCEV(phi.getIncomingValueForBlock(inner->getLoopPreheader()));
    if (!isFalling)
      return evolution.isLoopInvariant(start, &threads);
    auto *ofThread = dyn_cast<SCEVAddRecExpr>(start);
    return ofThread && ofThread->getLoop() == &threads && ofThread->isAffine() &&
           ofThread->getStepRecurrence(evolution) == evolution.getSCEV(step) &&
           isKnownBefore(*ofThread->getStart());
  }

  bool isHarmless() {
    for (BasicBlock *block : inner->blocks())
      for (Instruction &instruction : *block) {
        if (isa<PHINode, NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction) ||
            instruction.isTerminator())
          continue;
        for (User *user : instruction.users())
          if (!inner->contains(cast<Instruction>(user)))
            return false;
        if (auto *load = dyn_cast<LoadInst>(&instruction)) {
          if (!load->isSimple() || block == header)
            return false;
          if (inner->isLoopInvariant(load->getPointerOperand()))
            ofThread.push_back(load);
          else if (!isCommon(*load->getPointerOperand()))
            return false;
        } else if (!isSafeToSpeculativelyExecute(&instruction)) {
          return false;
        }
      }
    return true;
  }

  // Whether a value depends on indices and what is the same for all threads.
  bool isCommon(Value &value) {
    auto *instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !threads.contains(instruction) || is_contained(indices, instruction))
      return true;
    if (isa<PHINode>(instruction) || instruction->mayReadOrWriteMemory())
      return false;
    auto [known, isNew] = common.try_emplace(instruction, false);
    if (!isNew)
      return known->second;
    const bool result = all_of(instruction->operands(), [&](Use &use) { return isCommon(*use); });
    common[instruction] = result;
    return result;
  }

  void rewrite() {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, threads.getHeader(), &dominators, &loops);
    BasicBlock *written = copyAsWritten(threads, plain.preheader, before, loops, dominators);
    IRBuilder<> builder(before->getTerminator());
    expandStarts(*before->getTerminator());
    BasicBlock *start = inner->getLoopPreheader();
    BasicBlock *entry = SplitEdge(start, header, &dominators, &loops);
    for (LoadInst *load : ofThread) // each thread has a round
      load->moveBefore(start->getTerminator()->getIterator());
    copyRounds(*start, *entry);
    divide(*before, *written);
    countRounds(*entry);
    if (isFalling)
      connectFalling(*start, *entry);
    else
      connectRising();
    addConditions(*start);
  }

  // Of the first thread of the loop, before it.
  void expandStarts(Instruction &place) {
    firstRounds = expander.expandCodeFor(rounds->getStart(), rounds->getType(), &place);
    if (isFalling)
      for (PHINode *index : indices) {
        Value *value = index->getIncomingValueForBlock(inner->getLoopPreheader());
        auto *sum = cast<SCEVAddRecExpr>(evolution.getSCEV(value));
        firstIndices.push_back(
            {expander.expandCodeFor(sum->getStart(), index->getType(), &place),
             expander.expandCodeFor(sum->getStepRecurrence(evolution), index->getType(), &place)});
      }
  }

  // The rounds that some threads have more than others.
  void copyRounds(BasicBlock &start, BasicBlock &entry) {
    SmallVector<BasicBlock *, 8> made;
    Loop *copy =
        cloneLoopWithPreheader(&entry, &start, inner, map, ".some", &loops, &dominators, made);
    remapInstructionsInBlocks(made, map);
    copiedEntry = copy->getLoopPreheader();
  }

  // The groups: partFirst to partEnd.
  void divide(BasicBlock &before, BasicBlock &written) {
    LLVMContext &context = before.getContext();
    Function *function = before.getParent();
    BasicBlock *group = BasicBlock::Create(context, "group", function, plain.preheader);
    BasicBlock *next = BasicBlock::Create(context, "next.group", function, plain.exit);
    before.getTerminator()->eraseFromParent();
    Jump::Create(group, &before);
    Value *first = plain.first(), *end = plain.test->getOperand(1);
    IRBuilder<> builder(group);
    Type *wide = builder.getInt64Ty();
    PHINode *groupFirst = builder.CreatePHI(first->getType(), 2, "group.first");
    groupFirst->addIncoming(first, &before);
    Value *left = builder.CreateSub(end, groupFirst);
    Value *length =
        builder.CreateBinaryIntrinsic(Intrinsic::smin, left, builder.getInt32(threadsOfGroup));
    Value *groupEnd = builder.CreateAdd(groupFirst, length, "group.end", true, true);
    Value *distance =
        builder.CreateSub(builder.CreateSExt(groupFirst, wide), builder.CreateSExt(first, wide));
    Value *others = builder.CreateSub(builder.CreateSExt(length, wide), builder.getInt64(1));
    if (isFalling) {
      most = builder.CreateSub(firstRounds, distance);
      least = builder.CreateSub(most, others);
    } else {
      least = builder.CreateAdd(firstRounds, distance);
      most = builder.CreateAdd(least, others);
    }
    for (auto [start, step] : firstIndices) {
      Value *steps = builder.CreateTrunc(distance, step->getType());
      groupIndices.push_back(builder.CreateAdd(start, builder.CreateMul(step, steps)));
    }
    Value *allRun = builder.CreateAnd(builder.CreateICmpSGT(least, builder.getInt64(0)),
                                      builder.CreateICmpSGE(most, least));
    builder.CreateCondBr(allRun, plain.preheader, &written);
    BasicBlock *copiedHeader = written.getSingleSuccessor();
    auto *copiedX = cast<PHINode>(&copiedHeader->front());
    BasicBlock *copiedLatch = copiedX->getIncomingBlock(copiedX->getIncomingBlock(0) == &written);
    auto *copiedEnd = conditionalBranch(copiedLatch->getTerminator());
    copiedX->setIncomingValueForBlock(&written, groupFirst);
    cast<ICmpInst>(copiedEnd->getCondition())->setOperand(1, groupEnd);
    copiedEnd->replaceSuccessorWith(plain.exit, next);
    plain.setFirst(groupFirst);
    plain.setEnd(groupEnd);
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, next);
    builder.SetInsertPoint(next);
    groupFirst->addIncoming(groupEnd, next);
    builder.CreateCondBr(builder.CreateICmpSLT(groupEnd, end), group, plain.exit);
  }

  template <typename Kind>
  Kind *copyOf(Kind *value) const {
    return cast<Kind>(map.lookup(value));
  }

  // Has a loop run from `from` to `to`, and gives the number of the round.
  static PHINode *countIn(BasicBlock &header, BasicBlock &entry, BasicBlock &latch, Value *from,
                          Value *to) {
    IRBuilder<> builder(&header, header.begin());
    PHINode *number = builder.CreatePHI(from->getType(), 2, "round");
    auto *end = conditionalBranch(header.getTerminator());
    builder.SetInsertPoint(end);
    end->setCondition(builder.CreateICmpSLT(number, to));
    builder.SetInsertPoint(latch.getTerminator());
    number->addIncoming(from, &entry);
    number->addIncoming(builder.CreateAdd(number, builder.getInt64(1), "", true, true), &latch);
    return number;
  }

  void countRounds(BasicBlock &entry) {
    Value *zero = ConstantInt::get(count->getType(), 0);
    PHINode *copiedCount = copyOf(count);
    // Before the header's own condition goes.
    countIn(*header, entry, *latch, zero, least);
    IRBuilder<> builder(plain.preheader->getTerminator());
    Value *some = isFalling ? builder.CreateSub(most, least) : most;
    round = countIn(*copyOf(header), *copiedEntry, *copyOf(latch), isFalling ? zero : least, some);
    for (PHINode *old : {count, copiedCount}) {
      auto *next =
          cast<Instruction>(old->getIncomingValueForBlock(old == count ? latch : copyOf(latch)));
      ofThreadCount = old == count ? old->getIncomingValueForBlock(&entry) : ofThreadCount;
      old->replaceAllUsesWith(PoisonValue::get(old->getType()));
      next->eraseFromParent();
      old->eraseFromParent();
    }
  }

  // First those of some threads, then those of all.
  void connectFalling(BasicBlock &start, BasicBlock &entry) {
    start.getTerminator()->replaceSuccessorWith(&entry, copiedEntry);
    copyOf(header)->getTerminator()->replaceSuccessorWith(behind, &entry);
    for (auto [index, first] : zip(indices, groupIndices))
      copyOf(index)->setIncomingValueForBlock(copiedEntry, first);
    for (ArrayRef<PHINode *> phis : {ArrayRef(indices), ArrayRef(carried)})
      for (PHINode *phi : phis)
        phi->setIncomingValueForBlock(&entry, copyOf(phi));
  }

  void connectRising() {
    branch->replaceSuccessorWith(behind, copiedEntry);
    for (PHINode &phi : behind->phis())
      phi.replaceIncomingBlockWith(header, copyOf(header));
    for (ArrayRef<PHINode *> phis : {ArrayRef(indices), ArrayRef(carried)})
      for (PHINode *phi : phis) {
        PHINode *last = copyOf(phi);
        phi->replaceUsesWithIf(last, [&](const Use &use) {
          auto *user = cast<Instruction>(use.getUser());
          return !inner->contains(user) && user != last;
        });
        last->setIncomingValueForBlock(copiedEntry, phi);
      }
  }

  // A round that a thread has not leaves what it carries.
  void addConditions(BasicBlock &start) {
    IRBuilder<> builder(start.getTerminator());
    Value *firstOfThread = isFalling ? builder.CreateSub(most, ofThreadCount) : nullptr;
    BasicBlock *end = copyOf(latch);
    builder.SetInsertPoint(end->getTerminator());
    Value *hasRound = isFalling ? builder.CreateICmpSGE(round, firstOfThread)
                                : builder.CreateICmpSLT(round, ofThreadCount);
    for (PHINode *phi : carried) {
      PHINode *copied = copyOf(phi);
      Value *next = copied->getIncomingValueForBlock(end);
      copied->setIncomingValueForBlock(end, builder.CreateSelect(hasRound, next, copied));
    }
  }

  Loop &threads;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  SCEVExpander expander;
  PlainThreadLoop plain;
  Loop *inner = nullptr;
  BasicBlock *header = nullptr, *latch = nullptr, *behind = nullptr; // of the inner loop
  ConditionalBranch *branch = nullptr;                               // that leaves it
  PHINode *count = nullptr;
  const SCEVAddRecExpr *rounds = nullptr; // of a thread
  bool isFalling = false;                 // one less from thread to thread
  SmallVector<PHINode *, 4> indices, carried;
  SmallVector<LoadInst *, 4> ofThread; // the same in all rounds
  DenseMap<Instruction *, bool> common;
  ValueToValueMapTy map; // to the rounds that some threads have
  BasicBlock *copiedEntry = nullptr;
  Value *firstRounds = nullptr, *most = nullptr, *least = nullptr, *ofThreadCount = nullptr;
  PHINode *round = nullptr;                                 // of those that some threads have
  SmallVector<std::pair<Value *, Value *>, 4> firstIndices; // of the first thread, and their steps
  SmallVector<Value *, 4> groupIndices;                     // of the first thread of a group
};

} // namespace

bool levelRounds(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                 ScalarEvolution &evolution) {
  return Triangle(threads, loops, dominators, evolution).run();
}

} // namespace cufc
