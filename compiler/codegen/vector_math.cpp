// A call that has vector functions says so by an attribute (LLVM language reference, "Vector
// Function ABI"):
//
//   call float @llvm.exp.f32(float %x) "vector-function-abi-variant"=
//       "_ZGV_LLVM_N8v_llvm.exp.f32(cufrt_expf_x8_v3),..."
//
// LoopVectorize and SLPVectorizer take the one with the lanes that they chose.
#include "codegen/vector_math.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cufc {
namespace {

using namespace llvm;

// As runtime/math/functions.cpp names it, without what tells the kinds of numbers apart.
const char *nameOf(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::log:
    return "log";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  default:
    return nullptr;
  }
}

constexpr int smallestRegister = 128; // bits

struct Level {
  const char *features; // of the x86-64 psABI, "Micro-Architecture Levels"
  const char *suffix;
  int largestRegister; // bits
};
constexpr Level levels[] = {
    {"+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe",
     "_v4", 512},
    {"+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe", "_v3", 256},
};

const Level *levelOf(const Function &function, const TargetMachine &target) {
  const auto *found = find_if(levels, [&](const Level &level) {
    return target.getSubtargetImpl(function)->checkFeatures(level.features);
  });
  return found == std::end(levels) ? nullptr : found;
}

void declare(Module &module, const VFInfo &info, const FunctionType &scalar) {
  if (module.getFunction(info.VectorName))
    return;
  Function *function = Function::Create(VFABI::createFunctionType(info, &scalar),
                                        GlobalValue::ExternalLinkage, info.VectorName, module);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  appendToCompilerUsed(module, {function}); // as no call names it yet
}

bool offer(CallInst &call, const Level &level) {
  const char *name = nameOf(call.getIntrinsicID());
  Type *type = call.getType();
  if (!name || !(type->isFloatTy() || type->isDoubleTy()))
    return false;
  const int bits = static_cast<int>(type->getPrimitiveSizeInBits());
  SmallVector<std::string> variants;
  for (int lanes = smallestRegister / bits; lanes <= level.largestRegister / bits; lanes *= 2) {
    std::string variant = (Twine("_ZGV_LLVM_N") + Twine(lanes) + std::string(call.arg_size(), 'v') +
                           "_" + call.getCalledFunction()->getName() + "(cufrt_" + name +
                           (type->isFloatTy() ? "f_x" : "_x") + Twine(lanes) + level.suffix + ")")
                              .str();
    if (std::optional<VFInfo> info = VFABI::tryDemangleForVFABI(variant, call.getFunctionType())) {
      declare(*call.getModule(), *info, *call.getFunctionType());
      variants.push_back(variant);
    }
  }
  VFABI::setVectorVariantNames(&call, variants);
  return true;
}

struct OfferVectorMath : PassInfoMixin<OfferVectorMath> {
  const TargetMachine &target;
  explicit OfferVectorMath(const TargetMachine &target) : target(target) {}

  PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    const Level *level = levelOf(function, target);
    if (!level || function.hasFnAttribute(Attribute::StrictFP))
      return PreservedAnalyses::all();
    bool changed = false;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        changed |= offer(*call, *level);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
};

} // namespace

void offerVectorMath(PassBuilder &builder, const TargetMachine &target) {
  if (target.getTargetTriple().isX86())
    builder.registerVectorizerStartEPCallback([&](FunctionPassManager &passes, OptimizationLevel) {
      passes.addPass(OfferVectorMath(target));
    });
}

} // namespace cufc
