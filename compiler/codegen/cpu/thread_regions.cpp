// Each edge from a meeting gets two blocks: one for what all threads do together before the region,
// and one where each thread starts. So a region has one entry, and values can be fetched there.
#include "codegen/cpu/thread_regions.h"
#include "codegen/branches.h"
#include "codegen/cpu/thread_loops.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;

using Meetings = SetVector<BasicBlock *>;

void moveAllocasToFront(BasicBlock &entry) {
  BasicBlock::iterator place = entry.getFirstInsertionPt();
  for (Instruction &instruction : make_early_inc_range(entry))
    if (isa<AllocaInst>(instruction)) {
      if (&*place == &instruction)
        ++place;
      else
        instruction.moveBefore(entry, place);
    }
}

BasicBlock::iterator endOfCommonPart(BasicBlock &block) {
  if (&block != &block.getParent()->getEntryBlock())
    return block.getFirstNonPHIIt();
  moveAllocasToFront(block);
  return find_if(block, [](Instruction &instruction) { return !isa<AllocaInst>(instruction); });
}

Meetings splitMeetings(const BarrierRegions &plan) {
  Meetings meetings;
  BasicBlock *entry = &plan.exit->getParent()->getEntryBlock();
  for (BasicBlock *block : plan.meetings) {
    BasicBlock *rest = block;
    bool hasCommonPart = block == entry || plan.joins.contains(block);
    bool isChoice = plan.choices.contains(block);
    if (hasCommonPart)
      rest = SplitBlock(block, endOfCommonPart(*block));
    if (hasCommonPart || !isChoice)
      meetings.insert(block);
    if (isChoice)
      meetings.insert(SplitBlock(rest, rest->getTerminator()->getIterator()));
  }
  return meetings;
}

ThreadRegion startRegion(BasicBlock &meeting, BasicBlock &target) {
  LLVMContext &context = meeting.getContext();
  Function *function = meeting.getParent();
  ThreadRegion region{BasicBlock::Create(context, "together", function, &target),
                      BasicBlock::Create(context, "apart", function, &target),
                      {}};
  Jump::Create(region.entry, region.before);
  Jump::Create(&target, region.entry);
  for (PHINode &phi : target.phis()) { // a switch may have several edges to it
    Value *value = phi.getIncomingValueForBlock(&meeting);
    while (phi.getBasicBlockIndex(&meeting) >= 0)
      phi.removeIncomingValue(&meeting, /*DeletePHIIfEmpty=*/false);
    phi.addIncoming(value, region.entry);
  }
  Instruction *end = meeting.getTerminator();
  for (unsigned i = 0; i < end->getNumSuccessors(); ++i)
    if (end->getSuccessor(i) == &target)
      end->setSuccessor(i, region.before);
  return region;
}

void findBlocks(ThreadRegion &region, const Meetings &meetings, BasicBlock *exit) {
  region.blocks.insert(region.entry);
  for (size_t i = 0; i < region.blocks.size(); ++i)
    for (BasicBlock *next : successors(region.blocks[i])) {
      if (!meetings.contains(next)) {
        region.blocks.insert(next);
        continue;
      }
      assert(!region.next || region.next == next || region.next == exit || next == exit);
      if (!region.next || region.next == exit)
        region.next = next;
    }
}

bool comesAgain(const ThreadRegion &region) {
  SetVector<BasicBlock *> reached;
  if (region.next)
    reached.insert(region.next);
  for (size_t i = 0; i < reached.size(); ++i)
    for (BasicBlock *next : successors(reached[i]))
      reached.insert(next);
  return reached.contains(region.before);
}

} // namespace

std::vector<ThreadRegion> cutRegions(const BarrierRegions &plan) {
  Meetings meetings = splitMeetings(plan);
  std::vector<ThreadRegion> regions;
  for (BasicBlock *meeting : meetings) {
    SetVector<BasicBlock *> targets;
    for (BasicBlock *target : successors(meeting))
      targets.insert(target);
    for (BasicBlock *target : targets)
      regions.push_back(startRegion(*meeting, *target));
  }
  for (ThreadRegion &region : regions)
    meetings.insert(region.before);
  for (ThreadRegion &region : regions)
    findBlocks(region, meetings, plan.exit);
  for (ThreadRegion &region : regions)
    region.repeats = comesAgain(region);
  return regions;
}

