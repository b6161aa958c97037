// A value that another region uses is, in this order:
//
//   - the same for all threads: computed once before the region, or left by the threads in a
//     variable, if it is not known whether any thread comes to it;
//   - a short sum of the thread's index and such values: computed again, so that LLVM sees how
//     subscripts go up from thread to thread; so is how often a DO loop runs, by which
//     thread_strides.cpp knows its form;
//   - in memory with an element for each thread, one array a value.
//
// Stack memory that outlives a region is such an array, too; of an array that is read and written
// by elements alone, each element is one.
#include "codegen/cpu/region_values.h"
#include "codegen/cpu/lane_operations.h"
#include "codegen/cpu/operation_work.h"
#include "codegen/cpu/stack_arrays.h"
#include "cufrt/abi.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/PatternMatch.h"

namespace cufc {

using namespace llvm;

namespace {

constexpr unsigned mostIntegerWork = 32, mostOtherWork = 12; // instead of a load
constexpr unsigned workOfLoad = 16;                          // one of them alone is worth it

BasicBlock::iterator placeAfter(Instruction &value) {
  std::optional<BasicBlock::iterator> place = value.getInsertionPointAfterDef();
  assert(place && "only calls that may throw have none");
  return *place;
}

// What memory an address leads to, as far as that keeps accesses apart.
enum class Memory { Unknown, Own, Shared, Other };

Memory memoryOf(const Value *address) {
  const Value *object = getUnderlyingObject(address, 0);
  if (isa<AllocaInst>(object))
    return Memory::Own;
  if (isa<GlobalVariable>(object))
    return Memory::Other;
  if (auto *argument = dyn_cast<Argument>(object)) // of the function for a block
    return argument->getArgNo() <= 1 ? Memory::Other : Memory::Unknown;
  auto *load = dyn_cast<LoadInst>(object);
  if (!load)
    return Memory::Unknown;
  const DataLayout &layout = load->getDataLayout();
  APInt offset(64, 0);
  const Value *base =
      load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (auto *argument = dyn_cast<Argument>(base); argument && argument->getArgNo() == 0)
    return offset == offsetof(cufrt_block, shared) ? Memory::Shared : Memory::Unknown;
  return memoryOf(load->getPointerOperand()) == Memory::Other ? Memory::Other : Memory::Unknown;
}

bool mayWrite(const Instruction &instruction, Memory memory) {
  if (!instruction.mayWriteToMemory())
    return false;
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (!store || !store->isSimple())
    return true;
  Memory written = memoryOf(store->getPointerOperand());
  return written == Memory::Unknown || memory == Memory::Unknown || written == memory;
}

bool isIntegerOrAddress(const Value *value) { return value->getType()->isIntOrPtrTy(); }

Type *storedType(Type *type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

} // namespace

// Whether all threads that start the region come to the block.
bool RegionValues::isAlwaysReached(const ThreadRegion &region, const BasicBlock &block) const {
  SetVector<const BasicBlock *> reached;
  if (region.entry != &block)
    reached.insert(region.entry);
  for (size_t i = 0; i < reached.size(); ++i) {
    if (succ_empty(reached[i]))
      return false;
    for (const BasicBlock *next : successors(reached[i])) {
      if (!region.blocks.contains(const_cast<BasicBlock *>(next)))
        return false;
      if (next != &block)
        reached.insert(next);
    }
  }
  return true;
}

bool RegionValues::mayBeWrittenBefore(const ThreadRegion &region, const LoadInst &load) const {
  if (load.hasMetadata(LLVMContext::MD_invariant_load))
    return false;
  Memory memory = memoryOf(load.getPointerOperand());
  auto writes = [&](const Instruction &instruction) { return mayWrite(instruction, memory); };
  const BasicBlock *block = load.getParent();
  if (std::any_of(block->begin(), load.getIterator(), writes))
    return true;
  SetVector<const BasicBlock *> before(pred_begin(block), pred_end(block));
  for (size_t i = 0; i < before.size(); ++i) {
    if (!region.blocks.contains(const_cast<BasicBlock *>(before[i])))
      continue;
    if (any_of(*before[i], writes))
      return true;
    before.insert(pred_begin(before[i]), pred_end(before[i]));
  }
  return false;
}

bool RegionValues::isHoistable(const ThreadRegion &region, const Instruction &instruction) const {
  if (isa<PHINode, AllocaInst>(instruction) || instruction.isTerminator() ||
      instruction.getType()->isVoidTy() || plan.varying.contains(&instruction))
    return false;
  for (const Value *operand : instruction.operands())
    if (auto *other = dyn_cast<Instruction>(operand);
        other && region.blocks.contains(const_cast<BasicBlock *>(other->getParent())))
      return false;
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return isAlwaysReached(region, *load->getParent()) && !mayBeWrittenBefore(region, *load);
  return isSafeToSpeculativelyExecute(&instruction) ||
         isAlwaysReached(region, *instruction.getParent());
}

void RegionValues::hoistUniformValues() {
  for (size_t i = 0; i < regions.size(); ++i)
    for (const BasicBlock *block : regions[i].blocks)
      regionNumbers[block] = i;
  Function *function = plan.exit->getParent();
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(function))
    if (ThreadRegion *region = regionOf(block))
      for (Instruction &instruction : make_early_inc_range(*block))
        if (isHoistable(*region, instruction))
          instruction.moveBefore(region->before->getTerminator()->getIterator());
}

ThreadRegion *RegionValues::regionOf(const BasicBlock *block) const {
  auto found = regionNumbers.find(block);
  return found == regionNumbers.end() ? nullptr : &regions[found->second];
}

ThreadRegion *RegionValues::regionOfUse(const Use &use) const {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  return regionOf(phi ? phi->getIncomingBlock(use) : user->getParent());
}

unsigned RegionValues::addFrameVariable(Type *type, Align align) {
  const DataLayout &layout = plan.exit->getDataLayout();
  uint64_t size = alignTo(layout.getTypeAllocSize(type).getFixedValue(), align);
  variables.push_back({type, bytes, size});
  bytes += size;
  return static_cast<unsigned>(variables.size() - 1);
}

Value *RegionValues::baseOf(unsigned variable) {
  FrameVariable &wanted = variables[variable];
  if (!wanted.base) {
    BasicBlock &entry = plan.exit->getParent()->getEntryBlock();
    if (!geometry.frames)
      return wanted.base = laneValues(entry, ArrayType::get(Type::getInt8Ty(entry.getContext()),
                                                            wanted.bytes * lanesOfWarp));
    IRBuilder<> builder(entry.getTerminator());
    Value *offset = builder.CreateNUWMul(geometry.room, builder.getInt64(wanted.offset));
    wanted.base = builder.CreateInBoundsGEP(builder.getInt8Ty(), geometry.frames, offset);
  }
  return wanted.base;
}

Instruction *RegionValues::placeIn(const ThreadRegion &region) const {
  return (inHeaders ? region.header : region.entry)->getTerminator();
}

Value *RegionValues::addressIn(ThreadRegion &region, unsigned variable) {
  Value *base = baseOf(variable);
  auto [address, isNew] = known.try_emplace({&region, base});
  if (isNew) {
    IRBuilder<> builder(placeIn(region));
    const FrameVariable &wanted = variables[variable];
    Type *element = ArrayType::get(builder.getInt8Ty(), wanted.bytes);
    address->second = builder.CreateInBoundsGEP(element, base, region.linear);
  }
  return address->second;
}

void RegionValues::storeTo(ThreadRegion &region, unsigned variable, Value *value,
                           IRBuilder<> &builder) {
  Value *stored = builder.CreateZExtOrBitCast(value, storedType(value->getType()));
  accesses[builder.CreateStore(stored, addressIn(region, variable))] = variable;
}

void RegionValues::demoteVaryingPhis() {
  for (BasicBlock *join : plan.joins)
    for (PHINode &phi : join->phis())
      if (plan.varying.contains(&phi)) {
        Type *type = storedType(phi.getType());
        demoted[&phi] = addFrameVariable(type, phi.getDataLayout().getABITypeAlign(type));
      }
  fillEntries();
  for (ThreadRegion &region : regions)
    if (region.hasLoops() && region.next)
      for (PHINode &phi : region.next->phis())
        if (auto found = demoted.find(&phi); found != demoted.end()) {
          Value *value = phi.getIncomingValueForBlock(region.after);
          IRBuilder<> builder(region.last->getTerminator());
          storeTo(region, found->second, value, builder);
        }
  inHeaders = true;
  for (auto &[phi, variable] : demoted)
    for (Use &use : phi->incoming_values())
      use.set(PoisonValue::get(phi->getType()));
}

// Operands are replaced region by region; what is known of values is known of those first there.
Value *RegionValues::originalOf(Value *value) const {
  auto found = originals.find(value);
  return found == originals.end() ? value : found->second;
}

std::optional<unsigned> RegionValues::costOf(Value *value) {
  value = originalOf(value);
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || plan.isUniform(*instruction))
    return 0;
  if (isa<AllocaInst>(instruction))
    return 1;
  auto found = costs.find(value);
  if (found != costs.end())
    return found->second;
  std::optional<unsigned> cost = costOfInstruction(*instruction);
  costs[value] = cost;
  return cost;
}

