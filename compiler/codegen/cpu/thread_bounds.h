// Conditions on the thread's index as bounds of the loop over x.
//
// With i = first + x, `i > 1 .and. i < n .and. j <= m` holds for x from max(0, 2 - first) to
// min(blockDim%x, n - first), and for no x where j > m. That is right while first + x does not
// leave its type.
#ifndef CUFC_CODEGEN_CPU_THREAD_BOUNDS_H
#define CUFC_CODEGEN_CPU_THREAD_BOUNDS_H

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <utility>
#include <vector>

namespace llvm {
class Loop;
} // namespace llvm

namespace cufc {

// A loop over x as makeBlockFunction and addThreadLoops write it: do ... while (x + 1 < size), with
// any first x.
struct PlainThreadLoop {
  llvm::BasicBlock *preheader = nullptr, *latch = nullptr, *exit = nullptr;
  llvm::PHINode *x = nullptr;
  llvm::ICmpInst *test = nullptr; // of x + 1, operand 0, with the size

  llvm::Value *first() const { return x->getIncomingValueForBlock(preheader); }
  void setFirst(llvm::Value *value) const { x->setIncomingValueForBlock(preheader, value); }
  void setEnd(llvm::Value *value) const { test->setOperand(1, value); }

  // What the loop computes of x is computed of `number` + x then; both ends stay.
  void addToX(llvm::Value &number, bool hasNoUnsignedWrap) const;
};

// Whether a value that the loop computes is used behind it, with a phi there or without one. What
// is the same in all rounds, as the next y may be, is computed again there instead.
bool isUsedBehind(llvm::Loop &loop);

// Nothing that the loop computes is used behind it then. Without `x` if the loop is another one.
PlainThreadLoop readThreadLoop(llvm::Loop &loop);

class ThreadBounds {
public:
  ThreadBounds(llvm::Loop &loop, llvm::ScalarEvolution &evolution)
      : loop(loop), evolution(evolution), expander(evolution, "thread") {}

  // Adds what `condition` says of x where it is true, or false; returns whether it is a bound.
  bool add(llvm::Value *condition, bool isTrue);
  bool empty() const { return bounds.empty() && conditions.empty() && steps.empty(); }
  bool dependsOnThread() const { return !bounds.empty() || !steps.empty(); }
  bool hasSteps() const { return !steps.empty(); }
  bool leaveOne() const; // value of x, or none

  // The values of x, as i64, for which all bounds hold: those from `from` on, below `to` and in
  // steps of `step`; none unless `runs`. Not to be trusted where `mayWrap`.
  struct Range {
    llvm::Value *from, *to, *mayWrap, *runs, *step = nullptr;
  };
  Range range(llvm::BasicBlock &place, llvm::Value *first, llvm::Value *end);

  // For code that x in this range alone comes to: the sums stay in their types.
  void replaceIndices(const PlainThreadLoop &plain);

private:
  struct Bound {
    llvm::Value *index; // first + x in the loop
    const llvm::SCEV *start, *limit;
    llvm::ICmpInst::Predicate predicate;
    bool mayWrap;
    unsigned logStride; // of the index, from an x to the next
    bool goesDown;      // first - x
  };
  struct Condition { // is the same for all x
    const llvm::SCEV *left, *right;
    llvm::ICmpInst::Predicate predicate;
  };
  struct Step { // mod(first + x, divisor) == rest
    const llvm::SCEV *start, *divisor, *rest;
  };

  bool isKnownBefore(const llvm::SCEV *value) const;
  bool addStep(llvm::ICmpInst &compare, bool isTrue);
  llvm::Value *expand(const llvm::SCEV *value);
  llvm::Value *apply(llvm::IRBuilder<> &builder, const Bound &bound, llvm::Value *start,
                     Range &range);
  void applyStep(llvm::IRBuilder<> &builder, const Step &step, Range &range);
  void widen(llvm::Instruction &narrow, llvm::Value *wide);

  llvm::Loop &loop;
  llvm::ScalarEvolution &evolution;
  llvm::SCEVExpander expander;
  llvm::BasicBlock *place = nullptr; // before the loop
  llvm::Value *firstX = nullptr, *count = nullptr;
  std::vector<Bound> bounds;
  std::vector<llvm::Value *> starts; // of the bounds, in code
  std::vector<Condition> conditions;
  std::vector<Step> steps;
};

// The part of a loop from `first` to `end` that lies in a range: its first x and that behind its
// last, of the loop's type; nothing, at the loop's end, unless it `runs`. LLVM sees by its form
// that it is within the loop.
std::pair<llvm::Value *, llvm::Value *> partOf(llvm::IRBuilder<> &builder,
                                               const ThreadBounds::Range &range, llvm::Value *runs,
                                               llvm::Value *first, llvm::Value *end);

// A block that leads to `inside` if there is an x from `first` on below `end`.
llvm::BasicBlock *guardOfRange(llvm::Value *first, llvm::Value *end, llvm::BasicBlock *inside,
                               llvm::BasicBlock *otherwise);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_THREAD_BOUNDS_H
