// Bodies of the procedures that tables/device_intrinsics*.toml gives to cufc itself. Names are
// cufc_<procedure>_<type>; the types are i4, i8, l4, r2, r4, r8. A vote without a member mask is
// one of the whole warp (a mask of ones). Beside them are the functions of libdevice that flang
// declares otherwise than libdevice does, and the one of libm that libdevice lacks.
#include "codegen/device_intrinsics.h"
#include "base/kernel_names.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

class Definition {
public:
  explicit Definition(Function &function)
      : function(function), builder(BasicBlock::Create(function.getContext(), "entry", &function)) {
  }

  // False if there is no such procedure.
  bool build() {
    StringRef name = function.getName();
    name.consume_front("cufc_");
    if (name == "gpu_time") {
      clock();
      builder.CreateRetVoid();
    } else if (name.starts_with("atomicadd_r4x")) { // external names end in an underscore
      addVector(name.starts_with("atomicadd_r4x2") ? 2 : 4);
      builder.CreateRetVoid();
    } else {
      Value *result = value(name);
      if (!result)
        return false;
      builder.CreateRet(result);
    }
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
    return true;
  }

private:
  Value *value(StringRef name) {
    if (name.consume_front("atomic"))
      return atomic(name);
    if (name.starts_with("fdivide"))
      return builder.CreateFDiv(function.getArg(0), function.getArg(1));
    if (name.starts_with("saturate"))
      return saturate();
    if (name.starts_with("scalbln"))
      return scale(name.ends_with("f"));
    if (name == "__nv_float2half_rn")
      return builder.CreateFPTrunc(function.getArg(0), function.getReturnType());
    if (name == "__nv_half2float")
      return builder.CreateFPExt(function.getArg(0), function.getReturnType());
    return vote(name.take_until([](char c) { return c == '_'; }), name.contains("_sync"));
  }

  Value *allLanes() { return builder.getInt32(~0u); }

  Value *vote(StringRef procedure, bool masked) {
    Value *mask = masked ? function.getArg(0) : allLanes();
    Value *test = function.getArg(masked ? 1 : 0);
    test = builder.CreateICmpNE(test, Constant::getNullValue(test->getType()));
    if (procedure == "ballot")
      return builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_vote_ballot_sync,
                                     {mask, test});
    bool all = procedure.starts_with("all");
    if (!all && !procedure.starts_with("any"))
      return nullptr;
    Value *result = builder.CreateIntrinsic(
        builder.getInt1Ty(), all ? Intrinsic::nvvm_vote_all_sync : Intrinsic::nvvm_vote_any_sync,
        {mask, test});
    return builder.CreateZExt(result, function.getReturnType());
  }

  void clock() {
    Value *cycles =
        builder.CreateIntrinsic(builder.getInt64Ty(), Intrinsic::nvvm_read_ptx_sreg_clock64, {});
    builder.CreateStore(cycles, function.getArg(0));
  }

  Value *atomic(StringRef operation) {
    Value *memory = function.getArg(0), *operand = function.getArg(1);
    if (operation.starts_with("cas"))
      return compareAndSwap(memory, operand, function.getArg(2));
    auto kind =
        StringSwitch<AtomicRMWInst::BinOp>(operation.take_until([](char c) { return c == '_'; }))
            .Case("and", AtomicRMWInst::And)
            .Case("or", AtomicRMWInst::Or)
            .Case("xor", AtomicRMWInst::Xor)
            .Case("exch", AtomicRMWInst::Xchg)
            .Case("max", AtomicRMWInst::FMax)
            .Case("min", AtomicRMWInst::FMin)
            .Cases({"add", "sub"}, AtomicRMWInst::FAdd)
            .Default(AtomicRMWInst::BAD_BINOP);
    if (operation.starts_with("sub")) // GPUs have no subtraction
      operand = builder.CreateFNeg(operand);
    return kind == AtomicRMWInst::BAD_BINOP
               ? nullptr
               : builder.CreateAtomicRMW(kind, memory, operand, MaybeAlign(),
                                         AtomicOrdering::Monotonic);
  }

  // Compares bits, as for the other types.
  Value *compareAndSwap(Value *memory, Value *expected, Value *wanted) {
    Type *type = expected->getType(), *bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
    Value *pair = builder.CreateAtomicCmpXchg(memory, builder.CreateBitCast(expected, bits),
                                              builder.CreateBitCast(wanted, bits), MaybeAlign(),
                                              AtomicOrdering::Monotonic, AtomicOrdering::Monotonic);
    return builder.CreateBitCast(builder.CreateExtractValue(pair, 0), type);
  }

  // Each element is added in a step of its own, as in CUDA C. The old values are the first
  // argument.
  void addVector(unsigned extent) {
    Type *element = builder.getFloatTy();
    for (unsigned i = 0; i < extent; ++i) {
      auto at = [&](unsigned argument) {
        return builder.CreateConstInBoundsGEP1_64(element, function.getArg(argument), i);
      };
      Value *value = builder.CreateLoad(element, at(2));
      builder.CreateStore(builder.CreateAtomicRMW(AtomicRMWInst::FAdd, at(1), value, MaybeAlign(),
                                                  AtomicOrdering::Monotonic),
                          at(0));
    }
  }

  // NaN fails the comparison and gives zero, as for real(4) in PTX.
  Value *saturate() {
    Value *x = function.getArg(0), *zero = ConstantFP::get(x->getType(), 0);
    Value *low = builder.CreateMinNum(x, ConstantFP::get(x->getType(), 1));
    return builder.CreateSelect(builder.CreateFCmpOGT(x, zero), low, zero);
  }

  // scalbln takes a long; beyond 5000 an exponent changes nothing any more.
  Value *scale(bool single) {
    Value *x = function.getArg(0), *n = function.getArg(1);
    Type *type = x->getType(), *wide = n->getType(), *integer = builder.getInt32Ty();
    n = builder.CreateBinaryIntrinsic(Intrinsic::smin, n, ConstantInt::get(wide, 5000));
    n = builder.CreateBinaryIntrinsic(Intrinsic::smax, n, ConstantInt::getSigned(wide, -5000));
    FunctionCallee narrow = function.getParent()->getOrInsertFunction(
        single ? "scalbnf" : "scalbn", FunctionType::get(type, {type, integer}, false));
    return builder.CreateCall(narrow, {x, builder.CreateTrunc(n, integer)});
  }

  Function &function;
  IRBuilder<> builder;
};

// Those with a mask are defined by warp_intrinsics.cpp, __ldg by cache_hints.cpp, barriers of
// groups by group_operations.cpp.
bool isOwn(StringRef name) {
  return name != chunkEnd && name.consume_front("cufc_") && !name.starts_with("warp_") &&
         !name.starts_with("group_") && !name.starts_with("_ldg_") &&
         !name.starts_with("pipeline_");
}

} // namespace

void defineDeviceIntrinsics(Module &module) {
  static constexpr StringLiteral others[] = {"__nv_float2half_rn", "__nv_half2float", "scalbln",
                                             "scalblnf"};
  SmallVector<Function *> declared; // bodies may declare more
  for (Function &function : module)
    if (function.isDeclaration() &&
        (isOwn(function.getName()) || is_contained(others, function.getName())))
      declared.push_back(&function);
  for (Function *function : declared)
    if (!Definition(*function).build())
      function->deleteBody();
}

} // namespace cufc
