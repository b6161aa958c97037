// Only the host gives allocatable device arrays of modules their memory. It does so between
// kernels; so the descriptor is a constant for a kernel, unless some device code writes it, and its
// address is in global memory, which LLVM cannot know of an address that was loaded.
//
// flang's alias tags have a name for each array that has no TARGET or POINTER attribute
// ("direct data/_QMmEa" of module data, "dummy arg data/_QMmFkEa"): where all writes of a kernel
// have such names, an array with another name is not written, and its loads may take the read-only
// cache.
#include "codegen/described_arrays.h"
#include "codegen/address_spaces.h"
#include "codegen/reduction_workspaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

// libdevice asks __nvvm_reflect how to round, which a pass of LLVM answers later.
bool isKnownOutside(const Function &function) {
  static const StringSet<> known = {"malloc", "free", "vprintf", "__assertfail", "__nvvm_reflect"};
  return function.isIntrinsic() || known.contains(function.getName());
}

// Device code of other files might write whatever it sees.
bool callsOtherFiles(const Module &module) {
  return any_of(module, [](const Function &function) {
    return function.isDeclaration() && !function.use_empty() && !isKnownOutside(function);
  });
}

// The loads from a variable; none if it is written or its address goes elsewhere.
bool collectLoads(Value &address, SmallVectorImpl<LoadInst *> &loads) {
  for (User *user : address.users()) {
    if (auto *load = dyn_cast<LoadInst>(user)) {
      if (load->isVolatile())
        return false;
      loads.push_back(load);
    } else if (auto *copy = dyn_cast<MemTransferInst>(user)) {
      if (copy->getRawDest() == &address)
        return false;
    } else if (!isa<GEPOperator, AddrSpaceCastOperator>(user) || !collectLoads(*user, loads)) {
      return false;
    }
  }
  return true;
}

bool isCalled(const Value &address) {
  return any_of(address.users(), [&](const User *user) {
    auto *call = dyn_cast<CallBase>(user);
    return call && call->getCalledOperand() == &address;
  });
}

void moveToGlobalSpace(LoadInst &load) {
  IRBuilder<> builder(load.getNextNode());
  auto *type = PointerType::get(load.getContext(), globalSpace);
  auto *global = cast<Instruction>(builder.CreateAddrSpaceCast(&load, type));
  Value *generic = builder.CreateAddrSpaceCast(global, load.getType());
  load.replaceUsesWithIf(generic, [&](Use &use) { return use.getUser() != global; });
}

// The name of the array that an access is to, with the root of its function's names, as
// "dummy arg data/_QMmFkEa"; nothing if other accesses may be to it.
struct ArrayName {
  StringRef name;
  const MDNode *root;
};

std::optional<ArrayName> arrayName(const Instruction &access) {
  const MDNode *tag = access.getMetadata(LLVMContext::MD_tbaa);
  auto *type = tag && tag->getNumOperands() >= 3 ? dyn_cast<MDNode>(tag->getOperand(1)) : nullptr;
  auto *text =
      type && type->getNumOperands() >= 2 ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  if (!text)
    return std::nullopt;
  StringRef name = text->getString();
  for (StringRef kind : {"dummy arg data/_Q", "direct data/_Q", "global data/_Q"})
    if (name.starts_with(kind)) {
      const MDNode *root = type;
      while (root->getNumOperands() >= 2)
        root = cast<MDNode>(root->getOperand(1));
      return ArrayName{name, root};
    }
  return std::nullopt;
}

class ReadOnlyArrays {
public:
  explicit ReadOnlyArrays(Function &kernel) : kernel(kernel) {}

  void mark() {
    for (Instruction &instruction : instructions(kernel))
      if (!readWrite(instruction))
        return;
    for (Instruction &instruction : instructions(kernel)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->isSimple() || load->hasMetadata(LLVMContext::MD_invariant_load))
        continue;
      if ((isNotWritten(arrayName(*load)) || isApartFromWrites(*load)) &&
          !isOwnMemory(load->getPointerOperand()))
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
    }
  }

