// Pointers nearly always point to different arrays, and LLVM must take for granted that they do
// not: each store could change all that has been loaded. Each array that comes as a descriptor
// gets a scope of LLVM's alias analysis, which holds for the accesses of the kernel itself; those
// of the functions that it calls have none and may be to anything.
#include "codegen/gpu/separate_arrays.h"
#include "codegen/gpu/kernel_accesses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"

namespace cufc {
namespace {

using namespace llvm;

class Separation {
public:
  Separation(Function &entry, const KernelFacts &facts, PackedKernel &packed)
      : packed(packed), builder(entry.getContext()) {
    for (auto [i, array] : enumerate(packed.arrays)) {
      array.mayAlias = array.elementBytes && facts.arguments[array.number].mayAlias;
      positions[array.number] = i;
    }
    for (auto [load, argument, offset] : descriptorLoads(entry, facts))
      if (offset == dataOffset && positions.contains(argument))
        roots[load] = positions[argument];
    MDNode *domain = builder.createAnonymousAliasScopeDomain(entry.getName());
    for (size_t i = 0; i < packed.arrays.size(); ++i)
      scopes.push_back(builder.createAnonymousAliasScope(domain, entry.getName()));
  }

  void run(Function &entry) {
    for (Instruction &instruction : instructions(entry))
      noteWrite(instruction);
    for (Instruction &instruction : instructions(entry))
      if (const Value *pointer = getLoadStorePointerOperand(&instruction))
        if (auto root = rootOf(pointer); root != roots.end())
          mark(instruction, root->second);
  }

private:
  using Roots = DenseMap<const Value *, size_t>;

  Roots::const_iterator rootOf(const Value *pointer) const {
    return roots.find(getUnderlyingObject(pointer, /*MaxLookup=*/0));
  }

  void noteWrite(const Instruction &instruction) {
    const Value *pointer = nullptr;
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      pointer = store->getPointerOperand();
    else if (auto *copy = dyn_cast<MemIntrinsic>(&instruction))
      pointer = copy->getRawDest();
    if (!pointer)
      return;
    if (auto root = rootOf(pointer); root != roots.end())
      packed.arrays[root->second].isWritten = true;
  }

  // Whether the runtime library looks at both, as runtime/cuda/packed_kernels.cpp does.
  bool areApart(size_t one, size_t other) const {
    const PackedArgument &a = packed.arrays[one], &b = packed.arrays[other];
    return one != other && a.elementBytes && b.elementBytes && (a.mayAlias || b.mayAlias) &&
           (a.isWritten || b.isWritten);
  }

  void mark(Instruction &access, size_t array) {
    SmallVector<Metadata *> others;
    for (size_t i = 0; i < scopes.size(); ++i)
      if (areApart(array, i))
        others.push_back(scopes[i]);
    if (access.hasMetadata(LLVMContext::MD_alias_scope) ||
        access.hasMetadata(LLVMContext::MD_noalias))
      return;
    LLVMContext &context = access.getContext();
    access.setMetadata(LLVMContext::MD_alias_scope, MDNode::get(context, {scopes[array]}));
    if (!others.empty())
      access.setMetadata(LLVMContext::MD_noalias, MDNode::get(context, others));
  }

  PackedKernel &packed;
  MDBuilder builder;
  DenseMap<unsigned, size_t> positions; // in packed.arrays, by the number of the argument
  Roots roots;                          // addresses of arrays, with their positions
  SmallVector<MDNode *> scopes;
};

} // namespace

void separateArrays(Function &entry, const KernelFacts &facts, PackedKernel &packed) {
  Separation(entry, facts, packed).run(entry);
}

} // namespace cufc
