// v = shfl_down(v, d)          for each lane:     given(lane) = v
//                        =>    once:              taken = given
//                              for each lane:     v = taken(lane + d), or taken(lane) out of range
//
// Where all lanes take from the same distance, the middle line moves what they give at once. The
// copy lets lanes give the next value before others have taken this one. There is room on both
// sides of what is taken, so all lanes load without a condition. A vote is a word with a bit for
// each lane, from bytes that the lanes store; those that have left store none. The sources of
// shuffles are those of PTX ISA, "shfl.sync". Lanes outside the mask that they give, whose results
// CUDA leaves open, take part here in shuffles.
#include "codegen/cpu/lane_operations.h"
#include "codegen/cpu/thread_values.h"
#include "llvm/IR/Intrinsics.h"

namespace cufc {

using namespace llvm;

namespace {

bool isVote(cufrt_sync kind) { return kind >= CUFRT_VOTE_ALL && kind <= CUFRT_VOTE_BALLOT; }

bool isShuffle(cufrt_sync kind) { return kind >= CUFRT_SHUFFLE_INDEX && kind <= CUFRT_SHUFFLE_XOR; }

bool isReduction(cufrt_sync kind) { return kind >= CUFRT_REDUCE_ADD && kind <= CUFRT_REDUCE_XOR; }

// All lanes are one segment: the packed operand has no bits of one, and the lane at its end.
bool isWhole(const SyncOperation &operation) {
  auto *number = dyn_cast<ConstantInt>(operation.clamp);
  const uint64_t end = operation.kind == CUFRT_SHUFFLE_UP ? 0 : lanesOfWarp - 1;
  return number && (number->getZExtValue() & 0x1f1f) == end;
}

class Replacement {
public:
  Replacement(LaneMeeting &meeting, const SyncOperation &operation)
      : at(meeting), operation(operation), context(meeting.call.getContext()), before(context),
        arrival(context), together(&meeting.call), departure(context) {
    before.SetInsertPoint(meeting.before.getTerminator());
    arrival.SetInsertPoint(meeting.arrival.getTerminator());
    departure.SetInsertPoint(&meeting.departure, meeting.departure.getFirstInsertionPt());
  }

  bool run() {
    isUniform = isSameForLanes(operation, [&](const Value &value) { return isAlike(value); });
    if (operation.kind == CUFRT_WARP_BARRIER)
      return finish(nullptr, nullptr);
    if (operation.kind == CUFRT_ACTIVE_MASK)
      return finish(here(), nullptr);
    if (isVote(operation.kind))
      return finish(vote(), nullptr);
    if (isShuffle(operation.kind))
      return shuffle();
    if (operation.kind == CUFRT_MATCH_ANY)
      return finish(matches(), nullptr);
    if (!isUniform)
      return false;
    if (operation.kind != CUFRT_MATCH_ALL)
      return finish(reduction(), nullptr);
    Value *all = matchOfAll();
    return finish(all, operation.givesPair ? together.CreateICmpNE(all, word(0)) : nullptr);
  }

private:
  bool isAlike(const Value &value) const {
    if (auto *argument = dyn_cast<Argument>(&value))
      return argument != &at.lane;
    return !at.varying.contains(&value);
  }

  ConstantInt *word(uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); }

  // In code of each lane.
  Value *own(Value *value) {
    if (isa<Instruction>(value))
      at.varying.insert(value);
    return value;
  }

  Type *perLane(Type *type) { return FixedVectorType::get(type, lanesOfWarp); }

  AllocaInst *room(Type *type) { return laneValues(at.call.getFunction()->getEntryBlock(), type); }

  // The operand of all lanes, once they are here.
  Value *given(Value *operand, Type *type) {
    AllocaInst *memory = give(operand, type);
    return together.CreateAlignedLoad(perLane(type), memory, alignOf(type));
  }

  // Memory of lanes may come to be elsewhere than on the stack.
  Align alignOf(Type *type) const { return at.call.getDataLayout().getABITypeAlign(type); }

  AllocaInst *give(Value *operand, Type *type) {
    AllocaInst *memory = room(ArrayType::get(type, lanesOfWarp));
    Value *place = own(arrival.CreateInBoundsGEP(type, memory, &at.lane));
    arrival.CreateStore(operand, place);
    return memory;
  }

