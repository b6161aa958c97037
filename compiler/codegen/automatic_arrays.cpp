// See automatic_arrays.h.
//
//   %a = alloca float, i64 %n
//
// becomes, before optimisation, where functions are inlined and counts become constants,
//
//   %a = call ptr @cufc_automatic_array(i64 %bytes)
//
// and then memory of the frame, if %bytes is a constant, or
//
//   br (%bytes > 512), %large, %join
// large:
//   call void @free(%taken)             ; of the iteration before, in a loop
//   %taken = call ptr @malloc(%bytes)   ; null: __assertfail
// join:
//   %a = phi [%place, ...], [%taken, %large]
//   ...
//   call void @free(%taken)             ; before each return, if it is not null
//
// The same becomes of the temporaries for which flang takes memory of the heap, where all uses of
// their address are in sight; they are given back where they were.
#include "codegen/automatic_arrays.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace cufc {
namespace {

using namespace llvm;

// The local memory of a GPU is reserved for all threads that it can run at a time: on an H100 a
// frame of 512 bytes takes 138 MB of it. compute-sanitizer's malloc needs room in the 1024 bytes
// that each thread has in any case.
constexpr uint64_t mostOfFrame = 768, mostOfPlace = 512, leastOfPlace = 64;
constexpr uint64_t alignment = 16; // also malloc's
// What a frame takes of an array whose size has become a constant.
constexpr uint64_t mostKnown = 16384;
constexpr StringLiteral markName = "cufc_automatic_array";

Function *markFunction(Module &module) {
  LLVMContext &context = module.getContext();
  auto *type = FunctionType::get(PointerType::get(context, 0), {Type::getInt64Ty(context)}, false);
  auto *function = cast<Function>(module.getOrInsertFunction(markName, type).getCallee());
  function->addRetAttr(Attribute::NoAlias);
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setOnlyAccessesInaccessibleMemory();
  function->addFnAttr(
      Attribute::getWithAllocKind(context, AllocFnKind::Alloc | AllocFnKind::Uninitialized));
  function->addFnAttr("alloc-family", markName);
  return function;
}

void mark(AllocaInst &array) {
  Module &module = *array.getModule();
  IRBuilder<> builder(&array);
  Value *count = builder.CreateZExtOrTrunc(array.getArraySize(), builder.getInt64Ty());
  uint64_t element = module.getDataLayout().getTypeAllocSize(array.getAllocatedType());
  Value *bytes = builder.CreateMul(count, builder.getInt64(element));
  Value *memory = builder.CreateCall(markFunction(module), {bytes});
  if (memory->getType() != array.getType())
    memory = builder.CreateAddrSpaceCast(memory, array.getType());
  array.replaceAllUsesWith(memory);
  array.eraseFromParent();
}

class AutomaticArrays {
public:
  explicit AutomaticArrays(Function &function)
      : function(function), module(*function.getParent()),
        pointer(PointerType::get(module.getContext(), 0)) {}

  void place() {
    SmallVector<CallInst *> arrays;
    size_t unknown = 0;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && (isMark(*call) || isTemporary(*call))) {
        arrays.push_back(call);
        unknown += !isa<ConstantInt>(call->getArgOperand(0));
      }
    if (arrays.empty())
      return;
    uint64_t bytes =
        std::clamp(mostOfFrame / std::max<size_t>(unknown, 1), leastOfPlace, mostOfPlace);
    for (CallInst *array : arrays)
      placeOne(*array, alignDown(bytes, alignment));
    releaseAtReturns();
    dropStackMarks();
    DominatorTree dominators(function);
    PromoteMemToReg(taken, dominators);
  }

private:
  static bool calls(const CallInst &call, StringRef name) {
    const Function *callee = call.getCalledFunction();
    return callee && callee->getName() == name;
  }
  static bool isMark(const CallInst &call) { return calls(call, markName); }

  // Memory of the heap that is used here alone, and not beyond the next time that it is taken.
  bool isTemporary(CallInst &call) {
    if (!calls(call, "malloc"))
      return false;
    SmallVector<CallInst *> found;
    SetVector<Value *> addresses;
    addresses.insert(&call);
    for (size_t i = 0; i < addresses.size(); ++i)
      for (User *user : addresses[i]->users()) {
        auto *access = cast<Instruction>(user);
        if (isa<GetElementPtrInst, AddrSpaceCastInst>(access))
          addresses.insert(access);
        else if (auto *use = dyn_cast<CallInst>(access); use && calls(*use, "free"))
          found.push_back(use);
        else if (auto *store = dyn_cast<StoreInst>(access);
                 store ? addresses.contains(store->getValueOperand())
                       : !isa<LoadInst, ICmpInst, MemIntrinsic>(access))
          return false;
      }
    releases[&call] = std::move(found);
    return true;
  }

