// Arithmetic is changed on LLVM's instructions:
//
//   fdiv contract a, b   becomes   fdiv reassoc arcp ... a, b         with -ffast-math and its kin
//                        or        fdiv a, b                          with -Mnofma
//                        or        constrained.fdiv(a, b, tonearest, strict)   with -Ktrap
//
// The last keeps the optimiser from computing what the program would not have, or while compiling
// (LLVM language reference, "Constrained Floating-Point Intrinsics"): a division that it moved out
// of an IF would trap where the source has none.
#include "codegen/host_code.h"
#include "codegen/targets.h"
#include "cufrt/program_options.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cufc {
namespace {

using namespace llvm;

// After the constructors of libraries, which need not expect that floating point traps.
constexpr int usualPriority = 65535;

FastMathFlags flagsOf(FastMathFlags flags, const HostCodeOptions &options) {
  const RelaxedArithmetic &relaxed = options.relaxed;
  flags.setAllowReassoc(flags.allowReassoc() || relaxed.associative);
  flags.setAllowReciprocal(flags.allowReciprocal() || relaxed.reciprocal);
  flags.setApproxFunc(flags.approxFunc() || relaxed.approximate);
  flags.setNoNaNs(flags.noNaNs() || relaxed.finite);
  flags.setNoInfs(flags.noInfs() || relaxed.finite);
  flags.setNoSignedZeros(flags.noSignedZeros() || relaxed.unsignedZeros);
  flags.setAllowContract(flags.allowContract() && options.fuse);
  return flags;
}

// What replaces an instruction that can raise an exception, or null.
Value *constrained(IRBuilder<> &builder, Instruction &instruction) {
  auto operand = [&](unsigned i) { return instruction.getOperand(i); };
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
    return builder.CreateFAdd(operand(0), operand(1));
  case Instruction::FSub:
    return builder.CreateFSub(operand(0), operand(1));
  case Instruction::FMul:
    return builder.CreateFMul(operand(0), operand(1));
  case Instruction::FDiv:
    return builder.CreateFDiv(operand(0), operand(1));
  case Instruction::FRem:
    return builder.CreateFRem(operand(0), operand(1));
  case Instruction::FPTrunc:
    return builder.CreateFPTrunc(operand(0), instruction.getType());
  case Instruction::FPExt:
    return builder.CreateFPExt(operand(0), instruction.getType());
  case Instruction::FPToSI:
    return builder.CreateFPToSI(operand(0), instruction.getType());
  case Instruction::FPToUI:
    return builder.CreateFPToUI(operand(0), instruction.getType());
  case Instruction::SIToFP:
    return builder.CreateSIToFP(operand(0), instruction.getType());
  case Instruction::UIToFP:
    return builder.CreateUIToFP(operand(0), instruction.getType());
  case Instruction::FCmp:
    return builder.CreateFCmp(cast<FCmpInst>(instruction).getPredicate(), operand(0), operand(1));
  default:
    return nullptr;
  }
}

Value *constrainedRoot(IRBuilder<> &builder, Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != Intrinsic::sqrt)
    return nullptr;
  return builder.CreateConstrainedFPIntrinsic(Intrinsic::experimental_constrained_sqrt,
                                              {call->getType()}, {call->getArgOperand(0)}, {}, "");
}

void keepExceptions(Function &function) {
  function.addFnAttr(Attribute::StrictFP);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *call = dyn_cast<CallBase>(&instruction))
      call->addFnAttr(Attribute::StrictFP);
    IRBuilder<> builder(&instruction);
    builder.setIsFPConstrained(true);
    builder.setDefaultConstrainedRounding(RoundingMode::NearestTiesToEven);
    builder.setDefaultConstrainedExcept(fp::ebStrict);
    if (isa<FPMathOperator>(instruction))
      builder.setFastMathFlags(instruction.getFastMathFlags());
    Value *replaced = constrained(builder, instruction);
    if (!replaced)
      replaced = constrainedRoot(builder, instruction);
    if (!replaced)
      continue;
    instruction.replaceAllUsesWith(replaced);
    instruction.eraseFromParent();
  }
}