  // A bit for each lane in which a value of 8 bits is not zero.
  Value *bits(Value *operand) {
    Type *byte = Type::getInt8Ty(context);
    AllocaInst *memory = give(operand, byte);
    if (at.mayMiss)
      before.CreateAlignedStore(Constant::getNullValue(perLane(byte)), memory, Align(1));
    Value *all = together.CreateAlignedLoad(perLane(byte), memory, Align(1));
    return word(together, together.CreateICmpNE(all, Constant::getNullValue(perLane(byte))));
  }

  static Value *word(IRBuilder<> &builder, Value *flags) {
    return builder.CreateBitCast(flags, builder.getInt32Ty());
  }

  Value *here() {
    return at.mayMiss ? bits(ConstantInt::get(Type::getInt8Ty(context), 1)) : word(~0u);
  }

  Value *vote() {
    Value *zero = Constant::getNullValue(operation.operand->getType());
    Value *yes = own(arrival.CreateICmpNE(operation.operand, zero));
    Value *all = bits(own(arrival.CreateZExt(yes, arrival.getInt8Ty())));
    Value *present =
        operation.kind == CUFRT_VOTE_ALL || operation.kind == CUFRT_VOTE_UNIFORM ? here() : nullptr;
    IRBuilder<> &builder = isUniform ? together : departure;
    auto note = [&](Value *value) { return isUniform ? value : own(value); };
    Value *members = note(builder.CreateAnd(all, operation.mask));
    if (operation.kind == CUFRT_VOTE_BALLOT)
      return members;
    Value *any = note(builder.CreateICmpNE(members, word(0)));
    if (operation.kind == CUFRT_VOTE_ANY)
      return any;
    Value *wanted = note(builder.CreateAnd(present, operation.mask));
    Value *every = note(builder.CreateICmpEQ(members, wanted));
    if (operation.kind == CUFRT_VOTE_ALL)
      return every;
    Value *none = note(builder.CreateNot(any));
    return note(builder.CreateOr(every, none));
  }

  bool shuffle() {
    Type *type = operation.operand->getType();
    AllocaInst *memory = give(operation.operand, type);
    if (isUniform) {
      Value *lane = together.CreateAnd(operation.lane, word(lanesOfWarp - 1));
      Value *value = together.CreateLoad(type, together.CreateInBoundsGEP(type, memory, lane));
      return finish(value, together.getTrue());
    }
    if (operation.kind != CUFRT_SHUFFLE_INDEX && isAlike(*operation.lane) &&
        isa<ConstantInt>(operation.clamp))
      return exchange(memory, type);
    AllocaInst *taken = room(ArrayType::get(type, uint64_t(3) * lanesOfWarp));
    const uint64_t bytes = at.call.getDataLayout().getTypeStoreSize(type).getFixedValue();
    Value *middle = together.CreateConstInBoundsGEP1_32(type, taken, lanesOfWarp);
    together.CreateMemCpy(middle, Align(bytes), memory, Align(bytes), bytes * lanesOfWarp);
    Value *inRange = nullptr, *source = sourceOf(inRange);
    auto take = [&](Value *lane) {
      Value *element = own(departure.CreateNSWAdd(lane, word(lanesOfWarp)));
      return own(
          departure.CreateLoad(type, own(departure.CreateInBoundsGEP(type, taken, element))));
    };
    Value *other = take(source), *mine = take(&at.lane);
    return finish(own(departure.CreateSelect(inRange, other, mine)), inRange);
  }

  // All lanes at once, where they go the same way: by the bits of the distance.
  bool exchange(AllocaInst *memory, Type *type) {
    Value *own = together.CreateAlignedLoad(perLane(type), memory, alignOf(type));
    Value *distance = together.CreateAnd(operation.lane, word(lanesOfWarp - 1)), *moved = own;
    for (int bit = 1; bit < static_cast<int>(lanesOfWarp); bit *= 2) {
      SmallVector<int> sources;
      for (int lane = 0; lane < static_cast<int>(lanesOfWarp); ++lane)
        sources.push_back(sourceBy(lane, bit) & static_cast<int>(lanesOfWarp - 1));
      Value *goes = together.CreateICmpNE(
          together.CreateAnd(distance, word(static_cast<uint32_t>(bit))), word(0));
      moved = together.CreateSelect(goes, together.CreateShuffleVector(moved, sources), moved);
    }
    Value *taken = together.CreateSelect(rangeOf(distance), moved, own);
    AllocaInst *results = room(ArrayType::get(type, lanesOfWarp));
    together.CreateAlignedStore(taken, results, alignOf(type));
    Value *place = this->own(departure.CreateInBoundsGEP(type, results, &at.lane));
    Value *inRange = nullptr;
    if (operation.givesPair)
      sourceOf(inRange);
    return finish(this->own(departure.CreateLoad(type, place)), inRange);
  }

