// Of (blockIdx - 1)*blockDim + threadIdx, each part is followed to the sum: a value is
//
//   threads*threadIdx + blocks*blockIdx + products*blockIdx*blockDim + what is the same for all
//
// and may be added, extended and multiplied by blockDim until only the sum is left, whose factors
// are 1, 0 and 1. Any other use tells a block from the next.
#include "codegen/cpu/block_rows.h"
#include "codegen/loop_analyses.h"
#include "cufrt/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

struct Parts {
  int threads = 0, blocks = 0, products = 0;

  bool areNone() const { return threads == 0 && blocks == 0 && products == 0; }
  bool areWhole() const { return threads == 1 && blocks == 0 && products == 1; }
};

class RowOfBlocks {
public:
  explicit RowOfBlocks(const Function &thread) : thread(thread) {}

  bool run() {
    parts[thread.getArg(indexArgument)] = {1, 0, 0};
    if (!readRecord())
      return false;
    ReversePostOrderTraversal<const Function *> order(&thread);
    for (const BasicBlock *block : order)
      for (const Instruction &instruction : *block)
        if (!isa<PHINode>(instruction) && !read(instruction))
          return false;
    for (const BasicBlock &block : thread) // which may name what comes later
      for (const PHINode &phi : block.phis())
        if (any_of(phi.incoming_values(), [&](const Use &use) { return !of(use.get()).areNone(); }))
          return false;
    return true;
  }

private:
  static constexpr unsigned recordArgument = 0, indexArgument = 3;

  // Of the block's record, what is the same for the blocks of a row, and the index along x.
  bool readRecord() {
    return all_of(thread.getArg(recordArgument)->uses(), [&](const Use &use) {
      if (isa<LoadInst>(use.getUser()))
        return readField(*cast<Instruction>(use.getUser()), 0);
      auto *element = dyn_cast<GetElementPtrInst>(use.getUser());
      APInt offset(64, 0);
      return element && element->accumulateConstantOffset(thread.getDataLayout(), offset) &&
             all_of(element->users(), [&](const User *user) {
               return isa<LoadInst>(user) &&
                      readField(*cast<Instruction>(user), offset.getZExtValue());
             });
    });
  }

  bool readField(const Instruction &load, uint64_t offset) {
    constexpr uint64_t y = sizeof(int32_t);
    if (!load.getType()->isIntegerTy(32))
      return false;
    if (offset == offsetof(cufrt_block, block_index))
      parts[&load] = {0, 1, 0};
    else if (offset == offsetof(cufrt_block, block_dim))
      sizes.insert(&load);
    else
      return (offset >= offsetof(cufrt_block, block_index) + y &&
              offset < offsetof(cufrt_block, grid_dim)) ||
             (offset >= offsetof(cufrt_block, grid_dim) + y &&
              offset < offsetof(cufrt_block, dynamic_shared_bytes));
    return true;
  }

  Parts of(const Value *value) const { return parts.lookup(value); }

  bool isSize(const Value *value) const {
    auto *cast = dyn_cast<CastInst>(value);
    return sizes.contains(cast ? cast->getOperand(0) : value);
  }

  // Notes what a value has of the place; false if it is used in another way.
  bool read(const Instruction &instruction) {
    if (none_of(instruction.operands(), [&](const Use &use) { return !of(use.get()).areNone(); }))
      return true;
    std::optional<Parts> result = partsOf(instruction);
    if (result && !result->areWhole() && !result->areNone())
      parts[&instruction] = *result;
    return result.has_value();
  }

  std::optional<Parts> partsOf(const Instruction &instruction) const {
    if (isa<SExtInst, ZExtInst, TruncInst>(instruction))
      return of(instruction.getOperand(0));
    if (!isa<BinaryOperator>(instruction))
      return std::nullopt;
    const Value *first = instruction.getOperand(0), *second = instruction.getOperand(1);
    Parts left = of(first), right = of(second);
    switch (instruction.getOpcode()) {
    case Instruction::Add:
      return Parts{left.threads + right.threads, left.blocks + right.blocks,
                   left.products + right.products};
    case Instruction::Sub:
      return Parts{left.threads - right.threads, left.blocks - right.blocks,
                   left.products - right.products};
    case Instruction::Mul:
      if (!right.areNone()) {
        std::swap(left, right);
        std::swap(first, second);
      }
      if (right.areNone() && left.threads == 0 && left.products == 0 && isSize(second))
        return Parts{0, 0, left.blocks};
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }

  const Function &thread;
  DenseMap<const Value *, Parts> parts; // of values that have some
  DenseSet<const Value *> sizes;        // blockDim along x
};

} // namespace

bool isForRows(const Function &thread) { return RowOfBlocks(thread).run(); }

bool hasLongLoop(Function &thread) {
  constexpr unsigned mostRounds = 64;
  LoopAnalyses analyses(thread);
  return any_of(analyses.loops.getLoopsInPreorder(), [&](const Loop *loop) {
    const unsigned rounds = analyses.evolution.getSmallConstantTripCount(loop);
    return rounds == 0 || rounds > mostRounds;
  });
}

} // namespace cufc
