// An adapter has flang's signature. For each argument with a descriptor it has the runtime make one
// of gfortran's, calls the procedure, and has changes carried back:
//
//   define internal void @_QMmPs.adapter(ptr %a) {
//     %room = alloca [64 x i64]
//     %theirs = call ptr @cufrt_to_gfortran(ptr %a, ptr %room, ptr @facts)
//     call void @__m_MOD_s(ptr %theirs)
//     call void @cufrt_from_gfortran(ptr %a, ptr %room, ptr @facts)
//
// Types are those of the System V ABI for x86-64 (section 3.2.3) and of AAPCS64, as clang writes
// them in LLVM: on aarch64 the parts of a structure are one argument, an array, so that registers
// hold all or none, and what is larger goes by the address of a copy.
#include "codegen/foreign_calls.h"
#include "base/host_machine.h"
#include "codegen/foreign_facts.h"
#include "cufrt/foreign.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace cufc {
namespace {

using namespace llvm;
using foreign::Call;
using foreign::Part;
using foreign::Passed;
using foreign::Passing;
using foreign::ResultForm;

void rename(Module &module, GlobalValue &value, StringRef name) {
  GlobalValue *other = module.getNamedValue(name);
  if (other == &value)
    return;
  if (!other) {
    value.setName(name);
    return;
  }
  value.replaceAllUsesWith(other);
  value.eraseFromParent();
}

class Adapter {
public:
  Adapter(Module &module, const Call &call, Function &procedure)
      : module(module), context(module.getContext()), call(call), builder(context) {
    function = Function::Create(procedure.getFunctionType(), GlobalValue::InternalLinkage,
                                procedure.getName() + ".adapter", module);
    function->setAttributes(procedure.getAttributes());
    procedure.replaceAllUsesWith(function);
    if (procedure.getName() != call.target)
      procedure.eraseFromParent();
    builder.SetInsertPoint(BasicBlock::Create(context, "", function));
    pointer = PointerType::get(context, 0);
    word = builder.getInt64Ty();
  }

  // A procedure that cannot be called, but may be referred to, as by a type's table.
  void makeRefusal() {
    FunctionType *type = FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false);
    builder.CreateCall(module.getOrInsertFunction("cufrt_foreign_refused", type),
                       {text(call.display), text(call.refused)});
    builder.CreateUnreachable();
  }

  // False if the signature is not the expected one.
  bool make() {
    bool string = call.form == ResultForm::String;
    bool hiddenResult = call.form == ResultForm::Structure || call.form == ResultForm::Array ||
                        call.form == ResultForm::Descriptor;
    if (hiddenResult || string)
      result = take();
    if (string)
      resultLength = take();
    startResult();
    for (const Passed &passed : call.dummies)
      addDummy(passed);
    for (const Passed &passed : call.dummies)
      if (passed.character && passed.passing != Passing::Descriptor)
        ownLengths[&passed] = take();
    if (damaged || next != function->arg_size())
      return false;
    addHidden();
    finish(emitCall());
    return true;
  }

private:
  struct Descriptor {
    Value *ours, *room, *facts;
  };

  Value *take() {
    if (next >= function->arg_size()) {
      damaged = true;
      return PoisonValue::get(word);
    }
    return function->getArg(next++);
  }

  Constant *text(StringRef characters) { return builder.CreateGlobalString(characters); }

  Constant *factsOf(const Passed &passed, bool isResult) {
    return foreignFacts(module, passed, call.display, isResult);
  }

  Value *room(uint64_t words = CUFRT_FOREIGN_ROOM / 8) {
    AllocaInst *memory = builder.CreateAlloca(ArrayType::get(word, words));
    memory->setAlignment(Align(16));
    return memory;
  }

  Value *at(Value *base, uint64_t offset) {
    return builder.CreateInBoundsPtrAdd(base, builder.getInt64(offset));
  }

  void pass(Value *value, AttributeSet set = {}) {
    arguments.push_back(value);
    attributes.push_back(set);
    (value->getType()->isFloatingPointTy() || value->getType()->isVectorTy() ? vectorRegisters
                                                                             : registers)++;
  }

  FunctionCallee helper(const char *name, Type *returned, unsigned pointers) {
    return module.getOrInsertFunction(
        name, FunctionType::get(returned, std::vector<Type *>(pointers, pointer), false));
  }

  void startResult() {
    const Passed &passed = call.result;
    if (call.form == ResultForm::String) {
      pass(result);
      pass(resultLength);
    } else if (call.form == ResultForm::Structure && passed.registers.empty()) {
      Type *bytes = ArrayType::get(builder.getInt8Ty(), static_cast<uint64_t>(passed.bytes));
      pass(result, AttributeSet::get(context, {Attribute::getWithStructRetType(context, bytes)}));
    } else if (call.form == ResultForm::Array) {
      startArrayResult();
    } else if (call.form == ResultForm::Descriptor) {
      descriptors.push_back({result, room(), factsOf(passed, true)});
      Descriptor &made = descriptors.back();
      builder.CreateCall(helper("cufrt_start_gfortran_result", builder.getVoidTy(), 3),
                         {made.ours, made.room, made.facts});
      if (passed.rank > 0 || passed.deferredLength)
        pass(made.room);
      if (passed.deferredLength)
        pass(at(made.room, CUFRT_FOREIGN_LENGTH));
    }
  }

