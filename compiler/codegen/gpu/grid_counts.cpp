// See grid_counts.h.
#include "codegen/gpu/grid_counts.h"
#include "codegen/gpu/spread_counters.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// A loop that runs from the quotient down: its counter, the counter's next value, and the
// comparison of the counter that another iteration depends on.
struct CountedLoop {
  PHINode *counter;
  BinaryOperator *next;
  ICmpInst *goesOn;
};

// Whether the comparison is true if the value is at least `least`, and false otherwise.
bool asksForPositive(ICmpInst &comparison, Value *value, int64_t least, bool isNeverNegative) {
  CmpPredicate predicate;
  const APInt *bound;
  if (!match(&comparison, m_ICmp(predicate, m_Specific(value), m_APInt(bound))))
    return false;
  const int64_t limit = bound->getSExtValue();
  switch (predicate) {
  case ICmpInst::ICMP_SGT:
    return limit == least - 1;
  case ICmpInst::ICMP_SGE:
    return limit == least;
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_NE:
    return isNeverNegative && limit == least - 1;
  default:
    return false;
  }
}

// `first` is the counter's first value.
std::optional<CountedLoop> loopOf(PHINode &counter, Instruction &first) {
  if (counter.getNumIncomingValues() != 2)
    return std::nullopt;
  const unsigned before = counter.getIncomingValue(0) == &first ? 0 : 1;
  auto *next = dyn_cast<BinaryOperator>(counter.getIncomingValue(1 - before));
  if (counter.getIncomingValue(before) != &first || !next ||
      !match(next, m_Add(m_Specific(&counter), m_AllOnes())))
    return std::nullopt;
  if (!counter.hasNUses(2) || !next->hasOneUse())
    return std::nullopt;
  for (User *user : counter.users())
    if (auto *comparison = dyn_cast<ICmpInst>(user);
        comparison && asksForPositive(*comparison, &counter, 2, /*isNeverNegative=*/true))
      return CountedLoop{&counter, next, comparison};
  return std::nullopt;
}

// A quotient that only one loop and its guards need; rewrites them.
void replaceCount(BinaryOperator &quotient) {
  const SimplifyQuery query(quotient.getDataLayout(), &quotient);
  Value *total = quotient.getOperand(0), *step = quotient.getOperand(1);
  if (!(dependsOnGridSize(step) || dependsOnBlockSize(step)) || !isKnownNonNegative(step, query) ||
      (quotient.getOpcode() == Instruction::UDiv && !isKnownNonNegative(total, query)))
    return;
  std::optional<CountedLoop> loop;
  SmallVector<ICmpInst *> guards;
  Instruction *first = &quotient;
  SmallVector<User *> users(quotient.users());
  for (size_t i = 0; i < users.size(); ++i) {
    User *user = users[i];
    auto *comparison = dyn_cast<ICmpInst>(user);
    if (comparison && asksForPositive(*comparison, &quotient, 1, /*isNeverNegative=*/false)) {
      guards.push_back(comparison);
      continue;
    }
    // LLVM divides numbers of as few bits as hold them, and extends the quotient.
    if (auto *extended = dyn_cast<CastInst>(user);
        extended && first == &quotient &&
        (isa<SExtInst>(extended) || (isa<ZExtInst>(extended) && extended->hasNonNeg()))) {
      first = extended;
      append_range(users, extended->users());
      continue;
    }
    auto *counter = dyn_cast<PHINode>(user);
    if (!counter || loop)
      return;
    loop = loopOf(*counter, *first);
    if (!loop)
      return;
  }
  if (!loop || guards.empty())
    return;
  if (IRBuilder<> builder(&quotient); total->getType()->getIntegerBitWidth() < 32) {
    total = builder.CreateSExt(total, builder.getInt32Ty());
    step = builder.CreateSExt(step, builder.getInt32Ty());
  }
  for (ICmpInst *guard : guards)
    guard->replaceAllUsesWith(IRBuilder<>(guard).CreateICmpSGE(total, step));
  auto [counter, next, goesOn] = *loop;
  IRBuilder<> builder(counter);
  PHINode *left = builder.CreatePHI(total->getType(), 2);
  builder.SetInsertPoint(next);
  Value *leftNext = builder.CreateNSWSub(left, step);
  for (BasicBlock *block : counter->blocks())
    left->addIncoming(counter->getIncomingValueForBlock(block) == first ? total : leftNext, block);
  builder.SetInsertPoint(goesOn);
  goesOn->replaceAllUsesWith(builder.CreateICmpSGE(leftNext, step));
  RecursivelyDeleteDeadPHINode(counter);
  for (ICmpInst *guard : guards)
    RecursivelyDeleteTriviallyDeadInstructions(guard);
}

} // namespace

void countWithoutDivision(Module &module) {
  for (Function &function : module) {
    SmallVector<BinaryOperator *> quotients;
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::SDiv ||
          instruction.getOpcode() == Instruction::UDiv)
        quotients.push_back(cast<BinaryOperator>(&instruction));
    for (BinaryOperator *quotient : quotients)
      replaceCount(*quotient);
  }
}

} // namespace cufc
