//   tile(x) = a(i)              for x: tile(x) = a(i)
//   call syncthreads()    =>
//   b(i) = tile(n - x)          for x: b(i) = tile(n - x)
//
// The steps: find what all threads do alike (barrier_regions.h), cut the rest into regions
// (thread_regions.h), put loops around them and connect their values (region_values.h). Threads
// that retire before a barrier are marked in memory, and later loops pass them by: where each
// thread comes by the condition at the start, it is computed again, which makes it a bound of the
// loop (thread_loops.h). When all threads of a block have retired, the block ends. A barrier that
// combines a value of all threads has the loop before it do that.
#include "codegen/cpu/barrier_loops.h"
#include "codegen/branches.h"
#include "codegen/cpu/block_prologue.h"
#include "codegen/cpu/block_tickets.h"
#include "codegen/cpu/host_kernel_body.h"
#include "codegen/cpu/lane_operations.h"
#include "codegen/cpu/region_values.h"
#include "codegen/cpu/sync_operations.h"
#include "codegen/cpu/warp_lanes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr uint64_t roomStep = 64; // runtime/host/grid_run.cpp makes as much room

// What is done one after the other: threads of a block, lanes of a warp, or warps of a block.
enum class Loops { OfThreads, OfLanes, OfWarps };

class BlockFunction {
public:
  BlockFunction(Function &thread, BarrierRegions found, Loops kind, StringRef name)
      : thread(thread), plan(std::move(found)), kind(kind), context(thread.getContext()) {
    createFunction(name);
  }

  // A function without a block if an operation of warps is none of lanes.
  BarrierLoops run() {
    const std::vector<AllocaInst *> spread = arraysToSpread();
    regions = cutRegions(plan);
    readGeometry();
    Argument *index[] = {thread.getArg(3), thread.getArg(4), thread.getArg(5)};
    RegionValues made(plan, regions, geometry, index);
    values = &made;
    for (AllocaInst *memory : spread)
      made.spreadElements(*memory);
    if (!combineAtBarriers()) {
      function->dropAllReferences();
      function->eraseFromParent();
      thread.eraseFromParent();
      return {};
    }
    std::vector<ThreadRegion *> retiring = separateRetirements();
    values->hoistUniformValues();
    addLoops();
    values->demoteVaryingPhis();
    retire(retiring);
    values->connectRegions();
    thread.eraseFromParent();
    return {function, values->frameBytes(), loops};
  }

private:
  void createFunction(StringRef name) {
    Type *pointer = PointerType::get(context, 0);
    auto *type = kind == Loops::OfLanes
                     ? thread.getFunctionType() // a warp is what a thread was
                     : FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
    function = Function::Create(type, GlobalValue::InternalLinkage, name, thread.getParent());
    function->splice(function->end(), &thread);
    function->addFnAttr(ownsSharedMemory);
    function->setSubprogram(thread.getSubprogram());
    thread.setSubprogram(nullptr);
    for (unsigned i = 0; i < 2; ++i) {
      function->getArg(i)->addAttr(Attribute::NoAlias);
      thread.getArg(i)->replaceAllUsesWith(function->getArg(i));
    }
    if (kind == Loops::OfLanes) {
      thread.getArg(warpArgument)->replaceAllUsesWith(function->getArg(3));
      return;
    }
    plan.exit->getTerminator()->eraseFromParent();
    ReturnInst::Create(context, plan.exit);
  }

  // Arrays of a thread in no more than one loop between barriers, which is then unrolled, or run
  // for several threads at a time. Those of a warp are of lanes already.
  std::vector<AllocaInst *> arraysToSpread() {
    std::vector<AllocaInst *> found;
    if (kind == Loops::OfWarps)
      return found;
    DominatorTree dominators(*function);
    LoopInfo loops(dominators);
    auto isNear = [&](const User *user) {
      unsigned depth = 0;
      for (Loop *loop = loops.getLoopFor(cast<Instruction>(user)->getParent()); loop;
           loop = loop->getParentLoop())
        depth += none_of(loop->blocks(),
                         [&](BasicBlock *block) { return plan.meetings.contains(block); });
      return depth <= 1;
    };
    for (Instruction &instruction : function->getEntryBlock())
      if (auto *memory = dyn_cast<AllocaInst>(&instruction))
        if (all_of(memory->users(), [&](const User *user) {
              return isNear(user) &&
                     (!isa<GetElementPtrInst>(user) || all_of(user->users(), isNear));
            }))
          found.push_back(memory);
    return found;
  }

