// See matrix_operations.h. Sizes of fragments are those of PTX (ISA, "Warp-level Matrix Fragment"):
// 16 halves for A and B, 8 numbers for C and D, and 1 and 2 for real(8).
#include "codegen/matrix_operations.h"
#include "cufrt/abi.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr StringLiteral prefix = "cufc_matrix_";
constexpr uint32_t allLanes = ~0u;

// The kind of a word "r4".
unsigned kindOf(StringRef word) {
  unsigned kind = 0;
  word.drop_front().consumeInteger(10, kind);
  return kind;
}

class Definition {
public:
  Definition(Function &function, StringRef name, bool forGpu)
      : function(function), context(function.getContext()), forGpu(forGpu),
        builder(BasicBlock::Create(context, "entry", &function)) {
    name.split(words, '_');
  }

  void build() {
    Value *result = nullptr;
    StringRef operation = words[0];
    if (operation == "load" || operation == "store")
      move();
    else if (operation == "multiply" || operation == "product")
      multiply();
    else if (operation == "fill")
      fill();
    else if (operation.starts_with("compare"))
      compare();
    else if (operation.starts_with("merge"))
      merge();
    else
      result = reduce();
    result ? builder.CreateRet(result) : builder.CreateRetVoid();
    function.setLinkage(GlobalValue::InternalLinkage);
    for (Attribute::AttrKind kind : {Attribute::NoInline, Attribute::OptimizeNone})
      function.removeFnAttr(kind);
    function.addFnAttr(Attribute::AlwaysInline);
    function.addFnAttr(Attribute::Convergent);
  }

private:
  Value *argument(unsigned i) { return function.getArg(i); }
  Value *integer(unsigned i) { return builder.CreateLoad(builder.getInt32Ty(), argument(i)); }

  Type *numberType(unsigned kind) {
    return kind == 2   ? builder.getHalfTy()
           : kind == 4 ? builder.getFloatTy()
                       : builder.getDoubleTy();
  }

  // A register of a fragment in the intrinsics of LLVM.
  Type *registerType(unsigned kind) {
    return kind == 2 ? static_cast<Type *>(FixedVectorType::get(builder.getHalfTy(), 2))
                     : numberType(kind);
  }
  static unsigned registers(bool isFactor, unsigned kind) {
    if (kind == 8)
      return isFactor ? 1 : 2;
    return isFactor || kind == 4 ? 8 : 4;
  }

  Value *element(Value *fragment, Type *type, unsigned number) {
    return builder.CreateConstInBoundsGEP1_32(type, fragment, number);
  }
  Align alignOf(unsigned kind) const { return Align(kind); }

  void appendRegisters(SmallVectorImpl<Value *> &values, Value *fragment, bool isFactor,
                       unsigned kind) {
    Type *type = registerType(kind);
    for (unsigned i = 0; i < registers(isFactor, kind); ++i)
      values.push_back(builder.CreateAlignedLoad(type, element(fragment, type, i), alignOf(kind)));
  }

  void storeRegisters(Value *fragment, Value *result, bool isFactor, unsigned kind) {
    Type *type = registerType(kind);
    unsigned count = registers(isFactor, kind);
    for (unsigned i = 0; i < count; ++i) {
      Value *value = count == 1 && !result->getType()->isStructTy()
                         ? result
                         : builder.CreateExtractValue(result, i);
      builder.CreateAlignedStore(value, element(fragment, type, i), alignOf(kind));
    }
  }

  Value *callIntrinsic(const std::string &name, ArrayRef<Value *> values,
                       Type *overload = nullptr) {
    Intrinsic::ID id = Intrinsic::lookupIntrinsicID("llvm.nvvm.wmma." + name);
    SmallVector<Type *> overloads;
    if (overload)
      overloads.push_back(overload);
    Function *callee = Intrinsic::getOrInsertDeclaration(function.getParent(), id, overloads);
    return builder.CreateCall(callee, values);
  }

  static std::string typeName(unsigned kind) { return "f" + std::to_string(8 * kind); }

  // A layout that is an argument chooses between two calls.
  template <typename Action>
  void withLayout(StringRef layout, Action action) {
    if (layout != "any")
      return action(layout == "row");
    BasicBlock *row = BasicBlock::Create(context, "row", &function),
               *column = BasicBlock::Create(context, "col", &function),
               *end = BasicBlock::Create(context, "end", &function);
    builder.CreateCondBr(builder.CreateICmpEQ(integer(3), builder.getInt32(CUFRT_MATRIX_ROWS)), row,
                         column);
    for (BasicBlock *block : {row, column}) {
      builder.SetInsertPoint(block);
      action(block == row);
      builder.CreateBr(end);
    }
    builder.SetInsertPoint(end);
  }

