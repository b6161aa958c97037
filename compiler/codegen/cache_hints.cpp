// A procedure's name says everything: __ld or __st, the cache operator (PTX ISA, "Cache
// Operators"), and the type: i4, r8, c4, cd for a device pointer, r4x4 for a vector of four. flang
// adds an x to complex loads and an underscore to vector loads. Scalars are returned and passed by
// value, complex numbers and vectors stored from an address; vector loads write to their first
// argument.
//
// LLVM has no cache operators, hence the inline PTX, on integers of the value's size: one access of
// up to 16 bytes, in parts of at most 8. Only __ldg is an ordinary load, of memory that never
// changes, for which NVPTX chooses ld.global.nc.
#include "codegen/cache_hints.h"
#include "codegen/address_spaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

struct CacheHint {
  bool load;
  StringRef cacheOperator; // "ca"; "g" for __ldg
  unsigned parts;          // 1, 2 or 4
  unsigned bits;           // of a part
};

// The number of parts and their bits from "r4x4", "c8x", "cd".
bool parseType(StringRef type, CacheHint &hint) {
  unsigned bytes = 8;
  bool isComplex = type.starts_with("c") && !type.starts_with("cd");
  type = type.drop_front();
  type.consume_back("_");
  if (type != "d" && type.consumeInteger(10, bytes))
    return false;
  hint.bits = 8 * bytes;
  hint.parts = isComplex ? 2 : 1;
  if (type.consume_front("x") && !type.empty() && type.consumeInteger(10, hint.parts))
    return false;
  if (hint.bits == 16 && hint.parts == 2) {
    hint.bits = 32;
    hint.parts = 1;
  }
  return true;
}

std::optional<CacheHint> cacheHint(StringRef name) {
  name.consume_front("cufc");
  CacheHint hint{name.consume_front("__ld"), {}, 0, 0};
  if (!hint.load && !name.consume_front("__st"))
    return std::nullopt;
  StringRef type;
  std::tie(hint.cacheOperator, type) = name.split('_');
  static constexpr StringLiteral loads[] = {"ca", "cg", "cs", "lu", "cv", "g"};
  static constexpr StringLiteral stores[] = {"wb", "cg", "cs", "wt"};
  bool known = hint.load ? is_contained(loads, hint.cacheOperator)
                         : is_contained(stores, hint.cacheOperator);
  if (!known || type.empty() || !parseType(type, hint))
    return std::nullopt;
  return hint;
}

class Definition {
public:
  Definition(Function &function, const CacheHint &hint, bool forGpu)
      : function(function), hint(hint), forGpu(forGpu),
        builder(BasicBlock::Create(function.getContext(), "entry", &function)),
        part(builder.getIntNTy(hint.bits)) {}

  void build() {
    function.removeFnAttr(Attribute::NoInline);
    if (hint.load)
      load();
    else
      store();
    function.setLinkage(GlobalValue::InternalLinkage);
    function.addFnAttr(Attribute::AlwaysInline);
  }

private:
  void load() {
    bool intoMemory = function.getReturnType()->isVoidTy();
    SmallVector<Value *> parts = loadParts(function.getArg(intoMemory ? 1 : 0));
    Value *memory = function.getArg(0);
    if (!intoMemory)
      memory = builder.CreateAlloca(function.getReturnType());
    for (unsigned i = 0; i < hint.parts; ++i)
      builder.CreateAlignedStore(parts[i], partAddress(memory, i), alignmentInMemory());
    if (intoMemory)
      builder.CreateRetVoid();
    else
      builder.CreateRet(builder.CreateLoad(function.getReturnType(), memory));
  }

  void store() {
    Value *value = function.getArg(1);
    bool byAddress = value->getType()->isPointerTy();
    Value *memory = value;
    if (!byAddress) {
      memory = builder.CreateAlloca(value->getType());
      builder.CreateStore(value, memory);
    }
    SmallVector<Value *> parts;
    for (unsigned i = 0; i < hint.parts; ++i)
      parts.push_back(builder.CreateAlignedLoad(part, partAddress(memory, i), alignmentInMemory()));
    storeParts(function.getArg(0), parts);
    builder.CreateRetVoid();
  }

