// See local_checks.h. Each variable gets a shadow of its size, stack memory too, with a byte of 1
// for each byte that has been written:
//
//   %x = alloca float                     %x.set = alloca [4 x i8]
//   call @cufrt_check_variable("x", %x)   store i32 0, %x.set
//   store float 1.0, %x                   store i32 0x01010101, %x.set
//   %v = load float, %x                   if (load i32, %x.set) is not that:
//                                           call @cufrt_check_unset
//
// LLVM keeps the shadow of a scalar in a register, and drops it where the value is known. A
// variable whose address goes elsewhere, as an argument does, is announced to the runtime
// (cufrt_check_local) until its procedure returns; accesses through that address are those of
// checkAccesses.
//
// What is merely copied need not be set, such as the rest of an array or a component: the shadow is
// copied, too. Only in memory where it has no shadow a number must have a value, and what a lane
// gives to others by a shuffle may have none.
#include "codegen/cpu/local_checks.h"
#include "codegen/cpu/check_places.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr StringLiteral markName = "cufrt_check_variable", announceName = "cufrt_check_local";
constexpr StringLiteral seenName = "cufc.seen"; // metadata of accesses

// The text that a mark's first argument begins with.
std::string nameIn(const CallInst &mark) {
  StringRef text;
  getConstantStringInfo(mark.getArgOperand(0), text);
  return text.str();
}

// Numbers, logicals, letters and complex numbers; other types have components or gaps.
bool isNumber(Type *type) {
  if (auto *parts = dyn_cast<StructType>(type))
    return parts->isLiteral() && parts->getNumElements() == 2 &&
           parts->getElementType(0)->isFloatingPointTy() &&
           parts->getElementType(0) == parts->getElementType(1);
  return type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy();
}

struct Local {
  AllocaInst *memory;
  AllocaInst *shadow;
  Value *bytes;
  std::string name;
  bool escapes = false;
};

// The variables of one function.
class FunctionLocals {
public:
  FunctionLocals(Function &function, CheckPlaces &places)
      : function(function), module(*function.getParent()), layout(module.getDataLayout()),
        builder(module.getContext()), places(places), dominators(function) {}

  void run(ArrayRef<CallInst *> marks) {
    for (CallInst *mark : marks)
      add(*mark);
    for (auto &[memory, local] : locals)
      collect(*memory, local);
    MDNode *seen = MDNode::get(module.getContext(), {});
    for (LoadInst *load : loads)
      load->setMetadata(seenName, seen);
    for (Instruction *instruction : others)
      instruction->setMetadata(seenName, seen);
    for (LoadInst *load : loads)
      checkLoad(*load);
    for (Instruction *instruction : others)
      follow(*instruction);
    for (CallInst *mark : marks)
      begin(*mark);
    for (auto &[memory, local] : locals)
      if (local.escapes)
        leaveAtReturns(local);
  }

private:
  // Memory of constant size lies where the function begins, so that it is there when it returns.
  void add(CallInst &mark) {
    auto *memory = dyn_cast<AllocaInst>(getUnderlyingObject(mark.getArgOperand(1)));
    if (!memory || locals.count(memory))
      return;
    BasicBlock &entry = function.getEntryBlock();
    bool isFixed = isa<ConstantInt>(memory->getArraySize());
    if (isFixed && memory->getParent() != &entry)
      memory->moveBefore(entry, entry.getFirstInsertionPt());
    for (BasicBlock &block : function)
      if (isa<ReturnInst>(block.getTerminator()) &&
          !dominators.dominates(memory, block.getTerminator()))
        return;
    builder.SetInsertPoint(memory->getNextNode());
    uint64_t element = layout.getTypeAllocSize(memory->getAllocatedType());
    Value *count = builder.CreateZExtOrTrunc(memory->getArraySize(), builder.getInt64Ty());
    Value *bytes = builder.CreateMul(count, builder.getInt64(element));
    AllocaInst *shadow = isFixed
                             ? builder.CreateAlloca(ArrayType::get(
                                   builder.getInt8Ty(),
                                   std::max<uint64_t>(1, cast<ConstantInt>(bytes)->getZExtValue())))
                             : builder.CreateAlloca(builder.getInt8Ty(), bytes);
    shadow->setAlignment(memory->getAlign());
    shadow->setName("set");
    locals[memory] = {memory, shadow, bytes, nameIn(mark)};
  }

