// A reduction begins with sums of each thread:
//
//   do i = (blockIdx%x - 1)*blockDim%x + threadIdx%x, n, blockDim%x*gridDim%x
//     s = s + a(i)
//   end do
//   s = s + __shfl_down(s, 16)
//
// As part of a warp this would be a loop over 32 elements in each round, far from those of the
// next. So what comes before the first meeting becomes loops over all threads of the block, as in a
// kernel without operations of warps (thread_strides.cpp):
//
//   for each thread: values(thread) = sum of its elements
//   for each warp: s = values(its threads); shuffles
//
// It holds where all threads come to the meeting, since threads that have not met run in any order.
// What is computed of the index and the arguments alone is computed again.
#include "codegen/cpu/block_prologue.h"
#include "codegen/branches.h"
#include "codegen/cpu/block_function.h"
#include "codegen/cpu/lane_operations.h"
#include "codegen/cpu/sync_operations.h"
#include "cufrt/abi.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned firstIndex = 3;     // of the arguments, that are the thread's index
constexpr uint64_t mostThreads = 1024; // of a block
constexpr size_t mostValues = 4;
constexpr uint64_t mostBytes = 8;                          // of a value
constexpr unsigned mostSteps = 32;                         // to what a value is made of
constexpr const char *placeName = "cufc.prologue_value";   // ptr (i32 number, i64 thread)
constexpr const char *threadName = "cufc.prologue_thread"; // i64 ()

FunctionCallee pureFunction(Module &module, StringRef name, Type *result, ArrayRef<Type *> types) {
  FunctionCallee callee =
      module.getOrInsertFunction(name, FunctionType::get(result, types, /*isVarArg=*/false));
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(Attribute::Speculatable);
  return callee;
}

Value *placeOf(IRBuilder<> &builder, size_t number, Value *thread) {
  Type *types[] = {builder.getInt32Ty(), builder.getInt64Ty()};
  return builder.CreateCall(
      pureFunction(*builder.GetInsertBlock()->getModule(), placeName, builder.getPtrTy(), types),
      {builder.getInt32(static_cast<uint32_t>(number)), thread});
}

std::vector<CallInst *> callsOf(Function &function, StringRef name) {
  std::vector<CallInst *> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->getCalledFunction() && call->getCalledFunction()->getName() == name)
      calls.push_back(call);
  return calls;
}

bool synchronises(const Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  return call && syncOperation(*call);
}

// The arguments of the launch and the values in them, which nobody changes.
bool readsLaunch(const LoadInst &load) {
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return true;
  auto *place = dyn_cast<LoadInst>(load.getPointerOperand()->stripInBoundsConstantOffsets());
  return load.isSimple() && place && place->hasMetadata(LLVMContext::MD_invariant_load) &&
         getUnderlyingObject(place->getPointerOperand()) == load.getFunction()->getArg(1);
}

// first + x, of what all threads of the block have and their own index.
bool isSumWithIndex(const Value *value, unsigned steps = mostSteps) {
  if (auto *argument = dyn_cast<Argument>(value))
    return argument->getArgNo() == firstIndex;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || steps == 0)
    return false;
  if (isa<SExtInst, ZExtInst, TruncInst>(instruction))
    return isSumWithIndex(instruction->getOperand(0), steps - 1);
  return instruction->getOpcode() == Instruction::Add &&
         any_of(instruction->operands(),
                [&](const Use &use) { return isSumWithIndex(use, steps - 1); });
}

class Prologue {
public:
  explicit Prologue(Function &rest) : rest(rest), dominators(rest), loops(dominators) {}

  BlockPrologue split() {
    if (!findMeeting() || !readBlocks() || !hasGridLoop() || !findValues())
      return {};
    BasicBlock *start = SplitBlock(meeting->getParent(), meeting->getIterator());
    start->setName("rest");
    ValueToValueMapTy map;
    BlockPrologue result;
    result.thread = CloneFunction(&rest, map);
    result.thread->setName(rest.getName() + ".prologue");
    for (Instruction *value : kept)
      result.values.push_back(value->getType());
    endAt(*cast<BasicBlock>(map[start]), map);
    beginAt(*start);
    removeUnreachableBlocks(*result.thread);
    removeUnreachableBlocks(rest);
    return result;
  }

private:
  // The operation that all threads come to first.
  bool findMeeting() {
    for (BasicBlock &block : rest)
      for (Instruction &instruction : block) {
        if (isa<AllocaInst>(instruction))
          return false;
        if (synchronises(instruction) && dominators.isReachableFromEntry(&block) &&
            (!meeting || dominators.dominates(&instruction, meeting)))
          meeting = &instruction;
      }
    return meeting && !loops.getLoopFor(meeting->getParent());
  }

