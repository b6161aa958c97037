// void run_block(block, arguments):
//   indices of more than 31 bits ? original(...) :
//   cufrt_vector_level >= 4 ? second copy(...) : cufrt_vector_level >= 3 ? copy(...) :
//   original(...)
//
// The levels are those of the x86-64 psABI, "Micro-Architecture Levels"; the third has vectors of
// 256 bits, the fourth those of 512 and masks for all instructions.
#include "codegen/cpu/host_variants.h"
#include "codegen/branches.h"
#include "codegen/cpu/index_ranges.h"
#include "codegen/cpu/loop_versions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {
namespace {

using namespace llvm;

struct Variant {
  int level;
  const char *processor;
};
constexpr Variant variants[] = {
    {4, "x86-64-v4"},
    {3, "x86-64-v3"},
};

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

bool isSlow(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return instruction.getOpcode() == Instruction::FDiv ||
         (call && call->getType()->isFPOrFPVectorTy() && call->getIntrinsicID() != Intrinsic::fabs);
}

constexpr unsigned fewSums = 3, fewIntegerSums = 12, fewDataSums = 8; // and products

// What the third level has no vector instruction for.
bool isWideInteger(const Instruction &instruction) {
  if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
    return is_contained({Intrinsic::ctpop, Intrinsic::fshl, Intrinsic::fshr, Intrinsic::ctlz},
                        call->getIntrinsicID());
  auto isFromShort = [](const Value *value) { return isa<SExtInst, ZExtInst, Constant>(value); };
  return (instruction.getOpcode() == Instruction::Mul && instruction.getType()->isIntegerTy(64) &&
          !(isFromShort(instruction.getOperand(0)) && isFromShort(instruction.getOperand(1)))) ||
         (isa<SIToFPInst>(instruction) && instruction.getOperand(0)->getType()->isIntegerTy(64));
}

// Whether a condition is more than a bound of the thread's index.
bool dependsOnData(const Value *value, int steps) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || steps == 0)
    return false;
  if (isa<FCmpInst>(instruction))
    return true;
  if (auto *load = dyn_cast<LoadInst>(instruction)) // of the block's record or another
    return !load->hasMetadata(LLVMContext::MD_invariant_load) &&
           !isa<Argument>(getUnderlyingObject(load->getPointerOperand()));
  return isa<CmpInst, BinaryOperator, CastInst, SelectInst>(instruction) &&
         any_of(instruction->operands(),
                [&](const Use &use) { return dependsOnData(use.get(), steps - 1); });
}

constexpr int stepsOfCondition = 6; // from it to what is loaded

// Whether threads do what the fourth level is better at, apart from the length of its vectors: some
// store and others do not, for which the third level's masks are microcode on processors of AMD, or
// they compute with wide integers.
bool needsMasks(Function &block) {
  DominatorTree dominators(block);
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    if (!isThreadLoop(*loop))
      return false;
    const bool chooses = any_of(loop->blocks(), [](BasicBlock *part) {
      auto *branch = conditionalBranch(part->getTerminator());
      return branch && dependsOnData(branch->getCondition(), stepsOfCondition);
    });
    return any_of(loop->blocks(), [&](BasicBlock *part) {
      const bool isInPart = chooses && !dominators.dominates(part, loop->getLoopLatch());
      return any_of(*part, [&](const Instruction &one) {
        return (isInPart && isa<StoreInst>(one)) || isWideInteger(one);
      });
    });
  });
}

bool isOfShort(const Instruction &instruction) {
  return getLoadStorePointerOperand(&instruction) &&
         getLoadStoreType(&instruction)->getScalarSizeInBits() <= 16;
}

bool isIntegerSum(const Instruction &instruction) {
  return instruction.isBinaryOp() && instruction.getType()->isIntegerTy(32);
}

