// Kernels that have tiles name the block's extents as numbers:
//
//   (blockIdx%x - 1)*32 + threadIdx%x                         x is 32
//   threadIdx%x - 1 + 8*(threadIdx%y - 1) + 64*(threadIdx%z - 1)     x and y are 8
//   do jj = threadIdx%y, 12, 8                                y is 8
//   do l = tid, 999, 512                                      there are 512 threads in all
//
// Steps of loops tell most, as tiles of blocks may overlap.
#include "codegen/likely_blocks.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned firstIndex = 3; // of the thread function's arguments
constexpr int64_t mostThreads = 1024;

// What a sum has of the indices; 0 where it has none.
struct Factors {
  std::array<int64_t, 3> threads{}, blocks{};

  bool areOf(size_t d) const { // along one direction alone
    for (size_t other = 0; other < threads.size(); ++other)
      if (threads[other] != (other == d ? 1 : 0))
        return false;
    return true;
  }
};

class LikelyBlock {
public:
  LikelyBlock(Function &thread, ScalarEvolution &evolution)
      : thread(thread), evolution(evolution) {}

  std::optional<BlockSize> run() {
    for (Instruction &instruction : instructions(thread))
      if (instruction.getType()->isIntegerTy(32) &&
          (isa<PHINode>(instruction) || instruction.getOpcode() == Instruction::Add))
        read(*evolution.getSCEV(&instruction));
    return complete();
  }

private:
  struct Vote {
    int64_t number = 0;
    int weight = 0;

    void add(int64_t wanted, int itsWeight) {
      if (wanted > 0 && wanted <= mostThreads && itsWeight > weight)
        *this = {wanted, itsWeight};
    }
  };
  enum Weight { OfBlocks = 1, OfSums, OfSteps };

  void read(const SCEV &value) {
    if (auto *round = dyn_cast<SCEVAddRecExpr>(&value)) {
      auto *step = dyn_cast<SCEVConstant>(round->getStepRecurrence(evolution));
      if (step && round->isAffine() && step->getAPInt().isStrictlyPositive())
        readStep(factorsOf(*round->getStart()), step->getAPInt().getSExtValue());
      return;
    }
    const Factors factors = factorsOf(value);
    for (size_t d = 0; d < sizes.size(); ++d)
      if (factors.areOf(d) && factors.blocks[d] > 1)
        sizes[d].add(factors.blocks[d], OfBlocks);
    auto [x, y, z] = factors.threads;
    if (x == 1 && y > 1) {
      sizes[0].add(y, OfSums);
      if (z > y && z % y == 0)
        sizes[1].add(z / y, OfSums);
    }
  }

  void readStep(const Factors &start, int64_t step) {
    for (size_t d = 0; d < sizes.size(); ++d)
      if (start.areOf(d) && step > 1)
        sizes[d].add(step, OfSteps);
    if (start.threads[0] == 1 && start.threads[1] > 1)
      all.add(step, OfSteps);
  }

  Factors factorsOf(const SCEV &sum) const {
    Factors factors;
    if (auto *terms = dyn_cast<SCEVAddExpr>(&sum))
      for (const SCEV *term : terms->operands())
        addTerm(*term, factors);
    else
      addTerm(sum, factors);
    return factors;
  }

  void addTerm(const SCEV &term, Factors &factors) const {
    const SCEV *value = &term;
    int64_t factor = 1;
    if (auto *product = dyn_cast<SCEVMulExpr>(&term); product && product->getNumOperands() == 2)
      if (auto *constant = dyn_cast<SCEVConstant>(product->getOperand(0))) {
        factor = constant->getAPInt().getSExtValue();
        value = product->getOperand(1);
      }
    auto *unknown = dyn_cast<SCEVUnknown>(value);
    if (!unknown)
      return;
    for (unsigned d = 0; d < factors.threads.size(); ++d)
      if (unknown->getValue() == thread.getArg(firstIndex + d))
        factors.threads[d] = factor;
      else if (isBlockIndex(*unknown->getValue(), d))
        factors.blocks[d] = factor;
  }

  bool isBlockIndex(const Value &value, unsigned d) const {
    auto *load = dyn_cast<LoadInst>(&value);
    APInt offset(64, 0);
    return load &&
           load->getPointerOperand()->stripAndAccumulateConstantOffsets(
               load->getDataLayout(), offset, /*AllowNonInbounds=*/true) == thread.getArg(0) &&
           offset == offsetof(cufrt_block, block_index) + sizeof(int32_t) * d;
  }

  // Directions in which a kernel does not look have one thread.
  std::optional<BlockSize> complete() {
    int64_t threads = 1;
    Vote *missing = nullptr;
    for (unsigned d = 0; d < sizes.size(); ++d) {
      if (sizes[d].number == 0 && thread.getArg(firstIndex + d)->use_empty())
        sizes[d].number = 1;
      else if (sizes[d].number == 0 && missing)
        return std::nullopt;
      else if (sizes[d].number == 0)
        missing = &sizes[d];
      threads *= std::max<int64_t>(sizes[d].number, 1);
    }
    if (missing) {
      missing->number = all.number / threads;
      threads *= missing->number;
    }
    if (threads < 2 || threads > mostThreads)
      return std::nullopt;
    BlockSize block{};
    for (unsigned d = 0; d < sizes.size(); ++d)
      block[d] = static_cast<int32_t>(sizes[d].number);
    return block;
  }

  Function &thread;
  ScalarEvolution &evolution;
  std::array<Vote, 3> sizes;
  Vote all;
};

} // namespace

std::vector<BlockSize> likelyBlocks(Function &thread, const KernelFacts &facts) {
  constexpr size_t most = 2;
  if (!facts.launchedBlocks.empty())
    return {facts.launchedBlocks.begin(),
            facts.launchedBlocks.begin() + std::min(facts.launchedBlocks.size(), most)};
  DominatorTree dominators(thread);
  LoopInfo loops(dominators);
  AssumptionCache assumptions(thread);
  TargetLibraryInfoImpl libraries(thread.getParent()->getTargetTriple());
  TargetLibraryInfo library(libraries);
  ScalarEvolution evolution(thread, library, assumptions, dominators, loops);
  std::optional<BlockSize> guess = LikelyBlock(thread, evolution).run();
  return guess ? std::vector<BlockSize>{*guess} : std::vector<BlockSize>();
}

} // namespace cufc