  // What is done with an address of a variable.
  void collect(Value &address, Local &local) {
    for (User *user : address.users()) {
      auto *instruction = cast<Instruction>(user);
      if (isa<GetElementPtrInst, BitCastInst, AddrSpaceCastInst>(instruction)) {
        collect(*instruction, local);
      } else if (auto *load = dyn_cast<LoadInst>(instruction)) {
        loads.push_back(load);
      } else if (auto *store = dyn_cast<StoreInst>(instruction);
                 store && store->getValueOperand() != &address) {
        others.push_back(store);
      } else if (isa<MemIntrinsic, AtomicRMWInst, AtomicCmpXchgInst>(instruction)) {
        if (!is_contained(others, instruction))
          others.push_back(instruction);
      } else if (auto *call = dyn_cast<CallInst>(instruction); !call || !isHarmless(*call)) {
        local.escapes = true;
        if (call && isOutside(*call))
          outside.push_back({call, &address});
      }
    }
  }

  static bool isHarmless(const CallInst &call) {
    const Function *callee = call.getCalledFunction();
    return callee &&
           (callee->getName() == markName || isa<LifetimeIntrinsic, DbgInfoIntrinsic>(call));
  }

  // What is not of the source may give a value by accesses that are not looked at: the runtime
  // library fills fragments of matrices.
  static bool isOutside(const CallInst &call) {
    const Function *callee = call.getCalledFunction();
    const DISubprogram *source = callee ? callee->getSubprogram() : nullptr;
    bool isOfSource = source && source->isDefinition();
    return !isOfSource && !(callee && callee->getName().starts_with("cufrt_check_"));
  }

  Local *localAt(Value *address) {
    auto *memory = dyn_cast<AllocaInst>(getUnderlyingObject(address, 0));
    auto known = memory ? locals.find(memory) : locals.end();
    return known == locals.end() ? nullptr : &known->second;
  }

  // The place in the shadow, by the steps that lead to the place in the memory.
  Value *shadowOf(Value *address, Local &local) {
    if (address == local.memory)
      return local.shadow;
    if (Value *known = shadows.lookup(address))
      return known;
    auto *step = cast<Instruction>(address);
    if (!isa<GetElementPtrInst>(step))
      return shadowOf(step->getOperand(0), local);
    Instruction *copy = step->clone();
    copy->setOperand(0, shadowOf(step->getOperand(0), local));
    copy->insertAfter(step->getIterator());
    return shadows[address] = copy;
  }

  Type *maskType(Type *type) {
    return builder.getIntNTy(static_cast<unsigned>(layout.getTypeStoreSizeInBits(type)));
  }
  Constant *allSet(Type *mask) {
    return ConstantInt::get(mask, APInt::getSplat(mask->getIntegerBitWidth(), APInt(8, 1)));
  }

  static bool isCopied(const LoadInst &load) {
    return all_of(load.users(), [&](const User *user) {
      auto *store = dyn_cast<StoreInst>(user);
      return store && store->getValueOperand() == &load && !store->isVolatile();
    });
  }

  // By a shuffle alone: lanes give away what nobody may take, as all but the one that has a ticket.
  static bool isForOtherLanes(const LoadInst &load) {
    return !load.use_empty() && all_of(load.uses(), [](const Use &use) {
      auto *call = dyn_cast<CallInst>(use.getUser());
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      StringRef name = callee ? callee->getName() : ""; // warp_intrinsics.h
      if (!name.consume_front("cufc_warp_"))
        return false;
      const unsigned value = name.consume_front("all_") ? 0 : 1; // behind the mask
      return name.starts_with("shfl_") && use.getOperandNo() == value;
    });
  }

  void checkLoad(LoadInst &load) {
    Local &local = *localAt(load.getPointerOperand());
    Type *mask = maskType(load.getType());
    Value *shadow = shadowOf(load.getPointerOperand(), local);
    builder.SetInsertPoint(&load);
    if (isCopied(load)) {
      Value *bits = builder.CreateAlignedLoad(mask, shadow, Align(1));
      copies[&load] = bits;
      for (User *user : make_early_inc_range(load.users()))
        copyTo(*cast<StoreInst>(user), load, bits, local);
    } else if (isNumber(load.getType()) && !isForOtherLanes(load)) {
      Value *bits = builder.CreateAlignedLoad(mask, shadow, Align(1));
      demand(bits, load, load, local);
      builder.CreateAlignedStore(allSet(mask), shadow, Align(1)); // says it once
    }
  }

  // Stores to variables are followed with all others.
  void copyTo(StoreInst &store, LoadInst &load, Value *bits, Local &local) {
    const Value *target = getUnderlyingObject(store.getPointerOperand(), 0);
    if (localAt(store.getPointerOperand()) || isa<AllocaInst>(target) || !isNumber(load.getType()))
      return;
    demand(bits, load, store, local);
  }

