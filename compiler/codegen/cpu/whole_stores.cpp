// LLVM 22 makes a masked store of
//
//   l = load p;  store (select c, x, l), p
//
// (DAGCombiner.cpp, foldToMaskedStore). In AVX and AVX2 that is vmaskmovps or vpmaskmovd, microcode
// on processors of AMD, and a load behind it waits for the cache. With AVX-512 it is an
// instruction like others, but l is loaded all the same where something else asks for it, as the
// comparison of a maximum does, which then is no vmaxps. A frozen l is none that LLVM recognises.
#include "codegen/cpu/whole_stores.h"
#include "base/workarounds.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Target/TargetMachine.h"

namespace cufc {
namespace {

using namespace llvm;

// The part that stays as it is in memory, or null.
LoadInst *keptPart(StoreInst &store) {
  auto *select = dyn_cast<SelectInst>(store.getValueOperand());
  if (!select || !isa<FixedVectorType>(select->getType()) || !store.isSimple())
    return nullptr;
  for (Value *part : {select->getTrueValue(), select->getFalseValue()})
    if (auto *load = dyn_cast<LoadInst>(part))
      if (load->isSimple() && load->getPointerOperand() == store.getPointerOperand())
        return load;
  return nullptr;
}

void freeze(LoadInst &load) {
  IRBuilder<> builder(load.getNextNode());
  auto *frozen = cast<FreezeInst>(builder.CreateFreeze(&load));
  load.replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
}

} // namespace

void keepStoresWhole(Module &module, TargetMachine &target) {
  if (!target.getTargetTriple().isX86() || !isMade(Workaround::WholeStores))
    return;
  for (Function &function : module) {
    const bool hasMasks =
        !function.isDeclaration() && target.getSubtargetImpl(function)->checkFeatures("+avx512vl");
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *store = dyn_cast<StoreInst>(&instruction))
        if (LoadInst *load = keptPart(*store); load && !(hasMasks && load->hasOneUse()))
          freeze(*load);
  }
}

} // namespace cufc
