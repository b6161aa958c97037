// flang 22 writes them for aarch64 as for x86-64, so that they would lie on the stack, where no C
// compiler puts or looks for them:
//
//   call void @f(ptr byval(%t) %value)
//
//   %copy = alloca %t
//   call void @llvm.memcpy(ptr %copy, ptr %value, i64 40, i1 false)
//   call void @f(ptr %copy)
//
// "If the argument type is a Composite Type that is larger than 16 bytes, then the argument is
// copied to memory allocated by the caller and the argument is replaced by a pointer to the copy"
// (AAPCS64, 6.8.2, rule B.4).
#include "codegen/large_values.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

// The attributes that say how, and where on the stack.
void forgetStack(CallBase &call, unsigned argument) {
  for (Attribute::AttrKind kind : {Attribute::ByVal, Attribute::Alignment})
    call.removeParamAttr(argument, kind);
}

void passCopies(CallBase &call) {
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    Type *type = call.getParamByValType(i);
    if (!type)
      continue;
    const DataLayout &layout = call.getModule()->getDataLayout();
    const Align alignment =
        std::max(layout.getABITypeAlign(type), call.getParamAlign(i).valueOrOne());
    BasicBlock &entry = call.getFunction()->getEntryBlock();
    IRBuilder<> start(&entry, entry.begin());
    AllocaInst *copy = start.CreateAlloca(type);
    copy->setAlignment(alignment);
    IRBuilder<> here(&call);
    here.CreateMemCpy(copy, alignment, call.getArgOperand(i), alignment,
                      layout.getTypeAllocSize(type).getFixedValue());
    call.setArgOperand(i, copy);
    forgetStack(call, i);
  }
}

} // namespace

void passLargeValues(Module &module) {
  if (!module.getTargetTriple().isAArch64())
    return;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        passCopies(*call);
  // Calls have looked at what is called for what they lack themselves.
  for (Function &function : module)
    for (unsigned i = 0; i < function.arg_size(); ++i)
      if (function.hasParamAttribute(i, Attribute::ByVal))
        function.removeParamAttr(i, Attribute::ByVal);
}

} // namespace cufc
