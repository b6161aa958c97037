// A call that has vector functions says so by an attribute (LLVM language reference, "Vector
// Function ABI"):
//
//   call float @llvm.exp.f32(float %x) "vector-function-abi-variant"=
//       "_ZGV_LLVM_N8v_llvm.exp.f32(cufrt_expf_x8_v3),..."
//   call double @erf(double %x) "vector-function-abi-variant"="_ZGV_LLVM_N4v_erf(cufrt_erf_x4_v3)"
//
// LoopVectorize and SLPVectorizer take the one with the lanes that they chose.
#include "codegen/cpu/vector_math.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cufc {
namespace {

using namespace llvm;

// As entries of runtime/math name them, without what tells the kinds of numbers apart.
constexpr StringLiteral functions[] = {"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh",
                                       "cos",  "cosh",  "erf",  "erfc",  "exp",  "log",   "log10",
                                       "pow",  "sin",   "sinh", "tan",   "tanh"};

// Which of these a call is of, of LLVM's intrinsic or of the C library's function; otherwise empty.
StringRef nameOf(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  Type *type = call.getType();
  if (!callee || !callee->isDeclaration() || !call.doesNotAccessMemory() ||
      !(type->isFloatTy() || type->isDoubleTy()) ||
      any_of(call.args(), [&](const Use &argument) { return argument->getType() != type; }))
    return {};
  StringRef name = callee->getName();
  if (callee->isIntrinsic()) {
    name = Intrinsic::getBaseName(callee->getIntrinsicID());
    name.consume_front("llvm.");
  } else if (type->isFloatTy() && !name.consume_back("f")) {
    return {};
  }
  return is_contained(functions, name) ? name : StringRef();
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
  StringRef name = nameOf(call);
  Type *type = call.getType();
  if (name.empty())
    return false;
  call.setDoesNotThrow(); // what Flang leaves unsaid of some library functions
  call.addFnAttr(Attribute::WillReturn);
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

unsigned vectorMathBits(const CallInst &call, const TargetMachine &target) {
  if (!target.getTargetTriple().isX86() || nameOf(call).empty())
    return 0;
  const Level *level = levelOf(*call.getFunction(), target);
  return level ? static_cast<unsigned>(level->largestRegister) : 0;
}

void completeMathFacts(Module &module) {
  for (Function &function : module) {
    if (!function.isDeclaration() || function.isIntrinsic())
      continue;
    const bool isOfDevice = function.getName().starts_with(hostLibdevicePrefix) &&
                            !function.getReturnType()->isVoidTy() && !function.arg_empty() &&
                            none_of(function.args(), [](const Argument &argument) {
                              return argument.getType()->isPointerTy();
                            });
    if (isOfDevice)
      function.setDoesNotAccessMemory();
    if (!function.doesNotAccessMemory())
      continue;
    function.setDoesNotThrow();
    function.setWillReturn();
  }
}

void offerVectorMath(PassBuilder &builder, const TargetMachine &target) {
  if (target.getTargetTriple().isX86())
    builder.registerVectorizerStartEPCallback([&](FunctionPassManager &passes, OptimizationLevel) {
      passes.addPass(OfferVectorMath(target));
    });
}

} // namespace cufc
