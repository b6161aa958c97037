// libdevice: NVIDIA's bitcode library of math functions (libdevice user's guide).
#include "codegen/libdevice.h"
#include "base/diag.h"
#include "codegen/gpu/integer_conversions.h"
#include "lower/device_library.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"

namespace cufc {
namespace {

using namespace llvm;

// libdevice's name without prefix and type suffix for an intrinsic without a PTX instruction.
StringRef libdeviceStem(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::ldexp:
    return "ldexp";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::powi:
    return "powi";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::tanh:
    return "tanh";
  default:
    return {};
  }
}

void replaceFunction(Function &function, const std::string &name) {
  FunctionCallee target =
      function.getParent()->getOrInsertFunction(name, function.getFunctionType());
  function.replaceAllUsesWith(target.getCallee());
  function.eraseFromParent();
}

void expandRounding(Function &function) {
  Intrinsic::ID id = function.getIntrinsicID();
  bool toEven = id == Intrinsic::lrint || id == Intrinsic::llrint;
  for (User *user : make_early_inc_range(function.users())) {
    auto *call = cast<IntrinsicInst>(user);
    if (!toEven) {
      roundByAddition(*call);
      continue;
    }
    IRBuilder<> builder(call);
    Value *rounded = builder.CreateUnaryIntrinsic(Intrinsic::rint, call->getArgOperand(0));
    call->replaceAllUsesWith(builder.CreateFPToSI(rounded, call->getType()));
    call->eraseFromParent();
  }
}

// PTX has no remainder instruction, and LLVM's expansion is not exact.
void replaceRemainders(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      if (instruction.getOpcode() != Instruction::FRem || instruction.getType()->isVectorTy())
        continue;
      Type *type = instruction.getType();
      if (!type->isFloatTy() && !type->isDoubleTy())
        continue;
      IRBuilder<> builder(&instruction);
      FunctionCallee fmod = module.getOrInsertFunction(
          type->isFloatTy() ? "__nv_fmodf" : "__nv_fmod", type, type, type);
      instruction.replaceAllUsesWith(
          builder.CreateCall(fmod, {instruction.getOperand(0), instruction.getOperand(1)}));
      instruction.eraseFromParent();
    }
}

// libdevice asks whether square roots and divisions are to be rounded correctly; LLVM answers 0 to
// what it does not know.
void answerPrecision(Module &module, bool precise) {
  Function *reflect = module.getFunction("__nvvm_reflect");
  if (!reflect)
    return;
  for (User *user : make_early_inc_range(reflect->users())) {
    auto *call = dyn_cast<CallInst>(user);
    StringRef question;
    if (!call || !getConstantStringInfo(call->getArgOperand(0), question) ||
        (question != "__CUDA_PREC_SQRT" && question != "__CUDA_PREC_DIV"))
      continue;
    call->replaceAllUsesWith(ConstantInt::get(call->getType(), precise));
    call->eraseFromParent();
  }
}

// LLVM finds that out of the procedures' bodies, but only after it has inlined them where a program
// calls one twice with the same argument.
void markPure(Module &module) {
  for (Function &function : module) {
    auto isPointer = [](const Argument &argument) { return argument.getType()->isPointerTy(); };
    if (!function.getName().starts_with("__nv_") || function.getReturnType()->isVoidTy() ||
        any_of(function.args(), isPointer))
      continue;
    function.setDoesNotAccessMemory();
    function.setDoesNotThrow();
    function.setWillReturn();
  }
}

void useFastVariants(Module &module) {
  static constexpr StringLiteral stems[] = {"sinf", "cosf",  "tanf",   "expf", "exp10f",
                                            "logf", "log2f", "log10f", "powf"};
  for (StringRef stem : stems)
    if (Function *function = module.getFunction(("__nv_" + stem).str()))
      replaceFunction(*function, ("__nv_fast_" + stem).str());
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<FPMathOperator>(instruction) && instruction.getType()->getScalarType()->isFloatTy()) {
        FastMathFlags flags = instruction.getFastMathFlags();
        flags.setAllowContract(true);
        flags.setApproxFunc(true);
        flags.setAllowReciprocal(true);
        instruction.setFastMathFlags(flags);
      }
}

} // namespace

void mapToLibdevice(Module &module, bool fast) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.isDeclaration())
      continue;
    Intrinsic::ID id = function.getIntrinsicID();
    if (id == Intrinsic::round || id == Intrinsic::lround || id == Intrinsic::llround ||
        id == Intrinsic::lrint || id == Intrinsic::llrint) {
      expandRounding(function);
    } else if (StringRef stem = libdeviceStem(id); !stem.empty()) {
      Type *type = function.getReturnType();
      if (type->isFloatTy() || type->isDoubleTy())
        replaceFunction(function, "__nv_" + stem.str() + (type->isFloatTy() ? "f" : ""));
    } else if (std::string name = libdeviceName(function.getName()); !name.empty()) {
      replaceFunction(function, name);
    }
  }
  replaceRemainders(module);
  if (fast)
    useFastVariants(module);
  markPure(module);
}

bool linkLibdevice(Module &module, const std::string &path, Rounding rounding,
                   Diagnostics &diagnostics) {
  module.addModuleFlag(Module::Override, "nvvm-reflect-ftz", rounding.flushes ? 1u : 0u);
  const Function *needed = nullptr;
  for (const Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_") &&
        !function.use_empty())
      needed = &function;
  if (!needed)
    return true;
  if (path.empty()) {
    diagnostics.report(Diag::NoLibdevice, {}, needed->getName().drop_front(5).str());
    return false;
  }
  SMDiagnostic error;
  std::unique_ptr<Module> library = getLazyIRFileModule(path, error, module.getContext());
  if (!library) {
    diagnostics.report(Diag::CannotRead, {}, path, error.getMessage().str());
    return false;
  }
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded)) {
    diagnostics.report(Diag::ToolFailed, {}, std::string("linking libdevice"), path);
    return false;
  }
  answerPrecision(module, rounding.precise);
  markPure(module); // the linked bodies
  return true;
}

} // namespace cufc
