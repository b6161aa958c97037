// Arguments and results of BIND(C) types that are passed by value.
//
//   %v = fir.call @f(%p) : (!fir.type<t{x:f32,n:i32}>) -> !fir.type<t{x:f32,n:i32}>
//
//   %v = fir.call @f(%q) : (tuple<f32, i32>) -> tuple<f32, i32>
//
// flang's TargetRewrite has no rules for such values on a GPU and ends with an error. A structure
// of LLVM is what PTX passes as an array of bytes with the structure's alignment, as nvcc does with
// one of C ("CUDA Binary Utilities", "PTX Interoperability"); a tuple becomes such a structure.
//
// For hosts it has rules, but two mistakes in counting registers. On aarch64 it passes the address
// of an argument for which none are left, where C has the value on the stack (Procedure Call
// Standard for the Arm 64-bit Architecture, 6.8.2, C.12 to C.15): an array of LLVM goes where C's
// structure does, and one of floating-point numbers, of which there may be four, to their
// registers. On x86-64 it has a structure of floating-point numbers on the stack behind more
// integers than there are registers for, and one of integers behind more numbers, where C has it in
// registers of its own kind (System V ABI, AMD64, 3.2.3).
#include "flang/Optimizer/Dialect/FIROps.h"
#include "flang/Optimizer/Dialect/FIRType.h"
#include "flang/Optimizer/Dialect/Support/FIRContext.h"
#include "flang/Optimizer/Dialect/Support/KindMapping.h"
#include "flang/Optimizer/Support/DataLayout.h"
#include "lower/mlir_state.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace cufc {
namespace {

using namespace mlir;

// The types in whose place values of `types` are passed, null for those that stay.
using Rule = llvm::function_ref<llvm::SmallVector<Type>(TypeRange)>;

Type structureOf(Type type) {
  auto record = dyn_cast<fir::RecordType>(type);
  if (!record || record.getTypeList().empty())
    return {};
  llvm::SmallVector<Type> parts;
  for (const auto &[name, part] : record.getTypeList())
    parts.push_back(part);
  return TupleType::get(type.getContext(), parts);
}

llvm::SmallVector<Type> structures(TypeRange types) {
  return llvm::map_to_vector(types, structureOf);
}

llvm::SmallVector<Type> unchanged(TypeRange types) { return llvm::SmallVector<Type>(types.size()); }

// Adds the scalars of a type; false if there is one of another kind than numbers.
bool addScalars(Type type, llvm::SmallVectorImpl<Type> &scalars) {
  if (auto record = dyn_cast<fir::RecordType>(type))
    return llvm::all_of(record.getTypeList(),
                        [&](const auto &part) { return addScalars(part.second, scalars); });
  if (auto complex = dyn_cast<ComplexType>(type)) {
    scalars.append(2, complex.getElementType());
    return true;
  }
  if (auto array = dyn_cast<fir::SequenceType>(type)) {
    constexpr int64_t most = 16; // bytes of what is passed so, and more than there are scalars
    llvm::SmallVector<Type> element;
    if (array.hasDynamicExtents() || array.getConstantArraySize() > most ||
        !addScalars(array.getEleTy(), element))
      return false;
    for (int64_t i = 0; i < int64_t(array.getConstantArraySize()); ++i)
      scalars.append(element);
    return true;
  }
  scalars.push_back(type);
  return true;
}

class Layout {
public:
  explicit Layout(ModuleOp module)
      : kinds(fir::getKindMapping(module)),
        layout(*fir::support::getOrSetMLIRDataLayout(module, true)) {}

  // How many words a structure has that C passes by value; 0 if it is none.
  int64_t wordsOf(Type type, llvm::SmallVectorImpl<Type> &scalars) const {
    constexpr uint64_t word = 8;
    auto record = dyn_cast<fir::RecordType>(type);
    if (!record || !addScalars(record, scalars) || scalars.empty())
      return 0;
    auto size =
        fir::getTypeSizeAndAlignment(UnknownLoc::get(type.getContext()), type, layout, kinds);
    return size ? int64_t((size->first + word - 1) / word) : 0;
  }

private:
  fir::KindMapping kinds;
  DataLayout layout;
};

Type onArm(Type type, const Layout &layout) {
  constexpr int64_t mostWords = 2, mostNumbers = 4;
  llvm::SmallVector<Type> scalars;
  int64_t words = layout.wordsOf(type, scalars);
  if (words == 0)
    return {};
  if (int64_t count = int64_t(scalars.size());
      isa<FloatType>(scalars.front()) && count <= mostNumbers && llvm::all_equal(scalars))
    return fir::SequenceType::get(count, scalars.front());
  if (words > mostWords)
    return {};
  return fir::SequenceType::get(words, IntegerType::get(type.getContext(), 64));
}

// What registers x86-64 has for arguments.
struct Registers {
  int64_t integers = 0, numbers = 0;

