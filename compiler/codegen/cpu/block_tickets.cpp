// Where a stream is compacted, each thread that has something asks for its place:
//
//   if (a(i) > bound) then
//     k = atomicadd(count, 1)
//     b(k + 1) = a(i)
//
// On many cores all of them wait for the line of the cache that the counter is in. So the threads
// of a block come to the addition first, whether they make it or not, and it is made once:
//
//   for each thread: if (a(i) > bound) sum += 1
//   next = atomicadd(count, sum)
//   for each thread: if (a(i) > bound) { k = next; next += 1; b(k + 1) = a(i) }
//
// That is one of the orders that the threads may come in: each does the same as before, and nothing
// of the block's is between the additions. It holds for a place that no loop comes to, an address
// that is the same for all threads, and a condition that does not ask for one thread, for which
// nothing would be won. The threads meet as at a barrier (barrier_regions.h); where they cannot,
// the copy is thrown away.
#include "codegen/cpu/block_tickets.h"
#include "codegen/branches.h"
#include "codegen/cpu/sync_operations.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned firstIndex = 3; // of the arguments, that are the thread's index
constexpr int mostTickets = 4;     // of a kernel
constexpr unsigned mostSteps = 32; // to an address

bool isIndex(const Value *value) {
  auto *argument = dyn_cast<Argument>(value);
  return argument && argument->getArgNo() >= firstIndex;
}

// Whether all threads of the block have the same address, wherever it is computed.
bool isSameForBlock(const Value *value, unsigned steps = mostSteps) {
  if (auto *argument = dyn_cast<Argument>(value))
    return !isIndex(argument);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return isa<Constant>(value);
  auto *load = dyn_cast<LoadInst>(instruction);
  if (steps == 0 || (load && !load->hasMetadata(LLVMContext::MD_invariant_load)) ||
      !(load || isa<CastInst, GetElementPtrInst, BinaryOperator>(instruction)))
    return false;
  return all_of(instruction->operands(),
                [&](const Use &use) { return isSameForBlock(use, steps - 1); });
}

// A sum of the thread's index and what all threads have.
bool isPlace(const Value *value, unsigned steps = mostSteps) {
  if (isIndex(value))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || steps == 0)
    return false;
  if (isa<CastInst>(instruction))
    return isPlace(instruction->getOperand(0), steps - 1);
  return is_contained({Instruction::Add, Instruction::Sub, Instruction::Mul, Instruction::Shl},
                      instruction->getOpcode()) &&
         any_of(instruction->operands(), [&](const Use &use) { return isPlace(use, steps - 1); });
}

bool asksForOne(Value *condition) {
  if (auto *compare = dyn_cast<ICmpInst>(condition))
    return compare->getPredicate() == ICmpInst::ICMP_EQ &&
           (isPlace(compare->getOperand(0)) || isPlace(compare->getOperand(1)));
  Value *left = nullptr, *right = nullptr;
  return match(condition, m_LogicalAnd(m_Value(left), m_Value(right))) &&
         (asksForOne(left) || asksForOne(right));
}

// Of a warp along x: mod(x + constant, 32) == constant.
bool asksForLane(Value *condition) {
  Value *place = nullptr;
  const APInt *number = nullptr;
  if (!match(condition,
             m_SpecificICmp(ICmpInst::ICMP_EQ,
                            m_CombineOr(m_And(m_Value(place), m_SpecificInt(31)),
                                        m_CombineOr(m_SRem(m_Value(place), m_SpecificInt(32)),
                                                    m_URem(m_Value(place), m_SpecificInt(32)))),
                            m_APInt(number))))
    return false;
  while (match(place, m_Add(m_Value(place), m_APInt(number))))
    ;
  return isIndex(place) && cast<Argument>(place)->getArgNo() == firstIndex;
}

// Whether threads come to a block under a condition of a kind alone.
bool isUnder(bool (*kind)(Value *), BasicBlock &block, DominatorTree &dominators) {
  for (auto *node = dominators.getNode(&block)->getIDom(); node; node = node->getIDom()) {
    auto *branch = conditionalBranch(node->getBlock()->getTerminator());
    if (branch && kind(branch->getCondition()) &&
        dominators.dominates(BasicBlockEdge(branch->getParent(), branch->getSuccessor(0)), &block))
      return true;
  }
  return false;
}

SetVector<BasicBlock *> blocksAfter(BasicBlock &block) {
  SetVector<BasicBlock *> after(succ_begin(&block), succ_end(&block));
  for (size_t i = 0; i < after.size(); ++i)
    after.insert(succ_begin(after[i]), succ_end(after[i]));
  return after;
}

class Ticket {
public:
  explicit Ticket(AtomicRMWInst &update)
      : update(update), function(*update.getFunction()), dominators(function) {}

