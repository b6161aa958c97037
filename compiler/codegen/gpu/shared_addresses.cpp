// LLVM's pass of the same purpose takes i + j + constant apart completely, extend(i) + extend(j),
// and 64-bit additions take two instructions each. Here i + j stays one number of 32 bits.
//
// The sum without the constant must fit 32 bits too. It does for arrays of at most 2**31 - 1025
// elements and constants of at most 1024; lower/narrow_indices.cpp, which makes such sums, promises
// no more.
#include "codegen/gpu/shared_addresses.h"
#include "codegen/address_spaces.h"
#include "codegen/pass_runner.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InferAlignment.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostDepth = 6;

// The sum of the constants in a sum that does not overflow.
int64_t constantOf(Value *value, unsigned depth = 0) {
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return depth == 0 ? 0 : constant->getSExtValue();
  auto *sum = dyn_cast<BinaryOperator>(value);
  if (!sum || depth > mostDepth || sum->getOpcode() != Instruction::Add || !sum->hasNoSignedWrap())
    return 0;
  return constantOf(sum->getOperand(0), depth + 1) + constantOf(sum->getOperand(1), depth + 1);
}

// The sum without them; null for zero.
Value *withoutConstants(Value *value, IRBuilder<> &builder, unsigned depth = 0) {
  if (isa<ConstantInt>(value))
    return nullptr;
  auto *sum = dyn_cast<BinaryOperator>(value);
  if (!sum || depth > mostDepth || sum->getOpcode() != Instruction::Add ||
      !sum->hasNoSignedWrap() || constantOf(sum) == 0)
    return value;
  Value *left = withoutConstants(sum->getOperand(0), builder, depth + 1),
        *right = withoutConstants(sum->getOperand(1), builder, depth + 1);
  return !left ? right : !right ? left : builder.CreateAdd(left, right);
}

// The constant in a number of 32 bits that is extended with its sign; 0 if it shall stay there.
int64_t constantToSplit(const CastInst &extended) {
  if (!extended.getSrcTy()->isIntegerTy(32) || !extended.getType()->isIntegerTy(64) ||
      !(isa<SExtInst>(extended) || (isa<ZExtInst>(extended) && extended.hasNonNeg())))
    return 0;
  int64_t constant = constantOf(extended.getOperand(0));
  return std::abs(constant) > mostDistance ? 0 : constant;
}

// extend(j + constant), of which multiples are taken, as extend(j) + constant: the multiples of
// neighbours are sums then (LLVM's straight-line strength reduction).
void splitFactor(CastInst &extended) {
  int64_t constant = constantToSplit(extended);
  if (constant == 0 || !any_of(extended.users(), [](const User *user) {
        auto *operation = dyn_cast<BinaryOperator>(user);
        return operation && operation->getOpcode() != Instruction::Sub;
      }))
    return;
  IRBuilder<> builder(&extended);
  Value *rest = withoutConstants(extended.getOperand(0), builder);
  if (!rest)
    return;
  Value *sum = builder.CreateNSWAdd(builder.CreateSExt(rest, extended.getType()),
                                    builder.getInt64(constant));
  extended.replaceUsesWithIf(sum, [](Use &use) { return isa<BinaryOperator>(use.getUser()); });
}

void splitOffset(GetElementPtrInst *element) {
  auto *extended = dyn_cast<CastInst>(element->getOperand(element->getNumOperands() - 1));
  int64_t constant = element->getNumIndices() == 1 && extended ? constantToSplit(*extended) : 0;
  if (constant == 0)
    return;
  IRBuilder<> builder(element);
  Value *rest = withoutConstants(extended->getOperand(0), builder);
  if (!rest)
    return;
  Type *type = element->getSourceElementType();
  Value *index = builder.CreateSExt(rest, extended->getType());
  Value *base = builder.CreateGEP(type, element->getPointerOperand(), index);
  element->replaceAllUsesWith(builder.CreateGEP(type, base, builder.getInt64(constant)));
  RecursivelyDeleteTriviallyDeadInstructions(element);
}