  Value *frameMemory(uint64_t bytes) {
    IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *memory = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes));
    memory->setAlignment(Align(alignment));
    return memory->getType() == pointer ? memory : builder.CreateAddrSpaceCast(memory, pointer);
  }

  AllocaInst *emptySlot() {
    IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    AllocaInst *slot = builder.CreateAlloca(pointer);
    builder.CreateStore(Constant::getNullValue(pointer), slot);
    return slot;
  }

  void placeOne(CallInst &array, uint64_t bytesOfPlace) {
    Value *bytes = array.getArgOperand(0);
    auto *known = dyn_cast<ConstantInt>(bytes);
    if (known && known->getZExtValue() <= mostKnown) {
      for (CallInst *release : releases[&array])
        release->eraseFromParent();
      array.replaceAllUsesWith(frameMemory(std::max<uint64_t>(known->getZExtValue(), 1)));
      array.eraseFromParent();
      return;
    }
    Value *place = frameMemory(bytesOfPlace);
    AllocaInst *slot = emptySlot();
    taken.push_back(slot);
    for (CallInst *release : releases[&array]) {
      releaseAt(*release, *slot);
      release->eraseFromParent();
    }
    IRBuilder<> builder(&array);
    Value *isLarge = builder.CreateICmpUGT(bytes, builder.getInt64(bytesOfPlace));
    BasicBlock *before = array.getParent();
    Instruction *end = SplitBlockAndInsertIfThen(isLarge, &array, /*Unreachable=*/false);
    builder.SetInsertPoint(end);
    builder.CreateCall(releaseFunction(), {builder.CreateLoad(pointer, slot)});
    CallInst *memory = builder.CreateCall(allocateFunction(), {bytes});
    builder.CreateStore(memory, slot);
    builder.SetInsertPoint(&array);
    PHINode *result = builder.CreatePHI(pointer, 2);
    result->addIncoming(place, before);
    result->addIncoming(memory, end->getParent());
    array.replaceAllUsesWith(result);
    array.eraseFromParent();
  }

  void releaseAtReturns() {
    SmallVector<ReturnInst *> returns;
    for (BasicBlock &block : function)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
        returns.push_back(end);
    for (ReturnInst *end : returns)
      for (AllocaInst *slot : taken)
        releaseAt(*end, *slot);
  }

  // What the heap has given, if it has; nothing is taken then.
  void releaseAt(Instruction &place, AllocaInst &slot) {
    IRBuilder<> builder(&place);
    Value *memory = builder.CreateLoad(slot.getAllocatedType(), &slot);
    Instruction *release =
        SplitBlockAndInsertIfThen(builder.CreateIsNotNull(memory), &place, /*Unreachable=*/false);
    builder.SetInsertPoint(release);
    builder.CreateCall(releaseFunction(), {memory});
    builder.CreateStore(Constant::getNullValue(pointer), &slot);
  }

  void dropStackMarks() {
    SmallVector<Instruction *> saves;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
        if (call->getIntrinsicID() == Intrinsic::stackrestore)
          call->eraseFromParent();
        else if (call->getIntrinsicID() == Intrinsic::stacksave)
          saves.push_back(call);
      }
    for (Instruction *save : saves)
      if (save->use_empty())
        save->eraseFromParent();
  }

  FunctionCallee allocateFunction() {
    return module.getOrInsertFunction("malloc", pointer, Type::getInt64Ty(module.getContext()));
  }
  FunctionCallee releaseFunction() {
    return module.getOrInsertFunction("free", Type::getVoidTy(module.getContext()), pointer);
  }

  Function &function;
  Module &module;
  Type *pointer;
  SmallVector<AllocaInst *> taken; // what of the heap each array has, or null
  DenseMap<CallInst *, SmallVector<CallInst *>> releases; // of temporaries
};

// The text that the GPU shows is "FILE:LINE: FUNCTION: block: ..., thread: ... Assertion `TEXT`
// failed", and the host's next call fails with cudaErrorAssert.
class HeapChecks {
public:
  explicit HeapChecks(Module &module) : module(module), context(module.getContext()) {}

  void add() {
    Function *allocate = module.getFunction("malloc");
    if (!allocate)
      return;
    for (User *user : make_early_inc_range(allocate->users()))
      if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == allocate)
        check(*call);
  }

private:
  void check(CallInst &call) {
    IRBuilder<> builder(call.getNextNode());
    Instruction *end = SplitBlockAndInsertIfThen(
        builder.CreateIsNull(&call), call.getNextNode()->getNextNode(), /*Unreachable=*/true);
    builder.SetInsertPoint(end);
    const DebugLoc &place = call.getDebugLoc();
    StringRef file = place ? place->getFilename() : StringRef("(device code)");
    builder.CreateCall(
        failFunction(),
        {text(builder, "the device's heap has memory for a local array or a temporary; "
                       "cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes) makes it larger"),
         text(builder, file), builder.getInt32(place ? place.getLine() : 0),
         text(builder, call.getFunction()->getName()), builder.getInt64(1)});
  }

  Value *text(IRBuilder<> &builder, StringRef value) {
    return builder.CreateGlobalString(value, "", 0, &module);
  }

  FunctionCallee failFunction() {
    Type *pointer = PointerType::get(context, 0);
    return module.getOrInsertFunction("__assertfail", Type::getVoidTy(context), pointer, pointer,
                                      Type::getInt32Ty(context), pointer,
                                      Type::getInt64Ty(context));
  }

  Module &module;
  LLVMContext &context;
};

} // namespace

bool usesHeap(const Module &module) {
  if (const Function *allocate = module.getFunction("malloc"); allocate && !allocate->use_empty())
    return true;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && !memory->isStaticAlloca())
        return true;
  return false;
}

void markAutomaticArrays(Module &module) {
  SmallVector<AllocaInst *> arrays;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && !memory->isStaticAlloca())
        arrays.push_back(memory);
  for (AllocaInst *array : arrays)
    mark(*array);
}

void placeAutomaticArrays(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      AutomaticArrays(function).place();
  if (Function *function = module.getFunction(markName))
    function->eraseFromParent();
  HeapChecks(module).add();
}

} // namespace cufc