private:
  static bool isOwnMemory(const Value *address) {
    const Value *object = getUnderlyingObject(address);
    auto *global = dyn_cast<GlobalVariable>(object);
    return isa<AllocaInst>(object) || (global && global->getAddressSpace() == sharedSpace);
  }

  // The workspace of a reduction over the grid, or the copy of its result that is named there.
  static bool isOfReduction(const Value *address) {
    const Value *object = getUnderlyingObject(address);
    if (auto *load = dyn_cast<LoadInst>(object))
      object = getUnderlyingObject(load->getPointerOperand());
    auto *argument = dyn_cast<Argument>(object);
    return argument && argument->getParent()->getAttributes().hasParamAttr(argument->getArgNo(),
                                                                           reductionWorkspace);
  }

  bool isNotWritten(const std::optional<ArrayName> &name) const {
    return haveNames && name && (!root || name->root == root) && !written.contains(name->name);
  }

  // By the scopes of separate_arrays.h.
  bool isApartFromWrites(const LoadInst &load) const {
    const MDNode *scopes = load.getMetadata(LLVMContext::MD_alias_scope);
    return scopes && apart && all_of(scopes->operands(), [&](const MDOperand &scope) {
             return is_contained(*apart, scope.get());
           });
  }

  // False if it may write an array of which nothing is known.
  bool readWrite(const Instruction &instruction) {
    if (!instruction.mayWriteToMemory())
      return true;
    if (auto *call = dyn_cast<CallInst>(&instruction))
      return isHarmless(*call);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      return isOfReduction(update->getPointerOperand());
    if (auto *load = dyn_cast<LoadInst>(&instruction)) // a volatile one
      return isOfReduction(load->getPointerOperand());
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!store || !store->isSimple())
      return false;
    if (isOwnMemory(store->getPointerOperand()) || isOfReduction(store->getPointerOperand()))
      return true;
    const bool hasName = noteName(arrayName(*store));
    const bool hasScopes = noteScopes(store->getMetadata(LLVMContext::MD_noalias));
    return hasName || hasScopes;
  }

  bool noteName(const std::optional<ArrayName> &name) {
    haveNames = haveNames && name && (!root || root == name->root);
    if (!haveNames)
      return false;
    root = name->root;
    written.insert(name->name);
    return true;
  }

  bool noteScopes(const MDNode *others) {
    auto isHere = [&](const Metadata *scope) {
      return others && is_contained(others->operands(), scope);
    };
    if (apart)
      erase_if(*apart, [&](const Metadata *scope) { return !isHere(scope); });
    else
      apart = others ? SmallVector<const Metadata *>(others->op_begin(), others->op_end())
                     : SmallVector<const Metadata *>{};
    return !apart->empty();
  }

  static bool isHarmless(const CallInst &call) {
    const Function *callee = call.getCalledFunction();
    if (callee && isReduction(*callee))
      return true;
    if (!callee || !callee->isIntrinsic())
      return false;
    if (auto *fill = dyn_cast<MemIntrinsic>(&call))
      return isOwnMemory(fill->getRawDest());
    StringRef name = callee->getName();
    return name.starts_with("llvm.lifetime") || name.starts_with("llvm.assume") ||
           name.starts_with("llvm.nvvm.bar") || name.starts_with("llvm.nvvm.membar") ||
           name.starts_with("llvm.nvvm.shfl") || name.starts_with("llvm.nvvm.vote") ||
           name.starts_with("llvm.experimental.noalias");
  }

  Function &kernel;
  const MDNode *root = nullptr;
  bool haveNames = true; // of all arrays that are written
  StringSet<> written;
  // The scopes of arrays that no write so far can be to; nothing before the first write.
  std::optional<SmallVector<const Metadata *>> apart;
};

// Calls `take` for each descriptor of module data that no device code writes, with the loads from
// it.
template <typename Take>
void forEachDescriptor(Module &module, const DeviceFacts &facts, Take take) {
  if (callsOtherFiles(module))
    return;
  for (const DeviceVariableFacts &variable : facts.variables) {
    GlobalVariable *global = module.getGlobalVariable(variable.name, true);
    SmallVector<LoadInst *> loads;
    if (global && isDescriptor(global->getValueType()) && collectLoads(*global, loads))
      take(variable, *global, loads);
  }
}

SmallVector<LoadInst *> descriptorLoads(Module &module, const DeviceFacts &facts) {
  SmallVector<LoadInst *> all;
  forEachDescriptor(module, facts, [&](auto &, auto &, auto &loads) { all.append(loads); });
  return all;
}

} // namespace

// flang's descriptors begin with the address, the bytes of an element and six small numbers.
bool isDescriptor(const Type *type) {
  auto *fields = dyn_cast<StructType>(type);
  return fields && fields->getNumElements() > 7 && fields->getElementType(0)->isPointerTy() &&
         fields->getElementType(1)->isIntegerTy(64) && fields->getElementType(2)->isIntegerTy(32) &&
         all_of(fields->elements().slice(3, 4), [](Type *field) { return field->isIntegerTy(8); });
}

std::vector<DescribedArray> hostWrittenDescriptors(Module &module, const DeviceFacts &facts) {
  std::vector<DescribedArray> found;
  forEachDescriptor(module, facts, [&](auto &variable, GlobalVariable &global, auto &) {
    if (variable.exported && variable.kind == DeviceVariableKind::Device &&
        variable.array.elementBytes && global.getAddressSpace() == genericSpace)
      found.push_back({&global, variable.array});
  });
  return found;
}

void readDescriptorsOnce(Module &module, const DeviceFacts &facts) {
  for (LoadInst *load : descriptorLoads(module, facts))
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module.getContext(), {}));
}

void placeDescribedArrays(Module &module, const DeviceFacts &facts) {
  for (LoadInst *load : descriptorLoads(module, facts))
    if (load->getType() == PointerType::get(module.getContext(), genericSpace) && !isCalled(*load))
      moveToGlobalSpace(*load);
}

void markReadOnlyArrays(Module &module) {
  if (callsOtherFiles(module))
    return;
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel && !function.isDeclaration())
      ReadOnlyArrays(function).mark();
}

} // namespace cufc