  Value *field(IRBuilder<> &builder, Type *type, uint64_t offset) {
    Value *address =
        builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), function->getArg(0), offset);
    LoadInst *load = builder.CreateLoad(type, address);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
    return load;
  }

  void readGeometry() {
    IRBuilder<> builder(function->getEntryBlock().getTerminator());
    if (kind == Loops::OfLanes) {
      Value *one = builder.getInt32(1);
      geometry.sizes = {builder.getInt32(lanesOfWarp), one, one};
      geometry.threads = geometry.room = builder.getInt64(lanesOfWarp);
      geometry.frames = nullptr;
      return;
    }
    geometry.threads = builder.getInt64(1);
    for (size_t d = 0; d < 3; ++d) {
      geometry.sizes[d] =
          field(builder, builder.getInt32Ty(), offsetof(cufrt_block, block_dim) + 4 * d);
      geometry.threads = builder.CreateNUWMul(
          geometry.threads, builder.CreateZExt(geometry.sizes[d], builder.getInt64Ty()));
    }
    if (kind == Loops::OfWarps) {
      geometry.threads = builder.CreateLShr(geometry.threads, uint64_t(5));
      geometry.sizes = {builder.CreateTrunc(geometry.threads, builder.getInt32Ty()),
                        builder.getInt32(1), builder.getInt32(1)};
    }
    Value *up = builder.CreateNUWAdd(geometry.threads, builder.getInt64(roomStep - 1));
    geometry.room = builder.CreateAnd(up, builder.getInt64(~(roomStep - 1)));
    geometry.frames = field(builder, builder.getPtrTy(), offsetof(cufrt_block, frames));
  }

  ThreadRegion *regionBefore(BasicBlock &meeting) {
    for (ThreadRegion &region : regions)
      if (region.next == &meeting)
        return &region;
    return nullptr;
  }

  // Threads wait in a block of their own before each barrier, and one region leads there.
  bool combineAtBarriers() {
    for (CallInst *barrier : plan.barriers) {
      std::optional<SyncOperation> operation = syncOperation(*barrier);
      if (operation && !isForBlock(operation->kind)) {
        if (!exchange(*barrier))
          return false;
        continue;
      }
      if (operation && operation->kind == ticketOperation)
        draw(*barrier);
      else if (operation && operation->kind == CUFRT_GRID_BARRIER)
        waitForGrid(*barrier);
      else if (operation && operation->kind != CUFRT_BARRIER)
        combine(*barrier, *operation);
      if (kind != Loops::OfLanes) // whose block has it still before it
        barrier->eraseFromParent();
    }
    return true;
  }

  // Where each thread goes on.
  static BasicBlock &departureFrom(BasicBlock &meeting) {
    BasicBlock &together = *meeting.getSingleSuccessor();
    return *together.getSingleSuccessor()->getSingleSuccessor();
  }

  bool exchange(CallInst &call) {
    BasicBlock &block = *call.getParent();
    LaneMeeting meeting{call,
                        *regionBefore(block)->before,
                        *block.getSinglePredecessor(),
                        departureFrom(block),
                        *thread.getArg(laneArgument),
                        !plan.retirements.empty(),
                        plan.varying};
    return replaceByLanes(meeting);
  }

  void draw(CallInst &call) {
    BasicBlock &block = *call.getParent();
    TicketMeeting meeting{call,
                          *regionBefore(block)->before,
                          *block.getSinglePredecessor(),
                          departureFrom(block),
                          kind == Loops::OfLanes,
                          plan.varying};
    drawTickets(meeting);
    if (kind != Loops::OfLanes)
      plan.varying.erase(&call);
  }

  // The block as a whole, when all its threads are there.
  void waitForGrid(CallInst &barrier) {
    if (kind == Loops::OfLanes)
      return;
    IRBuilder<> builder(&barrier);
    Value *block = function->getArg(0);
    builder.CreateCall(function->getParent()->getOrInsertFunction(
                           "cufrt_wait_for_grid", builder.getVoidTy(), block->getType()),
                       block);
  }

  void combine(CallInst &barrier, const SyncOperation &operation) {
    BasicBlock &entry = function->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    Type *type = builder.getInt32Ty();
    AllocaInst *sum = builder.CreateAlloca(type);
    ThreadRegion *region = regionBefore(*barrier.getParent());
    builder.SetInsertPoint(region->before->getTerminator());
    bool isAnd = operation.kind == CUFRT_BARRIER_AND;
    builder.CreateStore(builder.getInt32(isAnd), sum);
    builder.SetInsertPoint(barrier.getParent()->getSinglePredecessor()->getTerminator());
    Value *zero = ConstantInt::get(operation.operand->getType(), 0);
    Value *yes = builder.CreateZExt(builder.CreateICmpNE(operation.operand, zero), type);
    Value *before = builder.CreateLoad(type, sum);
    Value *after = isAnd                                ? builder.CreateAnd(before, yes)
                   : operation.kind == CUFRT_BARRIER_OR ? builder.CreateOr(before, yes)
                                                        : builder.CreateAdd(before, yes);
    builder.CreateStore(after, sum);
    for (Instruction &made : *barrier.getParent()->getSinglePredecessor())
      if (&made == yes || &made == before || &made == after || is_contained(made.users(), yes))
        plan.varying.insert(&made);
    builder.SetInsertPoint(&barrier);
    Value *result = builder.CreateLoad(type, sum);
    Type *wanted = barrier.getType();
    if (kind == Loops::OfLanes)
      return barrier.setArgOperand(1, builder.CreateICmpNE(result, builder.getInt32(0)));
    barrier.replaceAllUsesWith(wanted->isIntegerTy(1)
                                   ? builder.CreateICmpNE(result, builder.getInt32(0))
                                   : builder.CreateZExtOrTrunc(result, wanted));
  }

  // Gives the regions whose threads may retire, of which the last block marks them.
  std::vector<ThreadRegion *> separateRetirements() {
    std::vector<ThreadRegion *> retiring;
    for (ThreadRegion &region : regions) {
      bool leaves = any_of(region.blocks, [&](BasicBlock *block) {
        return region.next != plan.exit && is_contained(successors(block), plan.exit);
      });
      gatherAtEnd(region, plan);
      if (!leaves)
        continue;
      BasicBlock *end = BasicBlock::Create(context, "retired", function);
      Jump::Create(plan.exit, end);
      for (BasicBlock *block : region.blocks)
        block->getTerminator()->replaceSuccessorWith(plan.exit, end);
      region.blocks.insert(end);
      marks[&region] = end;
      retiring.push_back(&region);
    }
    return retiring;
  }

  bool endsAtVaryingPhi(const ThreadRegion &region) const {
    return region.next &&
           any_of(region.next->phis(), [&](PHINode &phi) { return plan.varying.contains(&phi); });
  }

  void addLoops() {
    for (ThreadRegion &region : regions)
      if (hasWork(region) || endsAtVaryingPhi(region))
        addThreadLoops(region, geometry, *plan.exit, kind != Loops::OfWarps), ++loops;
  }

  void retire(ArrayRef<ThreadRegion *> retiring) {
    if (retiring.empty())
      return;
    Type *byte = Type::getInt8Ty(context);
    unsigned alive = values->addFrameVariable(byte, Align(1));
    IRBuilder<> builder(function->getEntryBlock().getTerminator());
    Value *base = values->baseOf(alive);
    builder.SetInsertPoint(function->getEntryBlock().getTerminator());
    builder.CreateMemSet(base, builder.getInt8(1), geometry.threads, MaybeAlign(1));
    bool isComputed = all_of(plan.retirements, [&](const Retirement &retirement) {
      return retirement.always && values->isRecomputed(conditionOf(*retirement.branch));
    });
    SetVector<BasicBlock *> later;
    for (ThreadRegion *region : retiring)
      later.insert(region->after);
    for (size_t i = 0; i < later.size(); ++i)
      later.insert(succ_begin(later[i]), succ_end(later[i]));
    for (ThreadRegion &region : regions)
      if (region.hasLoops() && later.contains(region.before))
        passBy(region, isComputed ? computedMark(region) : loadedMark(region, alive));
    values->fillEntries();
    for (ThreadRegion *region : retiring) {
      builder.SetInsertPoint(marks[region]->getTerminator());
      builder.CreateStore(builder.getInt8(0), values->addressIn(*region, alive));
      endWithoutThreads(*region, base);
    }
  }

  static Value *conditionOf(Instruction &branch) {
    return conditionalBranch(&branch)->getCondition();
  }

  Value *loadedMark(ThreadRegion &region, unsigned alive) {
    Value *address = values->addressIn(region, alive);
    IRBuilder<> builder(region.header->getTerminator());
    Value *mark = builder.CreateLoad(builder.getInt8Ty(), address);
    return builder.CreateICmpNE(mark, builder.getInt8(0));
  }

  Value *computedMark(ThreadRegion &region) {
    Value *all = nullptr;
    for (const Retirement &retirement : plan.retirements) {
      Value *condition = values->valueIn(region, conditionOf(*retirement.branch));
      IRBuilder<> builder(region.header->getTerminator());
      if (retirement.ifTrue)
        condition = builder.CreateNot(condition);
      all = all ? builder.CreateLogicalAnd(all, condition) : condition;
    }
    return all;
  }

  void passBy(ThreadRegion &region, Value *mark) {
    Instruction *end = region.header->getTerminator();
    IRBuilder<> builder(end);
    builder.CreateCondBr(mark, region.entry, region.latch);
    end->eraseFromParent();
  }

  void endWithoutThreads(ThreadRegion &region, Value *marks) {
    BasicBlock *rest = SplitBlock(region.after, region.after->getTerminator());
    BasicBlock *count = BasicBlock::Create(context, "alive", function, rest);
    BasicBlock *done = BasicBlock::Create(context, "alive.any", function, rest);
    region.after->getTerminator()->setSuccessor(0, count);
    IRBuilder<> builder(count);
    PHINode *i = builder.CreatePHI(builder.getInt64Ty(), 2);
    PHINode *any = builder.CreatePHI(builder.getInt8Ty(), 2);
    i->addIncoming(builder.getInt64(0), region.after);
    any->addIncoming(builder.getInt8(0), region.after);
    Value *mark = builder.CreateLoad(builder.getInt8Ty(),
                                     builder.CreateInBoundsGEP(builder.getInt8Ty(), marks, i));
    Value *sum = builder.CreateOr(any, mark);
    Value *next = builder.CreateNUWAdd(i, builder.getInt64(1));
    i->addIncoming(next, count);
    any->addIncoming(sum, count);
    builder.CreateCondBr(builder.CreateICmpULT(next, geometry.threads), count, done);
    builder.SetInsertPoint(done);
    builder.CreateCondBr(builder.CreateICmpNE(sum, builder.getInt8(0)), rest, plan.exit);
  }

  Function &thread;
  BarrierRegions plan;
  Loops kind;
  LLVMContext &context;
  Function *function = nullptr;
  std::vector<ThreadRegion> regions;
  BlockGeometry geometry{};
  RegionValues *values = nullptr;
  unsigned loops = 0;
  DenseMap<const ThreadRegion *, BasicBlock *> marks; // blocks that retiring threads come to
};