  int sourceBy(int lane, int distance) const {
    if (operation.kind == CUFRT_SHUFFLE_XOR)
      return lane ^ distance;
    return operation.kind == CUFRT_SHUFFLE_UP ? lane - distance : lane + distance;
  }

  // Of each lane, whether there is one at that distance in its segment.
  Value *rangeOf(Value *distance) {
    const auto clamp = static_cast<uint32_t>(cast<ConstantInt>(operation.clamp)->getZExtValue());
    const uint32_t segment = clamp >> 8 & (lanesOfWarp - 1), end = clamp & (lanesOfWarp - 1);
    SmallVector<uint32_t> lanes, ends;
    for (uint32_t lane = 0; lane < lanesOfWarp; ++lane) {
      lanes.push_back(lane);
      ends.push_back((lane & segment) | (end & ~segment));
    }
    Value *lane = ConstantDataVector::get(context, lanes);
    Value *last = ConstantDataVector::get(context, ends);
    Value *by = together.CreateVectorSplat(lanesOfWarp, distance);
    if (operation.kind == CUFRT_SHUFFLE_UP)
      return together.CreateICmpSGE(together.CreateSub(lane, by), last);
    Value *source = operation.kind == CUFRT_SHUFFLE_XOR ? together.CreateXor(lane, by)
                                                        : together.CreateAdd(lane, by);
    return together.CreateICmpSLE(source, last);
  }

  Value *sourceOf(Value *&inRange) {
    IRBuilder<> &builder = departure;
    ConstantInt *last = word(lanesOfWarp - 1);
    Value *distance = own(builder.CreateAnd(operation.lane, last));
    Value *mostLane = last, *leastLane = word(0), *notSegment = last;
    if (!isWhole(operation)) {
      Value *segment =
          own(builder.CreateAnd(own(builder.CreateLShr(operation.clamp, uint64_t(8))), last));
      notSegment = own(builder.CreateXor(segment, last));
      Value *clamp = own(builder.CreateAnd(operation.clamp, last));
      leastLane = own(builder.CreateAnd(&at.lane, segment));
      mostLane = own(builder.CreateOr(leastLane, own(builder.CreateAnd(clamp, notSegment))));
    } else if (operation.kind == CUFRT_SHUFFLE_UP) {
      mostLane = word(0); // its clamp is the first lane
    }
    Value *source = nullptr;
    switch (operation.kind) {
    case CUFRT_SHUFFLE_UP:
      source = own(builder.CreateNSWSub(&at.lane, distance));
      inRange = own(builder.CreateICmpSGE(source, mostLane));
      return source;
    case CUFRT_SHUFFLE_DOWN:
      source = own(builder.CreateNSWAdd(&at.lane, distance));
      break;
    case CUFRT_SHUFFLE_XOR:
      source = own(builder.CreateXor(&at.lane, distance));
      break;
    default:
      source = own(builder.CreateOr(leastLane, own(builder.CreateAnd(distance, notSegment))));
      break;
    }
    inRange = own(builder.CreateICmpSLE(source, mostLane));
    return source;
  }

  Value *matches() {
    Type *type = operation.operand->getType();
    Value *all = given(operation.operand, type), *present = here();
    IRBuilder<> &builder = departure;
    Value *first = own(builder.CreateInsertElement(PoisonValue::get(perLane(type)),
                                                   operation.operand, uint64_t(0)));
    Value *mine = own(builder.CreateShuffleVector(first, SmallVector<int>(lanesOfWarp, 0)));
    Value *equal = own(word(builder, own(builder.CreateICmpEQ(all, mine))));
    Value *members = own(builder.CreateAnd(present, operation.mask));
    return own(builder.CreateAnd(equal, members));
  }

  Value *members() { return together.CreateAnd(here(), operation.mask); }

