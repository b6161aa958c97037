// A kernel finds arrays of modules by descriptors in global memory: each bound and stride is a load
// and a register. As arguments they lie in the constant bank, whose numbers an instruction takes as
// they are, and the runtime library can look at them before the launch. The host's descriptor is
// what the device's is a copy of (runtime/core/descriptor.cpp).
#include "codegen/gpu/passed_descriptors.h"
#include "codegen/address_spaces.h"
#include "cufrt/abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cufc {
namespace {

using namespace llvm;

// PTX before 8.1 has 4352 bytes for a kernel's parameters, and some are the driver's.
constexpr uint64_t mostBytes = 4000;

// The kernel and all functions that it calls by name, directly or not.
SmallPtrSet<const Function *, 8> reachedFrom(const Function &kernel) {
  SmallPtrSet<const Function *, 8> reached{&kernel};
  SmallVector<const Function *> open{&kernel};
  while (!open.empty())
    for (const Instruction &instruction : instructions(*open.pop_back_val()))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *callee = call->getCalledFunction();
            callee && reached.insert(callee).second)
          open.push_back(callee);
  return reached;
}

bool isUsedIn(const Value &value, const SmallPtrSetImpl<const Function *> &functions) {
  return any_of(value.users(), [&](const User *user) {
    if (auto *instruction = dyn_cast<Instruction>(user))
      return functions.contains(instruction->getFunction());
    return isa<Constant>(user) && isUsedIn(*user, functions);
  });
}

uint64_t bytesOf(const Argument &argument, const DataLayout &layout) {
  Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
  return alignTo(layout.getTypeAllocSize(type), 8);
}

void replaceIn(Function &function, GlobalVariable &variable, Value &value) {
  convertUsersOfConstantsToInstructions({&variable}, &function, /*RemoveDeadConstants=*/false);
  variable.replaceUsesWithIf(&value, [&](Use &use) {
    auto *user = dyn_cast<Instruction>(use.getUser());
    return user && user->getFunction() == &function;
  });
}

} // namespace

std::vector<DescribedArray> passedDescriptors(const std::vector<DescribedArray> &all,
                                              const Function &kernel) {
  const DataLayout &layout = kernel.getDataLayout();
  uint64_t bytes = 0;
  for (const Argument &argument : kernel.args())
    bytes += bytesOf(argument, layout);
  SmallPtrSet<const Function *, 8> functions = reachedFrom(kernel);
  std::vector<DescribedArray> passed;
  for (const DescribedArray &each : all) {
    if (!isUsedIn(*each.variable, functions))
      continue;
    bytes += alignTo(layout.getTypeAllocSize(each.variable->getValueType()), 8);
    if (kernel.arg_size() + passed.size() >= CUFRT_PACKED_ARGUMENTS || bytes > mostBytes)
      break;
    passed.push_back(each);
  }
  return passed;
}

Function *cloneWithDescriptors(Function &kernel, const std::vector<DescribedArray> &descriptors,
                               const std::string &name) {
  LLVMContext &context = kernel.getContext();
  const auto own = static_cast<unsigned>(kernel.arg_size());
  SmallVector<Type *> types(kernel.getFunctionType()->params());
  types.append(descriptors.size(), PointerType::get(context, genericSpace));
  Function *entry =
      Function::Create(FunctionType::get(kernel.getReturnType(), types, false), kernel.getLinkage(),
                       kernel.getAddressSpace(), name, kernel.getParent());
  ValueToValueMapTy map;
  for (Argument &argument : kernel.args())
    map[&argument] = entry->getArg(argument.getArgNo());
  SmallVector<ReturnInst *> returns;
  CloneFunctionInto(entry, &kernel, map, CloneFunctionChangeType::LocalChangesOnly, returns);
  for (auto [i, descriptor] : enumerate(descriptors)) {
    Argument *argument = entry->getArg(own + static_cast<unsigned>(i));
    argument->addAttr(Attribute::getWithByValType(context, descriptor.variable->getValueType()));
    argument->addAttr(Attribute::getWithAlignment(context, Align(8)));
    replaceIn(*entry, *descriptor.variable, *argument);
  }
  return entry;
}

void readPassedDescriptors(Function &entry, unsigned own,
                           const std::vector<std::string> &variables) {
  for (auto [i, name] : enumerate(variables))
    if (GlobalVariable *variable = entry.getParent()->getGlobalVariable(name, true))
      replaceIn(entry, *variable, *entry.getArg(own + static_cast<unsigned>(i)));
}

} // namespace cufc
