// Layouts and the order of calls: cufrt_linked_image in cufrt/abi.h.
#include "codegen/linked_images.h"
#include "codegen/registration.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cufc {
namespace {

using namespace llvm;

// void __cudaRegisterLinkedBinary<id>(callback, fat binary, id, sink), as nvcc's objects call it.
void defineJoin(Module &module, const std::string &id, GlobalVariable *record, bool isPart) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0), *voidType = Type::getVoidTy(context);
  auto *type = FunctionType::get(voidType, {pointer, pointer, pointer, pointer}, false);
  Function *function =
      Function::Create(type, GlobalValue::ExternalLinkage, linkFunction(id), module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  Value *part = function->getArg(1);
  if (!isPart)
    part = Constant::getNullValue(pointer);
  builder.CreateCall(
      module.getOrInsertFunction("cufrt_join_image", voidType, pointer, pointer, pointer),
      {record, function->getArg(0), part});
  builder.CreateRetVoid();
}

} // namespace

void addLinkedImage(Module &module, const LinkedImage &image) {
  LLVMContext &context = module.getContext();
  PointerType *pointer = PointerType::get(context, 0);
  Type *voidType = Type::getVoidTy(context);
  GlobalVariable *binary =
      addFatBinary(module, image.fatBinary, ".nv_fatbin", "cufc.fatbin_wrapper");
  Constant *fields = ConstantStruct::getAnon(
      {binary, ConstantPointerNull::get(pointer), packedTable(module, image.packed),
       ConstantInt::get(Type::getInt64Ty(context), image.packed.size())});
  auto *record = new GlobalVariable(module, fields->getType(), false, GlobalValue::InternalLinkage,
                                    fields, "cufc.image");
  for (const std::string &id : image.ids)
    defineJoin(module, id, record, image.hasParts);
  Function *constructor =
      Function::Create(FunctionType::get(voidType, {}, false), GlobalValue::InternalLinkage,
                       "cufc.register_image", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", constructor));
  builder.CreateCall(module.getOrInsertFunction("cufrt_register_image", voidType, pointer),
                     {record});
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, 65535);
}

} // namespace cufc