  bool draw() {
    if (!isWanted() || !findJoin() || !placeAddress())
      return false;
    LLVMContext &context = function.getContext();
    const bool isOfLane = isUnder(asksForLane, *update.getParent(), dominators);
    BasicBlock *block = update.getParent();
    rest = SplitBlock(block, update.getIterator());
    meeting = rest;
    Value *own = update.getValOperand(), *added = own, *flag = ConstantInt::getTrue(context);
    if (join) {
      meeting = BasicBlock::Create(context, "tickets", &function, rest);
      IRBuilder<> builder(meeting);
      const auto ways = static_cast<unsigned>(passing.size() + 1);
      PHINode *number = builder.CreatePHI(update.getType(), ways);
      PHINode *draws = builder.CreatePHI(builder.getInt1Ty(), ways);
      number->addIncoming(added, block);
      draws->addIncoming(flag, block);
      for (BasicBlock *other : passing) {
        number->addIncoming(Constant::getNullValue(update.getType()), other);
        draws->addIncoming(builder.getFalse(), other);
      }
      carryPhis(*block, ways);
      block->getTerminator()->replaceSuccessorWith(rest, meeting);
      for (BasicBlock *other : passing)
        other->getTerminator()->replaceSuccessorWith(join, meeting);
      builder.SetInsertPoint(meeting);
      builder.CreateCondBr(draws, rest, join);
      added = number;
      flag = draws;
      if (!isa<Constant>(own))
        own = number;
    }
    IRBuilder<> builder(meeting, meeting->getFirstInsertionPt());
    CallInst *old = builder.CreateCall(
        ticketFunction(*function.getParent(), update.getType()),
        {copyIn(builder, update.getPointerOperand()), added, flag, builder.getInt1(isOfLane), own});
    update.replaceAllUsesWith(old);
    update.eraseFromParent();
    if (join)
      mendValues();
    return true;
  }

private:
  bool isWanted() {
    return update.getOperation() == AtomicRMWInst::Add && !update.use_empty() &&
           !update.isVolatile() && update.getOrdering() == AtomicOrdering::Monotonic &&
           (update.getType()->isIntegerTy(32) || update.getType()->isIntegerTy(64)) &&
           update.getPointerAddressSpace() == 0 && isSameForBlock(update.getPointerOperand()) &&
           dominators.isReachableFromEntry(update.getParent()) &&
           !isUnder(asksForOne, *update.getParent(), dominators);
  }

  // The block in which those that pass the addition by meet the others again.
  bool findJoin() {
    SetVector<BasicBlock *> after = blocksAfter(*update.getParent());
    if (after.contains(update.getParent()))
      return false;
    for (BasicBlock *block : after)
      for (BasicBlock *previous : predecessors(block)) {
        if (previous == update.getParent() || after.contains(previous) ||
            !dominators.isReachableFromEntry(previous))
          continue;
        if ((join && join != block) || is_contained(passing, previous))
          return false;
        join = block;
        passing.push_back(previous);
      }
    return true;
  }

  // What an address that is not known at the meeting is computed of there.
  bool placeAddress() {
    BasicBlock *block = update.getParent();
    for (BasicBlock *previous : passing)
      block = dominators.findNearestCommonDominator(block, previous);
    steps.insert(update.getPointerOperand());
    for (size_t i = 0; i < steps.size(); ++i) {
      auto *instruction = dyn_cast<Instruction>(steps[i]);
      if (!instruction || dominators.dominates(instruction->getParent(), block))
        continue;
      if (isa<LoadInst>(instruction) || !isSafeToSpeculativelyExecute(instruction) ||
          steps.size() > mostSteps)
        return false;
      again.insert(instruction);
      steps.insert(instruction->op_begin(), instruction->op_end());
    }
    return join || again.empty();
  }

  Value *copyIn(IRBuilder<> &builder, Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !again.contains(instruction))
      return value;
    Instruction *copy = instruction->clone();
    copy->dropPoisonGeneratingFlags();
    for (Use &use : copy->operands())
      use.set(copyIn(builder, use));
    return builder.Insert(copy);
  }

  // What came to the join from those that pass by comes through the meeting.
  void carryPhis(BasicBlock &own, unsigned ways) {
    for (PHINode &phi : join->phis()) {
      PHINode *carried = PHINode::Create(phi.getType(), ways, "", meeting);
      for (BasicBlock *block : passing) {
        carried->addIncoming(phi.getIncomingValueForBlock(block), block);
        phi.removeIncomingValue(block, /*DeletePHIIfEmpty=*/false);
      }
      carried->addIncoming(PoisonValue::get(phi.getType()), &own);
      phi.addIncoming(carried, meeting);
    }
  }

  // Values of the way to the addition come through the meeting, too.
  void mendValues() {
    dominators.recalculate(function);
    SmallVector<Use *> uses;
    for (Instruction &value : instructions(function)) {
      uses.clear();
      for (Use &use : value.uses())
        if (!dominators.dominates(&value, use))
          uses.push_back(&use);
      if (uses.empty())
        continue;
      SSAUpdater updater;
      updater.Initialize(value.getType(), value.getName());
      updater.AddAvailableValue(value.getParent(), &value);
      for (Use *use : uses)
        updater.RewriteUse(*use);
    }
  }

  AtomicRMWInst &update;
  Function &function;
  DominatorTree dominators;
  BasicBlock *join = nullptr, *rest = nullptr, *meeting = nullptr;
  SmallVector<BasicBlock *> passing; // the last blocks of those that pass by
  SetVector<Value *> steps;          // to the address
  DenseSet<Instruction *> again;     // those of them to be computed at the meeting
};

