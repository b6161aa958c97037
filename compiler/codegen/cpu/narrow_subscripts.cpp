// x(mod(i, 64) + 64*c): scalar evolution sees a counter of 6 bits and one of 32. Before the vector
// loop it checks that they do not wrap, but takes the check of the wide one for a check of the
// narrow one as well (LLVM 22, SCEVWrapPredicate::implies), and the elements behind the wrap are
// wrong.
#include "codegen/cpu/narrow_subscripts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned usualBits = 32;

// Scalar evolution takes the rest of a division by a power of two for a number of so many bits.
bool isNarrow(Instruction &instruction) {
  if (isa<TruncInst>(instruction))
    return instruction.getType()->getScalarSizeInBits() < usualBits;
  return match(&instruction, m_SRem(m_Value(), m_Power2())) ||
         match(&instruction, m_URem(m_Value(), m_Power2())) ||
         match(&instruction, m_And(m_Value(), m_LowBitMask()));
}

bool leadsToAddress(Instruction &narrow, const Loop &loop) {
  SetVector<Instruction *> values;
  values.insert(&narrow);
  for (size_t i = 0; i < values.size(); ++i)
    for (User *user : values[i]->users()) {
      auto *next = dyn_cast<Instruction>(user);
      if (!next || !loop.contains(next))
        continue;
      if (isa<GetElementPtrInst>(next))
        return true;
      if (isa<BinaryOperator, CastInst, PHINode, SelectInst>(next))
        values.insert(next);
    }
  return false;
}

bool hasNarrowSubscript(const Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (isNarrow(instruction) && !loop.isLoopInvariant(instruction.getOperand(0)) &&
          leadsToAddress(instruction, loop))
        return true;
  return false;
}

} // namespace

void leaveNarrowSubscripts(const LoopInfo &loops) {
  for (Loop *loop : loops.getLoopsInPreorder())
    if (hasNarrowSubscript(*loop))
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
}

} // namespace cufc
