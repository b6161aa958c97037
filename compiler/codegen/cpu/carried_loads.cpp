//   below = a(i, 1); here = a(i, 2)
//   do k = 2, l - 1                              do k = 2, l - 1
//     above = a(i, k + 1)                 =>       b(i, k) = a(i, k - 1) - 2*a(i, k) + a(i, k + 1)
//     b(i, k) = below - 2*here + above           end do
//     below = here; here = above
//   end do
//
// On a GPU the values stay in registers. A CPU has them in its first cache, and a loop that carries
// nothing may come around those over threads (thread_nests.cpp). The address of a round before is
// the same expression of the counters' numbers then; in the first rounds it must be where the first
// values come from, which scalar evolution compares.
#include "codegen/cpu/carried_loads.h"
#include "codegen/branches.h"
#include "codegen/cpu/independent_accesses.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace cufc {

using namespace llvm;

namespace {

constexpr unsigned mostRounds = 8; // a radius of four, and a few more

bool isArithmetic(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::GetElementPtr:
    return true;
  default:
    return false;
  }
}

} // namespace

// Through values that pass it on from round to round.
bool CarriedLoads::findSource(PHINode &value, Source &source) const {
  BasicBlock *latch = loop.getLoopLatch();
  PHINode *carried = &value;
  for (source.rounds = 1; source.rounds <= mostRounds; ++source.rounds) {
    Value *next = carried->getIncomingValueForBlock(latch);
    source.load = dyn_cast<LoadInst>(next);
    carried = dyn_cast<PHINode>(next);
    if (source.load || !carried || !values.contains(carried))
      break;
  }
  return source.load && source.load->isSimple() && loop.contains(source.load) &&
         source.load->getParent() == loop.getHeader()->getTerminator()->getSuccessor(0);
}

// Whether an address is computed of counters and of what is the same in all rounds.
bool CarriedLoads::isOfCounters(Value &value, ArrayRef<RoundCounter> counters) const {
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop.contains(instruction))
    return true;
  if (isa<PHINode>(instruction))
    return any_of(counters,
                  [&](const RoundCounter &counter) { return counter.number == instruction; });
  return isArithmetic(*instruction) && all_of(instruction->operands(), [&](const Use &use) {
           return isOfCounters(*use.get(), counters);
         });
}

bool CarriedLoads::changesByRounds(const Value &value) const {
  auto *instruction = dyn_cast<Instruction>(&value);
  return instruction && loop.contains(instruction) &&
         (isa<PHINode>(instruction) || any_of(instruction->operands(), [&](const Use &use) {
            return changesByRounds(*use.get());
          }));
}

// The numbers that counters have so many rounds before this one, or before the first.
void CarriedLoads::goBack(ArrayRef<RoundCounter> counters, unsigned rounds, bool fromFirst,
                          IRBuilder<> &builder, Copies &copies) const {
  for (const RoundCounter &counter : counters) {
    Value *number = fromFirst ? counter.number->getIncomingValueForBlock(loop.getLoopPreheader())
                              : counter.number;
    Value *times = builder.CreateMul(counter.step, ConstantInt::get(number->getType(), rounds));
    copies[counter.number] = counter.operation == Instruction::Add
                                 ? builder.CreateSub(number, times)
                                 : builder.CreateAdd(number, times);
  }
}

// What is computed of counters, of their other numbers. What holds for sums of theirs need not hold
// for these.
Value *CarriedLoads::copy(Value &value, IRBuilder<> &builder, Copies &copies) const {
  if (auto known = copies.find(&value); known != copies.end())
    return known->second;
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !loop.contains(instruction))
    return &value;
  Instruction *made = instruction->clone();
  for (Use &operand : made->operands())
    operand.set(copy(*operand.get(), builder, copies));
  if (changesByRounds(value))
    made->dropPoisonGeneratingFlags();
  builder.Insert(made);
  copies[&value] = made;
  return made;
}

bool CarriedLoads::startsAlike(PHINode &value, const Source &source,
                               ArrayRef<RoundCounter> counters) {
  BasicBlock *start = loop.getLoopPreheader();
  auto *first = dyn_cast<LoadInst>(value.getIncomingValueForBlock(start));
  if (!first || !first->isSimple() || loop.contains(first) ||
      first->getType() != source.load->getType() || any_of(first->users(), [&](const User *user) {
        auto *phi = dyn_cast<PHINode>(user);
        return !phi || !values.contains(const_cast<PHINode *>(phi));
      }))
    return false;
  IRBuilder<> builder(start->getTerminator());
  Copies copies;
  Instruction *last = start->getTerminator()->getPrevNode();
  goBack(counters, source.rounds, /*fromFirst=*/true, builder, copies);
  Value *address = copy(*source.load->getPointerOperand(), builder, copies);
  const bool isAlike = evolution.getSCEV(address) == evolution.getSCEV(first->getPointerOperand());
  while (start->getTerminator()->getPrevNode() != last) {
    Instruction *made = start->getTerminator()->getPrevNode();
    evolution.forgetValue(made);
    made->eraseFromParent();
  }
  if (isAlike)
    firsts.insert(first);
  return isAlike;
}

bool CarriedLoads::canReadAgain(const Loop &around, ArrayRef<RoundCounter> counters,
                                AAResults &aliases) {
  BasicBlock *body = loop.getHeader()->getTerminator()->getSuccessor(0);
  if (body->getSinglePredecessor() != loop.getHeader())
    return false;
  for (auto &[value, source] : values) {
    auto isInBody = [&](const User *user) {
      auto *instruction = cast<Instruction>(user);
      return loop.contains(instruction) &&
             (isa<PHINode>(instruction) || instruction->getParent() != loop.getHeader());
    };
    if (!all_of(value->users(), isInBody) || !findSource(*value, source) ||
        !isOfCounters(*source.load->getPointerOperand(), counters) ||
        !startsAlike(*value, source, counters))
      return false;
    const MemoryLocation object = objectOf(*source.load);
    for (BasicBlock *block : around.blocks())
      for (Instruction &instruction : *block)
        if (instruction.mayWriteToMemory() && isModSet(aliases.getModRefInfo(&instruction, object)))
          return false;
  }
  return true;
}

void CarriedLoads::readAgain(ArrayRef<RoundCounter> counters) {
  BasicBlock *body = loop.getHeader()->getTerminator()->getSuccessor(0);
  for (auto &[value, source] : values) {
    IRBuilder<> builder(body, body->getFirstInsertionPt());
    Copies copies;
    goBack(counters, source.rounds, /*fromFirst=*/false, builder, copies);
    Value *address = copy(*source.load->getPointerOperand(), builder, copies);
    auto *again = cast<LoadInst>(source.load->clone());
    again->setOperand(LoadInst::getPointerOperandIndex(), address);
    builder.Insert(again);
    value->replaceAllUsesWith(again);
  }
  for (auto &[value, source] : values)
    value->eraseFromParent();
  for (const Instruction *first : firsts)
    const_cast<Instruction *>(first)->eraseFromParent();
}

} // namespace cufc
