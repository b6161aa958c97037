// Bodies for what device code calls: procedures of runtime/device/ are linked, the others made
// here. MOD and MODULO by Fortran 2018, 16.9.135 and 16.9.136: MOD truncates, MODULO takes the sign
// of P. The entry points take the operands, then a file name and a line that only the host uses.
#include "codegen/device_runtime.h"
#include "codegen/complex_math.h"
#include "codegen/device_intrinsics.h"
#include "codegen/device_output.h"
#include "codegen/device_reductions.h"
#include "codegen/group_operations.h"
#include "codegen/number_model.h"
#include "codegen/warp_intrinsics.h"
#include "lower/device_library.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/ErrorHandling.h"

namespace cufc {
namespace {

using namespace llvm;

// remainder + p if the remainder is not zero and its sign differs from p's.
Value *floorRemainder(IRBuilder<> &builder, Value *remainder, Value *p) {
  Type *type = remainder->getType();
  Value *zero = Constant::getNullValue(type);
  if (type->isFloatingPointTy()) {
    Value *differs =
        builder.CreateXor(builder.CreateFCmpOLT(remainder, zero), builder.CreateFCmpOLT(p, zero));
    Value *adjust = builder.CreateAnd(builder.CreateFCmpONE(remainder, zero), differs);
    return builder.CreateSelect(adjust, builder.CreateFAdd(remainder, p), remainder);
  }
  Value *differs = builder.CreateICmpSLT(builder.CreateXor(remainder, p), zero);
  Value *adjust = builder.CreateAnd(builder.CreateICmpNE(remainder, zero), differs);
  return builder.CreateSelect(adjust, builder.CreateAdd(remainder, p), remainder);
}

void define(Function &function, bool modulo) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  Value *a = function.getArg(0), *p = function.getArg(1);
  Value *remainder =
      a->getType()->isFloatingPointTy() ? builder.CreateFRem(a, p) : builder.CreateSRem(a, p);
  builder.CreateRet(modulo ? floorRemainder(builder, remainder, p) : remainder);
  function.setLinkage(GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::AlwaysInline);
}

// The descriptor of a Cray pointee gets its pointer's address, with which a descriptor begins; its
// bounds were set on entry.
void definePointerAssociation(Function &function) {
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "entry", &function));
  builder.CreateStore(function.getArg(1), function.getArg(0));
  builder.CreateRetVoid();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::AlwaysInline);
}

// No GPU subtracts reals in memory: LLVM would make a loop of it that tries until no other thread
// comes between.
void addNegatives(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *update = dyn_cast<AtomicRMWInst>(&instruction);
          update && update->getOperation() == AtomicRMWInst::FSub) {
        IRBuilder<> builder(update);
        update->setOperation(AtomicRMWInst::FAdd);
        update->getOperandUse(1).set(builder.CreateFNeg(update->getValOperand()));
      }
}

// What a module of the library says of its own target and compilation is dropped: the device module
// decides, and is compiled for the host, too.
void linkPart(Module &module, MemoryBufferRef bitcode) {
  Expected<std::unique_ptr<Module>> part = getLazyBitcodeModule(bitcode, module.getContext());
  if (!part)
    report_fatal_error(part.takeError());
  (*part)->setTargetTriple(module.getTargetTriple());
  (*part)->setDataLayout(module.getDataLayout());
  for (NamedMDNode &metadata : make_early_inc_range((*part)->named_metadata()))
    (*part)->eraseNamedMetadata(&metadata);
  SmallVector<std::string> names;
  for (Function &function : **part) {
    names.push_back(function.getName().str());
    for (const char *attribute : {"target-cpu", "target-features", "frame-pointer", "no-builtins",
                                  "stack-protector-buffer-size"})
      function.removeFnAttr(attribute);
  }
  Linker::linkModules(module, std::move(*part), Linker::LinkOnlyNeeded);
  for (const std::string &name : names)
    if (Function *function = module.getFunction(name); function && !function->isDeclaration())
      function->setLinkage(GlobalValue::InternalLinkage);
}

} // namespace

void defineDeviceRuntime(Module &module, bool extendedReals) {
  for (Function &function : module)
    if (function.isDeclaration())
      function.setSubprogram(nullptr); // what is defined here has no source lines
  placeOutputStatements(module);
  for (MemoryBufferRef part : deviceLibrary())
    linkPart(module, part);
  if (GlobalVariable *answer = module.getGlobalVariable("cufc_has_extended_reals")) {
    answer->setInitializer(ConstantInt::get(answer->getValueType(), extendedReals));
    answer->setLinkage(GlobalValue::InternalLinkage);
  }
  for (const char *name : {
#define CUF_DEVICE_RUNTIME(name) #name,
#include "tables/device_math.def"
#undef CUF_DEVICE_RUNTIME
       })
    if (Function *function = module.getFunction(name); function && function->isDeclaration()) {
      if (StringRef(name).contains("pow"))
        defineComplexPower(*function);
      else if (StringRef(name).contains("PointerAssociate"))
        definePointerAssociation(*function);
      else if (!defineNumberModel(*function))
        define(*function, StringRef(name).contains("Modulo"));
    }
  for (Function &function : module)
    if (function.getName().starts_with("cufc_complex_quotient")) {
      function.setLinkage(GlobalValue::InternalLinkage);
      function.addFnAttr(Attribute::AlwaysInline);
    }
  defineComplexMath(module);
  defineDeviceReductions(module);
  defineWarpIntrinsics(module);
  defineGroupOperations(module);
  defineDeviceIntrinsics(module);
  addNegatives(module);
}

} // namespace cufc