void setAttributes(Function &function, const HostCodeOptions &options) {
  if (!options.tune.empty() && options.tune != "generic")
    function.addFnAttr("tune-cpu", processorName(options.tune, *options.machine));
  if (!options.inlining && !function.hasFnAttribute(Attribute::AlwaysInline))
    function.addFnAttr(Attribute::NoInline);
  if (options.traceback) // every instruction's caller can be found
    function.setUWTableKind(UWTableKind::Async);
  if (options.framePointers || options.profile)
    function.addFnAttr("frame-pointer", "all");
  if (options.profile && !function.hasFnAttribute(Attribute::AlwaysInline))
    function.addFnAttr("instrument-function-entry-inlined", "mcount");
  if (options.findRaces)
    function.addFnAttr(Attribute::SanitizeThread);
}

Function *internalFunction(Module &module, const char *name) {
  return Function::Create(FunctionType::get(Type::getVoidTy(module.getContext()), false),
                          GlobalValue::InternalLinkage, name, module);
}

// LLVM's OpenMP library is not instrumented: what it does itself must not count as races. How it
// orders threads ThreadSanitizer learns from Archer, which looks for the same option in the
// environment (LLVM, openmp/tools/archer).
void addSanitizerOptions(Module &module) {
  constexpr const char *flags = "ignore_noninstrumented_modules=1";
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Function *defaults =
      Function::Create(FunctionType::get(pointer, false), GlobalValue::LinkOnceODRLinkage,
                       "__tsan_default_options", module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", defaults));
  builder.CreateRet(builder.CreateGlobalString(flags));
  appendToUsed(module, {defaults});

  Function *constructor = internalFunction(module, "cufc.prepare_sanitizer");
  builder.SetInsertPoint(BasicBlock::Create(context, "entry", constructor));
  FunctionCallee set = module.getOrInsertFunction("setenv", builder.getInt32Ty(), pointer, pointer,
                                                  builder.getInt32Ty());
  builder.CreateCall(set, {builder.CreateGlobalString("TSAN_OPTIONS"),
                           builder.CreateGlobalString(flags), builder.getInt32(0)});
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, usualPriority);
}

// The settings of floating point belong to the main program, as nvfortran and gfortran have it.
uint64_t settingsOf(const Module &module, const HostCodeOptions &options) {
  uint64_t settings = 0;
  if (const Function *main = module.getFunction("_QQmain"); main && !main->isDeclaration()) {
    settings |= static_cast<uint64_t>(options.traps) * CUFRT_TRAP_UNIT;
    settings |= options.flushResults ? CUFRT_FLUSH_RESULTS : 0;
    settings |= options.flushOperands ? CUFRT_FLUSH_OPERANDS : 0;
  }
  settings |= options.traceback ? CUFRT_TRACEBACK : 0;
  settings |= options.zeroDeviceMemory ? CUFRT_ZERO_DEVICE_MEMORY : 0;
  return settings;
}

void prepareProgram(Module &module, uint64_t settings) {
  LLVMContext &context = module.getContext();
  auto *type =
      FunctionType::get(Type::getVoidTy(context), {Type::getInt64Ty(context)}, /*isVarArg=*/false);
  FunctionCallee prepare = module.getOrInsertFunction("cufrt_prepare_program", type);
  Function *constructor = internalFunction(module, "cufc.prepare_program");
  IRBuilder<> builder(BasicBlock::Create(context, "entry", constructor));
  builder.CreateCall(prepare, {builder.getInt64(settings)});
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, usualPriority);
}

} // namespace

void applyArithmetic(Module &module, const HostCodeOptions &options) {
  if (!options.relaxed.any() && options.fuse && options.traps == 0)
    return;
  for (Function &function : module) {
    for (Instruction &instruction : instructions(function))
      if (isa<FPMathOperator>(instruction))
        instruction.copyFastMathFlags(flagsOf(instruction.getFastMathFlags(), options));
    if (options.traps && !function.isDeclaration())
      keepExceptions(function);
  }
}

void applyHostCodeOptions(Module &module, const HostCodeOptions &options) {
  for (Function &function : module)
    if (!function.isDeclaration())
      setAttributes(function, options);
  if (options.findRaces)
    addSanitizerOptions(module);
  if (uint64_t settings = settingsOf(module, options))
    prepareProgram(module, settings);
}

} // namespace cufc
