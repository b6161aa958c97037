// tile(threadIdx%x + 2), of a sum of 32 bits that wraps for all that LLVM knows, is not seen to be
// the neighbour of what the next thread reads: its subscript has 64 bits. But a block has at most
// 1024 threads in each direction (CUDA C++ programming guide, "Technical Specifications per Compute
// Capability"), and so the sum does not wrap. The bounds that a guard gives to the loop
// (thread_bounds.h) hide that, so it is noted before. Nor do those wrap that are divided, as by the
// extents of periodic grids, with the 65535 blocks that a grid has along y and z.
//
// blockIdx%x*blockDim%x + threadIdx%x may wrap, in grids of over 2**31 threads. Those get code that
// knows nothing of it (host_variants.cpp); in all other code the product does not wrap, nor do sums
// of it with something small.
#include "codegen/cpu/index_ranges.h"
#include "codegen/cpu/absolute_bounds.h"
#include "codegen/cpu/known_blocks.h"
#include "codegen/cpu/loop_versions.h"
#include "cufrt/abi.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace cufc {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

constexpr uint32_t mostThreads = 1024;
constexpr uint32_t mostBlocks = 65535;       // along y and z
constexpr uint32_t mostRowThreads = 1 << 20; // as in runtime/host/grid_run.cpp

constexpr int32_t smallSummand = 1 << 20;
constexpr int mostSummands = 3;
constexpr uint32_t fewThreads = 128; // of a line, which a program may name by a number instead
constexpr int64_t mostIndex = INT32_MAX - mostSummands * smallSummand - mostRowThreads;

// Where in the block's record a load reads, if it does.
std::optional<uint64_t> placeOf(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load || !load->getType()->isIntegerTy(32))
    return std::nullopt;
  APInt offset(64, 0);
  const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      load->getDataLayout(), offset, /*AllowNonInbounds=*/true);
  return base == load->getFunction()->getArg(0) ? std::optional(offset.getZExtValue())
                                                : std::nullopt;
}

// Of the three directions, or of those from `first` on.
bool isOf(std::optional<uint64_t> place, size_t field, int first = 0) {
  return place && *place >= field + first * sizeof(int32_t) && *place < field + 3 * sizeof(int32_t);
}

// Elsewhere it has LLVM make other code of the bounds of y, which is slower.
bool divides(Function &block) {
  return any_of(instructions(block), [](const Instruction &instruction) {
    return instruction.getOpcode() == Instruction::SRem &&
           !isa<Constant>(instruction.getOperand(1));
  });
}

struct Range {
  uint32_t first, end;
};

std::optional<Range> rangeOf(const LoadInst &load, bool ofGrid) {
  const std::optional<uint64_t> place = placeOf(&load);
  if (place == offsetof(cufrt_block, row_threads))
    return Range{1, mostRowThreads + 1};
  if (isOf(place, offsetof(cufrt_block, block_dim)))
    return Range{1, mostThreads + 1};
  if (ofGrid && isOf(place, offsetof(cufrt_block, grid_dim), 1))
    return Range{1, mostBlocks + 1};
  if (ofGrid && isOf(place, offsetof(cufrt_block, block_index), 1))
    return Range{0, mostBlocks};
  return std::nullopt;
}

void markExtents(Function &block) {
  const bool ofGrid = divides(block);
  for (Instruction &instruction : instructions(block))
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && !load->hasMetadata("range"))
      if (std::optional<Range> range = rangeOf(*load, ofGrid)) {
        MDBuilder metadata(block.getContext());
        load->setMetadata(LLVMContext::MD_range,
                          metadata.createRange(APInt(32, range->first), APInt(32, range->end)));
      }
}

// How often a loop runs that goes down by one. A division could fail, and so is not computed before
// conditions of threads.
void negateQuotients(Function &block) {
  for (Instruction &instruction : make_early_inc_range(instructions(block)))
    if (match(&instruction, m_SDiv(m_Value(), m_AllOnes()))) {
      IRBuilder<> builder(&instruction);
      instruction.replaceAllUsesWith(builder.CreateNSWNeg(instruction.getOperand(0)));
      instruction.eraseFromParent();
    }
}

// Indices of threads in the grid.
class GridIndices {
public:
  GridIndices(Function &block, ScalarEvolution &evolution) : block(block), evolution(evolution) {}

