//   for x:                        for x in steps of 8:
//     for k: c(x,k) = f(x,k)  =>    for k: c(x,k) = f(x,k) .. c(x+7,k) = f(x+7,k)
//     for k: d(x,k) = g(x,k)        for k: d(x,k) = g(x,k) .. d(x+7,k) = g(x+7,k)
//
// Each instruction that depends on the thread is repeated where it is, for as many threads as
// LLVM's SLP vectoriser makes a vector of. All branches must be the same for all threads. What
// thread_jam takes, a single loop without memory of the thread's own, is not touched here. Such
// memory gets an element for each of the threads in the place of each element.
//
// Where nearly all that the inner loops access lies so, it is four vectors of threads: levels are
// far apart in memory, often by a power of two, so that a line of each fills few sets of the cache,
// while several in a row are fetched together; and vectors do not wait for each other's divisions.
// Vectors of one line take what that leaves, and threads one by one the rest.
//
// Each thread computes what it did in the order in which it did. Threads of a block that do not
// synchronise are independent (CUDA C++ programming guide, "Thread Hierarchy").
#include "codegen/cpu/thread_columns.h"
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_values.h"
#include "codegen/cpu/wide_subscripts.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr uint64_t bytesTogether = 64;   // of the widest element that the threads load
constexpr unsigned linesTogether = 4;    // where only neighbours are accessed
constexpr unsigned fewOthers = 5;        // accesses to neighbours for each one to anything else
constexpr size_t mostInstructions = 300; // of a thread
constexpr uint64_t mostMemory = 1 << 17; // in bytes, of several lines of threads
constexpr size_t mostRepeated = 5000;    // of several lines of threads; SLPVectorizer takes time
constexpr const char *restMark = "cufc.rest_of_columns"; // on the end of a loop for what is left

bool canBeRepeated(const Instruction &instruction) {
  if (isa<DbgInfoIntrinsic, NoAliasScopeDeclInst, LifetimeIntrinsic>(instruction))
    return true;
  if (isa<LoadInst, StoreInst>(instruction))
    return !instruction.isVolatile() && !instruction.isAtomic();
  return !instruction.mayReadOrWriteMemory() && !instruction.mayThrow() &&
         instruction.willReturn() && !instruction.getType()->isTokenTy() &&
         !isa<AllocaInst>(instruction);
}

class Columns {
public:
  Columns(Loop &threads, LoopInfo &loops, ScalarEvolution &evolution)
      : threads(threads), loops(loops), evolution(evolution) {}

  // Before the shape of the loops is changed, that is of those which count from above.
  bool mayBe() {
    if (threads.getSubLoops().empty())
      return false;
    size_t sum = 0;
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block)
        if (!canBeRepeated(instruction) || ++sum > mostInstructions)
          return false;
    return findMemory() && (threads.getSubLoops().size() > 1 || !memory.empty());
  }

  bool run(DominatorTree &dominators) {
    for (Instruction &instruction : threads.getHeader()->getParent()->getEntryBlock())
      if (isa<AllocaInst>(instruction))
        computeHere(instruction);
    isShaped = true;
    if (!mayBe() || !threads.isLoopSimplifyForm())
      return false;
    plain = readThreadLoop(threads);
    if (!plain.x || isa<PHINode>(plain.exit->front()))
      return false;
    findVarying();
    if (!controlIsUniform() || !readsNeighbours())
      return false;
    step = static_cast<unsigned>(bytesTogether / widest) * lines();
    findDistances();
    divide(dominators);
    spreadMemory();
    repeatInstructions();
    return true;
  }

