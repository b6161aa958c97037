// Iterations of a CUF kernel's loops are independent as threads are, but for the variables that
// they reduce; in which order these are combined is up to the compiler. Sums and products may hence
// be reassociated. A maximum that is compared and selected,
//
//   m > x ? m : x,
//
// becomes llvm.maximumnum, which LLVM vectorises with its rule for NaN: one counts as no value.
#include "codegen/cpu/cpu_forms.h"
#include "base/kernel_names.h"
#include "codegen/branches.h"
#include "codegen/cpu/independent_accesses.h"
#include "codegen/cpu/loop_versions.h"
#include "codegen/cpu/sync_operations.h"
#include "codegen/cpu/wide_subscripts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr const char *chunkMark = "chunk";
constexpr const char *gatherPrefix = "cufc_gather_";

bool asksForThread(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
  case Intrinsic::nvvm_read_ptx_sreg_warpid:
    return true;
  default:
    return false;
  }
}

// m > x ? m : x and its like, of the accumulated value m.
void useExtremum(SelectInst &select) {
  Value *accumulated = select.getTrueValue(), *other = select.getFalseValue();
  auto *compare = dyn_cast<FCmpInst>(select.getCondition());
  if (!compare)
    return;
  bool straight = compare->getOperand(0) == accumulated && compare->getOperand(1) == other;
  bool crossed = compare->getOperand(0) == other && compare->getOperand(1) == accumulated;
  FCmpInst::Predicate predicate = compare->getPredicate();
  bool greater = predicate == FCmpInst::FCMP_OGT || predicate == FCmpInst::FCMP_OGE;
  bool less = predicate == FCmpInst::FCMP_OLT || predicate == FCmpInst::FCMP_OLE;
  if (!(straight || crossed) || !(greater || less))
    return;
  IRBuilder<> builder(&select);
  Intrinsic::ID id = greater == straight ? Intrinsic::maximumnum : Intrinsic::minimumnum;
  FastMathFlags flags; // of zeros, either may come first
  flags.setNoSignedZeros();
  builder.setFastMathFlags(flags);
  select.replaceAllUsesWith(builder.CreateBinaryIntrinsic(id, accumulated, other));
}

// All values in the loop that an accumulated one becomes on its way through an iteration.
SmallSetVector<Instruction *, 16> accumulations(PHINode &phi, const Loop &loop) {
  SmallSetVector<Instruction *, 16> found;
  found.insert(&phi);
  for (size_t i = 0; i < found.size(); ++i)
    for (User *user : found[i]->users()) {
      auto *next = cast<Instruction>(user);
      bool passes = isa<PHINode, SelectInst>(next) || next->getOpcode() == Instruction::FAdd ||
                    next->getOpcode() == Instruction::FSub ||
                    next->getOpcode() == Instruction::FMul;
      if (passes && next->getType() == phi.getType() && loop.contains(next))
        found.insert(next);
    }
  return found;
}

void allowVectors(PHINode &phi, const Loop &loop) {
  for (Instruction *instruction : accumulations(phi, loop))
    if (auto *select = dyn_cast<SelectInst>(instruction))
      useExtremum(*select);
    else if (!isa<PHINode>(instruction))
      instruction->setHasAllowReassoc(true);
}

// for (i = first;; ++i) { body(i); if (i == last) break; }
class CountingLoop {
public:
  explicit CountingLoop(Loop &loop)
      : loop(loop), header(*loop.getHeader()), before(loop.getLoopPreheader()),
        latch(loop.getLoopLatch()), exit(loop.getExitBlock()) {}

