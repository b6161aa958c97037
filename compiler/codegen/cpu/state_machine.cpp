// The transformation, on the control flow graph of one function:
//
//   1. The block of every synchronising call is split after it. Before the split the thread
//      describes the operation in its frame, stores its resume point and returns 1.
//   2. A new entry block jumps to the resume point.
//   3. A value that no longer dominates its uses lives across a stop: it is demoted to memory.
//   4. All stack memory moves into the frame, which outlives the call; arrays whose size is
//      computed come from the heap until the thread returns. Marks of lifetimes are dropped.
//
// No condition on the control flow is needed: each thread has its own resume point, so barriers in
// divergent code meet exactly as on hardware.
#include "codegen/cpu/state_machine.h"
#include "codegen/cpu/sync_operations.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;

class ResumableFunction {
public:
  ResumableFunction(Function &function, Value &frame, bool markPlaces)
      : function(function), frame(frame), markPlaces(markPlaces), layout(function.getDataLayout()) {
  }

  uint64_t run() {
    if (!moveComputedSizesToHeap())
      return 0;
    std::vector<CallInst *> stops;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && syncOperation(*call))
        stops.push_back(call);
    BasicBlock *start = &function.getEntryBlock();
    BasicBlock *dispatch = BasicBlock::Create(function.getContext(), "dispatch", &function, start);
    moveAllocasToFront(*start, *dispatch);
    IRBuilder<> builder(dispatch);
    Value *state =
        builder.CreateLoad(builder.getInt32Ty(), field(builder, offsetof(cufrt_frame, state)));
    SwitchInst *jump = builder.CreateSwitch(state, start, stops.size());
    if (markPlaces)
      markEnds();
    for (CallInst *stop : stops)
      if (std::optional<SyncOperation> operation = syncOperation(*stop))
        jump->addCase(builder.getInt32(jump->getNumCases() + 1),
                      stopAt(*stop, *operation, jump->getNumCases() + 1));
    demoteBrokenValues();
    return moveStackToFrame();
  }