private:
  // Addresses in memory of the thread that LICM has computed before.
  void computeHere(Instruction &address) {
    for (User *user : make_early_inc_range(address.users())) {
      auto *element = dyn_cast<GetElementPtrInst>(user);
      if (!element || threads.contains(element))
        continue;
      computeHere(*element);
      for (Use &use : make_early_inc_range(element->uses())) {
        auto *there = cast<Instruction>(use.getUser());
        if (!threads.contains(there) || isa<PHINode>(there))
          continue;
        Instruction *copy = element->clone();
        copy->insertBefore(there->getIterator());
        use.set(copy);
      }
    }
  }

  // Stack memory of each thread, with elements of one type. Other loops are of other threads.
  bool findMemory() {
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block)
        for (Value *operand : instruction.operands())
          if (auto *alloca = dyn_cast<AllocaInst>(operand))
            memory.insert({alloca, nullptr});
    for (auto &[alloca, type] : memory) {
      if (isThreadValue(alloca) || !alloca->isStaticAlloca() || !isOfElements(*alloca, type))
        return false;
      const DataLayout &layout = alloca->getDataLayout();
      std::optional<TypeSize> size = alloca->getAllocationSize(layout);
      if (!type || !size || size->getFixedValue() % layout.getTypeAllocSize(type) != 0)
        return false;
    }
    return true;
  }

  bool isOfElements(Value &address, Type *&type) const {
    return all_of(address.uses(), [&](Use &use) {
      auto *user = cast<Instruction>(use.getUser());
      if (isa<LifetimeIntrinsic>(user))
        return true;
      if (!threads.contains(user))
        return !isShaped || isa<LoadInst, StoreInst>(user) || isOfOthers(*user);
      if (auto *element = dyn_cast<GetElementPtrInst>(user))
        return element->getNumIndices() == 1 && isElement(element->getSourceElementType(), type) &&
               isOfElements(*element, type);
      return getLoadStorePointerOperand(user) == &address &&
             !(isa<StoreInst>(user) && cast<StoreInst>(user)->getValueOperand() == &address) &&
             isElement(getLoadStoreType(user), type);
    });
  }

  bool isOfOthers(const Instruction &address) const {
    return isa<GetElementPtrInst>(address) && none_of(address.users(), [&](const User *user) {
             auto *there = cast<Instruction>(user);
             return threads.contains(there) ||
                    !(isa<LoadInst, StoreInst>(there) || isOfOthers(*there));
           });
  }

  static bool isElement(Type *wanted, Type *&type) {
    if (!type)
      type = wanted;
    return type == wanted && (type->isIntegerTy() || type->isFloatingPointTy());
  }

  void findVarying() {
    varying.insert(plain.x);
    for (auto &[alloca, type] : memory)
      varying.insert(alloca);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : threads.blocks())
        for (Instruction &instruction : *block)
          if (!varying.contains(&instruction) &&
              any_of(instruction.operands(),
                     [&](const Use &use) { return varying.contains(use.get()); }))
            changed = varying.insert(&instruction).second;
    }
  }

  bool controlIsUniform() const {
    return all_of(threads.blocks(), [&](BasicBlock *block) {
      Instruction *end = block->getTerminator();
      return isBranch(*end) && (block == plain.latch || !varying.contains(end));
    });
  }

  // Whether most of what the inner loops access lies side by side for threads that do, or else what
  // the threads access around them.
  bool readsNeighbours() {
    for (Loop *inner : threads.getSubLoops())
      count(inner->blocks(), flow);
    Accesses accesses = flow;
    if (accesses.neighbours + accesses.others == 0)
      count(threads.blocks(), accesses);
    return accesses.neighbours > accesses.others && (widest == 4 || widest == 8);
  }

  struct Accesses {
    unsigned neighbours = 0, others = 0;
  };

  template <typename Blocks>
  void count(const Blocks &blocks, Accesses &accesses) {
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block) {
        Value *address = getLoadStorePointerOperand(&instruction);
        if (!address || !varying.contains(address))
          continue;
        uint64_t bytes = block->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
        const bool isOwn = isa<AllocaInst>(getUnderlyingObject(address, 0));
        if (isOwn || distance(address) == static_cast<int64_t>(bytes)) {
          ++accesses.neighbours;
          widest = std::max(widest, bytes);
        } else {
          ++accesses.others;
        }
      }
  }

  // From a thread to the next, in bytes; 0 if it is not known.
  int64_t distance(Value *address) {
    auto *number = dyn_cast_or_null<SCEVConstant>(threadStep(*address, threads, evolution));
    return number ? number->getAPInt().getSExtValue() : 0;
  }

  void findDistances() {
    for (BasicBlock *block : threads.blocks())
      for (Instruction &instruction : *block)
        if (auto *address = dyn_cast<GetElementPtrInst>(&instruction);
            address && varying.contains(address) &&
            !isa<AllocaInst>(getUnderlyingObject(address, 0)))
          if (int64_t bytes = distance(address))
            distances[address] = bytes;
  }

  // Of the threads that go together. What each reads elsewhere would fill the registers.
  unsigned lines() const {
    if (isRest() || flow.neighbours < fewOthers * flow.others || flow.neighbours == 0)
      return 1;
    size_t sum = 0;
    for (BasicBlock *block : threads.blocks())
      sum += count_if(*block, [&](const Instruction &each) { return varying.contains(&each); });
    uint64_t bytes = 0;
    for (auto &[alloca, type] : memory)
      bytes += sizeOf(*alloca);
    const uint64_t most = evolution.getSmallConstantMaxTripCount(&threads);
    unsigned lines = linesTogether;
    for (; lines > 1; lines /= 2) {
      const uint64_t all = lines * bytesTogether / widest;
      if (sum * all <= mostRepeated && bytes * all <= mostMemory && (most == 0 || all <= most))
        break;
    }
    return lines;
  }

  bool isRest() const { return plain.latch->getTerminator()->hasMetadata(restMark); }

  // As many threads as there are whole steps of; the loop as it was for the rest.
  void divide(DominatorTree &dominators) {
    BasicBlock *before = plain.preheader;
    plain.preheader = SplitEdge(before, threads.getHeader(), &dominators, &loops);
    BasicBlock *copy = copyAsWritten(threads, plain.preheader, before, loops, dominators);
    IRBuilder<> builder(before->getTerminator());
    Value *first = plain.first(), *end = plain.test->getOperand(1);
    Value *count = builder.CreateSub(end, first);
    Value *most = builder.CreateAnd(count, builder.getInt32(~(step - 1)));
    Value *middle = builder.CreateAdd(first, most);
    Value *some = builder.CreateICmpSGE(count, builder.getInt32(step));
    builder.CreateCondBr(some, plain.preheader, copy);
    before->getTerminator()->eraseFromParent();

    LLVMContext &context = before->getContext();
    BasicBlock *rest = BasicBlock::Create(context, "rest", before->getParent(), copy);
    builder.SetInsertPoint(rest);
    builder.CreateCondBr(builder.CreateICmpSLT(middle, end), copy, plain.exit);
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, rest);
    BasicBlock *header = copy->getSingleSuccessor();
    auto *x = cast<PHINode>(&header->front());
    builder.SetInsertPoint(copy, copy->begin());
    PHINode *start = builder.CreatePHI(x->getType(), 2);
    start->addIncoming(first, before);
    start->addIncoming(middle, rest);
    x->setIncomingValueForBlock(copy, start);

    builder.SetInsertPoint(plain.test);
    Value *next = builder.CreateAdd(plain.x, builder.getInt32(step), "", true, true);
    plain.x->setIncomingValueForBlock(plain.latch, next);
    plain.test->setOperand(0, next);
    plain.test->setOperand(1, middle);
    plain.latch->getTerminator()->setMetadata(threadLoopMark, nullptr);
    increment = cast<Instruction>(next);
    if (step * widest > bytesTogether)
      markRest(*loops.getLoopFor(header)->getLoopLatch()->getTerminator());
  }

  // With an exit of its own.
  void markRest(Instruction &end) const {
    LLVMContext &context = end.getContext();
    BasicBlock *left = BasicBlock::Create(context, "left", end.getFunction(), plain.exit);
    IRBuilder<>(left).CreateBr(plain.exit);
    end.replaceSuccessorWith(plain.exit, left);
    for (const char *mark : {threadLoopMark, restMark})
      end.setMetadata(mark, MDNode::get(context, {}));
  }

  static uint64_t sizeOf(const AllocaInst &alloca) {
    const TypeSize none = TypeSize::getFixed(0); // findMemory has asked
    return alloca.getAllocationSize(alloca.getDataLayout()).value_or(none).getFixedValue();
  }

  // The copy of the loop has memory as it was.
  void spreadMemory() {
    for (auto &[alloca, type] : memory) {
      uint64_t size = alloca->getDataLayout().getTypeAllocSize(type);
      IRBuilder<> builder(alloca->getNextNode());
      AllocaInst *spread =
          builder.CreateAlloca(ArrayType::get(type, sizeOf(*alloca) / size * step));
      spread->setAlignment(Align(bytesTogether));
      for (unsigned lane = 0; lane < step; ++lane)
        repeated[alloca].push_back(builder.CreateConstInBoundsGEP1_32(type, spread, lane));
      scale(*alloca);
    }
  }

  void scale(Value &address) {
    for (User *user : address.users())
      if (auto *element = dyn_cast<GetElementPtrInst>(user); element && threads.contains(element)) {
        IRBuilder<> builder(element);
        Value *index = element->getOperand(1);
        Value *scaled = builder.CreateMul(index, ConstantInt::get(index->getType(), step));
        if (auto *made = dyn_cast<Instruction>(scaled); made && varying.contains(index))
          varying.insert(made);
        element->setOperand(1, scaled);
        scale(*element);
      }
  }

  bool isRepeated(const Instruction &instruction) const {
    return varying.contains(&instruction) && &instruction != plain.x &&
           &instruction != plain.test && &instruction != increment && !instruction.isTerminator() &&
           !isa<LifetimeIntrinsic>(instruction);
  }

  void repeatInstructions() {
    repeated[plain.x] = {plain.x};
    IRBuilder<> builder(threads.getHeader(), threads.getHeader()->getFirstInsertionPt());
    for (unsigned lane = 1; lane < step; ++lane)
      repeated[plain.x].push_back(
          builder.CreateAdd(plain.x, builder.getInt32(lane), "", true, true));
    std::vector<Instruction *> originals;
    LoopBlocksRPO blocks(&threads);
    blocks.perform(&loops);
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(*block)) {
        if (isa<LifetimeIntrinsic>(instruction))
          instruction.eraseFromParent();
        else if (isRepeated(instruction))
          originals.push_back(&instruction);
      }
    for (Instruction *original : originals) {
      auto &copies = repeated[original];
      copies.push_back(original);
      Instruction *place = original;
      for (unsigned lane = 1; lane < step; ++lane) {
        place = repeat(*original, lane, *place);
        copies.push_back(place);
      }
    }
    for (Instruction *original : originals)
      for (unsigned lane = 0; lane < step; ++lane) {
        if (lane > 0 && distances.contains(original))
          break;
        auto *copy = cast<Instruction>(repeated[original][lane]);
        for (Use &operand : copy->operands())
          if (auto found = repeated.find(operand.get()); found != repeated.end())
            if (lane > 0 || isa<AllocaInst>(operand.get()))
              operand.set(found->second[lane]);
      }
  }

  // Neighbours by their distance from the first, which is what SLPVectorizer sees best.
  Instruction *repeat(Instruction &original, unsigned lane, Instruction &place) const {
    Instruction *copy;
    if (auto bytes = distances.find(&original); bytes != distances.end()) {
      Type *byte = Type::getInt8Ty(original.getContext());
      Type *wide = Type::getInt64Ty(original.getContext());
      Constant *offset = ConstantInt::getSigned(wide, bytes->second * lane);
      copy = GetElementPtrInst::Create(byte, &original, {offset});
    } else {
      copy = original.clone();
    }
    copy->insertAfter(place.getIterator());
    return copy;
  }

  Loop &threads;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  PlainThreadLoop plain;
  MapVector<AllocaInst *, Type *> memory;
  DenseSet<const Value *> varying;
  DenseMap<Value *, SmallVector<Value *, 16>> repeated; // of each thread
  DenseMap<const Instruction *, int64_t> distances;     // from a thread to the next, in bytes
  Instruction *increment = nullptr;
  Accesses flow; // of the inner loops
  uint64_t widest = 0;
  unsigned step = 0;
  bool isShaped = false; // addresses are computed where they are used
};