  void move() {
    bool isLoad = words[0] == "load";
    StringRef part = isLoad ? words[1] : "d", shape = words[isLoad ? 2 : 1];
    unsigned kind = kindOf(words[isLoad ? 3 : 2]);
    Value *stride = integer(2);
    withLayout(words.back(), [&](bool byRows) {
      if (!forGpu)
        return request(isLoad ? part == "a"   ? CUFRT_MATRIX_LOAD_A
                                : part == "b" ? CUFRT_MATRIX_LOAD_B
                                              : CUFRT_MATRIX_LOAD_C
                              : CUFRT_MATRIX_STORE,
                       shape, {kind, kind, kind}, {byRows, byRows}, stride);
      std::string name = (shape + (isLoad ? ".load." : ".store.") + part + "." +
                          (byRows ? "row" : "col") + ".stride." + typeName(kind))
                             .str();
      Value *memory = argument(isLoad ? 1 : 0), *fragment = argument(isLoad ? 0 : 1);
      bool isFactor = part == "a" || part == "b";
      SmallVector<Value *> values{memory};
      if (!isLoad)
        appendRegisters(values, fragment, isFactor, kind);
      values.push_back(stride);
      Value *result = callIntrinsic(name, values, memory->getType());
      if (isLoad)
        storeRegisters(fragment, result, isFactor, kind);
    });
  }

  void multiply() {
    bool adds = words[0] == "multiply";
    StringRef shape = words[1], layoutA = words[3], layoutB = words[4];
    unsigned kind = kindOf(words[2]), kindD = kindOf(words[5]),
             kindC = adds ? kindOf(words[6]) : kindD;
    if (!forGpu)
      return request(adds ? CUFRT_MATRIX_MULTIPLY : CUFRT_MATRIX_PRODUCT, shape,
                     {kind, kindC, kindD}, {layoutA == "row", layoutB == "row"},
                     builder.getInt32(0));
    SmallVector<Value *> values;
    appendRegisters(values, argument(1), true, kind);
    appendRegisters(values, argument(2), true, kind);
    if (adds)
      appendRegisters(values, argument(3), false, kindC);
    else
      values.append(registers(false, kindC), Constant::getNullValue(registerType(kindC)));
    std::string types = kind == 8 ? "f64" : typeName(kindD) + "." + typeName(kindC);
    Value *result =
        callIntrinsic((shape + ".mma." + layoutA + "." + layoutB + "." + types).str(), values);
    storeRegisters(argument(0), result, false, kindD);
  }

  // The runtime library does it when all lanes are there: host/matrix_operations.cpp.
  struct Kinds {
    unsigned factor, c, d;
  };
  struct Layouts {
    bool aByRows, bByRows;
  };
  void request(int operation, StringRef shape, Kinds kinds, Layouts layouts, Value *stride) {
    unsigned m = 0, n = 0, k = 0;
    shape.consume_front("m");
    shape.consumeInteger(10, m);
    shape.consume_front("n");
    shape.consumeInteger(10, n);
    shape.consume_front("k");
    shape.consumeInteger(10, k);
    Type *word = builder.getInt64Ty();
    SmallVector<Value *> fields;
    for (uint64_t field : {uint64_t(operation), uint64_t(m), uint64_t(n), uint64_t(k),
                           uint64_t(kinds.factor), uint64_t(kinds.c), uint64_t(kinds.d),
                           uint64_t(layouts.aByRows), uint64_t(layouts.bByRows)})
      fields.push_back(ConstantInt::get(word, field));
    fields.push_back(builder.CreateSExt(stride, word));
    for (unsigned i = 0; i < 4; ++i)
      fields.push_back(i < function.arg_size() ? builder.CreatePtrToInt(argument(i), word)
                                               : ConstantInt::get(word, 0));
    Type *type = ArrayType::get(word, fields.size());
    IRBuilder<> entry(&function.getEntryBlock(), function.getEntryBlock().begin());
    Value *memory = entry.CreateAlloca(type);
    for (unsigned i = 0; i < fields.size(); ++i)
      builder.CreateStore(fields[i], builder.CreateConstInBoundsGEP1_32(word, memory, i));
    FunctionCallee operate = function.getParent()->getOrInsertFunction(
        matrixOperation, builder.getVoidTy(), builder.getInt32Ty(), word);
    cast<Function>(operate.getCallee())->setConvergent();
    builder.CreateCall(operate, {builder.getInt32(allLanes), builder.CreatePtrToInt(memory, word)});
  }

  unsigned count(unsigned word) {
    unsigned value = 0;
    words[word].getAsInteger(10, value);
    return value;
  }

