// Fortran has no unsigned integers, so generators of random numbers, hashes and checksums compute
// with integer(8) what is less than 2**32:
//
//   x = iand(a*x + c, z'ffffffff');  u = x*2.0**(-32)
//
// A GPU takes four instructions for such a product, and converts an integer of 64 bits at a quarter
// of the speed. Where the upper halves are known to be zero, the product of the lower ones is one
// instruction. Sums and what is done bit by bit is left to ptxas, which computes no half that is
// not needed.
#include "codegen/gpu/narrow_words.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

class Words {
public:
  explicit Words(Function &function) : layout(function.getDataLayout()) {
    for (Instruction &instruction : instructions(function))
      if (isa<UIToFPInst, SIToFPInst>(instruction) || instruction.getOpcode() == Instruction::Mul)
        operations.push_back(&instruction);
  }

  void run() {
    for (Instruction *operation : operations)
      if (isa<UIToFPInst, SIToFPInst>(operation))
        convert(*operation);
      else
        multiply(*operation);
  }

private:
  // Whether it is computed in 64 bits and its upper half is zero.
  bool isShort(const Value *value) const {
    return value->getType()->isIntegerTy(64) &&
           computeKnownBits(value, layout).countMinLeadingZeros() >= 32;
  }

  static bool isExtended(const Value *value) {
    return isa<ConstantInt>(value) || isa<ZExtInst>(value) || isa<SExtInst>(value);
  }

  static Value *lower(Value *value, IRBuilder<> &builder) {
    Value *narrow = nullptr;
    if (match(value, m_ZExt(m_Value(narrow))) && narrow->getType()->isIntegerTy(32))
      return narrow;
    return builder.CreateTrunc(value, builder.getInt32Ty());
  }

  static void substitute(Instruction &old, Value *value) {
    old.replaceAllUsesWith(value);
    RecursivelyDeleteTriviallyDeadInstructions(&old);
  }

  void convert(Instruction &conversion) {
    if (!isShort(conversion.getOperand(0)))
      return;
    IRBuilder<> builder(&conversion);
    substitute(conversion, builder.CreateUIToFP(lower(conversion.getOperand(0), builder),
                                                conversion.getType()));
  }

  // By its name: LLVM drops an extension that changes nothing, and makes a product of 64 bits
  // again.
  void multiply(Instruction &product) {
    Value *a = product.getOperand(0), *b = product.getOperand(1);
    if (!isShort(a) || !isShort(b) || (isExtended(a) && isExtended(b)))
      return;
    IRBuilder<> builder(&product);
    Type *narrow = builder.getInt32Ty();
    InlineAsm *code =
        InlineAsm::get(FunctionType::get(product.getType(), {narrow, narrow}, false),
                       "mul.wide.u32 $0, $1, $2;", "=l,r,r", /*hasSideEffects=*/false);
    CallInst *wide = builder.CreateCall(code, {lower(a, builder), lower(b, builder)});
    wide->setDoesNotAccessMemory();
    wide->setDoesNotThrow();
    substitute(product, wide);
  }

  const DataLayout &layout;
  SmallVector<Instruction *> operations;
};

} // namespace

void narrowWords(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      Words(function).run();
}

} // namespace cufc
