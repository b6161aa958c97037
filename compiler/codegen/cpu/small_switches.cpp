//   switch (x) { case 1: a; case 16: b }  =>  if (x == 1) a; if (x == 16) b
//
// as the program had it: each is work of one thread of a line, such as fetching a halo, which gets
// a loop or a region of its own (thread_fission.cpp, barrier_regions.cpp), or a place at which the
// loop over the threads is divided (thread_splits.cpp). Where the ways do not meet again at once,
// they are asked for one after the other.
#include "codegen/cpu/small_switches.h"
#include "codegen/branches.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostCases = 4;

class Cases {
public:
  explicit Cases(SwitchInst &choice)
      : choice(choice), block(*choice.getParent()), otherwise(*choice.getDefaultDest()) {
    for (const auto &one : choice.cases())
      if (one.getCaseSuccessor() != &otherwise)
        ways[one.getCaseSuccessor()].push_back(one.getCaseValue());
  }

  void separate() {
    const bool meets = !isa<PHINode>(otherwise.front()) &&
                       all_of(ways, [&](const auto &way) { return meetsOthers(*way.first); });
    BasicBlock *here = &block;
    size_t left = ways.size();
    for (auto &[way, values] : ways) {
      BasicBlock *next = --left == 0 ? &otherwise
                                     : BasicBlock::Create(block.getContext(), "next.case",
                                                          block.getParent(), way->getNextNode());
      ask(*here, values, *way, *next);
      comeFrom(*way, *here);
      if (meets)
        way->getTerminator()->replaceSuccessorWith(&otherwise, next);
      if (next != &otherwise)
        here = next;
    }
    if (ways.empty())
      Jump::Create(&otherwise, choice.getIterator());
    comeFrom(otherwise, *here);
    choice.eraseFromParent();
  }

private:
  // It leads to where no case leads.
  bool meetsOthers(const BasicBlock &way) const {
    return way.getUniquePredecessor() == &block && way.getSingleSuccessor() == &otherwise;
  }

  void ask(BasicBlock &here, ArrayRef<ConstantInt *> values, BasicBlock &way, BasicBlock &next) {
    IRBuilder<> builder(&here);
    if (&here == &block)
      builder.SetInsertPoint(&choice);
    builder.SetCurrentDebugLocation(choice.getDebugLoc());
    SmallVector<Value *, mostCases> areEqual;
    for (ConstantInt *value : values)
      areEqual.push_back(builder.CreateICmpEQ(choice.getCondition(), value));
    Value *isOne = builder.CreateOr(areEqual);
    builder.CreateCondBr(isOne, &way, &next);
  }

  // There may have been several ways from the switch.
  void comeFrom(BasicBlock &target, BasicBlock &here) {
    for (PHINode &phi : target.phis()) {
      Value *value = phi.getIncomingValueForBlock(&block);
      phi.removeIncomingValueIf([&](unsigned i) { return phi.getIncomingBlock(i) == &block; },
                                /*DeletePHIIfEmpty=*/false);
      phi.addIncoming(value, &here);
    }
  }

  SwitchInst &choice;
  BasicBlock &block, &otherwise;
  MapVector<BasicBlock *, SmallVector<ConstantInt *, mostCases>> ways; // by what they lead to
};

struct SeparateCasesPass : PassInfoMixin<SeparateCasesPass> {
  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    return separateCases(function) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

bool separateCases(Function &function) {
  SmallVector<SwitchInst *> choices;
  for (BasicBlock &block : function)
    if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator());
        choice && choice->getNumCases() <= mostCases && !choice->hasMetadata(LLVMContext::MD_loop))
      choices.push_back(choice);
  for (SwitchInst *choice : choices)
    Cases(*choice).separate();
  return !choices.empty();
}

void addSimplification(FunctionPassManager &passes) {
  passes.addPass(SimplifyCFGPass());
  passes.addPass(SeparateCasesPass());
}

} // namespace cufc
