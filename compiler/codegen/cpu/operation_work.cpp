// Roughly, as vectors have them.
#include "codegen/cpu/operation_work.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cufc {

using namespace llvm;

unsigned workOf(const Instruction &instruction) {
  constexpr unsigned workOfDivision = 6, workOfFunction = 16;
  if (!instruction.getType()->isFPOrFPVectorTy())
    return 1;
  if (instruction.getOpcode() == Instruction::FDiv || instruction.getOpcode() == Instruction::FRem)
    return workOfDivision;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::sqrt:
    return workOfDivision;
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
  case Intrinsic::powi:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::asin:
  case Intrinsic::acos:
  case Intrinsic::atan:
  case Intrinsic::atan2:
  case Intrinsic::sinh:
  case Intrinsic::cosh:
  case Intrinsic::tanh:
    return workOfFunction;
  default:
    return 1;
  }
}

} // namespace cufc
