// Meetings are found until nothing changes:
//
//   - barriers, the entry and the exit are meetings, and so is each branch that decides whether or
//     how often a meeting is reached (a choice);
//   - a block that ends several regions is a meeting (a join).
//
// Then values that depend on the thread are found, and the conditions of choices must not be among
// them. Where one is, two ways are left: threads that the branch leads to the exit, past all
// barriers, retire there, and the branch decides nothing for the others; or the condition comes
// from a phi, whose block is made a meeting.
//
// Blocks around what only threads of one x do are made meetings, too, if nothing speaks against it:
// any block may be one that all threads of a region pass once.
//
// Memory that all threads read at one address between two barriers is the same for all of them: if
// one of them wrote it in that time, that would be a race.
#include "codegen/cpu/barrier_regions.h"
#include "codegen/branches.h"
#include "codegen/cpu/lane_operations.h"
#include "codegen/cpu/sync_operations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr size_t mostBlocks = 4000;
constexpr int mostAttempts = 64;

class RegionFinder {
public:
  enum class Of { Threads, Lanes, Warps };

  RegionFinder(Function &thread, Of kind, DebugLoc &parting)
      : thread(thread), kind(kind), parting(parting) {
    result.ofLanes = kind == Of::Lanes;
    askedForRareWork = kind == Of::Warps; // of which there are few
  }

  std::optional<BarrierRegions> run() {
    if (!prepare())
      return std::nullopt;
    for (int attempt = 0; attempt < mostAttempts; ++attempt) {
      flow = std::make_unique<ThreadFlow>(*result.exit, retired);
      if (!reachesBarriers())
        return std::nullopt;
      findMeetings();
      findVaryingValues();
      switch (judgeChoices()) {
      case Verdict::Good:
        if (!std::exchange(askedForRareWork, true) && separateRareWork())
          continue;
        if (isConsistent())
          return finish();
        [[fallthrough]];
      case Verdict::Bad:
        if (rare.empty())
          return std::nullopt;
        wanted.set_subtract(rare);
        rare.clear();
        continue;
      case Verdict::Again:
        continue;
      }
    }
    return std::nullopt;
  }

private:
  enum class Verdict { Good, Again, Bad };

  bool isUsable(const Instruction &instruction) const {
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (auto operation = syncOperation(*call))
        if (!(result.ofLanes ? canBeOfLanes(*operation) : isForBlock(operation->kind)))
          return false;
    if (auto *memory = dyn_cast<AllocaInst>(&instruction))
      return memory->isStaticAlloca() && memory->getAllocationSize(memory->getDataLayout());
    if (instruction.isTerminator())
      return isBranch(instruction) || isa<SwitchInst, ReturnInst, UnreachableInst>(instruction);
    return !instruction.getType()->isTokenTy();
  }

  bool prepare() {
    std::vector<Instruction *> marks;
    std::vector<BasicBlock *> ends;
    for (Instruction &instruction : instructions(thread)) {
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (isa<LifetimeIntrinsic>(call) || call->getIntrinsicID() == Intrinsic::stacksave ||
            call->getIntrinsicID() == Intrinsic::stackrestore)
          marks.push_back(call);
      if (!isUsable(instruction))
        return false;
      if (isa<ReturnInst>(instruction))
        ends.push_back(instruction.getParent());
      if (auto *call = dyn_cast<CallInst>(&instruction); call && syncOperation(*call))
        result.barriers.push_back(call);
    }
    if (ends.empty() || (result.barriers.empty() && kind != Of::Warps) ||
        thread.size() > mostBlocks)
      return false;
    for (Instruction *mark : reverse(marks)) { // stacksave comes before its stackrestore
      mark->replaceAllUsesWith(PoisonValue::get(mark->getType()));
      mark->eraseFromParent();
    }
    joinReturns(ends);
    for (CallInst *barrier : result.barriers) {
      SplitBlock(barrier->getParent(), barrier->getIterator());
      SplitBlock(barrier->getParent(), std::next(barrier->getIterator()));
    }
    return true;
  }