  // A report before `at` unless all bytes that `load` takes are set. Leaves the builder there.
  void demand(Value *bits, LoadInst &load, Instruction &at, Local &local) {
    builder.SetInsertPoint(&at);
    Value *isUnset = builder.CreateICmpNE(bits, allSet(bits->getType()));
    Instruction *end = SplitBlockAndInsertIfThen(isUnset, at.getIterator(), /*Unreachable=*/false);
    builder.SetInsertPoint(end);
    Type *i64 = builder.getInt64Ty();
    Value *offset = builder.getInt64(0);
    if (load.getPointerOperand() != local.memory)
      offset = builder.CreateSub(builder.CreatePtrToInt(load.getPointerOperand(), i64),
                                 builder.CreatePtrToInt(local.memory, i64));
    FunctionCallee report = module.getOrInsertFunction("cufrt_check_unset", builder.getVoidTy(),
                                                       i64, i64, i64, builder.getPtrTy());
    builder.CreateCall(report, {offset, builder.getInt64(layout.getTypeStoreSize(load.getType())),
                                local.bytes, places.placeOf(load, local.name)});
  }

  void follow(Instruction &instruction) {
    builder.SetInsertPoint(&instruction);
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      Value *shadow = shadowOf(store->getPointerOperand(), *localAt(store->getPointerOperand()));
      Type *mask = maskType(store->getValueOperand()->getType());
      auto copied = copies.find(store->getValueOperand());
      builder.CreateAlignedStore(copied == copies.end() ? allSet(mask) : copied->second, shadow,
                                 Align(1));
    } else if (auto *transfer = dyn_cast<MemTransferInst>(&instruction)) {
      Local *to = localAt(transfer->getRawDest()), *from = localAt(transfer->getRawSource());
      if (to && from)
        builder.CreateMemMove(shadowOf(transfer->getRawDest(), *to), Align(1),
                              shadowOf(transfer->getRawSource(), *from), Align(1),
                              transfer->getLength());
      else if (to)
        set(transfer->getRawDest(), *to, transfer->getLength());
    } else if (auto *fill = dyn_cast<MemSetInst>(&instruction)) {
      set(fill->getRawDest(), *localAt(fill->getRawDest()), fill->getLength());
    } else {
      Local &local = *localAt(instruction.getOperand(0));
      set(instruction.getOperand(0), local,
          builder.getInt64(layout.getTypeStoreSize(instruction.getOperand(1)->getType())));
    }
  }

  void set(Value *address, Local &local, Value *bytes) {
    builder.CreateMemSet(shadowOf(address, local), builder.getInt8(1), bytes, Align(1));
  }

  void begin(CallInst &mark) {
    if (Local *local = localAt(mark.getArgOperand(1))) {
      builder.SetInsertPoint(&mark);
      builder.CreateMemSet(local->shadow, builder.getInt8(0), local->bytes, Align(1));
      if (local->escapes)
        builder.CreateCall(module.getOrInsertFunction(announceName, builder.getVoidTy(),
                                                      builder.getPtrTy(), builder.getInt64Ty(),
                                                      builder.getPtrTy(), builder.getPtrTy()),
                           {local->memory, local->bytes, local->shadow, places.text(local->name)});
    }
    mark.eraseFromParent();
  }

  void leaveAtReturns(Local &local) {
    FunctionCallee leave =
        module.getOrInsertFunction("cufrt_check_leave", builder.getVoidTy(), builder.getPtrTy());
    for (auto &[call, address] : outside) {
      if (localAt(address) != &local)
        continue;
      builder.SetInsertPoint(call);
      builder.CreateMemSet(local.shadow, builder.getInt8(1), local.bytes, Align(1));
    }
    for (BasicBlock &block : function)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
        builder.SetInsertPoint(end);
        builder.CreateCall(leave, {local.memory});
      }
  }

  Function &function;
  Module &module;
  const DataLayout &layout;
  IRBuilder<> builder;
  CheckPlaces &places;
  DominatorTree dominators; // of the function as it was
  MapVector<AllocaInst *, Local> locals;
  DenseMap<Value *, Value *> shadows; // by the address in a variable's memory
  DenseMap<Value *, Value *> copies;  // the shadows of what is loaded to be stored
  std::vector<LoadInst *> loads;
  std::vector<Instruction *> others;
  std::vector<std::pair<CallInst *, Value *>> outside;
};

} // namespace

bool isInlinedAccess(const Value &object, const Instruction &access) {
  return !access.getMetadata(seenName) && any_of(object.users(), [&](const User *user) {
    auto *call = dyn_cast<CallInst>(user);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == announceName && call->getArgOperand(0) == &object;
  });
}

void checkLocals(Module &module) {
  Function *mark = module.getFunction(markName);
  if (!mark)
    return;
  MapVector<Function *, std::vector<CallInst *>> marks;
  for (User *user : mark->users())
    if (auto *call = dyn_cast<CallInst>(user))
      marks[call->getFunction()].push_back(call);
  CheckPlaces places(module);
  for (auto &[function, calls] : marks)
    FunctionLocals(*function, places).run(calls);
  mark->eraseFromParent();
}

} // namespace cufc