  // All ways lead to the meeting, and none back.
  bool readBlocks() {
    BasicBlock *last = meeting->getParent();
    blocks.insert(&rest.getEntryBlock());
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (blocks[i] == last)
        continue;
      if (succ_empty(blocks[i]))
        return false;
      blocks.insert(succ_begin(blocks[i]), succ_end(blocks[i]));
    }
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : *block) {
        if (&instruction == meeting)
          break;
        if (synchronises(instruction) || instruction.isVolatile() || instruction.isAtomic())
          return false;
      }
    return blocks.contains(last);
  }

  // Over elements from the thread's own on, by steps of the grid or the block.
  bool hasGridLoop() const {
    return any_of(loops.getLoopsInPreorder(), [&](const Loop *loop) {
      BasicBlock *before = loop->getLoopPreheader(), *latch = loop->getLoopLatch();
      if (!before || !latch || !blocks.contains(loop->getHeader()))
        return false;
      return any_of(loop->getHeader()->phis(), [&](PHINode &phi) {
        Value *step = nullptr;
        const APInt *number = nullptr;
        return phi.getType()->isIntegerTy() &&
               match(phi.getIncomingValueForBlock(latch),
                     m_c_Add(m_Specific(&phi), m_Value(step))) &&
               !(match(step, m_APInt(number)) && number->sle(lanesOfWarp)) &&
               isSumWithIndex(phi.getIncomingValueForBlock(before));
      });
    });
  }

  bool isBefore(const Instruction &instruction) const {
    return blocks.contains(const_cast<BasicBlock *>(instruction.getParent())) &&
           (instruction.getParent() != meeting->getParent() || instruction.comesBefore(meeting));
  }

  // What a value is made of that depends on memory or on ways. Nothing if there are too many steps.
  bool addSources(Instruction &value, SetVector<Instruction *> &sources,
                  unsigned steps = mostSteps) const {
    auto *load = dyn_cast<LoadInst>(&value);
    const bool isPure = // or a quotient, which all threads have computed that do so again
        isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, FreezeInst>(value) &&
        (isSafeToSpeculativelyExecute(&value) || dominators.dominates(&value, meeting));
    if (!(load ? readsLaunch(*load) : isPure))
      return sources.insert(&value), true;
    return steps > 0 && all_of(value.operands(), [&](const Use &use) {
             auto *operand = dyn_cast<Instruction>(use);
             return !operand || addSources(*operand, sources, steps - 1);
           });
  }

  bool findValues() {
    for (BasicBlock *block : blocks)
      for (Instruction &value : *block) {
        if (!isBefore(value) || all_of(value.users(), [&](const User *user) {
              return isBefore(*cast<Instruction>(user));
            }))
          continue;
        SetVector<Instruction *> sources;
        if (addSources(value, sources) && sources.size() <= 1) {
          again.push_back(&value);
          kept.insert_range(sources);
        } else {
          kept.insert(&value);
        }
      }
    return kept.size() <= mostValues && all_of(kept, [](const Instruction *value) {
             Type *type = value->getType();
             return (type->isIntegerTy() || type->isFloatingPointTy() || type->isPointerTy()) &&
                    value->getDataLayout().getTypeAllocSize(type) <= mostBytes;
           });
  }

public:
  static Type *storedType(Type *type) {
    return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
  }