  bool fit() const { return integers <= 6 && numbers <= 8; }
  Registers operator+(const Registers &more) const {
    return {integers + more.integers, numbers + more.numbers};
  }
};

Registers registersOf(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return {0, complex.getElementType().isF64() ? 2 : 1};
  if (type.isF32() || type.isF64())
    return {0, 1};
  return {isa<FloatType>(type) ? 0 : 1, 0};
}

// The words of a structure of at most two, of which one with reals alone goes to a register for
// them; none if C passes it in another way.
llvm::SmallVector<Type> wordsOnX86(Type type, const Layout &layout) {
  constexpr int64_t mostWords = 2;
  constexpr unsigned word = 64;
  llvm::SmallVector<Type> scalars, words;
  int64_t count = layout.wordsOf(type, scalars);
  if (count == 0 || count > mostWords)
    return {};
  llvm::SmallVector<bool> hasInteger(static_cast<size_t>(count));
  unsigned offset = 0;
  for (Type scalar : scalars) {
    if (!scalar.isIntOrFloat() || scalar.getIntOrFloatBitWidth() > word)
      return {};
    unsigned bits = scalar.getIntOrFloatBitWidth();
    offset = llvm::alignTo(offset, bits);
    hasInteger[offset / word] |= scalar.isInteger();
    offset += bits;
  }
  for (bool integer : hasInteger)
    words.push_back(integer ? Type(IntegerType::get(type.getContext(), word))
                            : Type(Float64Type::get(type.getContext())));
  return words;
}

// Where the structures are by C's rules, and by flang's not: in registers of one kind, while
// arguments before need more of the other kind than there are.
llvm::SmallVector<Type> onX86(TypeRange types, const Layout &layout) {
  Registers wanted, taken;
  llvm::SmallVector<Type> result;
  for (Type type : types) {
    result.emplace_back();
    llvm::SmallVector<Type> words = wordsOnX86(type, layout);
    const bool isStructure = isa<fir::RecordType>(type);
    Registers own = isStructure ? Registers() : registersOf(type);
    for (Type word : words)
      own = own + registersOf(word);
    if (!(taken + own).fit()) {
      wanted = isStructure ? wanted : wanted + own;
      continue;
    }
    // With words of both kinds it does not fit then.
    if (!words.empty() && !wanted.fit() && llvm::all_equal(words))
      result.back() = fir::SequenceType::get(int64_t(words.size()), words.front());
    taken = taken + own;
    wanted = wanted + own;
  }
  return result;
}

llvm::SmallVector<Type> passing(TypeRange types, Rule rule) {
  llvm::SmallVector<Type> result;
  for (auto [type, passed] : llvm::zip_equal(types, rule(types)))
    result.push_back(passed ? passed : type);
  return result;
}

FunctionType passing(FunctionType type, Rule arguments, Rule results) {
  return FunctionType::get(type.getContext(), passing(type.getInputs(), arguments),
                           passing(type.getResults(), results));
}

bool changes(TypeRange types, Rule rule) {
  return llvm::any_of(rule(types), [](Type type) { return bool(type); });
}

// The same bytes as a value of another type, of which `larger` is one that holds both. Memory for
// them is at the start of the procedure.
Value asType(OpBuilder &builder, Location location, Value value, Type type, Type larger) {
  auto function = builder.getBlock()->getParent()->getParentOfType<FunctionOpInterface>();
  Block &entry = function.getFunctionBody().front();
  OpBuilder start(&entry, entry.begin());
  Value memory = fir::AllocaOp::create(start, location, larger);
  auto placeFor = [&](Type wanted) -> Value {
    auto reference = fir::ReferenceType::get(wanted);
    return wanted == larger
               ? memory
               : fir::ConvertOp::create(builder, location, reference, memory).getResult();
  };
  fir::StoreOp::create(builder, location, value, placeFor(value.getType()));
  return fir::LoadOp::create(builder, location, placeFor(type));
}

// What is passed has whole words on hosts.
Type larger(Type record, Type passed) { return passed == structureOf(record) ? record : passed; }

// What was a value of derived type comes as `passed` now.
void receive(OpBuilder &builder, Location location, Value value, Type passed) {
  Type record = value.getType();
  llvm::SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    uses.push_back(&use);
  value.setType(passed);
  Value received = asType(builder, location, value, record, larger(record, passed));
  for (OpOperand *use : uses)
    use->set(received);
}

llvm::SmallVector<Type> typesOf(MutableArrayRef<OpOperand> operands) {
  return llvm::map_to_vector(operands, [](OpOperand &operand) { return operand.get().getType(); });
}

void pass(OpBuilder &builder, Location location, MutableArrayRef<OpOperand> operands, Rule rule) {
  for (auto [operand, passed] : llvm::zip_equal(operands, rule(typesOf(operands))))
    if (passed)
      operand.set(asType(builder, location, operand.get(), passed,
                         larger(operand.get().getType(), passed)));
}

void passStructures(fir::CallOp call, Rule arguments, Rule results) {
  MutableArrayRef<OpOperand> operands = call->getOpOperands();
  auto procedure =
      call.getCallee() ? FunctionType() : dyn_cast<FunctionType>(operands.front().get().getType());
  if (!call.getCallee())
    operands = operands.drop_front();
  bool returns = changes(call.getResultTypes(), results);
  if (!changes(typesOf(operands), arguments) && !returns)
    return;
  OpBuilder builder(call);
  pass(builder, call.getLoc(), operands, arguments);
  if (procedure)
    call->setOperand(0, fir::ConvertOp::create(builder, call.getLoc(),
                                               passing(procedure, arguments, results),
                                               call->getOperand(0)));
  if (!returns)
    return;
  builder.setInsertionPointAfter(call);
  receive(builder, call.getLoc(), call->getResult(0), results(call.getResultTypes()).front());
}

void passStructures(func::FuncOp function, Rule arguments, Rule results) {
  FunctionType type = function.getFunctionType();
  if (!changes(type.getInputs(), arguments) && !changes(type.getResults(), results))
    return;
  function.setFunctionType(passing(type, arguments, results));
  if (function.isDeclaration())
    return;
  OpBuilder builder(&function.front(), function.front().begin());
  for (auto [argument, passed] :
       llvm::zip_equal(function.getArguments(), arguments(type.getInputs())))
    if (passed)
      receive(builder, function.getLoc(), argument, passed);
  function.walk([&](func::ReturnOp end) {
    builder.setInsertionPoint(end);
    pass(builder, end.getLoc(), end->getOpOperands(), results);
  });
}

void passStructures(ModuleOp module, Rule arguments, Rule results) {
  llvm::SmallVector<fir::CallOp> calls;
  llvm::SmallVector<func::FuncOp> functions;
  module.walk([&](fir::CallOp op) { calls.push_back(op); });
  module.walk([&](func::FuncOp op) { functions.push_back(op); });
  for (fir::CallOp call : calls)
    passStructures(call, arguments, results);
  for (func::FuncOp function : functions)
    passStructures(function, arguments, results);
}

struct ValueStructures : PassWrapper<ValueStructures, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ValueStructures)
  llvm::StringRef getArgument() const override { return "cufc-value-structures"; }
  void runOnOperation() override { passStructures(getOperation(), structures, structures); }
};

struct ValueRegisters : PassWrapper<ValueRegisters, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ValueRegisters)
  llvm::StringRef getArgument() const override { return "cufc-value-registers"; }
  void runOnOperation() override {
    const Layout layout(getOperation());
    const bool isArm = fir::getTargetTriple(getOperation()).isAArch64();
    auto arguments = [&](TypeRange types) {
      return isArm ? llvm::map_to_vector(types, [&](Type type) { return onArm(type, layout); })
                   : onX86(types, layout);
    };
    passStructures(getOperation(), arguments, unchanged);
  }
};

} // namespace

std::unique_ptr<Pass> createValueStructures() { return std::make_unique<ValueStructures>(); }
std::unique_ptr<Pass> createValueRegisters() { return std::make_unique<ValueRegisters>(); }

} // namespace cufc
