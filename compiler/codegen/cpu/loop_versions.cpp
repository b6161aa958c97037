// Which arrays are contiguous is read from the strides in their descriptors before the loop.
#include "codegen/cpu/loop_versions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostInstructions = 300; // of a loop with others in it
constexpr size_t mostBlocks = 400;       // of the function

class ContiguousLoop {
public:
  ContiguousLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &evolution)
      : loop(loop), loops(loops), dominators(dominators), evolution(evolution) {}

  bool run() {
    BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock();
    if (!before || !exit || !loop.getExitingBlock() || !loop.isLCSSAForm(dominators) || isLarge() ||
        !findStrides())
      return false;
    BasicBlock *preheader = SplitEdge(before, loop.getHeader(), &dominators, &loops);
    BasicBlock *copy = copyAsWritten(loop, preheader, before, loops, dominators);
    Instruction *end = before->getTerminator();
    IRBuilder<> builder(end);
    Value *contiguous = builder.getTrue();
    for (auto [stride, bytes] : strides) {
      Value *known = ConstantInt::get(stride->getType(), bytes);
      contiguous = builder.CreateAnd(contiguous, builder.CreateICmpEQ(stride, known));
      stride->replaceUsesWithIf(known, [&](Use &use) {
        auto *user = dyn_cast<Instruction>(use.getUser());
        return user && loop.contains(user);
      });
    }
    builder.CreateCondBr(contiguous, preheader, copy);
    end->eraseFromParent();
    return true;
  }

private:
  // Loops of each thread within, such as over the points of a stencil, are copied, too.
  bool isLarge() const {
    return !loop.isInnermost() && (instructionsOf(loop) > mostInstructions ||
                                   loop.getHeader()->getParent()->size() > mostBlocks);
  }

  // The distance of neighbours in the first dimension (flang's CFI_cdesc_t: dim[0].sm).
  static bool isFirstStride(Value *value) {
    constexpr int64_t firstStride = 40;
    auto *load = dyn_cast<LoadInst>(value);
    if (!load)
      return false;
    APInt offset(64, 0);
    load->getPointerOperand()->stripAndAccumulateConstantOffsets(load->getDataLayout(), offset,
                                                                 /*AllowNonInbounds=*/true);
    return offset == firstStride;
  }

  bool findStrides() {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        Value *address = getLoadStorePointerOperand(&instruction);
        const SCEV *distance = address ? threadStep(*address, loop, evolution) : nullptr;
        auto *step = dyn_cast_or_null<SCEVUnknown>(distance);
        if (!step || !loop.isLoopInvariant(step->getValue()) || !isFirstStride(step->getValue()))
          continue;
        uint64_t bytes =
            loop.getHeader()->getDataLayout().getTypeStoreSize(getLoadStoreType(&instruction));
        auto [found, isNew] = strides.try_emplace(step->getValue(), bytes);
        if (!isNew && found->second != bytes)
          return false;
      }
    return !strides.empty();
  }

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  MapVector<Value *, uint64_t> strides;
};

// What the loop leaves behind, of its copy.
void addResults(PHINode &result, const Loop &loop, const ValueToValueMapTy &map) {
  for (unsigned i = 0, count = result.getNumIncomingValues(); i < count; ++i) {
    BasicBlock *from = result.getIncomingBlock(i);
    if (!loop.contains(from))
      continue;
    Value *copy = map.lookup(result.getIncomingValue(i));
    result.addIncoming(copy ? copy : result.getIncomingValue(i),
                       cast<BasicBlock>(map.lookup(from)));
  }
}

// Whether an expression has the same value for all threads.
bool isSameForAll(const SCEV *value, const Loop &threads) {
  return !SCEVExprContains(value, [&](const SCEV *part) {
    if (auto *sum = dyn_cast<SCEVAddRecExpr>(part))
      return sum->getLoop() == &threads;
    auto *unknown = dyn_cast<SCEVUnknown>(part);
    auto *instruction = unknown ? dyn_cast<Instruction>(unknown->getValue()) : nullptr;
    return instruction && threads.contains(instruction);
  });
}

// Of a sum, such as of i and what a loop of the thread makes of its counter, that of a term.
const SCEV *stepOf(const SCEV *value, const Loop &threads, ScalarEvolution &evolution) {
  while (auto *sum = dyn_cast<SCEVAddRecExpr>(value)) {
    if (sum->getLoop() == &threads)
      return sum->getStepRecurrence(evolution);
    value = sum->getStart();
  }
  auto *sum = dyn_cast<SCEVAddExpr>(value);
  const SCEV *varying = nullptr;
  if (sum)
    for (const SCEV *term : sum->operands()) {
      if (isSameForAll(term, threads))
        continue;
      if (varying)
        return nullptr;
      varying = term;
    }
  return varying ? stepOf(varying, threads, evolution) : nullptr;
}

// An argument, before LICM, or what a table of constants says of the round.
bool isConstantLoad(const LoadInst &load) {
  return load.hasMetadata(LLVMContext::MD_invariant_load) || readsTable(load);
}