private:
  // The prologue's thread leaves what is needed, and returns.
  void endAt(BasicBlock &start, ValueToValueMapTy &map) {
    BasicBlock *last = start.getSinglePredecessor();
    last->getTerminator()->eraseFromParent();
    IRBuilder<> builder(last);
    Value *thread = indexInBlock(builder, *last->getParent());
    for (auto [number, value] : enumerate(kept)) {
      Value *own = map[value];
      builder.CreateStore(builder.CreateZExtOrBitCast(own, storedType(own->getType())),
                          placeOf(builder, number, thread));
    }
    builder.CreateRet(Constant::getNullValue(last->getParent()->getReturnType()));
  }

  static Value *indexInBlock(IRBuilder<> &builder, Function &thread) {
    Type *wide = builder.getInt64Ty();
    auto size = [&](size_t d) {
      Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread.getArg(0),
                                                        offsetof(cufrt_block, block_dim) + 4 * d);
      LoadInst *load = builder.CreateLoad(builder.getInt32Ty(), place);
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(thread.getContext(), {}));
      return builder.CreateZExt(load, wide);
    };
    auto own = [&](unsigned d) { return builder.CreateZExt(thread.getArg(firstIndex + d), wide); };
    Value *row = builder.CreateNUWAdd(builder.CreateNUWMul(own(2), size(1)), own(1));
    return builder.CreateAdd(builder.CreateNUWMul(row, size(0)), own(0), "", true, true);
  }

  // The rest begins with what the prologue has left.
  void beginAt(BasicBlock &start) {
    BasicBlock *entry =
        BasicBlock::Create(rest.getContext(), "begin", &rest, &rest.getEntryBlock());
    IRBuilder<> builder(entry);
    Value *thread =
        builder.CreateCall(pureFunction(*rest.getParent(), threadName, builder.getInt64Ty(), {}));
    for (auto [number, value] : enumerate(kept)) {
      Value *load =
          builder.CreateLoad(storedType(value->getType()), placeOf(builder, number, thread));
      here[value] = builder.CreateTruncOrBitCast(load, value->getType());
    }
    for (Instruction *value : again)
      computeIn(builder, value);
    for (auto &[value, copy] : here)
      value->replaceUsesWithIf(copy, [&](const Use &use) {
        BasicBlock *user = cast<Instruction>(use.getUser())->getParent();
        return user != entry && !blocks.contains(user);
      });
    BasicBlock *last = start.getSinglePredecessor();
    last->getTerminator()->eraseFromParent();
    new UnreachableInst(rest.getContext(), last);
    builder.CreateBr(&start);
  }

  Value *computeIn(IRBuilder<> &builder, Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction)
      return value;
    if (Value *known = here.lookup(value))
      return known;
    Instruction *copy = instruction->clone();
    for (Use &use : copy->operands())
      use.set(computeIn(builder, use));
    return here[value] = builder.Insert(copy);
  }

  Function &rest;
  DominatorTree dominators;
  LoopInfo loops;
  Instruction *meeting = nullptr;
  SetVector<BasicBlock *> blocks;   // of the prologue; the last of them has the meeting
  SetVector<Instruction *> kept;    // values that the rest needs
  std::vector<Instruction *> again; // and those that it computes
  MapVector<Value *, Value *> here; // both, as the rest has them
};

} // namespace

BlockPrologue splitPrologue(Function &rest) { return Prologue(rest).split(); }

void chooseElements(Function &lane) {
  for (CallInst *call : callsOf(lane, threadName)) {
    IRBuilder<> builder(call);
    Type *wide = builder.getInt64Ty();
    Value *warp = builder.CreateZExt(lane.getArg(warpArgument), wide);
    Value *first = builder.CreateNUWMul(warp, builder.getInt64(lanesOfWarp));
    Value *own = builder.CreateZExt(lane.getArg(laneArgument), wide);
    call->replaceAllUsesWith(builder.CreateAdd(first, own, "", true, true));
    call->eraseFromParent();
  }
}

void addPrologue(Function &block, const BlockPrologue &prologue) {
  Function *threads = makeBlockFunction(*prologue.thread, (block.getName() + ".prologue").str(),
                                        /*keepThread=*/false, /*isRow=*/false);
  BasicBlock &entry = block.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  CallInst *call = builder.CreateCall(threads, {block.getArg(0), block.getArg(1)});
  if (DISubprogram *program = block.getSubprogram())
    call->setDebugLoc(DILocation::get(block.getContext(), program->getLine(), 0, program));
  for (Function *called : {threads, prologue.thread}) {
    auto *user = cast<CallBase>(*called->user_begin());
    InlineFunctionInfo info;
    InlineFunction(*user, info);
    called->eraseFromParent();
  }
  std::vector<AllocaInst *> memory;
  for (Type *type : prologue.values)
    memory.push_back(
        laneValues(block.getEntryBlock(), ArrayType::get(Prologue::storedType(type), mostThreads)));
  for (CallInst *place : callsOf(block, placeName)) {
    builder.SetInsertPoint(place);
    AllocaInst *values = memory[cast<ConstantInt>(place->getArgOperand(0))->getZExtValue()];
    place->replaceAllUsesWith(builder.CreateInBoundsGEP(
        values->getAllocatedType(), values, {builder.getInt64(0), place->getArgOperand(1)}));
    place->eraseFromParent();
  }
}

} // namespace cufc
