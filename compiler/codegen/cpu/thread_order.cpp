//   for y: for x: a(y, x) = ...   =>   for x: for y: a(y, x) = ...
//
// Threads that do not synchronise run in any order (CUDA C++ programming guide, "Thread
// Hierarchy"). The two loops count alike, so their ends and their indices change places.
#include "codegen/cpu/thread_order.h"
#include "codegen/branches.h"
#include "codegen/cpu/thread_bounds.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostSteps = 20'000; // of the computation of distances in a loop
constexpr int64_t far = std::numeric_limits<int32_t>::max(); // by an amount that is not known

int64_t sum(int64_t a, int64_t b) { return a == far || b == far ? far : a + b; }

// How far a value goes from an index to the next.
class Distance {
public:
  Distance(const Value &index, const Loop &nest) : index(index), nest(nest) {}

  int64_t of(const Value *value) {
    if (value == &index)
      return 1;
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !nest.contains(instruction))
      return 0;
    if (auto found = known.find(value); found != known.end())
      return found->second;
    if (auto open = depths.find(value); open != depths.end()) { // around a loop, as it starts
      outermost = std::min(outermost, open->second);
      return 0;
    }
    if (++steps > mostSteps)
      return 0;
    const size_t depth = depths.size();
    depths[value] = depth;
    const size_t before = std::exchange(outermost, depth);
    const int64_t result = of(*instruction);
    depths.erase(value);
    if (outermost >= depth) // it depends on nothing that is not known yet
      known[value] = result;
    outermost = std::min(outermost, before);
    return result;
  }

private:
  int64_t of(const Instruction &instruction) {
    if (isa<SExtInst, ZExtInst, TruncInst, FreezeInst>(instruction))
      return of(instruction.getOperand(0));
    if (auto *element = dyn_cast<GetElementPtrInst>(&instruction))
      return ofAddress(*element);
    if (auto *phi = dyn_cast<PHINode>(&instruction)) { // of a loop: as it starts
      for (const Use &use : phi->incoming_values())
        if (int64_t distance = of(use.get()))
          return distance;
      return 0;
    }
    if (!isa<BinaryOperator>(instruction))
      return ofOther(instruction);
    const int64_t left = of(instruction.getOperand(0)), right = of(instruction.getOperand(1));
    switch (instruction.getOpcode()) {
    case Instruction::Add:
      return sum(left, right);
    case Instruction::Sub:
      return sum(left, right == far ? far : -right);
    case Instruction::Mul:
      return product(left, right, instruction.getOperand(1));
    default:
      return left == 0 && right == 0 ? 0 : far;
    }
  }

  static int64_t product(int64_t left, int64_t right, const Value *factor) {
    if (left == 0 && right == 0)
      return 0;
    auto *constant = dyn_cast<ConstantInt>(factor);
    return constant && left != far && constant->getValue().abs().ult(far)
               ? left * constant->getSExtValue()
               : far;
  }

  int64_t ofAddress(const GetElementPtrInst &element) {
    if (element.getNumIndices() != 1)
      return ofOther(element);
    const DataLayout &layout = element.getDataLayout();
    const auto size = static_cast<int64_t>(
        layout.getTypeAllocSize(element.getSourceElementType()).getFixedValue());
    const int64_t base = of(element.getPointerOperand()), index = of(element.getOperand(1));
    return sum(base, index == far ? far : index * size);
  }

  int64_t ofOther(const Instruction &instruction) {
    return any_of(instruction.operands(), [&](const Use &use) { return of(use.get()) != 0; }) ? far
                                                                                              : 0;
  }

  const Value &index;
  const Loop &nest;
  DenseMap<const Value *, int64_t> known; // each once: values may be reached by many ways
  DenseMap<const Value *, size_t> depths; // of those that are being computed
  size_t outermost = std::numeric_limits<size_t>::max(); // of these that was met again
  size_t steps = 0;
};

unsigned neighbours(const Value &index, const Loop &nest) {
  Distance distance(index, nest);
  unsigned found = 0;
  for (const BasicBlock *block : nest.blocks())
    for (const Instruction &instruction : *block)
      if (const Value *address = getLoadStorePointerOperand(&instruction)) {
        const auto bytes =
            static_cast<int64_t>(block->getDataLayout()
                                     .getTypeStoreSize(getLoadStoreType(&instruction))
                                     .getFixedValue());
        found += std::abs(distance.of(address)) == bytes;
      }
  return found;
}

// Nothing but the loop over x is in the loop over y.
bool isAlone(const Loop &outer, const Loop &inner) {
  if (outer.getSubLoops().size() != 1)
    return false;
  return all_of(outer.blocks(), [&](const BasicBlock *block) {
    return inner.contains(block) || all_of(*block, [](const Instruction &instruction) {
             return isa<PHINode, ICmpInst, DbgInfoIntrinsic>(instruction) ||
                    instruction.getOpcode() == Instruction::Add || instruction.isTerminator();
           });
  });
}

// What the loop counts with is apart from what its body computes then.
Instruction *ownStep(const PlainThreadLoop &loop) {
  IRBuilder<> builder(loop.test);
  auto *step = cast<Instruction>(
      builder.CreateAdd(loop.x, builder.getInt32(1), "", /*HasNUW=*/true, /*HasNSW=*/true));
  loop.test->setOperand(0, step);
  loop.x->setIncomingValueForBlock(loop.latch, step);
  return step;
}

void exchangeUses(const PlainThreadLoop &inner, const PlainThreadLoop &outer) {
  const Instruction *steps[] = {ownStep(inner), ownStep(outer)};
  auto usesInBody = [&](PHINode &index) {
    SmallVector<Use *> uses;
    for (Use &use : index.uses())
      if (!is_contained(steps, use.getUser()))
        uses.push_back(&use);
    return uses;
  };
  SmallVector<Use *> ofInner = usesInBody(*inner.x), ofOuter = usesInBody(*outer.x);
  for (Use *use : ofInner)
    use->set(outer.x);
  for (Use *use : ofOuter)
    use->set(inner.x);
}

} // namespace

bool putNeighboursInside(Loop &threads) {
  Loop *outerLoop = threads.getParentLoop();
  if (!outerLoop || !isAlone(*outerLoop, threads))
    return false;
  PlainThreadLoop inner = readThreadLoop(threads), outer = readThreadLoop(*outerLoop);
  if (!inner.x || !outer.x || inner.first() != outer.first() || !isa<Constant>(inner.first()) ||
      !outerLoop->isLoopInvariant(inner.test->getOperand(1)) ||
      neighbours(*outer.x, *outerLoop) <= neighbours(*inner.x, *outerLoop))
    return false;
  exchangeUses(inner, outer);
  Value *end = inner.test->getOperand(1);
  inner.setEnd(outer.test->getOperand(1));
  outer.setEnd(end);
  return true;
}

} // namespace cufc
