// Where several loops are spread over a grid, a thread mostly does one iteration of each, since the
// grid covers them. LLVM's strength reduction, which cannot know that, keeps an index for each
// access and loop and computes them all before the first iteration: a 7-point stencil took 48
// registers and a hundred instructions more than with indices computed in the iteration. A copy
// that LLVM cannot look into, and that ptxas removes, separates the counter that runs from the one
// that is used.
#include "codegen/gpu/spread_counters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {

using namespace llvm;

namespace {

bool dependsOn(const Value *value, ArrayRef<Intrinsic::ID> registers, unsigned depth = 0) {
  constexpr unsigned mostDepth = 12;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(value);
      intrinsic && is_contained(registers, intrinsic->getIntrinsicID()))
    return true;
  auto *instruction = dyn_cast<Instruction>(value);
  return instruction && depth < mostDepth && !isa<PHINode, LoadInst>(instruction) &&
         any_of(
             instruction->operands(),
             [&](const Use &operand) { return dependsOn(operand.get(), registers, depth + 1); });
}

} // namespace

bool dependsOnGridSize(const Value *value) {
  return dependsOn(value,
                   {Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                    Intrinsic::nvvm_read_ptx_sreg_nctaid_z});
}

bool dependsOnBlockSize(const Value *value) {
  return dependsOn(value,
                   {Intrinsic::nvvm_read_ptx_sreg_ntid_x, Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                    Intrinsic::nvvm_read_ptx_sreg_ntid_z});
}

namespace {

struct Counter {
  PHINode *number;
  BinaryOperator *following;
};

std::optional<Counter> spreadCounter(const Loop &loop) {
  BasicBlock *latch = loop.getLoopLatch();
  if (!latch)
    return std::nullopt;
  for (PHINode &number : loop.getHeader()->phis()) {
    auto *following = dyn_cast<BinaryOperator>(number.getIncomingValueForBlock(latch));
    if (!following || following->getOpcode() != Instruction::Add ||
        !(number.getType()->isIntegerTy(32) || number.getType()->isIntegerTy(64)))
      continue;
    bool first = following->getOperand(0) == &number;
    if ((first || following->getOperand(1) == &number) &&
        dependsOnGridSize(following->getOperand(first ? 1 : 0)))
      return Counter{&number, following};
  }
  return std::nullopt;
}

// A copy in each iteration of the loop; that it is convergent keeps it there.
void hide(const Counter &counter, Loop &loop) {
  Type *type = counter.number->getType();
  bool narrow = type->isIntegerTy(32);
  auto *text = InlineAsm::get(FunctionType::get(type, {type}, false),
                              narrow ? "mov.b32 $0, $1;" : "mov.b64 $0, $1;",
                              narrow ? "=r,r" : "=l,l", /*hasSideEffects=*/false);
  IRBuilder<> builder(loop.getHeader(), loop.getHeader()->getFirstInsertionPt());
  CallInst *copy = builder.CreateCall(text, {counter.number});
  copy->setDoesNotAccessMemory();
  copy->setDoesNotThrow();
  copy->setConvergent();
  counter.number->replaceUsesWithIf(copy, [&](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    return user != copy && user != counter.following && !isa<PHINode>(user) && loop.contains(user);
  });
}

void hideNested(Loop &loop, SmallVector<Counter> around) {
  std::optional<Counter> counter = spreadCounter(loop);
  if (counter)
    around.push_back(*counter);
  for (Loop *inner : loop)
    hideNested(*inner, around);
  bool isInnermost = none_of(loop, [](Loop *inner) { return spreadCounter(*inner).has_value(); });
  if (counter && isInnermost && around.size() > 1)
    for (const Counter &each : around)
      hide(each, loop);
}

} // namespace

void hideSpreadCounters(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops)
      hideNested(*loop, {});
  }
}

} // namespace cufc
