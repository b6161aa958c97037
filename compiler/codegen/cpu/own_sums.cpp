// All threads of a block update one element in a register:
//
//   for each thread: atomic(total += a(i))   =>   sum = 0
//                                                 for each thread: sum += a(i)
//                                                 if (sum is not 0) atomic(total += sum)
//
// so that LLVM makes vectors of it. For other sums a core has a copy of parts of the array
// (runtime/host/own_sums.h):
//
//   distance = own.distances[(address - own.array) >> own.shift]
//   if (distance is even) *(address + distance) += a(i); else atomically
//
// In which order atomic updates are made is open, and so it is here how they are grouped.
#include "codegen/cpu/own_sums.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"
#include <map>
#include <set>

namespace cufc {
namespace {

using namespace llvm;

constexpr int hitsForMiss = 1000; // what the branch expects

bool isKnownAtEntry(const Value *value, const Function &function) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return isa<Argument, Constant>(value);
  return instruction->getParent() == &function.getEntryBlock() &&
         !isa<AllocaInst, PHINode>(instruction) && !instruction->isTerminator();
}

// What leaves every number as it is.
Constant *idle(AtomicRMWInst::BinOp operation, Type *type) {
  const unsigned bits = type->getScalarSizeInBits();
  switch (operation) {
  case AtomicRMWInst::FAdd:
    return ConstantFP::getNegativeZero(type);
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return ConstantFP::getQNaN(type);
  case AtomicRMWInst::And:
  case AtomicRMWInst::UMin:
    return Constant::getAllOnesValue(type);
  case AtomicRMWInst::Max:
    return ConstantInt::get(type, APInt::getSignedMinValue(bits));
  case AtomicRMWInst::Min:
    return ConstantInt::get(type, APInt::getSignedMaxValue(bits));
  default:
    return Constant::getNullValue(type);
  }
}

// Whether an update may need -0 to be less than 0.
bool mayBeNegativeZero(AtomicRMWInst &update) {
  const Value *value = update.getValOperand();
  return value->getType()->isFloatingPointTy() &&
         !cannotBeNegativeZero(value, SimplifyQuery(update.getDataLayout(), &update));
}

Value *combined(IRBuilder<> &builder, AtomicRMWInst::BinOp operation, Value *left, Value *right,
                bool ordersZeros) {
  if (operation == AtomicRMWInst::FMax || operation == AtomicRMWInst::FMin) {
    FastMathFlags flags;
    flags.setNoSignedZeros(!ordersZeros);
    builder.setFastMathFlags(flags);
  }
  switch (operation) {
  case AtomicRMWInst::FAdd: {
    FastMathFlags flags;
    flags.setAllowReassoc();
    builder.setFastMathFlags(flags);
    return builder.CreateFAdd(left, right);
  }
  case AtomicRMWInst::FMax:
    return builder.CreateBinaryIntrinsic(Intrinsic::maximumnum, left, right);
  case AtomicRMWInst::FMin:
    return builder.CreateBinaryIntrinsic(Intrinsic::minimumnum, left, right);
  default:
    return buildAtomicRMWValue(operation, builder, left, right);
  }
}

// The updates of one element by one operation.
class InRegister {
public:
  // All updates are like the one; `ordersZeros` if there may be -0 beside 0.
  InRegister(Function &block, AtomicRMWInst &like, bool ordersZeros)
      : ordersZeros(ordersZeros), block(block), operation(like.getOperation()),
        type(like.getType()), address(like.getPointerOperand()), alignment(like.getAlign()),
        scope(like.getSyncScopeID()) {
    IRBuilder<> builder(&*block.getEntryBlock().getFirstInsertionPt());
    sum = builder.CreateAlloca(type, nullptr, "sum");
    builder.CreateStore(idle(operation, type), sum);
  }

  void make(AtomicRMWInst &update) const {
    IRBuilder<> builder(&update);
    Value *before = builder.CreateLoad(type, sum);
    builder.CreateStore(combined(builder, operation, before, update.getValOperand(), ordersZeros),
                        sum);
    update.eraseFromParent();
  }

  // Before each return, unless there was none.
  void finish() const {
    SmallVector<Instruction *, 2> returns;
    for (BasicBlock &part : block)
      if (isa<ReturnInst>(part.getTerminator()))
        returns.push_back(part.getTerminator());
    for (Instruction *end : returns) {
      IRBuilder<> builder(end);
      Value *all = builder.CreateLoad(type, sum);
      Type *bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits()));
      Value *isIdle = builder.CreateICmpEQ(builder.CreateBitCast(all, bits),
                                           builder.CreateBitCast(idle(operation, type), bits));
      builder.SetInsertPoint(
          SplitBlockAndInsertIfThen(builder.CreateNot(isIdle), end, /*Unreachable=*/false));
      builder.CreateAtomicRMW(operation, address, all, alignment, AtomicOrdering::Monotonic, scope);
    }
  }

private:
  bool ordersZeros;
  Function &block;
  AtomicRMWInst::BinOp operation;
  Type *type;
  Value *address;
  Align alignment;
  SyncScope::ID scope;
  AllocaInst *sum = nullptr;
};

// Where a core adds to an array of its own, the same for all updates of an array.
class OwnSums {
public:
  explicit OwnSums(Function &block) : block(block) {}

