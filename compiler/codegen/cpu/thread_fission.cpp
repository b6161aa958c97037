//   for x:                               for x: if (x < n) t(x) = a(x)
//     if (x < n)                         for x: if (x < n) { if (x == 0) t(-1) = a(-1) }
//       t(x) = a(x)                =>    for x: if (x < n) u(x) = b(x)
//       if (x == 0) t(-1) = a(-1)
//       u(x) = b(x)
//
// which is loop fission. The second loop has one round then (thread_bounds.h), and the others are
// fit for vectors. Where all threads of a block come to such work, barrier_regions.cpp has divided
// them before.
//
// Work of two threads, `if (x == 0 .or. x == n)`, gets two loops: what both do then is done twice,
// and the same.
//
// Each loop computes again what its stores need. Threads between barriers run in any order (CUDA
// C++ programming guide, "Thread Hierarchy"), so it is enough that no store of a thread comes
// before a load of its own that was before it.
#include "codegen/branches.h"
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr size_t mostInstructions = 300;
constexpr int mostParts = 8;

class Fission {
public:
  Fission(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution,
          AAResults &aliases)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution), aliases(aliases) {}

  bool run() {
    if (!loop.isInnermost() || !hasRareWork())
      return false;
    plain = readThreadLoop(loop);
    if (!plain.x || !readAccesses() || parts < 2 || parts > mostParts || !maybeApart())
      return false;
    divide();
    return true;
  }