// Products with a stride of 32 bits (codegen/gpu/packed_kernels.cpp). Of (extend(i) +
// constant)*stride the product with the constant is the same in all threads.
void narrowProduct(BinaryOperator &product) {
  using namespace PatternMatch;
  for (unsigned side : {0, 1}) {
    Value *stride = narrowNumber(product.getOperand(side)), *number = product.getOperand(1 - side);
    if (!stride || !isa<LoadInst>(stride))
      continue;
    APInt distance(64, 0);
    Value *sum;
    const APInt *constant;
    while (match(number, m_Add(m_Value(sum), m_APInt(constant)))) {
      distance += *constant;
      number = sum;
    }
    Value *subscript = narrowNumber(number);
    if (!subscript)
      continue;
    IRBuilder<> builder(&product);
    Value *result = wideProduct(builder, subscript, stride);
    if (!distance.isZero())
      result = builder.CreateAdd(
          result, builder.CreateMul(product.getOperand(side), builder.getInt(distance)));
    product.replaceAllUsesWith(result);
    RecursivelyDeleteTriviallyDeadInstructions(&product);
    return;
  }
}

struct NarrowProducts : PassInfoMixin<NarrowProducts> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    SmallVector<BinaryOperator *> products;
    for (Instruction &instruction : instructions(function))
      if (instruction.getOpcode() == Instruction::Mul)
        products.push_back(cast<BinaryOperator>(&instruction));
    for (BinaryOperator *product : products)
      narrowProduct(*product);
    PreservedAnalyses kept;
    kept.preserveSet<CFGAnalyses>();
    return kept;
  }
};

// Where a constant of the generic space and an address of the global one are alternatives, LLVM 22
// knows that both are global and has no name for the constant there (InferAddressSpaces).
void placeConstants(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if (variable.isConstant() && variable.hasLocalLinkage() && variable.hasInitializer() &&
        variable.getAddressSpace() == genericSpace)
      moveToAddressSpace(variable, globalSpace);
}

} // namespace

Value *narrowNumber(Value *value) {
  auto *extended = dyn_cast<CastInst>(value);
  bool keepsSign =
      extended && (isa<SExtInst>(extended) || (isa<ZExtInst>(extended) && extended->hasNonNeg()));
  return keepsSign && extended->getSrcTy()->isIntegerTy(32) ? extended->getOperand(0) : nullptr;
}

Value *wideProduct(IRBuilderBase &builder, Value *left, Value *right) {
  Type *narrowType = builder.getInt32Ty(), *wideType = builder.getInt64Ty();
  FunctionType *type = FunctionType::get(wideType, {narrowType, narrowType}, false);
  CallInst *product = builder.CreateCall(
      InlineAsm::get(type, "mul.wide.s32 $0, $1, $2;", "=l,r,r", /*hasSideEffects=*/false),
      {left, right});
  product->setDoesNotAccessMemory();
  product->setDoesNotThrow();
  return product;
}

void shareAddresses(Module &module, TargetMachine &target) {
  placeConstants(module);
  for (Function &function : module) {
    SmallVector<GetElementPtrInst *> elements;
    SmallVector<CastInst *> factors;
    for (Instruction &instruction : instructions(function))
      if (auto *element = dyn_cast<GetElementPtrInst>(&instruction))
        elements.push_back(element);
      else if (auto *factor = dyn_cast<CastInst>(&instruction))
        factors.push_back(factor);
    for (CastInst *factor : factors)
      splitFactor(*factor);
    for (GetElementPtrInst *element : elements)
      splitOffset(element);
  }
  runPasses(module, &target, {}, [](PassBuilder &) {
    ModulePassManager passes;
    passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
    // Alignment, without which neighbours are not loaded at once, is not seen through casts between
    // address spaces.
    passes.addPass(createModuleToFunctionPassAdaptor(InferAddressSpacesPass()));
    passes.addPass(createModuleToFunctionPassAdaptor(InferAlignmentPass()));
    passes.addPass(createModuleToFunctionPassAdaptor(NarrowProducts()));
    passes.addPass(createModuleToFunctionPassAdaptor(EarlyCSEPass()));
    return passes;
  });
}

} // namespace cufc