  void startArrayResult() {
    std::vector<Constant *> extents;
    for (long long extent : call.extents)
      extents.push_back(builder.getInt64(static_cast<uint64_t>(extent)));
    ArrayType *list = ArrayType::get(word, extents.size());
    auto *table = new GlobalVariable(module, list, true, GlobalValue::PrivateLinkage,
                                     ConstantArray::get(list, extents), "foreign_extents");
    Value *memory = room();
    builder.CreateCall(helper("cufrt_gfortran_array_result", builder.getVoidTy(), 4),
                       {result, memory, factsOf(call.result, true), table});
    pass(memory);
    if (call.result.character)
      pass(builder.getInt64(static_cast<uint64_t>(call.result.bytes)));
  }

  void passAsGiven() {
    unsigned number = next;
    Value *value = take();
    AttrBuilder extension(context);
    for (Attribute::AttrKind kind : {Attribute::ZExt, Attribute::SExt})
      if (function->hasParamAttribute(number, kind))
        extension.addAttribute(kind);
    pass(value, AttributeSet::get(context, extension));
  }

  void addDummy(const Passed &passed) {
    switch (passed.passing) {
    case Passing::Same:
      passAsGiven();
      if (passed.byValue && passed.type == "COMPLEX" && passed.kind == 8)
        passAsGiven(); // two numbers
      break;
    case Passing::Optional:
      addOptional(passed, take());
      break;
    case Passing::Structure:
      addStructure(passed, take());
      break;
    case Passing::Descriptor:
    case Passing::CDescriptor:
      descriptors.push_back({take(), room(), factsOf(passed, false)});
      Descriptor &made = descriptors.back();
      pass(builder.CreateCall(helper("cufrt_to_gfortran", pointer, 3),
                              {made.ours, made.room, made.facts}));
      rooms[&passed] = made.room;
      break;
    }
  }

  Type *scalar(const Passed &passed) {
    if (passed.type == "REAL")
      return passed.kind == 4 ? builder.getFloatTy() : builder.getDoubleTy();
    return builder.getIntNTy(static_cast<unsigned>(passed.kind) * 8);
  }

  void addOptional(const Passed &passed, Value *address) {
    Value *present = builder.CreateIsNotNull(address);
    Type *type = scalar(passed);
    AllocaInst *none = builder.CreateAlloca(type);
    builder.CreateStore(Constant::getNullValue(type), none);
    pass(builder.CreateLoad(type, builder.CreateSelect(present, address, none)));
    flags.push_back(builder.CreateZExt(present, builder.getInt8Ty()));
  }

  Type *registerType(Part part) {
    switch (part) {
    case Part::Single:
      return builder.getFloatTy();
    case Part::Double:
      return builder.getDoubleTy();
    case Part::Quad:
      return Type::getFP128Ty(context);
    default:
      return word;
    }
  }

  void addArmStructure(const Passed &passed, Value *address) {
    Value *copy = room(static_cast<uint64_t>(passed.bytes + 15) / 8);
    builder.CreateMemCpy(copy, Align(8), address, Align(1), static_cast<uint64_t>(passed.bytes));
    if (passed.registers.empty())
      return pass(copy);
    Type *part = registerType(passed.registers.front());
    pass(builder.CreateLoad(ArrayType::get(part, passed.registers.size()), copy));
  }

  void addStructure(const Passed &passed, Value *address) {
    if (!thisMachine.isX86())
      return addArmStructure(passed, address);
    unsigned integers = 0, vectors = 0;
    for (Part one : passed.registers)
      (one == Part::Double ? vectors : integers)++;
    bool fits = registers + integers <= 6 && vectorRegisters + vectors <= 8;
    if (passed.registers.empty() || !fits) {
      Type *bytes = ArrayType::get(builder.getInt8Ty(), static_cast<uint64_t>(passed.bytes));
      pass(address, AttributeSet::get(context, {Attribute::getWithByValType(context, bytes),
                                                Attribute::getWithAlignment(context, Align(8))}));
      --registers;
      return;
    }
    Value *copy = room(2); // the last register may reach beyond the value
    builder.CreateMemCpy(copy, Align(8), address, Align(1), static_cast<uint64_t>(passed.bytes));
    for (size_t i = 0; i < passed.registers.size(); ++i)
      pass(builder.CreateLoad(registerType(passed.registers[i]), at(copy, 8 * i)));
  }