  // A number of another type in that of the fragment.
  Value *converted(Value *address, StringRef from, unsigned kind) {
    Type *type = from.starts_with("i") ? static_cast<Type *>(builder.getIntNTy(8 * kindOf(from)))
                                       : numberType(kindOf(from));
    Value *value = builder.CreateLoad(type, address);
    return from.starts_with("i") ? builder.CreateSIToFP(value, numberType(kind))
                                 : builder.CreateFPCast(value, numberType(kind));
  }

  void fill() {
    unsigned kind = kindOf(words[1]);
    Value *value = converted(argument(1), words[3], kind);
    for (unsigned i = 0; i < count(2); ++i)
      builder.CreateAlignedStore(value, element(argument(0), numberType(kind), i), alignOf(kind));
  }

  Value *numberAt(Value *fragment, unsigned kind, unsigned i) {
    Type *type = numberType(kind);
    return builder.CreateAlignedLoad(type, element(fragment, type, i), alignOf(kind));
  }

  void compare() {
    auto predicate = StringSwitch<CmpInst::Predicate>(words[1])
                         .Case("lt", CmpInst::FCMP_OLT)
                         .Case("le", CmpInst::FCMP_OLE)
                         .Case("gt", CmpInst::FCMP_OGT)
                         .Case("ge", CmpInst::FCMP_OGE)
                         .Case("eq", CmpInst::FCMP_OEQ)
                         .Default(CmpInst::FCMP_UNE);
    unsigned kind = kindOf(words[2]);
    bool isNumber = words[0] == "comparenumber";
    Value *number = isNumber ? converted(argument(2), words[4], kind) : nullptr;
    for (unsigned i = 0; i < count(3); ++i) {
      Value *right = number ? number : numberAt(argument(2), kind, i);
      Value *holds = builder.CreateFCmp(predicate, numberAt(argument(1), kind, i), right);
      builder.CreateStore(builder.CreateZExt(holds, builder.getInt8Ty()),
                          element(argument(0), builder.getInt8Ty(), i));
    }
  }

  Value *maskAt(Value *fragment, unsigned i) {
    Value *value =
        builder.CreateLoad(builder.getInt8Ty(), element(fragment, builder.getInt8Ty(), i));
    return builder.CreateIsNotNull(value);
  }

  void merge() {
    unsigned kind = kindOf(words[1]);
    bool isNumber = words[0] == "mergenumber";
    Value *number = isNumber ? converted(argument(1), words[3], kind) : nullptr;
    SmallVector<Value *> chosen; // all are read before the first is written
    for (unsigned i = 0; i < count(2); ++i)
      chosen.push_back(builder.CreateSelect(maskAt(argument(3), i),
                                            number ? number : numberAt(argument(1), kind, i),
                                            numberAt(argument(2), kind, i)));
    for (unsigned i = 0; i < count(2); ++i)
      builder.CreateAlignedStore(chosen[i], element(argument(0), numberType(kind), i),
                                 alignOf(kind));
  }

  Value *reduce() {
    Value *total = builder.getInt32(0);
    for (unsigned i = 0; i < count(1); ++i)
      total = builder.CreateAdd(total,
                                builder.CreateZExt(maskAt(argument(0), i), builder.getInt32Ty()));
    Value *lanes = builder.getInt32(allLanes);
    if (words[0] == "count")
      return builder.CreateIntrinsic(builder.getInt32Ty(), Intrinsic::nvvm_redux_sync_add,
                                     {total, lanes});
    bool all = words[0] == "all";
    Value *here = all ? builder.CreateICmpEQ(total, builder.getInt32(count(1)))
                      : builder.CreateIsNotNull(total);
    Value *vote = builder.CreateIntrinsic(
        builder.getInt1Ty(), all ? Intrinsic::nvvm_vote_all_sync : Intrinsic::nvvm_vote_any_sync,
        {lanes, here});
    return builder.CreateZExt(vote, function.getReturnType());
  }

  Function &function;
  LLVMContext &context;
  bool forGpu;
  IRBuilder<> builder;
  SmallVector<StringRef> words;
};

} // namespace

void defineMatrixOperations(Module &module, bool forGpu) {
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    name.consume_back("_"); // of external names
    if (function.isDeclaration() && name.consume_front(prefix))
      Definition(function, name, forGpu).build();
  }
}

void trapAtDoubleMatrices(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.getName().starts_with("llvm.nvvm.wmma.m8n8k4.") ||
        !function.getName().contains("f64"))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      IRBuilder<> builder(call);
      builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::trap, {});
      call->replaceAllUsesWith(PoisonValue::get(call->getType()));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace cufc