// (last - first + step)/step, where all threads have computed it that compute it again.
bool RegionValues::isKnownRoundCount(Instruction &value) const {
  using namespace PatternMatch;
  Value *step = nullptr;
  const ThreadRegion *region = regionOf(value.getParent());
  return match(&value,
               m_SDiv(m_c_Add(m_Sub(m_Value(), m_Value()), m_Value(step)), m_Deferred(step))) &&
         plan.retirements.empty() && region && isAlwaysReached(*region, *value.getParent());
}

// Nothing if it is not to be computed again.
std::optional<unsigned> RegionValues::costOfInstruction(Instruction &instruction) {
  if (isa<PHINode>(instruction) || instruction.mayReadOrWriteMemory() ||
      !(isSafeToSpeculativelyExecute(&instruction) || isKnownRoundCount(instruction)) ||
      (isa<CallBase>(instruction) && !isa<IntrinsicInst>(instruction)))
    return std::nullopt;
  unsigned sum = workOf(instruction);
  for (Value *operand : instruction.operands()) {
    if (isa<Function>(operand))
      continue;
    std::optional<unsigned> cost = costOf(operand);
    if (!cost && !(isIntegerOrAddress(&instruction) && isIntegerOrAddress(operand)))
      return std::nullopt;
    sum += cost.value_or(workOfLoad);
  }
  bool isInteger = isIntegerOrAddress(&instruction);
  return sum <= (isInteger ? mostIntegerWork : mostOtherWork) ? std::optional(sum) : std::nullopt;
}