  void joinReturns(ArrayRef<BasicBlock *> ends) {
    LLVMContext &context = thread.getContext();
    result.exit = BasicBlock::Create(context, "exit", &thread);
    ReturnInst::Create(context, ConstantInt::get(thread.getReturnType(), 0), result.exit);
    for (BasicBlock *end : ends)
      if (end->size() == 1 && !end->isEntryBlock()) {
        end->replaceAllUsesWith(result.exit);
        end->eraseFromParent();
      } else {
        end->getTerminator()->eraseFromParent();
        Jump::Create(result.exit, end);
      }
  }

  bool reachesBarriers() const {
    return flow->contains(&thread.getEntryBlock()) &&
           all_of(result.barriers,
                  [&](CallInst *barrier) { return flow->contains(barrier->getParent()); });
  }

  void findMeetings() {
    result.meetings.clear();
    result.choices.clear();
    result.joins.clear();
    result.meetings.insert(&thread.getEntryBlock());
    for (CallInst *barrier : result.barriers)
      result.meetings.insert(barrier->getParent());
    result.meetings.insert(result.exit);
    for (BasicBlock *block : wanted) {
      result.meetings.insert(block);
      result.joins.insert(block);
    }
    do
      addChoices();
    while (addJoins());
  }

  void addChoices() {
    for (size_t i = 0; i < result.meetings.size(); ++i) // grows
      for (BasicBlock *block : flow->blocks())
        if (flow->successors(block).size() > 1 && !result.choices.contains(block) &&
            flow->decides(block, result.meetings[i])) {
          result.choices.insert(block);
          result.meetings.insert(block);
        }
  }

  // A region is known by the meeting before it, and if that is a choice, the block after the
  // choice.
  unsigned regionOfEdge(BasicBlock *from, BasicBlock *to) {
    if (!result.meetings.contains(from))
      return regions.lookup(from);
    FlowEdge start{from, result.choices.contains(from) ? to : nullptr};
    return numbers.try_emplace(start, static_cast<unsigned>(numbers.size()) + 1).first->second;
  }

  // Names the regions of blocks by the first way that leads there; joins are where another comes
  // in.
  bool addJoins() {
    numbers.clear();
    regions.clear();
    for (BasicBlock *block : flow->blocks())
      if (!result.meetings.contains(block))
        for (BasicBlock *previous : flow->predecessors(block))
          if (unsigned region = regionOfEdge(previous, block))
            regions.try_emplace(block, region);
    std::vector<BasicBlock *> found; // each would part what is behind it into other regions
    for (BasicBlock *block : flow->blocks()) {
      DenseSet<unsigned> coming;
      for (BasicBlock *previous : flow->predecessors(block))
        coming.insert(regionOfEdge(previous, block));
      if (coming.size() >= 2 && block != result.exit)
        found.push_back(block);
    }
    result.joins.insert_range(found);
    const size_t before = result.meetings.size();
    result.meetings.insert_range(found);
    return result.meetings.size() > before;
  }