  // Flags of what is present, then the lengths of strings.
  void addHidden() {
    for (Value *flag : flags)
      pass(flag, AttributeSet::get(context, {Attribute::get(context, Attribute::ZExt)}));
    for (const Passed &passed : call.dummies) {
      if (!passed.character)
        continue;
      auto own = ownLengths.find(&passed);
      if (own != ownLengths.end()) {
        pass(own->second);
        continue;
      }
      Value *length = at(rooms[&passed], CUFRT_FOREIGN_LENGTH);
      pass(passed.deferredLength ? length : builder.CreateLoad(word, length));
    }
  }

  Type *returnedType() {
    if (call.form == ResultForm::Same)
      return function->getReturnType();
    if (call.form == ResultForm::Descriptor && call.result.rank == 0 && !call.result.deferredLength)
      return pointer;
    if (call.form != ResultForm::Structure || call.result.registers.empty())
      return builder.getVoidTy();
    std::vector<Type *> types;
    for (Part one : call.result.registers)
      types.push_back(registerType(one));
    return types.size() == 1 ? types.front() : StructType::get(context, types);
  }

  Value *emitCall() {
    std::vector<Type *> types;
    for (Value *argument : arguments)
      types.push_back(argument->getType());
    FunctionType *type = FunctionType::get(returnedType(), types, false);
    CallInst *made = builder.CreateCall(
        type, module.getOrInsertFunction(call.target, type).getCallee(), arguments);
    for (size_t i = 0; i < attributes.size(); ++i)
      for (Attribute attribute : attributes[i])
        made->addParamAttr(static_cast<unsigned>(i), attribute);
    return made;
  }

  void finish(Value *returned) {
    if (call.form == ResultForm::Structure && !call.result.registers.empty())
      storeStructure(returned);
    if (call.form == ResultForm::Descriptor && returned->getType()->isPointerTy())
      builder.CreateStore(returned, descriptors.front().room);
    for (Descriptor &one : descriptors)
      builder.CreateCall(helper("cufrt_from_gfortran", builder.getVoidTy(), 3),
                         {one.ours, one.room, one.facts});
    Type *type = function->getReturnType();
    if (type->isVoidTy()) {
      builder.CreateRetVoid();
    } else if (call.form == ResultForm::String && type->isStructTy()) {
      Value *pair = builder.CreateInsertValue(PoisonValue::get(type), result, {0});
      builder.CreateRet(builder.CreateInsertValue(pair, resultLength, {1}));
    } else {
      builder.CreateRet(returned->getType() == type ? returned : PoisonValue::get(type));
    }
  }

  void storeStructure(Value *returned) {
    Value *copy = room(static_cast<uint64_t>(call.result.bytes + 15) / 8);
    uint64_t place = 0;
    for (size_t i = 0; i < call.result.registers.size(); ++i) {
      Value *part = returned->getType()->isStructTy()
                        ? builder.CreateExtractValue(returned, {static_cast<unsigned>(i)})
                        : returned;
      builder.CreateStore(part, at(copy, place));
      place += static_cast<uint64_t>(bytesOf(call.result.registers[i]));
    }
    builder.CreateMemCpy(result, Align(1), copy, Align(8),
                         static_cast<uint64_t>(call.result.bytes));
  }

  Module &module;
  LLVMContext &context;
  const Call &call;
  IRBuilder<> builder;
  Function *function;
  PointerType *pointer;
  IntegerType *word;
  unsigned next = 0, registers = 0, vectorRegisters = 0;
  bool damaged = false;
  Value *result = nullptr, *resultLength = nullptr;
  std::vector<Value *> arguments, flags;
  std::vector<AttributeSet> attributes;
  std::vector<Descriptor> descriptors;
  std::map<const Passed *, Value *> rooms, ownLengths;
};

void adapt(Module &module, const Call &call, Function &procedure) {
  FunctionType *type = procedure.getFunctionType();
  std::string name = procedure.getName().str();
  Adapter adapter(module, call, procedure);
  if (!call.refused.empty())
    return adapter.makeRefusal();
  if (adapter.make())
    return;
  // A declaration that nobody has checked, as of an external procedure with another interface.
  Function *made = module.getFunction(name + ".adapter");
  made->deleteBody();
  made->replaceAllUsesWith(module.getOrInsertFunction(call.target, type).getCallee());
  made->eraseFromParent();
}

} // namespace

void adaptForeignCalls(Module &module, const foreign::Calls &calls) {
  for (const auto &[ours, theirs] : calls.variables)
    if (GlobalVariable *variable = module.getNamedGlobal(ours);
        variable && variable->isDeclaration())
      rename(module, *variable, theirs);
  adaptForeignVariables(module, calls);
  for (const auto &[ours, call] : calls.procedures) {
    Function *procedure = module.getFunction(ours);
    if (!procedure || !procedure->isDeclaration())
      continue;
    if (!call.refused.empty() || call.adapted)
      adapt(module, call, *procedure);
    else
      rename(module, *procedure, call.target);
  }
}

} // namespace cufc
