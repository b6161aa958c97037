// See device_output.h.
//
//   call ptr @_FortranAioBeginExternalListOutput(6, file, line)
//
// becomes a call of cufc_begin_output with memory of the calling procedure, since device code has
// no units that would hold a statement. Statements of one procedure follow each other, so they
// share it.
#include "codegen/device_output.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr uint64_t outputStatementBytes = 256; // runtime/device/output.cpp: capacity

AllocaInst *statementMemory(Function &function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  AllocaInst *memory =
      builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), outputStatementBytes));
  memory->setAlignment(Align(8));
  return memory;
}

} // namespace

void placeOutputStatements(Module &module) {
  Function *begin = module.getFunction("_FortranAioBeginExternalListOutput");
  if (!begin)
    return;
  Type *pointer = PointerType::getUnqual(module.getContext());
  FunctionCallee entry = module.getOrInsertFunction("cufc_begin_output", pointer, pointer);
  DenseMap<Function *, AllocaInst *> memory;
  for (User *user : make_early_inc_range(begin->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call)
      continue;
    AllocaInst *&statement = memory[call->getFunction()];
    if (!statement)
      statement = statementMemory(*call->getFunction());
    IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateCall(entry, {statement}));
    call->eraseFromParent();
  }
  begin->eraseFromParent();
}

void useHostPrint(Module &module) {
  if (Function *print = module.getFunction("vprintf"))
    print->setName("cufrt_print");
}

} // namespace cufc