Value *RegionValues::valueIn(ThreadRegion &region, Value *value) {
  for (size_t d = 0; d < index.size(); ++d)
    if (value == index[d])
      return region.index[d];
  auto *instruction = dyn_cast<Instruction>(originalOf(value));
  if (!instruction)
    return value;
  value = instruction;
  if (auto *memory = dyn_cast<AllocaInst>(instruction)) {
    std::optional<unsigned> variable = frameOfMemory(*memory);
    return variable && !elementOf(*memory) ? addressIn(region, *variable) : memory;
  }
  if (plan.isUniform(*instruction))
    return uniformOutside(*instruction);
  auto found = known.find({&region, value});
  if (found != known.end())
    return found->second;
  Value *here = costOf(value) ? recomputedIn(region, *instruction) : loadedIn(region, *instruction);
  known[{&region, value}] = here;
  originals[here] = value;
  return here;
}

Value *RegionValues::recomputedIn(ThreadRegion &region, Instruction &value) {
  SmallVector<Value *, 4> operands;
  for (Value *operand : value.operands())
    operands.push_back(valueIn(region, operand));
  Instruction *copy = value.clone();
  for (auto [i, operand] : enumerate(operands))
    copy->setOperand(static_cast<unsigned>(i), operand);
  copy->insertBefore(placeIn(region)->getIterator());
  return copy;
}