bool drawNext(Function &thread) {
  for (Instruction &instruction : instructions(thread))
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      if (Ticket(*update).draw())
        return true;
  return false;
}

// Where those that draw do so: behind the branch at the meeting's end, which asks whether any of
// the threads draws, too, so that all go by where none does.
BasicBlock *placeOfDraw(TicketMeeting &meeting, Value &draws, Value &isDrawn) {
  auto *branch = conditionalBranch(meeting.departure.getTerminator());
  if (!branch || branch->getCondition() != &draws ||
      !branch->getSuccessor(0)->getSinglePredecessor())
    return &meeting.departure;
  IRBuilder<> builder(branch);
  Value *both = builder.CreateAnd(&isDrawn, &draws);
  meeting.varying.insert(both);
  branch->setCondition(both);
  return branch->getSuccessor(0);
}

} // namespace

Function *withTickets(Function &thread) {
  if (none_of(instructions(thread), [](const Instruction &instruction) {
        return isa<AtomicRMWInst>(instruction) && !instruction.use_empty();
      }))
    return nullptr;
  ValueToValueMapTy map;
  Function *copy = CloneFunction(&thread, map);
  int drawn = 0;
  while (drawn < mostTickets && drawNext(*copy))
    ++drawn;
  if (drawn > 0)
    return copy;
  copy->eraseFromParent();
  return nullptr;
}

void drawTickets(TicketMeeting &meeting) {
  CallInst &call = meeting.call;
  Value *address = call.getArgOperand(0), *added = call.getArgOperand(1);
  Value *draws = call.getArgOperand(2), *own = call.getArgOperand(4);
  Type *type = added->getType();
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  auto note = [&](Value *value) {
    if (isa<Instruction>(value))
      meeting.varying.insert(value);
    return value;
  };
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *sum = builder.CreateAlloca(type), *any = builder.CreateAlloca(builder.getInt8Ty());
  AllocaInst *next = builder.CreateAlloca(type);
  builder.SetInsertPoint(meeting.before.getTerminator());
  builder.CreateStore(Constant::getNullValue(type), sum);
  builder.CreateStore(builder.getInt8(0), any);
  builder.SetInsertPoint(meeting.arrival.getTerminator());
  Value *before = note(builder.CreateLoad(type, sum));
  builder.CreateStore(note(builder.CreateAdd(before, added)), sum);
  Value *drawn = note(builder.CreateLoad(builder.getInt8Ty(), any));
  Value *flag = note(builder.CreateZExt(draws, builder.getInt8Ty()));
  builder.CreateStore(note(builder.CreateOr(drawn, flag)), any);
  builder.SetInsertPoint(&call);
  Value *all = builder.CreateLoad(type, sum);
  Value *isDrawn =
      builder.CreateICmpNE(builder.CreateLoad(builder.getInt8Ty(), any), builder.getInt8(0));
  BasicBlock *place = placeOfDraw(meeting, *draws, *isDrawn);
  const bool isAlone = meeting.isOfWarp && match(call.getArgOperand(3), m_One());
  Value *first = nullptr;
  if (meeting.isOfWarp) {
    call.setArgOperand(1, all);
    call.setArgOperand(2, isDrawn);
    call.setArgOperand(4, all);
    meeting.varying.erase(&call);
    builder.SetInsertPoint(call.getNextNode());
    first = &call;
  } else { // without a branch: no thread of most blocks may draw; and in memory, or LLVM would make
           // vectors of what draws one after the other
    builder.CreateStore(Constant::getNullValue(type), next);
    first =
        builder.CreateAtomicRMW(AtomicRMWInst::Add, builder.CreateSelect(isDrawn, address, next),
                                all, MaybeAlign(), AtomicOrdering::Monotonic);
  }
  builder.CreateStore(first, next);
  builder.SetInsertPoint(place, place->getFirstInsertionPt());
  LoadInst *ticket = builder.CreateLoad(type, next);
  note(ticket);
  if (!isAlone)
    builder.CreateStore(note(builder.CreateAdd(ticket, own)), next);
  call.replaceUsesWithIf(ticket, [&](const Use &use) {
    auto *store = dyn_cast<StoreInst>(use.getUser());
    return !store || store->getPointerOperand() != next;
  });
}

} // namespace cufc