  void mark() {
    ReversePostOrderTraversal<Function *> order(&block);
    for (BasicBlock *part : order)
      for (Instruction &instruction : *part)
        if (auto *operation = dyn_cast<OverflowingBinaryOperator>(&instruction))
          if (const int summands = summandsOf(*operation); summands <= mostSummands) {
            known[&instruction] = summands;
            instruction.setHasNoSignedWrap();
          }
  }

private:
  static constexpr int none = mostSummands + 1;

  int summandsOf(const OverflowingBinaryOperator &operation) const {
    const Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    switch (operation.getOpcode()) {
    case Instruction::Mul:
      return isFirst(left, right) || isFirst(right, left) ? 0 : none;
    case Instruction::Shl: // times a power of 2
      return isFirstShifted(left, right) ? 0 : none;
    case Instruction::Add:
      return std::min(sum(left, right), sum(right, left));
    case Instruction::Sub:
      return sum(left, right);
    default:
      return none;
    }
  }

  int sum(const Value *index, const Value *summand) const {
    auto found = known.find(index);
    return found != known.end() && isSmall(summand) ? found->second + 1 : none;
  }

  bool isSmall(const Value *value) const {
    const ConstantRange range =
        evolution.getSignedRange(evolution.getSCEV(const_cast<Value *>(value)));
    return range.getSignedMin().sge(-smallSummand) && range.getSignedMax().sle(smallSummand);
  }

  // The number of a block, or of those before it, times that of its threads.
  bool isFirst(const Value *number, const Value *factor) const {
    const std::optional<uint64_t> place = placeOf(number);
    if (!place || !isOf(place, offsetof(cufrt_block, block_index)))
      return false;
    const bool isAlongX = *place == offsetof(cufrt_block, block_index); // else 65535 at most
    if (auto *constant = dyn_cast<ConstantInt>(factor)) {
      const uint32_t most =
          isAlongX ? std::max(fewThreads, knownLineLength(block).value_or(0)) : mostThreads;
      return constant->getValue().sgt(0) && constant->getValue().sle(most);
    }
    const std::optional<uint64_t> extent = placeOf(factor);
    return extent && *extent == *place + offsetof(cufrt_block, block_dim);
  }

  bool isFirstShifted(const Value *number, const Value *shift) const {
    auto *constant = dyn_cast<ConstantInt>(shift);
    return constant && constant->getValue().ult(31) &&
           isFirst(number, ConstantInt::get(number->getType(), 1U << constant->getZExtValue()));
  }

  Function &block;
  ScalarEvolution &evolution;
  DenseMap<const Value *, int> known; // how many are summed up beside the product
};

} // namespace

Value *fitsIndices(IRBuilder<> &builder, Value &record) {
  auto load = [&](size_t field, size_t d) {
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &record,
                                                      field + d * sizeof(int32_t));
    return builder.CreateZExt(builder.CreateLoad(builder.getInt32Ty(), place),
                              builder.getInt64Ty());
  };
  constexpr size_t grid = offsetof(cufrt_block, grid_dim);
  Value *line = builder.CreateBinaryIntrinsic(
      Intrinsic::umax, load(offsetof(cufrt_block, block_dim), 0), builder.getInt64(fewThreads));
  Value *threads = builder.CreateMul(load(grid, 0), line);
  return builder.CreateICmpULE(threads, builder.getInt64(mostIndex));
}

PreservedAnalyses IndexRangePass::run(Function &block, FunctionAnalysisManager &analyses) {
  divideAbsoluteBounds(block);
  markExtents(block);
  negateQuotients(block);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(block);
  if (block.hasFnAttribute(indicesFitMark))
    GridIndices(block, evolution).mark();
  for (Loop *threads : threadLoops(analyses.getResult<LoopAnalysis>(block)))
    for (BasicBlock *part : threads->blocks())
      for (Instruction &instruction : *part) {
        auto *sum = dyn_cast<OverflowingBinaryOperator>(&instruction);
        if (!sum || sum->hasNoSignedWrap() || sum->getOpcode() == Instruction::Shl)
          continue;
        if (auto flags = evolution.getStrengthenedNoWrapFlagsFromBinOp(sum);
            flags && ScalarEvolution::hasFlags(*flags, SCEV::FlagNSW))
          instruction.setHasNoSignedWrap();
      }
  return PreservedAnalyses::none();
}

} // namespace cufc
