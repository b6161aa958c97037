//   for x: if (c(x)) s = s + g(k)*c(x)     any = false; for x: any = any .or. c(x)
//                                     =>   if (any) gk = g(k)
//                                          for x: if (c(x)) s = s + gk*c(x)
//
// What is the same for all threads is loaded before the loop over them, but not under a condition:
// the element may not be there if no thread asks for it. LLVM counts such loads one by one, and
// then finds no vectors worth while. Whether any thread comes to the load is a loop of vectors.
#include "codegen/branches.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostOfCondition = 40, mostOfLoop = 300; // instructions

class ConditionalLoads {
public:
  ConditionalLoads(Loop &loop, DominatorTree &dominators, AAResults &aliases)
      : loop(loop), dominators(dominators), aliases(aliases) {}

  bool run() {
    if (!loop.isInnermost() || !readLoop())
      return false;
    for (BasicBlock *block : loop.blocks())
      if (findLoads(*block) && findCondition()) {
        loadBefore();
        return true;
      }
    return false;
  }

private:
  bool readLoop() {
    size_t size = 0;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        auto *call = dyn_cast<CallBase>(&instruction);
        if (call && !isa<IntrinsicInst>(call))
          return false;
        if (instruction.mayWriteToMemory())
          writers.push_back(&instruction);
        ++size;
      }
    plain = readThreadLoop(loop);
    return plain.x && size <= mostOfLoop;
  }

  // Loads of a block that some threads come to by one branch of all threads.
  bool findLoads(BasicBlock &block) {
    loads.clear();
    BasicBlock *before = block.getSinglePredecessor();
    branch = before && loop.contains(before) ? conditionalBranch(before->getTerminator()) : nullptr;
    if (!branch || dominators.dominates(&block, plain.latch) ||
        !dominators.dominates(before, plain.latch) || loop.isLoopInvariant(branch->getCondition()))
      return false;
    ifTrue = branch->getSuccessor(0) == &block;
    for (Instruction &instruction : block)
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && load->isSimple() && loop.isLoopInvariant(load->getPointerOperand()) &&
          staysAsItIs(*load))
        loads.push_back(load);
    return !loads.empty();
  }

  // Also what other rounds of the loop store: it may go over several elements of a thread.
  bool staysAsItIs(LoadInst &load) {
    const MemoryLocation array =
        MemoryLocation::getBeforeOrAfter(load.getPointerOperand(), load.getAAMetadata());
    return none_of(writers, [&](Instruction *writer) {
      return isModSet(aliases.getModRefInfo(writer, array));
    });
  }

  // What the condition is computed of, which each thread computes.
  bool findCondition() {
    condition.clear();
    SetVector<Value *> values;
    values.insert(branch->getCondition());
    for (size_t i = 0; i < values.size() && i <= mostOfCondition; ++i) {
      auto *part = dyn_cast<Instruction>(values[i]);
      if (!part || !loop.contains(part) || part == plain.x)
        continue;
      auto *load = dyn_cast<LoadInst>(part);
      if (isa<PHINode>(part) || !dominators.dominates(part, branch) ||
          !dominators.dominates(part->getParent(), plain.latch) ||
          (load ? !load->isSimple() || !staysAsItIs(*load)
                : part->mayReadOrWriteMemory() || part->mayHaveSideEffects()))
        return false;
      condition.push_back(part);
      values.insert_range(part->operands());
    }
    std::sort(condition.begin(), condition.end(),
              [&](Instruction *a, Instruction *b) { return a != b && dominators.dominates(a, b); });
    return values.size() <= mostOfCondition;
  }

  void loadBefore() {
    first = plain.first();
    BasicBlock *before = plain.preheader, *start = SplitEdge(before, loop.getHeader(), &dominators);
    LLVMContext &context = before->getContext();
    auto make = [&](const char *name) {
      return BasicBlock::Create(context, name, before->getParent(), start);
    };
    BasicBlock *ask = make("any.thread"), *asked = make("any.asked"), *fetch = make("any.load");
    Value *any = askAll(*before, *ask);
    IRBuilder<> builder(ask);
    Value *next = builder.CreateAdd(&ask->front(), ConstantInt::get(plain.x->getType(), 1), "",
                                    /*HasNUW=*/true, /*HasNSW=*/true);
    cast<PHINode>(ask->front()).addIncoming(next, ask);
    Value *more = builder.CreateICmp(plain.test->getPredicate(), next, plain.test->getOperand(1));
    const bool staysIfTrue =
        conditionalBranch(plain.latch->getTerminator())->getSuccessor(0) == loop.getHeader();
    builder.CreateCondBr(more, staysIfTrue ? ask : asked, staysIfTrue ? asked : ask);
    before->getTerminator()->replaceSuccessorWith(start, ask);
    builder.SetInsertPoint(asked);
    builder.CreateCondBr(any, fetch, start);
    builder.SetInsertPoint(fetch);
    builder.CreateBr(start);
    for (LoadInst *load : loads)
      moveTo(*load, *fetch, *asked, *start);
  }

  // The result of the loop in `ask` over all threads.
  Value *askAll(BasicBlock &before, BasicBlock &ask) {
    IRBuilder<> builder(&ask);
    PHINode *x = builder.CreatePHI(plain.x->getType(), 2),
            *some = builder.CreatePHI(builder.getInt1Ty(), 2);
    x->addIncoming(first, &before);
    some->addIncoming(builder.getFalse(), &before);
    ValueToValueMapTy map;
    map[plain.x] = x;
    for (Instruction *part : condition) {
      Instruction *copy = part->clone();
      builder.Insert(copy);
      map[part] = copy;
      RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
    Value *asks = branch->getCondition();
    if (Value *copy = map.lookup(asks))
      asks = copy;
    if (!ifTrue)
      asks = builder.CreateNot(asks);
    Value *any = builder.CreateOr(some, asks);
    some->addIncoming(any, &ask);
    return any;
  }

  static void moveTo(LoadInst &load, BasicBlock &fetch, BasicBlock &asked, BasicBlock &start) {
    PHINode *value = PHINode::Create(load.getType(), 2, "", start.begin());
    load.replaceAllUsesWith(value);
    load.moveBefore(fetch.getTerminator()->getIterator());
    value->addIncoming(&load, &fetch);
    value->addIncoming(Constant::getNullValue(load.getType()), &asked);
  }

  Loop &loop;
  DominatorTree &dominators;
  AAResults &aliases;
  PlainThreadLoop plain;
  Value *first = nullptr; // of x
  SmallVector<Instruction *, 8> writers;
  SmallVector<LoadInst *, 4> loads;
  ConditionalBranch *branch = nullptr;
  bool ifTrue = false;
  std::vector<Instruction *> condition;
};

} // namespace

bool loadBeforeThreads(Loop &threads, LoopInfo &, DominatorTree &dominators, AAResults &aliases) {
  return ConditionalLoads(threads, dominators, aliases).run();
}

} // namespace cufc