  // A loop over threads with numbers from 0 on, which more is known of than of one that ends where
  // its index is the last one. A loop that reduces stays. So does a copy of it as it was, for as
  // many iterations as such a number does not count.
  bool makePlain(LoopInfo &loops, DominatorTree &dominators) {
    if (!read())
      return false;
    BasicBlock *start = before;
    before = SplitEdge(start, &header, &dominators, &loops);
    BasicBlock *copy = copyAsWritten(loop, before, start, loops, dominators);
    Value *first = index->getIncomingValueForBlock(before);
    Instruction *old = start->getTerminator();
    IRBuilder<> builder(old);
    Value *distance = builder.CreateSub(last, first);
    Value *isCounted =
        builder.CreateAnd(builder.CreateICmpSGE(last, first),
                          builder.CreateICmpULT(distance, builder.getInt32(INT32_MAX)));
    Value *count = builder.CreateAdd(distance, builder.getInt32(1));
    builder.CreateCondBr(isCounted, before, copy);
    old->eraseFromParent();

    builder.SetInsertPoint(&header, header.begin());
    PHINode *number = builder.CreatePHI(index->getType(), 2);
    builder.SetInsertPoint(&header, header.getFirstInsertionPt());
    Value *sum = builder.CreateAdd(first, number, "", /*HasNUW=*/false, /*HasNSW=*/true);
    builder.SetInsertPoint(latch->getTerminator());
    Value *next = builder.CreateAdd(number, builder.getInt32(1), "", /*HasNUW=*/true,
                                    /*HasNSW=*/true);
    number->addIncoming(builder.getInt32(0), before);
    number->addIncoming(next, latch);
    auto *end = builder.CreateCondBr(builder.CreateICmpSLT(next, count), &header, exit);
    end->setMetadata(threadLoopMark, MDNode::get(header.getContext(), {}));
    latch->getTerminator()->eraseFromParent();
    index->replaceAllUsesWith(sum);
    index->eraseFromParent();
    return true;
  }

private:
  bool read() {
    index = dyn_cast<PHINode>(&header.front());
    if (!before || !latch || !exit || !index || !index->getType()->isIntegerTy(32) ||
        isa<PHINode>(index->getNextNode()) || !exit->phis().empty())
      return false;
    auto *branch = conditionalBranch(latch->getTerminator());
    return branch && branch->getSuccessor(0) == exit &&
           match(branch->getCondition(),
                 m_SpecificICmp(ICmpInst::ICMP_EQ, m_Specific(index), m_Value(last))) &&
           match(index->getIncomingValueForBlock(latch), m_c_Add(m_Specific(index), m_One())) &&
           loop.isLoopInvariant(last);
  }

  Loop &loop;
  BasicBlock &header;
  BasicBlock *before, *latch, *exit;
  PHINode *index = nullptr;
  Value *last = nullptr;
};

} // namespace

Function *cpuFormOf(Module &module, StringRef kernel) {
  kernel.consume_back(repeatingSuffix);
  Function *form = module.getFunction((kernel + cpuFormSuffix).str());
  return form && kernel.starts_with(cufKernelPrefix) && !form->isDeclaration() ? form : nullptr;
}

bool isWholeBlock(const Function &form) {
  return none_of(instructions(form), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    return call && (asksForThread(call->getIntrinsicID()) || syncOperation(*call));
  });
}

void markChunkLoop(Function &form) {
  MDNode *mark = MDNode::get(form.getContext(), {MDString::get(form.getContext(), chunkMark)});
  Function *end = form.getParent()->getFunction(chunkEnd);
  if (!end)
    return;
  for (User *user : make_early_inc_range(end->users()))
    if (auto *call = cast<CallInst>(user); call->getFunction() == &form) {
      call->getParent()->getTerminator()->setMetadata(threadLoopMark, mark);
      call->eraseFromParent();
    }
}

bool isChunkLoop(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  const MDNode *mark = latch ? latch->getTerminator()->getMetadata(threadLoopMark) : nullptr;
  return mark && mark->getNumOperands() == 1;
}

bool shapeChunkLoop(Loop &loop, LoopInfo &loops, DominatorTree &dominators, ScalarEvolution &) {
  if (!isChunkLoop(loop))
    return false;
  if (loop.isInnermost() && CountingLoop(loop).makePlain(loops, dominators))
    return true;
  for (PHINode &phi : loop.getHeader()->phis())
    if (phi.getType()->isFloatingPointTy())
      allowVectors(phi, loop);
  widenSubscripts(*loop.getHeader()->getParent());
  widenCounter(loop);
  markIndependentAccesses(loop);
  return true;
}

void dropCpuForms(Module &module) {
  for (Function &function : make_early_inc_range(module))
    if (StringRef name = function.getName();
        name.starts_with(cufKernelPrefix) && name.ends_with(cpuFormSuffix)) {
      function.replaceAllUsesWith(PoisonValue::get(function.getType()));
      function.eraseFromParent();
    }
  if (Function *end = module.getFunction(chunkEnd); end && end->use_empty())
    end->eraseFromParent();
  for (bool changed = true; changed;) { // those that combine call each other
    changed = false;
    for (Function &function : make_early_inc_range(module))
      if (function.getName().starts_with(gatherPrefix) && function.use_empty()) {
        function.eraseFromParent();
        changed = true;
      }
  }
}

} // namespace cufc