  bool isUniformPhi(PHINode &phi) {
    if (!result.joins.contains(phi.getParent()))
      return false;
    DenseMap<unsigned, Value *> incoming;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      Value *value = phi.getIncomingValue(i);
      unsigned region = regionOfEdge(phi.getIncomingBlock(i), phi.getParent());
      if (!result.isUniform(*value) || incoming.try_emplace(region, value).first->second != value)
        return false;
    }
    return true;
  }

  bool isUniformResult(Instruction &instruction) {
    if (isa<AllocaInst>(instruction))
      return false;
    if (auto *phi = dyn_cast<PHINode>(&instruction))
      return isUniformPhi(*phi);
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (auto operation = syncOperation(*call))
        return operation->kind != ticketOperation &&
               (!result.ofLanes || isSameForLanes(*operation, [&](const Value &value) {
                 return result.isUniform(value);
               }));
      if (!call->getCalledFunction() || call->mayReadOrWriteMemory() || call->mayHaveSideEffects())
        return false;
    } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (!load->isSimple())
        return false;
    } else if (instruction.mayReadOrWriteMemory() || instruction.mayHaveSideEffects()) {
      return false;
    }
    return all_of(instruction.operands(),
                  [&](Use &use) { return isa<Function>(use) || result.isUniform(*use.get()); });
  }

  void findVaryingValues() {
    result.varying.clear();
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : thread)
        for (Instruction &instruction : block)
          if (!instruction.getType()->isVoidTy() && !result.varying.contains(&instruction) &&
              !isUniformResult(instruction))
            changed = result.varying.insert(&instruction).second;
    }
  }

  static Value *conditionOf(BasicBlock &block) {
    if (auto *branch = conditionalBranch(block.getTerminator()))
      return branch->getCondition();
    return cast<SwitchInst>(block.getTerminator())->getCondition();
  }

  Verdict judgeChoices() {
    for (BasicBlock *block : flow->blocks()) {
      if (!result.choices.contains(block) || result.isUniform(*conditionOf(*block)))
        continue;
      if (retireAt(*block) || askForPhi(*conditionOf(*block)))
        return Verdict::Again;
      parting = block->getTerminator()->getDebugLoc();
      if (auto *condition = dyn_cast<Instruction>(conditionOf(*block)); condition && !parting)
        parting = condition->getDebugLoc();
      return Verdict::Bad;
    }
    return Verdict::Good;
  }

  bool retireAt(BasicBlock &branch) {
    for (BasicBlock *target : flow->successors(&branch))
      if (flow->successors(&branch).size() == 2 && leadsOut(branch, *target)) {
        retired.insert({&branch, target});
        Instruction *end = branch.getTerminator();
        order.push_back({end, target, end->getSuccessor(0) == target, false});
        return true;
      }
    return false;
  }

  // Whether only this edge leads to the target and what comes after it, without a barrier.
  bool leadsOut(BasicBlock &branch, BasicBlock &target) {
    SetVector<BasicBlock *> reached;
    reached.insert(&target);
    for (size_t i = 0; i < reached.size(); ++i)
      for (BasicBlock *next : flow->successors(reached[i]))
        reached.insert(next);
    for (BasicBlock *block : reached) {
      if (any_of(result.barriers, [&](CallInst *call) { return call->getParent() == block; }))
        return false;
      for (BasicBlock *previous : flow->predecessors(block))
        if (block != result.exit && !reached.contains(previous) &&
            !(block == &target && previous == &branch))
          return false;
    }
    return !reached.contains(&branch);
  }

  // A phi that depends on the thread only because threads may come to it by different ways.
  bool askForPhi(Value &condition) {
    SetVector<Value *> values;
    values.insert(&condition);
    for (size_t i = 0; i < values.size(); ++i) {
      auto *instruction = dyn_cast<Instruction>(values[i]);
      if (!instruction || result.isUniform(*instruction))
        continue;
      if (auto *phi = dyn_cast<PHINode>(instruction)) {
        if (flow->contains(phi->getParent()) && !result.joins.contains(phi->getParent())) {
          wanted.insert(phi->getParent());
          return true;
        }
        for (Value *value : phi->incoming_values())
          values.insert(value);
        continue;
      }
      for (Value *operand : instruction->operands())
        values.insert(operand);
    }
    return false;
  }

  // What only threads of one x do, such as fetching a halo, becomes a region, and hence a loop of
  // one round. All threads pass the blocks around it.
  bool separateRareWork() {
    for (BasicBlock *join : std::vector<BasicBlock *>(flow->blocks())) {
      auto before = find_if(flow->predecessors(join), [&](BasicBlock *block) {
        auto *branch = conditionalBranch(block->getTerminator());
        return branch && asksForOne(branch->getCondition());
      });
      if (join == result.exit || flow->predecessors(join).size() < 2 ||
          before == flow->predecessors(join).end() || isa<PHINode>(join->front()) ||
          !isPassedOnce(*join) || !isPassedOnce(**before))
        continue;
      rare.insert(join);
      rare.insert(SplitBlock(*before, (*before)->getTerminator()));
    }
    wanted.insert_range(rare);
    return !rare.empty();
  }

  // As every other x has, for instance.
  static bool isPattern(const Value &value) {
    auto *operation = dyn_cast<BinaryOperator>(&value);
    return operation && is_contained({Instruction::SRem, Instruction::URem, Instruction::And},
                                     operation->getOpcode());
  }

  // Many threads may find the same in memory.
  bool isData(const Value *value) const {
    while (auto *operation = dyn_cast<Instruction>(value)) {
      if (isa<LoadInst>(operation))
        return !result.isUniform(*operation);
      const bool hasNumber = operation->isBinaryOp() && isa<Constant>(operation->getOperand(1));
      if (!isa<CastInst>(operation) && !hasNumber)
        return false;
      value = operation->getOperand(0);
    }
    return false;
  }

  bool isOwn(const Value &value) const { return !isPattern(value) && !isData(&value); }

  bool asksForOne(Value *condition) {
    if (auto *compare = dyn_cast<ICmpInst>(condition))
      return compare->getPredicate() == ICmpInst::ICMP_EQ && !result.isUniform(*compare) &&
             !compare->getOperand(0)->getType()->isIntegerTy(1) && // .eqv.
             isOwn(*compare->getOperand(0)) && isOwn(*compare->getOperand(1));
    auto *both = dyn_cast<Instruction>(condition);
    Value *left, *right;
    return both &&
           PatternMatch::match(both, PatternMatch::m_LogicalAnd(PatternMatch::m_Value(left),
                                                                PatternMatch::m_Value(right))) &&
           (asksForOne(left) || asksForOne(right));
  }

  // By all threads of its region, and by each of them once.
  bool isPassedOnce(BasicBlock &block) {
    if (result.meetings.contains(&block))
      return !result.choices.contains(&block);
    SetVector<BasicBlock *> before;
    before.insert(&block);
    for (size_t i = 0; i < before.size(); ++i)
      for (BasicBlock *previous : flow->predecessors(before[i])) {
        if (previous == &block || !flow->leadsThrough(before[i], &block))
          return false;
        if (!result.meetings.contains(previous))
          before.insert(previous);
        else if (!result.choices.contains(previous) && !flow->leadsThrough(previous, &block))
          return false;
      }
    return true;
  }

  // Each region leads to one meeting, and blocks that only retiring threads reach are in one
  // region.
  bool isConsistent() {
    DenseMap<unsigned, BasicBlock *> next;
    for (BasicBlock *block : flow->blocks())
      for (BasicBlock *previous : flow->predecessors(block))
        if (result.meetings.contains(block) &&
            next.try_emplace(regionOfEdge(previous, block), block).first->second != block)
          return false;
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock &block : thread)
        for (BasicBlock *previous : predecessors(&block)) {
          unsigned region = regionOfEdge(previous, &block);
          if (flow->contains(&block) || region == 0)
            continue;
          auto [known, isNew] = regions.try_emplace(&block, region);
          if (!isNew && known->second != region)
            return false;
          changed |= isNew;
        }
    }
    return true;
  }

  BarrierRegions finish() {
    BasicBlock *entry = &thread.getEntryBlock();
    unsigned first = regionOfEdge(entry, nullptr);
    for (Retirement &retirement : order) {
      BasicBlock *block = retirement.branch->getParent();
      retirement.always = isBranch(*retirement.branch) &&
                          (block == entry || regions.lookup(block) == first) &&
                          flow->leadsThrough(entry, block);
    }
    result.retirements = order;
    return std::move(result);
  }

  Function &thread;
  Of kind;
  DebugLoc &parting;
  BarrierRegions result;
  std::unique_ptr<ThreadFlow> flow;
  FlowEdges retired;
  std::vector<Retirement> order; // of retirements
  bool askedForRareWork = false;
  SetVector<BasicBlock *> rare;                   // wanted, but not necessary
  SetVector<BasicBlock *> wanted;                 // blocks of phis, to be meetings
  DenseMap<FlowEdge, unsigned> numbers;           // of regions, by how they start
  DenseMap<const BasicBlock *, unsigned> regions; // that blocks lie in
};

} // namespace

bool BarrierRegions::isUniform(const Value &value) const {
  if (auto *argument = dyn_cast<Argument>(&value))
    return ofLanes ? argument->getArgNo() != laneArgument : argument->getArgNo() < 3; // the index
  return (isa<Constant>(value) || isa<Instruction>(value)) && !varying.contains(&value);
}

std::optional<BarrierRegions> findBarrierRegions(Function &thread, DebugLoc &parting) {
  return RegionFinder(thread, RegionFinder::Of::Threads, parting).run();
}

std::optional<BarrierRegions> findLaneRegions(Function &thread, DebugLoc &parting) {
  return RegionFinder(thread, RegionFinder::Of::Lanes, parting).run();
}

std::optional<BarrierRegions> findWarpRegions(Function &warp, DebugLoc &parting) {
  return RegionFinder(warp, RegionFinder::Of::Warps, parting).run();
}

} // namespace cufc
