// Kernels that have tiles name the block's extents as numbers:
//
//   (blockIdx%x - 1)*32 + threadIdx%x                         x is 32
//   threadIdx%x - 1 + 8*(threadIdx%y - 1) + 64*(threadIdx%z - 1)     x and y are 8
//   do jj = threadIdx%y, 12, 8                                y is 8
//   do l = tid, 999, 512                                      there are 512 threads in all
//   (blockIdx%x - 1)*512 + 2*threadIdx%x                      x is 256
//   s(threadIdx%x), where s has 128 elements, or 130          x is 128
//
// Steps of loops tell most. Tiles of blocks may overlap, so that lines of an array of tiles say
// more than distances between blocks, but lines with edges or padding are longer than those of
// threads.
#include "codegen/cpu/likely_blocks.h"
#include "codegen/loop_analyses.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
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
  int64_t constant = 0;

  // The factor along a direction if there is none along others, otherwise 0.
  int64_t ofOnly(size_t d) const {
    for (size_t other = 0; other < threads.size(); ++other)
      if (other != d && threads[other] != 0)
        return 0;
    return threads[d];
  }
};

class LikelyBlock {
public:
  LikelyBlock(Function &thread, ArrayRef<SharedVariable> shared, ScalarEvolution &evolution)
      : thread(thread), shared(shared), evolution(evolution) {}

  std::optional<BlockSize> run() {
    for (Instruction &instruction : instructions(thread))
      if (instruction.getType()->isIntegerTy(32) &&
          (isa<PHINode>(instruction) || instruction.getOpcode() == Instruction::Add))
        read(*evolution.getSCEV(&instruction));
      else if (auto *element = dyn_cast<GetElementPtrInst>(&instruction))
        readElement(*element);
    return complete();
  }

private:
  // What speaks for an extent, the best first; 0 where nothing does.
  struct Votes {
    int64_t step = 0, line = 0, blocks = 0, array = 0;
    bool lineHasEdges = false, lineHasNone = false;

    int64_t number() const {
      if (step)
        return step;
      if (line && !isPowerOf2_64(static_cast<uint64_t>(line))) {
        if (blocks && isPowerOf2_64(static_cast<uint64_t>(blocks)))
          return blocks;
        if (lineHasEdges && !lineHasNone)
          return withoutEdges(line);
      }
      return line ? line : blocks ? blocks : array;
    }
  };

  static void set(int64_t &vote, int64_t number) {
    if (vote == 0 && number > 0 && number <= mostThreads)
      vote = number;
  }

  // Of a line of an array of tiles, what threads have of it.
  static int64_t withoutEdges(int64_t line) {
    constexpr int64_t mostEdges = 8;
    const auto inner = static_cast<int64_t>(bit_floor(static_cast<uint64_t>(line)));
    return line - inner <= mostEdges ? inner : line;
  }

  void read(const SCEV &value) {
    if (auto *round = dyn_cast<SCEVAddRecExpr>(&value)) {
      auto *step = dyn_cast<SCEVConstant>(round->getStepRecurrence(evolution));
      if (step && round->isAffine() && step->getAPInt().isStrictlyPositive())
        readStep(factorsOf(*round->getStart()), step->getAPInt().getSExtValue());
      return;
    }
    const Factors factors = factorsOf(value);
    for (size_t d = 0; d < sizes.size(); ++d)
      if (const int64_t each = factors.ofOnly(d);
          each > 0 && factors.blocks[d] > 1 && factors.blocks[d] % each == 0)
        set(sizes[d].blocks, factors.blocks[d] / each);
    auto [x, y, z] = factors.threads;
    if (x == 1 && y > 1) {
      set(sizes[0].line, y);
      if (sizes[0].line == y)
        (factors.constant > 0 ? sizes[0].lineHasEdges : sizes[0].lineHasNone) |=
            factors.constant != 0;
      if (z > y && z % y == 0)
        set(sizes[1].line, z / y);
    }
  }