struct ColumnPass : PassInfoMixin<ColumnPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    bool changed = false;
    while (changeOne(function, analyses)) {
      changed = true;
      analyses.invalidate(function, PreservedAnalyses::none());
    }
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

private:
  // Which has no mark then.
  static bool changeOne(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
    return any_of(threadLoops(loops), [&](Loop *threads) {
      return Columns(*threads, loops, evolution).run(dominators);
    });
  }
};

struct WidenPass : PassInfoMixin<WidenPass> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    widenSubscripts(function);
    return PreservedAnalyses::none();
  }
};

// The passes before it change other loops, too.
struct WhereColumnsAre : PassInfoMixin<WhereColumnsAre> {
  explicit WhereColumnsAre(FunctionPassManager passes) : passes(std::move(passes)) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<LoopAnalysis>(function);
    auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
    if (any_of(threadLoops(loops),
               [&](Loop *threads) { return Columns(*threads, loops, evolution).mayBe(); }))
      return passes.run(function, analyses);
    return PreservedAnalyses::all();
  }

  FunctionPassManager passes;
};

} // namespace

void addColumnPasses(FunctionPassManager &passes) {
  FunctionPassManager columns;
  LoopPassManager shape;
  shape.addPass(LoopRotatePass());
  shape.addPass(LICMPass(LICMOptions()));
  columns.addPass(WidenPass());
  columns.addPass(createFunctionToLoopPassAdaptor(std::move(shape), /*UseMemorySSA=*/true));
  columns.addPass(SimplifyCFGPass());
  columns.addPass(LoopSimplifyPass());
  columns.addPass(LCSSAPass());
  columns.addPass(ColumnPass());
  passes.addPass(WhereColumnsAre(std::move(columns)));
}

} // namespace cufc