void keepInRegisters(Function &function) {
  DominatorTree dominators(function);
  std::vector<AllocaInst *> variables;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && isAllocaPromotable(variable))
      variables.push_back(variable);
  PromoteMemToReg(variables, dominators);
}

BarrierLoops failedAt(const DebugLoc &parting) {
  BarrierLoops none;
  none.partingLine = parting ? parting.getLine() : 0;
  return none;
}

// Of a lane's function, which is used up.
BarrierLoops makeLoopsOfWarps(Function &lane, StringRef name) {
  useLanes(lane);
  chooseElements(lane);
  DebugLoc parting;
  std::optional<BarrierRegions> lanes = findLaneRegions(lane, parting);
  if (!lanes) {
    BarrierLoops none = failedAt(parting);
    lane.eraseFromParent();
    return none;
  }
  BarrierLoops warp =
      BlockFunction(lane, std::move(*lanes), Loops::OfLanes, (name + ".warp").str()).run();
  if (!warp.block)
    return {};
  keepInRegisters(*warp.block);
  std::optional<BarrierRegions> warps = findWarpRegions(*warp.block, parting);
  if (!warps) {
    BarrierLoops none = failedAt(parting);
    warp.block->eraseFromParent();
    return none;
  }
  BarrierLoops loops = BlockFunction(*warp.block, std::move(*warps), Loops::OfWarps, name).run();
  loops.count += warp.count;
  return loops;
}

} // namespace

BarrierLoops makeBarrierLoops(Function &thread, StringRef name) {
  DebugLoc parting;
  std::optional<BarrierRegions> plan = findBarrierRegions(thread, parting);
  if (!plan)
    return failedAt(parting);
  return BlockFunction(thread, std::move(*plan), Loops::OfThreads, name).run();
}

BarrierLoops makeWarpLoops(Function &thread, StringRef name) {
  ValueToValueMapTy map;
  Function *lane = CloneFunction(&thread, map);
  const BlockPrologue prologue = splitPrologue(*lane);
  BarrierLoops loops = makeLoopsOfWarps(*lane, name);
  if (loops.block && prologue.thread) {
    addPrologue(*loops.block, prologue);
    ++loops.count;
  } else if (prologue.thread) {
    prologue.thread->eraseFromParent();
  }
  return loops;
}

} // namespace cufc
