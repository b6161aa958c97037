//   for x: value = f(x); place = g(x); atomic(sums(place) += value)
//
// becomes, for some threads at a time,
//
//   for x: values(x) = f(x); places(x) = g(x)
//   for x: atomic(sums(places(x)) += values(x))
//
// as in histograms and where particles leave charge in a grid: LLVM makes no vectors of a loop with
// such updates, but of the first of these two. What comes before the first effect of a thread is
// computed there, if that is worth the memory for what the rest needs of it; subscripts are sums
// again there. Threads that do not synchronise run in any order (CUDA C++ programming guide,
// "Thread Hierarchy"), and each does the same in the same order. The updates keep theirs.
#include "codegen/branches.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/thread_bounds.h"
#include "codegen/cpu/thread_passes.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr uint32_t threadsTogether = 128; // whose values stay in the nearest cache
constexpr size_t mostValues = 10;
constexpr unsigned costOfLong = 6;  // of a division or a root, by that of a sum
constexpr unsigned costOfCall = 12; // of an elementary function
constexpr unsigned costOfValue = 2; // to store and load it
constexpr unsigned costOfLoop = 4;

unsigned costOf(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
    return costOfLong;
  case Instruction::Call: {
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic)
      return costOfCall;
    switch (intrinsic->getIntrinsicID()) {
    case Intrinsic::sqrt:
    case Intrinsic::fptosi_sat:
    case Intrinsic::fptoui_sat:
      return costOfLong;
    case Intrinsic::exp:
    case Intrinsic::log:
    case Intrinsic::pow:
    case Intrinsic::sin:
    case Intrinsic::cos:
      return costOfCall;
    default:
      return 1;
    }
  }
  case Instruction::Load:
  case Instruction::GetElementPtr:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::PHI:
    return 0;
  default:
    return 1;
  }
}

class ScatteredUpdates {
public:
  explicit ScatteredUpdates(Loop &threads) : threads(threads) {}

  bool run() {
    if (!threads.isInnermost() || !scatters())
      return false;
    plain = readThreadLoop(threads);
    if (!plain.x || threads.getExitingBlock() != plain.latch || isa<PHINode>(plain.exit->front()))
      return false;
    findStart();
    if (!findValues() || !isWorthIt())
      return false;
    divide();
    computeBefore();
    takeValues();
    return true;
  }

private:
  // Whether an update that depends on the thread keeps LLVM from making vectors.
  bool scatters() const {
    return any_of(threads.blocks(), [&](const BasicBlock *block) {
      return any_of(*block, [&](const Instruction &instruction) {
        auto *update = dyn_cast<AtomicRMWInst>(&instruction);
        return update && !threads.isLoopInvariant(update->getPointerOperand());
      });
    });
  }

  static bool isPlain(const Instruction &instruction) {
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      return load->isSimple() &&
             !isa<AllocaInst>(load->getPointerOperand()->stripInBoundsOffsets());
    const unsigned operation = instruction.getOpcode();
    return !instruction.mayReadOrWriteMemory() && !instruction.mayHaveSideEffects() &&
           !isa<AllocaInst, PHINode>(instruction) && operation != Instruction::SDiv &&
           operation != Instruction::UDiv && operation != Instruction::SRem &&
           operation != Instruction::URem && instruction.getType()->isSingleValueType();
  }

  // What all threads compute before they have an effect or go different ways.
  void findStart() {
    const Value *next = plain.test->getOperand(0);
    for (BasicBlock *block = threads.getHeader(); block;) {
      for (Instruction &instruction : *block) {
        if (&instruction == plain.x || &instruction == next || &instruction == plain.test ||
            isa<NoAliasScopeDeclInst, DbgInfoIntrinsic>(instruction))
          continue;
        if (instruction.isTerminator())
          break;
        if (!isPlain(instruction))
          return;
        start.insert(&instruction);
      }
      const auto *end = block == plain.latch ? nullptr : jump(block->getTerminator());
      BasicBlock *behind = end ? end->getSuccessor(0) : nullptr;
      block = behind && behind->getSinglePredecessor() ? behind : nullptr;
    }
  }

  // Addresses, subscripts and conditions.
  bool isRepeated(const Instruction &instruction) const {
    if (isa<GetElementPtrInst, SExtInst, ZExtInst, TruncInst, CmpInst>(instruction))
      return true;
    const unsigned operation = instruction.getOpcode();
    return (operation == Instruction::Add || operation == Instruction::Sub ||
            operation == Instruction::Shl) &&
           all_of(instruction.operands(), [&](const Use &use) {
             auto *part = dyn_cast<Instruction>(use.get());
             return !part || part == plain.x || !start.contains(part) || isRepeated(*part);
           });
  }

  // That the rest of a thread needs.
  bool findValues() {
    SetVector<Instruction *> needed;
    for (Instruction *instruction : start)
      if (any_of(instruction->users(),
                 [&](User *user) { return !start.contains(cast<Instruction>(user)); }))
        needed.insert(instruction);
    for (size_t i = 0; i < needed.size(); ++i) {
      Instruction *instruction = needed[i];
      if (!isRepeated(*instruction)) {
        if (!isStorable(*instruction->getType()) || values.size() == mostValues)
          return false;
        values.push_back(instruction);
        continue;
      }
      for (Value *operand : instruction->operands())
        if (auto *part = dyn_cast<Instruction>(operand); part && start.contains(part))
          needed.insert(part);
    }
    return !values.empty();
  }

  static bool isStorable(const Type &type) {
    return type.isFloatTy() || type.isDoubleTy() || type.isIntegerTy(8) || type.isIntegerTy(16) ||
           type.isIntegerTy(32) || type.isIntegerTy(64);
  }