private:
  struct Access {
    Instruction *instruction;
    int part; // of a store
  };

  // Whether it holds for one x, or for two.
  bool asksForOne(Value *condition) const {
    if (auto *compare = dyn_cast<ICmpInst>(condition)) {
      auto isIndex = [&](Value *value) {
        auto *index = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value));
        return index && index->getLoop() == &loop && index->isAffine();
      };
      return compare->getPredicate() == ICmpInst::ICMP_EQ &&
             compare->getOperand(0)->getType()->isIntegerTy() &&
             isIndex(compare->getOperand(0)) != isIndex(compare->getOperand(1));
    }
    Value *left, *right;
    if (match(condition, m_LogicalAnd(m_Value(left), m_Value(right))))
      return asksForOne(left) || asksForOne(right);
    return match(condition, m_LogicalOr(m_Value(left), m_Value(right))) && asksForOne(left) &&
           asksForOne(right);
  }

  // A block that threads pass on a condition and that leads to where the others go at once.
  const Value *conditionOf(const BasicBlock &block) const {
    const BasicBlock *before = block.getSinglePredecessor(), *behind = block.getSingleSuccessor();
    auto *branch = before ? conditionalBranch(before->getTerminator()) : nullptr;
    if (!branch || !behind || !loop.contains(before) || isa<PHINode>(behind->front()))
      return nullptr;
    const bool isTrue = branch->getSuccessor(0) == &block;
    return isTrue && branch->getSuccessor(1) == behind ? branch->getCondition() : nullptr;
  }

  static bool stores(const BasicBlock &block) {
    return any_of(block,
                  [](const Instruction &instruction) { return isa<StoreInst>(instruction); });
  }

  bool hasRareWork() {
    for (BasicBlock *block : loop.blocks())
      if (auto *condition = const_cast<Value *>(conditionOf(*block)); condition && stores(*block)) {
        if (asksForOne(condition))
          rare.insert(block);
        else if (loop.isLoopInvariant(condition))
          known.insert(block);
      }
    return !rare.empty();
  }

  // In an order in which each thread does them, with the parts that stores are of.
  bool readAccesses() {
    LoopBlocksRPO blocks(&loop);
    blocks.perform(&loops);
    size_t instructions = 0;
    bool isOpen = false;
    for (BasicBlock *block : blocks) {
      const bool isApart = rare.contains(block) || known.contains(block);
      isOpen &= !isApart;
      for (Instruction &instruction : *block) {
        if (++instructions > mostInstructions)
          return false;
        if (isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction) ||
            (!instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects()))
          continue;
        if (!isa<LoadInst, StoreInst>(instruction) || instruction.isAtomic() ||
            instruction.isVolatile())
          return false;
        if (isa<StoreInst>(instruction) && !isOpen) {
          isOpen = true;
          ++parts;
        }
        accesses.push_back({&instruction, parts - 1});
      }
      isOpen &= !isApart;
    }
    return true;
  }

  // What a part computes again is what it was: no load comes behind a store of an earlier part that
  // was behind the load.
  bool maybeApart() const {
    for (size_t i = 0; i < accesses.size(); ++i) {
      if (!isa<LoadInst>(accesses[i].instruction))
        continue;
      const int last = lastPartThatNeeds(*accesses[i].instruction);
      for (size_t k = i + 1; k < accesses.size(); ++k)
        if (isa<StoreInst>(accesses[k].instruction) && accesses[k].part < last &&
            !aliases.isNoAlias(objectOf(*accesses[i].instruction),
                               objectOf(*accesses[k].instruction)))
          return false;
    }
    return true;
  }

  int lastPartThatNeeds(Instruction &load) const {
    SmallSetVector<Instruction *, 16> needed;
    needed.insert(&load);
    int last = -1;
    for (size_t i = 0; i < needed.size(); ++i) {
      if (needed[i]->isTerminator())
        return parts; // a condition
      for (const Access &access : accesses)
        if (access.instruction == needed[i] && isa<StoreInst>(needed[i]))
          last = std::max(last, access.part);
      for (User *user : needed[i]->users())
        if (loop.contains(cast<Instruction>(user)))
          needed.insert(cast<Instruction>(user));
    }
    return last;
  }

  // Copies of the loop before it, one behind the other, for all parts but the last.
  void divide() {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    for (int part = 0; part < parts; ++part) {
      BasicBlock *two = blockOfTwo(part);
      if (part < parts - 1 || two) {
        ValueToValueMapTy map;
        before = copyPart(part, *before, map);
        if (two)
          chooseOne(cast<BasicBlock>(*map[two]), 0);
      }
      if (part < parts - 1 && two) {
        ValueToValueMapTy map;
        before = copyPart(part, *before, map);
        chooseOne(cast<BasicBlock>(*map[two]), 1);
      } else if (two) {
        chooseOne(*two, 1);
      }
    }
    for (const Access &access : accesses)
      if (isa<StoreInst>(access.instruction) && access.part != parts - 1)
        access.instruction->eraseFromParent();
  }

  // That of a part whose condition holds for one x or another, and which may be done twice.
  BasicBlock *blockOfTwo(int part) const {
    for (const Access &access : accesses)
      if (access.part == part && isa<StoreInst>(access.instruction) &&
          any_of(accesses, [&](const Access &other) {
            return isa<LoadInst>(other.instruction) &&
                   !aliases.isNoAlias(objectOf(*access.instruction), objectOf(*other.instruction));
          }))
        return nullptr;
    for (const Access &access : accesses) {
      BasicBlock *block = access.instruction->getParent();
      if (access.part == part && isa<StoreInst>(access.instruction) && rare.contains(block) &&
          match(conditionOf(*block), m_LogicalOr(m_Value(), m_Value())))
        return block;
    }
    return nullptr;
  }

  static void chooseOne(BasicBlock &block, unsigned side) {
    ConditionalBranch *branch = conditionalBranch(block.getSinglePredecessor()->getTerminator());
    Value *sides[2] = {};
    if (match(branch->getCondition(), m_LogicalOr(m_Value(sides[0]), m_Value(sides[1]))))
      branch->setCondition(sides[side]);
  }

  // Behind `before`, which leads to the loop; the block that does so then.
  BasicBlock *copyPart(int part, BasicBlock &before, ValueToValueMapTy &map) {
    SmallVector<BasicBlock *, 8> blocks;
    Loop *copy = cloneLoopWithPreheader(plain.preheader, &before, &loop, map, ".part", &loops,
                                        &dominators, blocks);
    remapInstructionsInBlocks(blocks, map);
    for (const Access &access : accesses)
      if (isa<StoreInst>(access.instruction) && access.part != part)
        cast<Instruction>(map[access.instruction])->eraseFromParent();
    before.getTerminator()->replaceSuccessorWith(plain.preheader, copy->getLoopPreheader());
    BasicBlock *latch = copy->getLoopLatch();
    BasicBlock *behind =
        BasicBlock::Create(before.getContext(), "part.end", before.getParent(), plain.preheader);
    Jump::Create(plain.preheader, behind);
    latch->getTerminator()->replaceSuccessorWith(plain.exit, behind);
    if (Loop *parent = loop.getParentLoop())
      parent->addBasicBlockToLoop(behind, loops);
    dominators.addNewBlock(behind, latch);
    dominators.changeImmediateDominator(plain.preheader, behind);
    return behind;
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  AAResults &aliases;
  PlainThreadLoop plain;
  SmallPtrSet<const BasicBlock *, 4> rare, known; // done by few threads, or by all or none
  SmallVector<Access> accesses;
  int parts = 0;
};

} // namespace

bool divideRareWork(Loop &threads, LoopInfo &loops, DominatorTree &dominators,
                    ScalarEvolution &evolution, AAResults &aliases) {
  return Fission(threads, loops, dominators, evolution, aliases).run();
}

} // namespace cufc
