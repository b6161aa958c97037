// An allocatable or pointer variable of a module that gfortran compiled has gfortran's descriptor.
// flang's code gets a descriptor of its own for it, which is made anew before each instruction that
// uses it, and carried back after those that may change it:
//
//   call void @cufrt_read_gfortran_variable(ptr @_QMmEx, ptr @__m_MOD_x, ptr @facts)
//   call void @_FortranAAllocatableAllocate(ptr @_QMmEx, ...)
//   call void @cufrt_write_gfortran_variable(ptr @_QMmEx, ptr @__m_MOD_x, ptr @facts)
//
// What the library changes in between is seen so. It runs on the code as flang made it, in which
// the address of such a variable is in no memory.
#include "codegen/foreign_facts.h"
#include "cufrt/foreign.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

class DescribedVariable {
public:
  DescribedVariable(Module &module, GlobalVariable &ours, const foreign::DescribedVariable &facts)
      : module(module), ours(ours) {
    theirs = module.getOrInsertGlobal(facts.target, Type::getInt8Ty(module.getContext()));
    description = foreignFacts(module, facts.facts, facts.facts.name, false);
  }

  void adapt() {
    ours.setInitializer(Constant::getNullValue(ours.getValueType()));
    ours.setLinkage(GlobalValue::InternalLinkage);
    ours.setConstant(false);
    collect(ours);
    for (Instruction *use : readers) {
      IRBuilder<> builder(use);
      call(builder, "cufrt_read_gfortran_variable");
    }
    for (Instruction *use : writers) {
      IRBuilder<> builder(use->getNextNode());
      call(builder, "cufrt_write_gfortran_variable");
    }
  }

private:
  // Instructions that use the memory, not those that compute an address in it.
  void collect(Value &address) {
    for (User *user : address.users()) {
      auto *instruction = dyn_cast<Instruction>(user);
      if (!instruction || isa<GetElementPtrInst, CastInst, SelectInst, PHINode>(user)) {
        if (seen.insert(user).second)
          collect(*user);
      } else if (!isa<LifetimeIntrinsic, DbgInfoIntrinsic>(user)) {
        readers.insert(instruction);
        if (!instruction->isTerminator() && mayChange(*instruction, address))
          writers.insert(instruction);
      }
    }
  }

  static bool mayChange(const Instruction &instruction, const Value &address) {
    if (isa<LoadInst, CmpInst>(instruction))
      return false;
    if (const auto *copy = dyn_cast<MemTransferInst>(&instruction))
      return copy->getRawDest() == &address;
    return true;
  }

  void call(IRBuilder<> &builder, const char *function) {
    Type *pointer = builder.getPtrTy();
    FunctionType *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer, pointer}, false);
    builder.CreateCall(module.getOrInsertFunction(function, type), {&ours, theirs, description});
  }

  Module &module;
  GlobalVariable &ours;
  Constant *theirs, *description;
  SmallPtrSet<User *, 8> seen;
  SetVector<Instruction *> readers, writers;
};

} // namespace

void adaptForeignVariables(Module &module, const foreign::Calls &calls) {
  for (const auto &[ours, facts] : calls.described)
    if (GlobalVariable *variable = module.getNamedGlobal(ours);
        variable && variable->isDeclaration())
      DescribedVariable(module, *variable, facts).adapt();
}

} // namespace cufc