std::optional<int64_t> distanceOfUnknown(Value &value, const Loop &threads,
                                         ScalarEvolution &evolution) {
  auto distanceOf = [&](Value *of) {
    return threadDistance(*evolution.getSCEV(of), threads, evolution);
  };
  if (auto *load = dyn_cast<LoadInst>(&value))
    return isConstantLoad(*load) && distanceOf(load->getPointerOperand()) == 0
               ? std::optional<int64_t>(0)
               : std::nullopt;
  if (auto *quotient = dyn_cast<BinaryOperator>(&value))
    return all_of(quotient->operands(), [&](Use &operand) { return distanceOf(operand) == 0; })
               ? std::optional<int64_t>(0)
               : std::nullopt;
  auto *select = dyn_cast<SelectInst>(&value); // of an index that starts anew behind the last one
  if (!select || !select->getType()->isIntegerTy())
    return std::nullopt;
  std::optional<int64_t> left = distanceOf(select->getTrueValue());
  std::optional<int64_t> right = distanceOf(select->getFalseValue());
  if (!left || !right || (*left != *right && *left != 0 && *right != 0))
    return std::nullopt;
  return *left != 0 ? left : right;
}

} // namespace

bool isThreadLoop(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  return latch && latch->getTerminator()->getMetadata(threadLoopMark);
}

bool isLineLoop(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  return latch && latch->getTerminator()->getMetadata(lineLoopMark);
}

size_t instructionsOf(const Loop &loop) {
  size_t sum = 0;
  for (const BasicBlock *block : loop.blocks())
    sum += block->size();
  return sum;
}

std::vector<Loop *> threadLoops(LoopInfo &loops) {
  std::vector<Loop *> marked;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (isThreadLoop(*loop))
      marked.push_back(loop);
  return marked;
}

bool readsTable(const LoadInst &load) {
  auto *table = dyn_cast<GlobalVariable>(getUnderlyingObject(load.getPointerOperand()));
  return table && table->isConstant();
}

const SCEV *threadStep(Value &address, const Loop &threads, ScalarEvolution &evolution) {
  return stepOf(evolution.getSCEV(&address), threads, evolution);
}

std::optional<int64_t> threadDistance(const SCEV &value, const Loop &threads,
                                      ScalarEvolution &evolution) {
  if (evolution.isLoopInvariant(&value, &threads))
    return 0;
  if (auto *recurrence = dyn_cast<SCEVAddRecExpr>(&value)) {
    const SCEV *step = recurrence->getStepRecurrence(evolution);
    if (recurrence->getLoop() != &threads)
      return threadDistance(*step, threads, evolution) == 0
                 ? threadDistance(*recurrence->getStart(), threads, evolution)
                 : std::nullopt;
    auto *number = dyn_cast<SCEVConstant>(step);
    return number ? number->getAPInt().trySExtValue() : std::nullopt;
  }
  if (auto *extended = dyn_cast<SCEVIntegralCastExpr>(&value))
    return threadDistance(*extended->getOperand(), threads, evolution);
  if (auto *unknown = dyn_cast<SCEVUnknown>(&value))
    return distanceOfUnknown(*unknown->getValue(), threads, evolution);
  auto *terms = dyn_cast<SCEVNAryExpr>(&value);
  if (!terms)
    return std::nullopt;
  int64_t sum = 0; // of limits, one alone is of the thread
  bool varies = false;
  for (size_t i = 0; i < terms->getNumOperands(); ++i) {
    std::optional<int64_t> distance = threadDistance(*terms->getOperand(i), threads, evolution);
    if (!distance || !isInt<32>(*distance))
      return std::nullopt;
    sum += *distance;
    varies |= *distance != 0;
  }
  if (!varies || isa<SCEVAddExpr, SCEVSMaxExpr, SCEVSMinExpr>(value))
    return sum;
  auto *factor = dyn_cast<SCEVConstant>(terms->getOperand(0));
  return isa<SCEVMulExpr>(value) && terms->getNumOperands() == 2 && factor &&
                 factor->getAPInt().getSignificantBits() <= 31
             ? std::optional(sum * factor->getAPInt().getSExtValue())
             : std::nullopt;
}

Loop *copyBeside(Loop &loop, BasicBlock *preheader, BasicBlock *before, StringRef suffix,
                 ValueToValueMapTy &map, LoopInfo &loops, DominatorTree &dominators) {
  SmallVector<BasicBlock *, 8> blocks;
  Loop *copy =
      cloneLoopWithPreheader(preheader, before, &loop, map, suffix, &loops, &dominators, blocks);
  remapInstructionsInBlocks(blocks, map);
  for (PHINode &result : loop.getUniqueExitBlock()->phis())
    addResults(result, loop, map);
  return copy;
}

BasicBlock *copyAsWritten(Loop &loop, BasicBlock *preheader, BasicBlock *before, LoopInfo &loops,
                          DominatorTree &dominators, ValueToValueMapTy *map) {
  ValueToValueMapTy own;
  Loop *copy = copyBeside(loop, preheader, before, ".written", map ? *map : own, loops, dominators);
  addStringMetadataToLoop(copy, "llvm.loop.vectorize.enable", 0);
  addStringMetadataToLoop(copy, "llvm.loop.unroll.disable", 1);
  copy->getLoopLatch()->getTerminator()->setMetadata(threadLoopMark, nullptr);
  return copy->getLoopPreheader();
}

bool versionForContiguousArrays(Loop &loop, LoopInfo &loops, DominatorTree &dominators,
                                ScalarEvolution &evolution) {
  return ContiguousLoop(loop, loops, dominators, evolution).run();
}

} // namespace cufc