  bool isWorthIt() const {
    unsigned cost = 0;
    for (const Instruction *instruction : start)
      if (!isRepeated(*instruction))
        cost += costOf(*instruction);
    return cost >= costOfLoop + costOfValue * values.size();
  }

  // before -> head -> compute -> between -> the loop -> next -> (head, exit)
  void divide() {
    BasicBlock *header = threads.getHeader();
    Function &function = *header->getParent();
    LLVMContext &context = header->getContext();
    auto newBlock = [&](const char *name) {
      return BasicBlock::Create(context, name, &function, header);
    };
    BasicBlock *head = newBlock("together"), *next = newBlock("further");
    compute = newBlock("values");
    BasicBlock *between = newBlock("updates");
    IRBuilder<> builder(head);
    Value *size = plain.test->getOperand(1);
    base = builder.CreatePHI(plain.x->getType(), 2, "base");
    base->addIncoming(plain.first(), plain.preheader);
    Value *left = builder.CreateSub(size, base);
    ConstantInt *limit = builder.getInt32(threadsTogether);
    count = builder.CreateBinaryIntrinsic(Intrinsic::umin, left, limit);
    builder.CreateBr(compute);
    before = head;

    plain.preheader->getTerminator()->replaceSuccessorWith(header, head);
    plain.x->replaceIncomingBlockWith(plain.preheader, between);
    IRBuilder<>(between).CreateBr(header);
    behind = between;
    plain.latch->getTerminator()->replaceSuccessorWith(plain.exit, next);
    builder.SetInsertPoint(next);
    Value *further = builder.CreateAdd(base, limit);
    builder.CreateCondBr(builder.CreateICmpUGT(left, limit), head, plain.exit);
    base->addIncoming(further, next);
    plain.preheader = between;
    plain.setFirst(builder.getInt32(0));
    plain.setEnd(count);
  }

  // Each value in memory, by the number of the thread from 0.
  Value *element(IRBuilder<> &builder, size_t number, Value *index) {
    if (memory.size() <= number) {
      BasicBlock &entry = compute->getParent()->getEntryBlock();
      IRBuilder<> there(&entry, entry.begin());
      Type *type = values[number]->getType();
      AllocaInst *made = there.CreateAlloca(ArrayType::get(type, threadsTogether));
      made->setAlignment(Align(64));
      markThreadValues(*made);
      memory.push_back(made);
    }
    Value *wide = builder.CreateZExt(index, builder.getInt64Ty());
    return builder.CreateInBoundsGEP(memory[number]->getAllocatedType(), memory[number],
                                     {builder.getInt64(0), wide});
  }

  void computeBefore() {
    LLVMContext &context = compute->getContext();
    IRBuilder<> builder(compute);
    PHINode *index = builder.CreatePHI(plain.x->getType(), 2);
    index->addIncoming(builder.getInt32(0), before);
    ValueToValueMapTy map;
    map[plain.x] = builder.CreateAdd(base, index, "", /*HasNUW=*/false, /*HasNSW=*/true);
    if (Value *next = plain.test->getOperand(0); next->hasNUsesOrMore(3)) // beside x and the test
      map[next] = builder.CreateNSWAdd(map[plain.x], builder.getInt32(1));
    MDNode *group = MDNode::getDistinct(context, {});
    for (Instruction *instruction : start) {
      Instruction *copy = builder.Insert(instruction->clone());
      map[instruction] = copy;
      RemapInstruction(copy, map, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
      // A declaration of such scopes may stand in the loop and speak of one thread.
      for (unsigned kind : {LLVMContext::MD_noalias, LLVMContext::MD_alias_scope})
        copy->setMetadata(kind, nullptr);
      if (isa<LoadInst>(copy))
        copy->setMetadata(LLVMContext::MD_access_group, group);
    }
    for (auto [number, value] : enumerate(values))
      builder.CreateStore(map[value], element(builder, number, index))
          ->setMetadata(LLVMContext::MD_access_group, group);
    Value *next = builder.CreateAdd(index, builder.getInt32(1), "", true, true);
    index->addIncoming(next, compute);
    Instruction *end = builder.CreateCondBr(builder.CreateICmpSLT(next, count), compute, behind);
    markThreadLoop(*end, group);
  }

  static void markThreadLoop(Instruction &end, MDNode *group) {
    LLVMContext &context = end.getContext();
    end.setMetadata(threadLoopMark, MDNode::get(context, {}));
    MDNode *parallel =
        MDNode::get(context, {MDString::get(context, "llvm.loop.parallel_accesses"), group});
    MDNode *all = MDNode::getDistinct(context, {nullptr, parallel});
    all->replaceOperandWith(0, all);
    end.setMetadata(LLVMContext::MD_loop, all);
  }

  void takeValues() {
    plain.addToX(*base, /*hasNoUnsignedWrap=*/false);
    BasicBlock &header = *threads.getHeader();
    IRBuilder<> builder(&header, std::next(plain.x->getIterator()));
    for (auto [number, value] : enumerate(values))
      value->replaceAllUsesWith(
          builder.CreateLoad(value->getType(), element(builder, number, plain.x)));
    for (Instruction *instruction : reverse(start))
      if (isInstructionTriviallyDead(instruction))
        instruction->eraseFromParent();
  }

  Loop &threads;
  PlainThreadLoop plain;
  SetVector<Instruction *> start;
  SmallVector<Instruction *> values; // which are stored
  SmallVector<AllocaInst *> memory;  // for each of them
  BasicBlock *before = nullptr, *compute = nullptr, *behind = nullptr;
  PHINode *base = nullptr;
  Value *count = nullptr;
};

} // namespace

bool divideAtUpdates(Loop &threads, LoopInfo &, DominatorTree &, ScalarEvolution &) {
  return ScatteredUpdates(threads).run();
}

} // namespace cufc
