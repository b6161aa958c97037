// ALLOCATE and temporaries of host code are calls of malloc, with LLVM 23 of aligned_alloc:
//
//   %a = call ptr @malloc(i64 %bytes)   becomes   %a = call ptr @cufrt_allocate(i64 %bytes)
//   %a = call ptr @aligned_alloc(i64 64, i64 %bytes)   @cufrt_allocate_aligned(i64 64, i64 %bytes)
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

// The size is the last argument; before it may be the alignment.
FunctionCallee allocation(Module &module, FunctionType *type) {
  bool isAligned = type->getNumParams() == 2;
  FunctionCallee callee =
      module.getOrInsertFunction(isAligned ? "cufrt_allocate_aligned" : "cufrt_allocate", type);
  auto *function = cast<Function>(callee.getCallee());
  LLVMContext &context = module.getContext();
  AllocFnKind kind = AllocFnKind::Alloc | AllocFnKind::Uninitialized;
  if (isAligned) {
    kind |= AllocFnKind::Aligned;
    function->addParamAttr(0, Attribute::AllocAlign);
  }
  function->addRetAttr(Attribute::NoAlias);
  function->addFnAttr(
      Attribute::getWithAllocSizeArgs(context, type->getNumParams() - 1, std::nullopt));
  function->addFnAttr(Attribute::get(context, Attribute::AllocKind, static_cast<uint64_t>(kind)));
  function->addFnAttr("alloc-family", "malloc");
  function->addFnAttr(Attribute::NoUnwind);
  function->addFnAttr(Attribute::WillReturn);
  function->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return callee;
}

void askForLargePages(Module &module, StringRef name, unsigned arguments) {
  Function *allocate = module.getFunction(name);
  if (!allocate || !allocate->isDeclaration())
    return;
  FunctionType *type = allocate->getFunctionType();
  if (type->getNumParams() != arguments ||
      !all_of(type->params(), [](Type *each) { return each->isIntegerTy(64); }))
    return;
  for (User *user : make_early_inc_range(allocate->users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledOperand() != allocate || call->getFunctionType() != type)
      continue;
    auto *size = dyn_cast<ConstantInt>(call->getArgOperand(arguments - 1));
    if (!size || size->getZExtValue() >= largeFrom)
      call->setCalledFunction(allocation(module, type));
  }
}

} // namespace

void askForLargePages(Module &module) {
  askForLargePages(module, "malloc", 1);
  askForLargePages(module, "aligned_alloc", 2);
}

} // namespace cufc