private:
  Value *field(IRBuilder<> &builder, uint64_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &frame, offset);
  }

  void moveAllocasToFront(BasicBlock &from, BasicBlock &to) {
    for (Instruction &instruction : make_early_inc_range(from))
      if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && memory->isStaticAlloca())
        memory->moveBefore(to, to.end());
  }

  // An automatic array is made on entry; one that only some paths make is not supported.
  bool moveComputedSizesToHeap() {
    std::vector<AllocaInst *> arrays;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *alloca = dyn_cast<AllocaInst>(&instruction);
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (alloca && !alloca->getAllocationSize(layout))
        arrays.push_back(alloca);
      else if (call &&
               (call->getIntrinsicID() == Intrinsic::stackrestore || isa<LifetimeIntrinsic>(call)))
        call->eraseFromParent();
    }
    DominatorTree dominators(function);
    for (AllocaInst *array : arrays)
      if (!moveToHeap(*array, dominators))
        return false;
    return true;
  }

  bool moveToHeap(AllocaInst &array, const DominatorTree &dominators) {
    IRBuilder<> builder(&array);
    Module &module = *function.getParent();
    FunctionCallee allocate =
        module.getOrInsertFunction("malloc", builder.getPtrTy(), builder.getInt64Ty());
    FunctionCallee release =
        module.getOrInsertFunction("free", builder.getVoidTy(), builder.getPtrTy());
    uint64_t element = layout.getTypeAllocSize(array.getAllocatedType());
    Value *count = builder.CreateSExtOrTrunc(array.getArraySize(), builder.getInt64Ty());
    Value *memory =
        builder.CreateCall(allocate, builder.CreateMul(count, builder.getInt64(element)));
    for (BasicBlock &block : function)
      if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator())) {
        if (!dominators.dominates(&array, ret))
          return false;
        builder.SetInsertPoint(ret);
        builder.CreateCall(release, memory);
      }
    for (User *user : make_early_inc_range(array.users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
        marker->eraseFromParent();
    array.replaceAllUsesWith(memory);
    array.eraseFromParent();
    return true;
  }

  // Splits after the call and returns the block to resume at.
  BasicBlock *stopAt(CallInst &call, const SyncOperation &operation, int state) {
    BasicBlock *before = call.getParent();
    BasicBlock *after = before->splitBasicBlock(std::next(call.getIterator()), "resume");
    IRBuilder<> builder(&call);
    auto store = [&](Value *value, uint64_t offset) {
      builder.CreateStore(value, field(builder, offset));
    };
    store(builder.getInt32(state), offsetof(cufrt_frame, state));
    store(builder.getInt32(operation.kind), offsetof(cufrt_frame, operation));
    if (operation.mask)
      store(operation.mask, offsetof(cufrt_frame, mask));
    if (operation.lane)
      store(operation.lane, offsetof(cufrt_frame, lane));
    if (operation.clamp)
      store(operation.clamp, offsetof(cufrt_frame, clamp));
    if (operation.operand)
      store(toBits(builder, operation.operand), offsetof(cufrt_frame, operand));
    if (markPlaces)
      store(markPlace(builder, *after, call.getDebugLoc()), offsetof(cufrt_frame, place));
    before->getTerminator()->eraseFromParent();
    ReturnInst::Create(function.getContext(), builder.getInt32(1), before);
    builder.SetInsertPoint(after, after->getFirstInsertionPt());
    if (!call.use_empty()) {
      Value *result =
          builder.CreateLoad(builder.getInt64Ty(), field(builder, offsetof(cufrt_frame, result)));
      call.replaceAllUsesWith(syncResult(builder, operation, call.getType(), result));
    }
    call.eraseFromParent();
    return after;
  }

  // The block in bytes behind the function's start. It begins with an instruction that has the line
  // of the operation, and the procedures that it is inlined from.
  Value *markPlace(IRBuilder<> &builder, BasicBlock &block, const DebugLoc &line) {
    auto *nothing = InlineAsm::get(FunctionType::get(builder.getVoidTy(), false), "nop", "", true);
    CallInst::Create(nothing, "", block.getFirstInsertionPt())->setDebugLoc(line);
    Value *place = builder.CreatePtrToInt(BlockAddress::get(&block), builder.getInt64Ty());
    Value *start = builder.CreatePtrToInt(&function, builder.getInt64Ty());
    return builder.CreateTrunc(builder.CreateSub(place, start), builder.getInt32Ty());
  }

  void markEnds() {
    for (BasicBlock &block : function)
      if (auto *ret = dyn_cast<ReturnInst>(block.getTerminator())) {
        IRBuilder<> builder(ret);
        builder.CreateStore(builder.getInt32(CUFRT_ENDED),
                            field(builder, offsetof(cufrt_frame, place)));
      }
  }

  static Value *toBits(IRBuilder<> &builder, Value *value) {
    if (value->getType()->isFloatTy())
      value = builder.CreateBitCast(value, builder.getInt32Ty());
    return builder.CreateZExt(value, builder.getInt64Ty());
  }

  // Demoting a PHI leaves one load in its place, whose uses may again lie behind a stop; hence the
  // loop.
  void demoteBrokenValues() {
    DominatorTree dominators(function);
    for (std::vector<Instruction *> broken; !(broken = brokenValues(dominators)).empty();)
      for (Instruction *instruction : broken)
        if (auto *phi = dyn_cast<PHINode>(instruction))
          DemotePHIToStack(phi, stackPlace());
        else
          DemoteRegToStack(*instruction, false, stackPlace());
  }

  std::vector<Instruction *> brokenValues(const DominatorTree &dominators) {
    std::vector<Instruction *> broken;
    for (Instruction &instruction : instructions(function))
      for (const Use &use : instruction.uses())
        if (!dominators.dominates(&instruction, use)) {
          broken.push_back(&instruction);
          break;
        }
    return broken;
  }

  BasicBlock::iterator stackPlace() { return function.getEntryBlock().getFirstInsertionPt(); }

  uint64_t moveStackToFrame() {
    uint64_t size = alignTo(sizeof(cufrt_frame), 16);
    std::vector<AllocaInst *> memory;
    for (Instruction &instruction : instructions(function))
      if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
        memory.push_back(alloca);
    for (AllocaInst *alloca : memory) {
      std::optional<TypeSize> bytes = alloca->getAllocationSize(layout);
      if (!bytes)
        return 0;
      size = alignTo(size, std::min<uint64_t>(alloca->getAlign().value(), 16));
      IRBuilder<> builder(alloca);
      alloca->replaceAllUsesWith(field(builder, size));
      alloca->eraseFromParent();
      size += bytes->getFixedValue();
    }
    return alignTo(size, 16);
  }

  Function &function;
  Value &frame;
  bool markPlaces;
  const DataLayout &layout;
};

} // namespace

bool synchronises(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction); call && syncOperation(*call))
      return true;
  return false;
}

uint64_t makeResumable(Function &function, Value &frame, bool markPlaces) {
  return ResumableFunction(function, frame, markPlaces).run();
}

} // namespace cufc