Value *RegionValues::loadedIn(ThreadRegion &region, Instruction &value) {
  const unsigned variable = frameOf(value);
  Value *address = addressIn(region, variable);
  IRBuilder<> builder(placeIn(region));
  LoadInst *load = builder.CreateLoad(storedType(value.getType()), address);
  accesses[load] = variable;
  return builder.CreateTruncOrBitCast(load, value.getType());
}

unsigned RegionValues::frameOf(Instruction &value) {
  if (auto *phi = dyn_cast<PHINode>(&value))
    if (auto found = demoted.find(phi); found != demoted.end())
      return found->second;
  auto [variable, isNew] = frames.try_emplace(&value);
  if (isNew) {
    Type *type = storedType(value.getType());
    unsigned added = addFrameVariable(type, value.getDataLayout().getABITypeAlign(type));
    frames[&value] = added;
    bool toHeader = std::exchange(inHeaders, false);
    IRBuilder<> builder(value.getParent(), placeAfter(value));
    storeTo(*regionOf(value.getParent()), added, &value, builder);
    inHeaders = toHeader;
    return added;
  }
  return variable->second;
}

// The one that the last thread has left; all leave the same.
Value *RegionValues::uniformOutside(Instruction &value) {
  ThreadRegion *region = regionOf(value.getParent());
  if (!region)
    return &value;
  Value *&left = outside[&value];
  if (!left) {
    BasicBlock &entry = plan.exit->getParent()->getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *variable = builder.CreateAlloca(value.getType());
    builder.SetInsertPoint(value.getParent(), placeAfter(value));
    builder.CreateStore(&value, variable);
    builder.SetInsertPoint(region->after, region->after->getFirstInsertionPt());
    left = builder.CreateLoad(value.getType(), variable);
  }
  return left;
}

void RegionValues::connectUses(Instruction &value) {
  ThreadRegion *region = regionOf(value.getParent());
  SmallVector<Use *, 8> uses;
  for (Use &use : value.uses())
    if (regionOfUse(use) != region)
      uses.push_back(&use);
  for (Use *use : uses) {
    if (plan.isUniform(value)) {
      use->set(uniformOutside(value));
      continue;
    }
    ThreadRegion *there = regionOfUse(*use);
    assert(there && "what all threads do depends on the thread");
    use->set(valueIn(*there, &value));
  }
}

// Whether memory is used between two meetings alone that no thread comes by again.
bool RegionValues::staysInOneRun(AllocaInst &memory) const {
  if (PointerMayBeCaptured(&memory, /*ReturnCaptures=*/true))
    return false;
  ThreadRegion *region = nullptr;
  SetVector<Instruction *> addresses;
  addresses.insert(&memory);
  for (size_t i = 0; i < addresses.size(); ++i)
    for (Use &use : addresses[i]->uses()) {
      ThreadRegion *there = regionOfUse(use);
      if (!there || there->repeats || (region && region != there))
        return false;
      region = there;
      auto *user = cast<Instruction>(use.getUser());
      if (!isa<LoadInst>(user) && !user->getType()->isVoidTy())
        addresses.insert(user);
    }
  return true;
}

std::optional<unsigned> RegionValues::frameOfMemory(AllocaInst &memory) {
  auto [variable, isNew] = memories.try_emplace(&memory);
  if (isNew && !staysInOneRun(memory)) {
    std::optional<TypeSize> size = memory.getAllocationSize(memory.getDataLayout());
    assert(size && "memory of a size that only the program knows");
    Type *type = ArrayType::get(Type::getInt8Ty(memory.getContext()), size->getFixedValue());
    Align align = std::min(memory.getAlign(), Align(16));
    memories[&memory] = addFrameVariable(type, align);
  }
  return memories[&memory];
}

