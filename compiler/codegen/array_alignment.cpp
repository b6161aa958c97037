// See array_alignment.h. Arrays on the heap have the alignment of malloc, which is 16 as well.
#include "codegen/array_alignment.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace llvm;

constexpr uint64_t leastBytes = 16;

bool isLongArray(Type *type, const DataLayout &layout) {
  return type->isArrayTy() && layout.getTypeAllocSize(type) >= leastBytes;
}

Align raised(Align alignment) { return std::max(alignment, Align(leastBytes)); }

// What has a section lies in it as its reader expects.
bool isArrayOfProgram(const GlobalVariable &variable, const DataLayout &layout) {
  return !variable.isDeclaration() && !variable.isConstant() && !variable.hasSection() &&
         isLongArray(variable.getValueType(), layout);
}

} // namespace

void alignArrays(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (GlobalVariable &variable : module.globals())
    if (isArrayOfProgram(variable, layout))
      variable.setAlignment(
          raised(layout.getValueOrABITypeAlignment(variable.getAlign(), variable.getValueType())));
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        if (local->isArrayAllocation() || isLongArray(local->getAllocatedType(), layout))
          local->setAlignment(raised(local->getAlign()));
}

} // namespace cufc