  // The update stays behind what is made here, for addresses that are not in the array.
  void add(AtomicRMWInst &update) {
    Value *array = getUnderlyingObject(update.getPointerOperand(), 0);
    if (!isKnownAtEntry(array, block))
      return;
    const Place &own = placeOf(array, update.getType());
    IRBuilder<> builder(&update);
    Value *address = update.getPointerOperand();
    Type *wide = builder.getInt64Ty();
    Value *behind = builder.CreateSub(builder.CreatePtrToInt(address, wide), own.address);
    BasicBlock *before = update.getParent(), *rest = before->splitBasicBlock(&update, "update");
    BasicBlock *updated = rest->splitBasicBlock(update.getNextNode(), "updated");
    auto newBlock = [&](const char *name) {
      return BasicBlock::Create(block.getContext(), name, &block, rest);
    };
    BasicBlock *inside = newBlock("inside"), *make = newBlock("make"), *hit = newBlock("hit");
    MDNode *seldom = MDBuilder(block.getContext()).createBranchWeights(hitsForMiss, 1);
    before->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(before);
    builder.CreateCondBr(builder.CreateICmpULT(behind, own.bytes), inside, rest, seldom);
    builder.SetInsertPoint(inside);
    Value *part = builder.CreateGEP(wide, own.distances, builder.CreateLShr(behind, own.shift));
    Value *known = builder.CreateLoad(wide, part);
    builder.CreateCondBr(isCopy(builder, known), hit, make, seldom);
    builder.SetInsertPoint(make);
    FunctionCallee maker =
        block.getParent()->getOrInsertFunction("cufrt_own_copy", wide, builder.getPtrTy(), wide);
    Value *made = builder.CreateCall(maker, {own.record, behind});
    builder.CreateCondBr(isCopy(builder, made), hit, rest);
    builder.SetInsertPoint(hit);
    PHINode *distance = builder.CreatePHI(wide, 2);
    distance->addIncoming(known, inside);
    distance->addIncoming(made, make);
    Value *place = builder.CreateGEP(builder.getInt8Ty(), address, distance);
    Value *old = builder.CreateLoad(update.getType(), place);
    builder.CreateStore(
        buildAtomicRMWValue(update.getOperation(), builder, old, update.getValOperand()), place);
    builder.CreateBr(updated);
  }

private:
  struct Place {
    Value *record, *address, *bytes, *shift, *distances;
  };

  static Value *isCopy(IRBuilder<> &builder, Value *distance) {
    return builder.CreateIsNull(builder.CreateAnd(distance, 1));
  }

  const Place &placeOf(Value *array, Type *type) {
    auto [found, isNew] = places.try_emplace({array, type});
    if (!isNew)
      return found->second;
    auto *instruction = dyn_cast<Instruction>(array);
    IRBuilder<> builder(instruction ? instruction->getNextNode()
                                    : &*block.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Type *wide = builder.getInt64Ty();
    Value *sums = load(builder, builder.getPtrTy(), block.getArg(0), offsetof(cufrt_block, sums));
    Value *own = builder.CreateCall(block.getParent()->getOrInsertFunction(
                                        "cufrt_sums_of", builder.getPtrTy(), builder.getPtrTy(),
                                        builder.getPtrTy(), builder.getInt32Ty()),
                                    {sums, array, builder.getInt32(numberOf(*type))});
    found->second = {own, load(builder, wide, own, offsetof(cufrt_own_sums, array)),
                     load(builder, wide, own, offsetof(cufrt_own_sums, bytes)),
                     load(builder, wide, own, offsetof(cufrt_own_sums, shift)),
                     load(builder, builder.getPtrTy(), own, offsetof(cufrt_own_sums, distances))};
    return found->second;
  }

  static Value *load(IRBuilder<> &builder, Type *type, Value *record, uint64_t offset) {
    return builder.CreateLoad(
        type, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset));
  }

  static cufrt_number numberOf(const Type &type) {
    if (type.isIntegerTy())
      return type.isIntegerTy(32) ? CUFRT_INTEGER_4 : CUFRT_INTEGER_8;
    return type.isFloatTy() ? CUFRT_REAL_4 : CUFRT_REAL_8;
  }

  Function &block;
  std::map<std::pair<Value *, Type *>, Place> places;
};

} // namespace

std::vector<AtomicRMWInst *> makeInRegisters(Function &block, ArrayRef<AtomicRMWInst *> updates) {
  std::vector<AtomicRMWInst *> others;
  using Key = std::tuple<Value *, AtomicRMWInst::BinOp, Type *>;
  auto keyOf = [](const AtomicRMWInst &update) {
    return Key(const_cast<Value *>(update.getPointerOperand()), update.getOperation(),
               update.getType());
  };
  std::set<Key> ofZeros;
  for (AtomicRMWInst *update : updates)
    if (mayBeNegativeZero(*update))
      ofZeros.insert(keyOf(*update));
  std::map<Key, InRegister> elements;
  for (AtomicRMWInst *update : updates) {
    if (!isKnownAtEntry(update->getPointerOperand(), block)) {
      others.push_back(update);
      continue;
    }
    const Key key = keyOf(*update);
    auto known = elements.try_emplace(key, block, *update, ofZeros.count(key) != 0);
    known.first->second.make(*update);
  }
  for (auto &[key, element] : elements)
    element.finish();
  return others;
}

void makeInOwnSums(Function &block, ArrayRef<AtomicRMWInst *> updates) {
  OwnSums sums(block);
  for (AtomicRMWInst *update : updates)
    if (update->getOperation() == AtomicRMWInst::Add ||
        update->getOperation() == AtomicRMWInst::FAdd)
      sums.add(*update);
}

} // namespace cufc