  // An element of a shared array that only one index chooses.
  void readElement(const GetElementPtrInst &element) {
    const SharedVariable *array = arrayAt(*element.getPointerOperand());
    const uint64_t bytes = thread.getDataLayout().getTypeAllocSize(element.getSourceElementType());
    if (!array || element.getNumIndices() != 1 || bytes == 0)
      return;
    const SCEV *index = evolution.getSCEV(element.getOperand(1));
    if (auto *wider = dyn_cast<SCEVIntegralCastExpr>(index))
      index = wider->getOperand();
    const Factors factors = factorsOf(*index);
    for (size_t d = 0; d < sizes.size(); ++d)
      if (const int64_t each = factors.ofOnly(d); each > 0 && factors.blocks[d] == 0)
        sizes[d].array = std::max(
            sizes[d].array,
            std::min(mostThreads, withoutEdges(static_cast<int64_t>(array->bytes / bytes) / each)));
  }

  // The shared array that begins at an address.
  const SharedVariable *arrayAt(const Value &address) const {
    APInt offset(64, 0);
    auto *load = dyn_cast<LoadInst>(address.stripAndAccumulateConstantOffsets(
        thread.getDataLayout(), offset, /*AllowNonInbounds=*/true));
    if (!load || !isFieldOfBlock(*load->getPointerOperand(), offsetof(cufrt_block, shared)))
      return nullptr;
    auto *found = find_if(shared, [&](const SharedVariable &variable) {
      return variable.offset == offset.getZExtValue();
    });
    return found == shared.end() ? nullptr : found;
  }

  void readStep(const Factors &start, int64_t step) {
    for (size_t d = 0; d < sizes.size(); ++d)
      if (start.ofOnly(d) == 1 && step > 1)
        set(sizes[d].step, step);
    if (start.threads[0] == 1 && start.threads[1] > 1)
      set(all, step);
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
    if (auto *constant = dyn_cast<SCEVConstant>(&term))
      factors.constant = constant->getAPInt().getSExtValue();
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
    return load && isFieldOfBlock(*load->getPointerOperand(),
                                  offsetof(cufrt_block, block_index) + sizeof(int32_t) * d);
  }

  bool isFieldOfBlock(const Value &address, uint64_t field) const {
    APInt offset(64, 0);
    return address.stripAndAccumulateConstantOffsets(thread.getDataLayout(), offset,
                                                     /*AllowNonInbounds=*/true) ==
               thread.getArg(0) &&
           offset == field;
  }

  // Directions in which a kernel does not look have one thread.
  std::optional<BlockSize> complete() {
    std::array<int64_t, 3> numbers{};
    int64_t threads = 1;
    int64_t *missing = nullptr;
    for (unsigned d = 0; d < sizes.size(); ++d) {
      numbers[d] = sizes[d].number();
      if (numbers[d] == 0 && thread.getArg(firstIndex + d)->use_empty())
        numbers[d] = 1;
      else if (numbers[d] == 0 && missing)
        return std::nullopt;
      else if (numbers[d] == 0)
        missing = &numbers[d];
      threads *= std::max<int64_t>(numbers[d], 1);
    }
    if (missing) {
      *missing = all / threads;
      threads *= *missing;
    }
    if (threads < 2 || threads > mostThreads)
      return std::nullopt;
    BlockSize block{};
    for (unsigned d = 0; d < sizes.size(); ++d)
      block[d] = static_cast<int32_t>(numbers[d]);
    return block;
  }

  Function &thread;
  ArrayRef<SharedVariable> shared;
  ScalarEvolution &evolution;
  std::array<Votes, 3> sizes;
  int64_t all = 0; // threads along all directions
};

} // namespace

std::vector<BlockSize> likelyBlocks(const HostKernelBody &body, const KernelFacts &facts) {
  constexpr size_t most = 2;
  if (!facts.launchedBlocks.empty())
    return {facts.launchedBlocks.begin(),
            facts.launchedBlocks.begin() + std::min(facts.launchedBlocks.size(), most)};
  LoopAnalyses analyses(*body.thread);
  std::optional<BlockSize> guess =
      LikelyBlock(*body.thread, body.sharedVariables, analyses.evolution).run();
  return guess ? std::vector<BlockSize>{*guess} : std::vector<BlockSize>();
}

} // namespace cufc