void RegionValues::spreadElements(const AllocaInst &memory) {
  elements[&memory] = accessedType(memory);
}

// Element i of thread t is number i*room + t.
void RegionValues::spread(Use &use, unsigned variable, Type &type) {
  ThreadRegion &region = *regionOfUse(use);
  auto *user = cast<Instruction>(use.getUser());
  IRBuilder<> builder(user);
  auto *element = dyn_cast<GetElementPtrInst>(user);
  Value *number = region.linear;
  if (element) {
    Value *index = builder.CreateSExtOrTrunc(element->getOperand(1), builder.getInt64Ty());
    number = builder.CreateNSWAdd(builder.CreateNSWMul(index, geometry.room), number);
  }
  Value *place = builder.CreateInBoundsGEP(&type, baseOf(variable), number);
  if (!element)
    return use.set(place);
  element->replaceAllUsesWith(place);
  element->eraseFromParent();
}

void RegionValues::connectMemory() {
  std::vector<AllocaInst *> all;
  for (Instruction &instruction : plan.exit->getParent()->getEntryBlock())
    if (auto *memory = dyn_cast<AllocaInst>(&instruction); memory && plan.varying.contains(memory))
      all.push_back(memory);
  for (AllocaInst *memory : all)
    frameOfMemory(*memory);
  for (AllocaInst *memory : all) {
    std::optional<unsigned> variable = memories[memory];
    if (!variable)
      continue;
    Type *element = elementOf(*memory);
    for (Use &use : make_early_inc_range(memory->uses()))
      if (element)
        spread(use, *variable, *element);
      else
        use.set(addressIn(*regionOfUse(use), *variable));
    memory->eraseFromParent();
  }
}

void RegionValues::connectRegions() {
  fillEntries();
  std::vector<Instruction *> all;
  for (ThreadRegion &region : regions)
    for (BasicBlock *block : region.blocks)
      for (Instruction &instruction : *block)
        if (!instruction.getType()->isVoidTy())
          all.push_back(&instruction);
  for (auto &[phi, variable] : demoted)
    all.push_back(phi);
  for (Instruction *instruction : all)
    connectUses(*instruction);
  connectMemory();
  for (size_t d = 0; d < index.size(); ++d)
    for (Use &use : make_early_inc_range(index[d]->uses()))
      use.set(regionOfUse(use)->index[d]);
  for (auto &[phi, variable] : demoted)
    phi->eraseFromParent();
  keepApart();
}

// Nothing else accesses the memory of values, whose address nobody has, and each is apart: LICM
// brings the store of what a loop carries behind the loop.
void RegionValues::keepApart() {
  Function *function = plan.exit->getParent();
  MDBuilder builder(function->getContext());
  MDNode *domain = builder.createAnonymousAliasScopeDomain(function->getName());
  LLVMContext &context = function->getContext();
  SmallVector<Metadata *> scopes;
  for (size_t i = 0; i < variables.size(); ++i)
    scopes.push_back(builder.createAnonymousAliasScope(domain, "values"));
  if (scopes.empty())
    return;
  auto add = [&](Instruction &access, unsigned kind, ArrayRef<Metadata *> list) {
    if (!list.empty())
      access.setMetadata(kind,
                         MDNode::concatenate(access.getMetadata(kind), MDNode::get(context, list)));
  };
  for (Instruction &instruction : instructions(*function)) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    SmallVector<Metadata *> others = scopes;
    if (auto access = accesses.find(&instruction); access != accesses.end()) {
      others.erase(others.begin() + access->second);
      add(instruction, LLVMContext::MD_alias_scope, {scopes[access->second]});
    }
    add(instruction, LLVMContext::MD_noalias, others);
  }
}

} // namespace cufc
