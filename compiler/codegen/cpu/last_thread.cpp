// See last_thread.h.
#include "codegen/cpu/last_thread.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace cufc {

using namespace llvm;

namespace {

constexpr uint32_t none = UINT32_MAX; // -1

} // namespace

LastThread::LastThread(const PlainThreadLoop &threads)
    : threads(threads), here(makeVariable()), last(makeVariable()) {
  IRBuilder<> builder(threads.preheader->getTerminator());
  builder.CreateStore(builder.getInt32(none), last);
  BasicBlock &header = *threads.x->getParent();
  builder.SetInsertPoint(&header, header.getFirstInsertionPt());
  builder.CreateStore(builder.getInt32(none), here);
  builder.SetInsertPoint(threads.latch->getTerminator());
  Type *type = builder.getInt32Ty();
  builder.CreateStore(builder.CreateBinaryIntrinsic(Intrinsic::smax, builder.CreateLoad(type, last),
                                                    builder.CreateLoad(type, here)),
                      last);
}

void LastThread::comesTo(Instruction &place) {
  IRBuilder<> builder(&place);
  builder.CreateStore(threads.x, here);
}

Value *LastThread::number(IRBuilder<> &builder) const {
  return builder.CreateLoad(builder.getInt32Ty(), last);
}

void LastThread::promote(DominatorTree &dominators) { PromoteMemToReg({here, last}, dominators); }

AllocaInst *LastThread::makeVariable() const {
  BasicBlock &entry = threads.preheader->getParent()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(builder.getInt32Ty());
}

} // namespace cufc