  Value *matchOfAll() {
    Value *all = given(operation.operand, operation.operand->getType()), *lanes = members();
    Value *first = together.CreateAnd(
        together.CreateBinaryIntrinsic(Intrinsic::cttz, lanes, together.getFalse()),
        word(lanesOfWarp - 1));
    Value *value =
        together.CreateVectorSplat(lanesOfWarp, together.CreateExtractElement(all, first));
    Value *equal = together.CreateAnd(word(together, together.CreateICmpEQ(all, value)), lanes);
    return together.CreateSelect(together.CreateICmpEQ(equal, lanes), lanes, word(0));
  }

  Value *reduction() {
    Type *type = Type::getInt32Ty(context);
    Value *all = given(operation.operand, type), *lanes = members();
    auto [id, neutral] = [&]() -> std::pair<Intrinsic::ID, uint32_t> {
      switch (operation.kind) {
      case CUFRT_REDUCE_ADD:
        return {Intrinsic::vector_reduce_add, 0};
      case CUFRT_REDUCE_MIN:
        return {Intrinsic::vector_reduce_smin, INT32_MAX};
      case CUFRT_REDUCE_MAX:
        return {Intrinsic::vector_reduce_smax, 1u << 31};
      case CUFRT_REDUCE_AND:
        return {Intrinsic::vector_reduce_and, ~0u};
      case CUFRT_REDUCE_OR:
        return {Intrinsic::vector_reduce_or, 0};
      default:
        return {Intrinsic::vector_reduce_xor, 0};
      }
    }();
    Value *flags =
        together.CreateBitCast(lanes, FixedVectorType::get(together.getInt1Ty(), lanesOfWarp));
    Value *rest = ConstantInt::get(perLane(type), neutral);
    Value *chosen = together.CreateSelect(flags, all, rest);
    return together.CreateIntrinsic(id, {chosen->getType()}, {chosen});
  }

  // The results take the place of the call's.
  bool finish(Value *value, Value *flag) {
    CallInst &call = at.call;
    for (User *user : make_early_inc_range(call.users()))
      if (auto *part = dyn_cast<ExtractValueInst>(user)) {
        part->replaceAllUsesWith(part->getIndices().front() == 0 ? value : flag);
        erase(*part);
      }
    if (!call.use_empty() && operation.givesPair) {
      IRBuilder<> &builder = isUniform ? together : departure;
      Value *both = builder.CreateInsertValue(PoisonValue::get(call.getType()), value, 0);
      if (!isUniform)
        own(both);
      value = builder.CreateInsertValue(both, flag, 1);
      if (!isUniform)
        own(value);
    }
    if (!call.use_empty())
      call.replaceAllUsesWith(value);
    erase(call);
    return true;
  }

  // Another instruction may come to be where it was.
  void erase(Instruction &instruction) {
    at.varying.erase(&instruction);
    instruction.eraseFromParent();
  }

  LaneMeeting &at;
  const SyncOperation &operation;
  LLVMContext &context;
  IRBuilder<> before, arrival, together, departure;
  bool isUniform = false;
};

} // namespace

bool canBeOfLanes(const SyncOperation &operation) {
  return operation.kind == CUFRT_BARRIER || operation.kind == CUFRT_BARRIER_AND ||
         operation.kind == CUFRT_BARRIER_OR || operation.kind == CUFRT_WARP_BARRIER ||
         operation.kind == CUFRT_ACTIVE_MASK || isVote(operation.kind) ||
         isShuffle(operation.kind) || isReduction(operation.kind) ||
         operation.kind == CUFRT_MATCH_ANY || operation.kind == CUFRT_MATCH_ALL ||
         operation.kind == CUFRT_GRID_BARRIER || operation.kind == ticketOperation;
}

bool isSameForLanes(const SyncOperation &operation, function_ref<bool(const Value &)> isUniform) {
  if (isShuffle(operation.kind))
    return operation.kind == CUFRT_SHUFFLE_INDEX && isWhole(operation) &&
           isUniform(*operation.lane);
  return operation.kind != CUFRT_MATCH_ANY && (!operation.mask || isUniform(*operation.mask));
}

AllocaInst *laneValues(BasicBlock &entry, Type *type) {
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *memory = builder.CreateAlloca(type);
  memory->setAlignment(Align(64));
  markThreadValues(*memory);
  return memory;
}

bool replaceByLanes(LaneMeeting &meeting) {
  std::optional<SyncOperation> operation = syncOperation(meeting.call);
  return operation && Replacement(meeting, *operation).run();
}

} // namespace cufc