// Whether the threads divide, take roots, run loops that compute, or compute much. Other kernels
// get nothing of wider vectors: loads and stores take as long, and short loops, as at the end of a
// tree, fill them not even once.
bool computes(Function &block) {
  DominatorTree dominators(block);
  LoopInfo loops(dominators);
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!isThreadLoop(*loop))
      continue;
    unsigned sums = 0, integerSums = 0; // no subscripts among these
    for (BasicBlock *part : loop->blocks())
      for (Instruction &instruction : *part) {
        bool isSum = instruction.isBinaryOp() && instruction.getType()->isFPOrFPVectorTy();
        sums += isSum;
        integerSums += isIntegerSum(instruction) && dependsOnData(&instruction, stepsOfCondition);
        if (isSlow(instruction) || sums >= fewSums || integerSums >= fewDataSums ||
            (isSum && loops.getLoopFor(part) != loop))
          return true;
      }
  }
  return false;
}

// Whether they compute much with integers that are short in memory, of which the fourth level's
// conversions take whole registers.
bool computesWithShort(Function &block) {
  DominatorTree dominators(block);
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
    if (!isThreadLoop(*loop))
      return false;
    unsigned sums = 0;
    bool hasShort = false;
    for (BasicBlock *part : loop->blocks())
      for (const Instruction &instruction : *part) {
        sums += isIntegerSum(instruction);
        hasShort |= isOfShort(instruction);
      }
    return hasShort && sums >= fewIntegerSums;
  });
}

// With the name of the function whose place it takes.
Function *makeChoice(Function &block) {
  Function *choice =
      Function::Create(block.getFunctionType(), block.getLinkage(), "", block.getParent());
  choice->takeName(&block);
  return choice;
}

// Copies of `block` for newer CPUs, and `other` for those that are not.
void choose(Function &block, Function &other, Function &choice) {
  IRBuilder<> builder(BasicBlock::Create(choice.getContext(), "entry", &choice));
  Value *level = builder.CreateLoad(builder.getInt32Ty(), levelOfProcessor(*block.getParent()));
  auto run = [&](Function &function) {
    builder.CreateCall(&function, {choice.getArg(0), choice.getArg(1)})->setTailCall();
    builder.CreateRetVoid();
  };
  BasicBlock *fits = BasicBlock::Create(choice.getContext(), "fits", &choice),
             *plain = BasicBlock::Create(choice.getContext(), "plain", &choice);
  builder.CreateCondBr(fitsIndices(builder, *choice.getArg(0)), fits, plain);
  builder.SetInsertPoint(fits);
  const bool isWide = computes(block); // others wait for memory in any case
  const bool needsFourth = isWide || needsMasks(block) || computesWithShort(block);
  for (const Variant &variant : variants) {
    const bool isFourth = variant.level == 4;
    if (isFourth && !needsFourth)
      continue;
    ValueToValueMapTy map;
    Function *copy = CloneFunction(&block, map);
    copy->setName(choice.getName() + ".v" + Twine(variant.level));
    copy->addFnAttr("target-cpu", variant.processor);
    copy->addFnAttr(indicesFitMark);
    if (isFourth)
      copy->addFnAttr("target-features",
                      std::string(isWide ? "-" : "+") + "prefer-256-bit," + withoutGathers);
    BasicBlock *good = BasicBlock::Create(choice.getContext(), "variant", &choice),
               *next = BasicBlock::Create(choice.getContext(), "next", &choice);
    builder.CreateCondBr(builder.CreateICmpSGE(level, builder.getInt32(variant.level)), good, next);
    builder.SetInsertPoint(good);
    run(*copy);
    builder.SetInsertPoint(next);
  }
  builder.CreateBr(plain);
  plain->moveAfter(&choice.back()); // so that it comes last in the object, too
  builder.SetInsertPoint(plain);
  run(other);
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

Function *addVariants(Function &block) {
  Function *choice = makeChoice(block);
  block.setName(choice->getName() + ".v1");
  block.setLinkage(GlobalValue::InternalLinkage);
  // LLVM would put the one for all into the choice.
  block.addFnAttr(Attribute::NoInline);
  choose(block, block, *choice);
  return choice;
}

Function *variantsOrElse(Function &block, Function &other) {
  Function *choice = makeChoice(block);
  choose(block, other, *choice);
  block.eraseFromParent();
  return choice;
}

} // namespace cufc
