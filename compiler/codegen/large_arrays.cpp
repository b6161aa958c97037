// ALLOCATE and temporaries of host code are calls of malloc:
//
//   %a = call ptr @malloc(i64 %bytes)   becomes   %a = call ptr @cufrt_allocate(i64 %bytes)
//
// with the attributes by which LLVM knows malloc (language reference, "allockind"). A constant
// size that is small stays.
#include "codegen/large_arrays.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr uint64_t largeFrom = 4u << 20;

FunctionCallee allocation(Module &module, FunctionType *type) {
  FunctionCallee callee = module.getOrInsertFunction("cufrt_allocate", type);
  auto *function = cast<Function>(callee.getCallee());
  LLVMContext &context = module.getContext();
  function->addRetAttr(Attribute::NoAlias);
  function->addFnAttr(Attribute::getWithAllocSizeArgs(context, 0, std::nullopt));
  function->addFnAttr(
      Attribute::get(context, Attribute::AllocKind,
                     static_cast<uint64_t>(AllocFnKind::Alloc | AllocFnKind::Uninitialized)));
  function->addFnAttr("alloc-family", "malloc");
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::WillReturn);
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return callee;
}

} // namespace

void askForLargePages(Module &module) {
  Function *malloc = module.getFunction("malloc");
  if (!malloc || !malloc->isDeclaration())
    return;
  FunctionType *type = malloc->getFunctionType();
  if (type->getNumParams() != 1 || !type->getParamType(0)->isIntegerTy(64))
    return;
  for (User *user : make_early_inc_range(malloc->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != malloc || call->getFunctionType() != type)
      continue;
    auto *size = dyn_cast<ConstantInt>(call->getArgOperand(0));
    if (!size || size->getZExtValue() >= largeFrom)
      call->setCalledFunction(allocation(module, type));
  }
}

} // namespace cufc