void gatherAtEnd(ThreadRegion &region, BarrierRegions &plan) {
  if (!region.next || !isa<PHINode>(region.next->front()))
    return;
  BasicBlock *last =
      BasicBlock::Create(region.next->getContext(), "together", region.next->getParent());
  IRBuilder<> builder(Jump::Create(region.next, last));
  for (PHINode &phi : region.next->phis()) {
    SmallVector<std::pair<BasicBlock *, Value *>> incoming;
    for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
      if (BasicBlock *block = phi.getIncomingBlock(i); region.blocks.contains(block)) {
        incoming.push_back({block, phi.getIncomingValue(i)});
        phi.removeIncomingValue(i, /*DeletePHIIfEmpty=*/false);
      }
    Value *value = incoming.front().second;
    if (plan.varying.contains(&phi)) {
      PHINode *own = builder.CreatePHI(phi.getType(), static_cast<unsigned>(incoming.size()));
      for (auto [block, from] : incoming)
        own->addIncoming(from, block);
      plan.varying.insert(own);
      value = own;
    }
    phi.addIncoming(value, last);
  }
  for (BasicBlock *block : region.blocks)
    block->getTerminator()->replaceSuccessorWith(region.next, last);
  region.blocks.insert(last);
  region.last = last;
}

// From behind them to what comes next.
static void leaveLoops(ThreadRegion &region, IRBuilder<> &builder) {
  region.after = builder.GetInsertBlock();
  if (!region.next) {
    builder.CreateUnreachable();
    return;
  }
  builder.CreateBr(region.next);
  for (PHINode &phi : region.next->phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (region.blocks.contains(phi.getIncomingBlock(i)))
        phi.setIncomingBlock(i, region.after);
}

void addThreadLoops(ThreadRegion &region, const BlockGeometry &geometry, BasicBlock &exit,
                    bool isPlain) {
  LLVMContext &context = exit.getContext();
  Function *function = exit.getParent();
  IRBuilder<> builder(region.before->getTerminator());
  region.before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(region.before);
  PHINode *indices[3] = {};
  BasicBlock *headers[3] = {};
  auto startLoop = [&](size_t d) {
    BasicBlock *before = builder.GetInsertBlock();
    headers[d] = BasicBlock::Create(context, "threads", function, region.entry);
    builder.CreateBr(headers[d]);
    builder.SetInsertPoint(headers[d]);
    indices[d] = builder.CreatePHI(builder.getInt32Ty(), 2);
    indices[d]->addIncoming(builder.getInt32(0), before);
    region.index[d] = indices[d];
  };
  for (size_t d : {2, 1})
    if (PatternMatch::match(geometry.sizes[d], PatternMatch::m_One()))
      region.index[d] = builder.getInt32(0);
    else
      startLoop(d);
  Type *wide = builder.getInt64Ty();
  Value *row = builder.CreateNUWMul(builder.CreateZExt(region.index[2], wide),
                                    builder.CreateZExt(geometry.sizes[1], wide));
  row = builder.CreateNUWAdd(row, builder.CreateZExt(region.index[1], wide));
  row = builder.CreateNUWMul(row, builder.CreateZExt(geometry.sizes[0], wide));
  startLoop(0);
  region.linear = builder.CreateAdd(row, builder.CreateZExt(indices[0], wide), "", true, true);
  builder.CreateBr(region.entry);
  region.header = headers[0];
  region.latch = BasicBlock::Create(context, "threads.end", function);
  builder.SetInsertPoint(region.latch);
  for (unsigned d = 0; d < 3; ++d) {
    if (!indices[d])
      continue;
    Value *next = builder.CreateAdd(indices[d], builder.getInt32(1), "", true, true);
    BasicBlock *done = BasicBlock::Create(context, "threads.done", function);
    indices[d]->addIncoming(next, builder.GetInsertBlock());
    Instruction *branch =
        builder.CreateCondBr(builder.CreateICmpSLT(next, geometry.sizes[d]), headers[d], done);
    if (d == 0 && isPlain)
      markThreadLoop(*branch);
    else if (isPlain)
      markLineLoop(*branch);
    builder.SetInsertPoint(done);
  }
  leaveLoops(region, builder);
  for (BasicBlock *block : region.blocks)
    for (BasicBlock *next : {region.next, &exit})
      if (next)
        block->getTerminator()->replaceSuccessorWith(next, region.latch);
}

bool hasWork(const ThreadRegion &region) {
  return any_of(region.blocks, [](const BasicBlock *block) {
    return block->size() > 1 || block->getTerminator()->getNumSuccessors() != 1;
  });
}

} // namespace cufc
