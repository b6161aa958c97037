// void run_block(block, arguments): cufrt_vector_level >= 3 ? copy(...) : original(...)
//
// The levels are those of the x86-64 psABI, "Micro-Architecture Levels"; the third has vectors of
// 256 bits and masked accesses.
#include "codegen/host_variants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr int variantLevel = 3;
constexpr const char *variantProcessor = "x86-64-v3";

GlobalVariable *levelOfProcessor(Module &module) {
  constexpr const char *name = "cufrt_vector_level"; // runtime/host/vector_level.cpp
  if (GlobalVariable *level = module.getGlobalVariable(name))
    return level;
  return new GlobalVariable(module, Type::getInt32Ty(module.getContext()), false,
                            GlobalValue::ExternalLinkage, nullptr, name);
}

void separate(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  builder.setFastMathFlags(call.getFastMathFlags());
  Value *product = builder.CreateFMul(call.getArgOperand(0), call.getArgOperand(1));
  call.replaceAllUsesWith(builder.CreateFAdd(product, call.getArgOperand(2)));
  call.eraseFromParent();
}

} // namespace

void keepProductsApart(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      if (isa<FPMathOperator>(instruction))
        instruction.setHasAllowContract(false);
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::fmuladd)
        separate(*call);
    }
}

Function *addVariant(Function &block) {
  Module &module = *block.getParent();
  Function *choice = Function::Create(block.getFunctionType(), block.getLinkage(), "", module);
  choice->takeName(&block);
  block.setName(choice->getName() + ".v1");
  block.setLinkage(GlobalValue::InternalLinkage);
  ValueToValueMapTy map;
  Function *variant = CloneFunction(&block, map);
  variant->setName(choice->getName() + ".v" + Twine(variantLevel));
  variant->addFnAttr("target-cpu", variantProcessor);
  for (Function *function : {&block, variant})
    function->addFnAttr(Attribute::NoInline); // LLVM would put the one for all into the choice

  BasicBlock *entry = BasicBlock::Create(module.getContext(), "entry", choice);
  BasicBlock *blocks[] = {BasicBlock::Create(module.getContext(), "variant", choice),
                          BasicBlock::Create(module.getContext(), "original", choice)};
  IRBuilder<> builder(entry);
  Value *level = builder.CreateLoad(builder.getInt32Ty(), levelOfProcessor(module));
  builder.CreateCondBr(builder.CreateICmpSGE(level, builder.getInt32(variantLevel)), blocks[0],
                       blocks[1]);
  Function *targets[] = {variant, &block};
  for (int i = 0; i < 2; ++i) {
    builder.SetInsertPoint(blocks[i]);
    builder.CreateCall(targets[i], {choice->getArg(0), choice->getArg(1)})->setTailCall();
    builder.CreateRetVoid();
  }
  return choice;
}

} // namespace cufc
