// A shared variable is at some distance from the start of the block's memory, which LLVM could take
// for part of an array. Each gets a scope (LLVM language reference, "noalias and alias.scope
// metadata"), which accesses to other variables, to arguments and to what these point to are not
// in: those in descriptors, and others that the kernel loads while it stores no address of shared
// memory. Accesses through pointers that come from elsewhere may be to anything.
#include "codegen/cpu/shared_scopes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Operator.h"

namespace cufc {
namespace {

using namespace llvm;

class Scopes {
public:
  Scopes(Function &thread, ArrayRef<DenseSet<const Value *>> places,
         const DenseSet<const Value *> &outside)
      : thread(thread), places(places), outside(outside) {
    MDBuilder builder(thread.getContext());
    MDNode *domain = builder.createAnonymousAliasScopeDomain("shared memory");
    for (size_t i = 0; i < places.size(); ++i)
      scopes.push_back(builder.createAnonymousAliasScope(domain));
    DenseSet<const Value *> seen;
    for (const DenseSet<const Value *> &group : places)
      for (const Value *place : group)
        escapes |= mayBeKept(place, seen);
  }

  void run() {
    for (Instruction &instruction : instructions(thread)) {
      const Value *address = getLoadStorePointerOperand(&instruction);
      if (!address)
        continue;
      const Value *root = rootOf(address);
      if (const size_t variable = variableAt(root); variable < places.size()) {
        SmallVector<Metadata *> others = scopes;
        others.erase(others.begin() + variable);
        add(instruction, LLVMContext::MD_alias_scope, {scopes[variable]});
        add(instruction, LLVMContext::MD_noalias, others);
      } else if (isOutside(root)) {
        add(instruction, LLVMContext::MD_noalias, scopes);
      }
    }
  }

private:
  const Value *rootOf(const Value *address) const {
    while (variableAt(address) == places.size()) {
      if (auto *element = dyn_cast<GEPOperator>(address))
        address = element->getPointerOperand();
      else if (auto *cast = dyn_cast<AddrSpaceCastOperator>(address))
        address = cast->getPointerOperand();
      else
        break;
    }
    return address;
  }

  size_t variableAt(const Value *address) const {
    size_t i = 0;
    while (i < places.size() && !places[i].contains(address))
      ++i;
    return i;
  }

  bool isOutside(const Value *root) const {
    if (auto *load = dyn_cast<LoadInst>(root); load && !outside.contains(root) && !escapes)
      root = rootOf(load->getPointerOperand());
    return outside.contains(root) || isa<GlobalVariable>(root);
  }

  // Whether memory may have the address, or another function.
  static bool mayBeKept(const Value *address, DenseSet<const Value *> &seen) {
    return seen.insert(address).second && any_of(address->uses(), [&](const Use &use) {
             const User *user = use.getUser();
             if (isa<GEPOperator, AddrSpaceCastOperator, PHINode, SelectInst>(user))
               return mayBeKept(user, seen);
             const bool isAddress =
                 isa<ICmpInst>(user) ||
                 (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(user) &&
                  use.getOperandNo() ==
                      (isa<StoreInst>(user) ? StoreInst::getPointerOperandIndex() : 0));
             return !isAddress;
           });
  }

  void add(Instruction &access, unsigned kind, ArrayRef<Metadata *> list) {
    if (!list.empty())
      access.setMetadata(kind, MDNode::concatenate(access.getMetadata(kind),
                                                   MDNode::get(thread.getContext(), list)));
  }

  Function &thread;
  ArrayRef<DenseSet<const Value *>> places;
  const DenseSet<const Value *> &outside;
  SmallVector<Metadata *> scopes;
  bool escapes = false;
};

} // namespace

void separateSharedMemory(Function &thread, ArrayRef<DenseSet<const Value *>> places,
                          const DenseSet<const Value *> &outside) {
  if (!places.empty())
    Scopes(thread, places, outside).run();
}

} // namespace cufc