  // A value of 2 bytes is aligned to those, and r2x2 of two of them is too.
  Align alignmentInMemory() const { return Align(hint.bits >= 64 ? 8 : 2); }

  Value *partAddress(Value *address, unsigned number) {
    return builder.CreateConstInBoundsGEP1_64(part, address, number);
  }

  SmallVector<Value *> loadParts(Value *address) {
    SmallVector<Value *> parts;
    if (forGpu && hint.cacheOperator != "g") {
      Value *result = callPtx(address, {});
      for (unsigned i = 0; i < hint.parts; ++i)
        parts.push_back(hint.parts == 1 ? result : builder.CreateExtractValue(result, i));
      return parts;
    }
    for (unsigned i = 0; i < hint.parts; ++i) {
      LoadInst *load = builder.CreateLoad(part, partAddress(ordinary(address), i));
      if (hint.cacheOperator == "g")
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
      parts.push_back(load);
    }
    return parts;
  }

  void storeParts(Value *address, ArrayRef<Value *> parts) {
    if (forGpu)
      callPtx(address, parts);
    else
      for (unsigned i = 0; i < hint.parts; ++i)
        builder.CreateStore(parts[i], partAddress(address, i));
  }

  // __ldg reads global memory only.
  Value *ordinary(Value *address) {
    if (!forGpu)
      return address;
    return builder.CreateAddrSpaceCast(address,
                                       PointerType::get(function.getContext(), globalSpace));
  }

  // "ld.global.cg.v2.b32 {$0, $1}, [$2];" or "st.global.wt.v2.b32 [$0], {$1, $2};"
  Value *callPtx(Value *address, ArrayRef<Value *> values) {
    StringRef letter = hint.bits == 16 ? "h" : hint.bits == 32 ? "r" : "l";
    std::string list, constraints, vector;
    unsigned firstOperand = hint.load ? 0 : 1;
    for (unsigned i = 0; i < hint.parts; ++i) {
      list += (i ? ", $" : "$") + utostr(i + firstOperand);
      constraints += (hint.load ? "=" : "") + letter.str() + ",";
    }
    if (hint.parts > 1) {
      vector = ".v" + utostr(hint.parts);
      list = "{" + list + "}";
    }
    std::string place = "[$" + utostr(hint.load ? hint.parts : 0) + "]";
    std::string text = std::string(hint.load ? "ld" : "st") + ".global." +
                       hint.cacheOperator.str() + vector + ".b" + utostr(hint.bits) + " " +
                       (hint.load ? list + ", " + place : place + ", " + list) + ";";
    constraints = hint.load ? constraints + "l" : "l," + StringRef(constraints).drop_back().str();
    SmallVector<Type *> types{address->getType()};
    SmallVector<Value *> operands{address};
    for (Value *value : values) {
      types.push_back(value->getType());
      operands.push_back(value);
    }
    auto *type = FunctionType::get(resultType(), types, false);
    auto *code = InlineAsm::get(type, text, constraints + ",~{memory}", /*hasSideEffects=*/true);
    return builder.CreateCall(code, operands);
  }

  Type *resultType() {
    if (!hint.load)
      return builder.getVoidTy();
    if (hint.parts == 1)
      return part;
    return StructType::get(function.getContext(), SmallVector<Type *>(hint.parts, part));
  }

  Function &function;
  const CacheHint hint;
  const bool forGpu;
  IRBuilder<> builder;
  Type *part;
};

} // namespace

void defineCacheHints(Module &module, bool forGpu) {
  for (Function &function : module)
    if (function.isDeclaration())
      if (std::optional<CacheHint> hint = cacheHint(function.getName()))
        Definition(function, *hint, forGpu).build();
}

} // namespace cufc
