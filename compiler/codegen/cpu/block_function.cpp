// See block_function.h.
#include "codegen/cpu/block_function.h"
#include "codegen/cpu/host_kernel_body.h"
#include "codegen/cpu/thread_loops.h"
#include "cufrt/abi.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace cufc {

using namespace llvm;

Function *createBlockFunction(Function &thread, StringRef name, bool keepThread) {
  LLVMContext &context = thread.getContext();
  Type *pointer = PointerType::get(context, 0);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  Function *block = Function::Create(type, GlobalValue::InternalLinkage, name, thread.getParent());
  block->getArg(0)->addAttr(Attribute::NoAlias);
  block->getArg(1)->addAttr(Attribute::NoAlias);
  if (thread.hasFnAttribute(ownsSharedMemory))
    block->addFnAttr(ownsSharedMemory);
  BasicBlock::Create(context, "entry", block);
  thread.addFnAttr(keepThread ? Attribute::NoInline : Attribute::AlwaysInline);
  return block;
}

void callThread(IRBuilder<> &builder, Function &block, Function &thread, ArrayRef<Value *> index) {
  LLVMContext &context = thread.getContext();
  CallInst *call = builder.CreateCall(&thread, {block.getArg(0), block.getArg(1),
                                                ConstantPointerNull::get(builder.getPtrTy()),
                                                index[0], index[1], index[2]});
  // Lines of what is inlined count in a function that has lines itself.
  if (DISubprogram *program = thread.getSubprogram();
      program && thread.hasFnAttribute(Attribute::AlwaysInline)) {
    TempDISubprogram lines = program->clone();
    lines->replaceRetainedNodes(nullptr); // which belong to the thread
    block.setSubprogram(MDNode::replaceWithDistinct(std::move(lines)));
    call->setDebugLoc(DILocation::get(context, program->getLine(), 0, block.getSubprogram()));
  }
}

Function *makeBlockFunction(Function &thread, StringRef name, bool keepThread, bool isRow) {
  LLVMContext &context = thread.getContext();
  Function *block = createBlockFunction(thread, name, keepThread);
  IRBuilder<> builder(&block->getEntryBlock());
  Value *sizes[3];
  for (unsigned d = 0; d < 3; ++d) {
    const size_t field = d == 0 && isRow ? offsetof(cufrt_block, row_threads)
                                         : offsetof(cufrt_block, block_dim) + size_t(4) * d;
    Value *address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), block->getArg(0), field);
    sizes[d] = builder.CreateLoad(builder.getInt32Ty(), address);
  }
  PHINode *indices[3];
  BasicBlock *headers[3];
  for (int d = 2; d >= 0; --d) {
    BasicBlock *before = builder.GetInsertBlock();
    headers[d] = BasicBlock::Create(context, "loop", block);
    builder.CreateBr(headers[d]);
    builder.SetInsertPoint(headers[d]);
    indices[d] = builder.CreatePHI(builder.getInt32Ty(), 2);
    indices[d]->addIncoming(builder.getInt32(0), before);
  }
  callThread(builder, *block, thread, {indices[0], indices[1], indices[2]});
  for (int d = 0; d < 3; ++d) {
    Value *next = builder.CreateAdd(indices[d], builder.getInt32(1), "", true, true);
    BasicBlock *exit = BasicBlock::Create(context, "done", block);
    indices[d]->addIncoming(next, builder.GetInsertBlock());
    Instruction *branch =
        builder.CreateCondBr(builder.CreateICmpSLT(next, sizes[d]), headers[d], exit);
    if (d == 0)
      markThreadLoop(*branch);
    else
      markLineLoop(*branch);
    builder.SetInsertPoint(exit);
  }
  builder.CreateRetVoid();
  return block;
}

} // namespace cufc
