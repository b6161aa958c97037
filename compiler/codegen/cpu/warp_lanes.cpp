// Values of the form warps*32 + lane + constant are followed, where `warps` is the same for all
// lanes: the index of a thread in its row, its block and, for blocks of as many threads, its grid.
//
//   (warps*32 + lane)/(32*m)   =>   (warps*32)/(32*m)
//   mod(warps*32 + lane, 32)   =>   lane
//   warps*32 + lane < 32*m     =>   warps*32 < 32*m
//
// A shuffle of 64 bits comes as two of their halves, and is one for lanes.
//
// Signed quotients are the same for all lanes where they are of numbers that are not negative, as
// sums and products of indices and sizes are.
#include "codegen/cpu/warp_lanes.h"
#include "codegen/cpu/lane_operations.h"
#include "cufrt/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

// warps + lane + rest, the first of them a multiple of 32 or null for 0.
struct Form {
  Value *warps = nullptr;
  int64_t rest = 0;
  bool hasLane = false;
  bool isPositive = false; // warps, or zero
};

class Lanes {
public:
  explicit Lanes(Function &thread) : thread(thread), lane(*thread.getArg(laneArgument)) {}

  void run() {
    replaceIndex();
    ReversePostOrderTraversal<Function *> blocks(&thread);
    for (BasicBlock *block : blocks)
      for (Instruction &instruction : make_early_inc_range(*block))
        simplify(instruction);
  }

private:
  Value *dimension(IRBuilder<> &builder, unsigned d) {
    Value *address = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), thread.getArg(0), offsetof(cufrt_block, block_dim) + size_t(4) * d);
    LoadInst *load = builder.CreateLoad(builder.getInt32Ty(), address);
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(thread.getContext(), {}));
    return load;
  }

  void replaceIndex() {
    std::vector<Use *> uses[3];
    for (unsigned d = 0; d < 3; ++d)
      for (Use &use : thread.getArg(laneArgument + d)->uses())
        uses[d].push_back(&use);
    BasicBlock &entry = thread.getEntryBlock();
    BasicBlock::iterator place = entry.getFirstInsertionPt();
    while (isa<AllocaInst>(*place))
      ++place;
    IRBuilder<> builder(&entry, place);
    Value *warp = thread.getArg(warpArgument);
    Value *warps = builder.CreateLShr(dimension(builder, 0), uint64_t(5)); // of a row
    Value *rows = dimension(builder, 1);
    // Frozen, since scalar evolution does not compute a quotient once more.
    Value *row = builder.CreateFreeze(builder.CreateUDiv(warp, warps));
    Value *inRow = builder.CreateFreeze(builder.CreateURem(warp, warps));
    Value *first = builder.CreateShl(inRow, uint64_t(5), "", true, true);
    Value *x = builder.CreateAdd(first, &lane, "", true, true);
    Value *index[] = {x, builder.CreateFreeze(builder.CreateURem(row, rows)),
                      builder.CreateFreeze(builder.CreateUDiv(row, rows))};
    for (unsigned d = 0; d < 3; ++d)
      for (Use *use : uses[d])
        use->set(index[d]);
    uniform.insert(first);
    positive.insert(first);
    forms[first] = {first, 0, false, true};
    forms[x] = {first, 0, true, true};
  }

  bool isRowLength(const LoadInst &load) const {
    APInt offset(64, 0);
    const Value *base = load.getPointerOperand()->stripAndAccumulateConstantOffsets(
        load.getDataLayout(), offset, true);
    return base == thread.getArg(0) && offset == offsetof(cufrt_block, block_dim);
  }

  std::optional<Form> formOf(Value *value) const {
    if (auto *number = dyn_cast<ConstantInt>(value)) {
      if (number->getBitWidth() > 64)
        return std::nullopt;
      return Form{nullptr, number->getSExtValue(), false, true};
    }
    auto found = forms.find(value);
    return found == forms.end() ? std::nullopt : std::optional(found->second);
  }

  static bool isWhole(const Form &form) {
    return !form.hasLane && (form.warps != nullptr || form.rest != 0) &&
           form.rest % static_cast<int64_t>(lanesOfWarp) == 0;
  }

  // Of values without a way through memory or by several ways.
  bool isUniform(const Value *value) const {
    if (auto *argument = dyn_cast<Argument>(value))
      return argument != &lane;
    return isa<Constant>(value) || uniform.contains(value);
  }

  void noteUniform(const Instruction &instruction) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    const bool isKnown =
        load ? load->hasMetadata(LLVMContext::MD_invariant_load)
             : isa<BinaryOperator, CastInst, GetElementPtrInst, FreezeInst>(instruction);
    if (!isKnown || !all_of(instruction.operands(), [&](const Use &use) { return isUniform(use); }))
      return;
    uniform.insert(&instruction);
    // Sizes and indices of the block, and what is made of them.
    auto *cast = dyn_cast<CastInst>(&instruction);
    const bool keepsSign =
        cast ? isa<SExtInst, ZExtInst, TruncInst>(cast)
             : isa<FreezeInst>(instruction) ||
                   is_contained({Instruction::Add, Instruction::Mul, Instruction::Shl,
                                 Instruction::UDiv, Instruction::URem, Instruction::SDiv},
                                instruction.getOpcode());
    if ((load && getUnderlyingObject(load->getPointerOperand()) == thread.getArg(0)) ||
        (keepsSign &&
         all_of(instruction.operands(), [&](const Use &use) { return isPositive(use); })))
      positive.insert(&instruction);
  }

  bool isPositive(const Value *value) const {
    auto *number = dyn_cast<ConstantInt>(value);
    return number ? !number->isNegative() : positive.contains(value);
  }

  void simplify(Instruction &instruction) {
    noteUniform(instruction);
    if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      if (isRowLength(*load))
        forms[load] = {load, 0, false, true};
    } else if (auto *compare = dyn_cast<ICmpInst>(&instruction)) {
      simplifyComparison(*compare);
    } else if (isa<SExtInst, ZExtInst, TruncInst>(instruction)) {
      if (std::optional<Form> form = formOf(instruction.getOperand(0)))
        forms[&instruction] = cast(instruction, *form);
    } else if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
      simplifyOperation(*operation);
    }
  }

  Form cast(Instruction &instruction, Form form) {
    if (form.warps && (form.hasLane || form.rest)) {
      IRBuilder<> builder(&instruction);
      form.warps = builder.CreateCast(static_cast<CastInst &>(instruction).getOpcode(), form.warps,
                                      instruction.getType());
      uniform.insert(form.warps);
    } else if (form.warps) {
      form.warps = &instruction;
    }
    return form;
  }

  void simplifyOperation(BinaryOperator &operation) {
    std::optional<Form> left = formOf(operation.getOperand(0)),
                        right = formOf(operation.getOperand(1));
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
      if (left && right && !(left->hasLane && right->hasLane) &&
          !(operation.getOpcode() == Instruction::Sub && (right->hasLane || right->warps)))
        add(operation, *left, *right);
      return;
    case Instruction::Mul:
      if (uniform.contains(&operation) && ((left && isWhole(*left)) || (right && isWhole(*right))))
        forms[&operation] = {&operation, 0, false, isPositive(&operation)};
      return;
    case Instruction::Shl:
      if (uniform.contains(&operation) &&
          ((left && isWhole(*left)) || (right && !right->warps && right->rest >= 5)))
        forms[&operation] = {&operation, 0, false, isPositive(&operation)};
      return;
    default:
      if (left && left->hasLane && left->rest % static_cast<int64_t>(lanesOfWarp) == 0 && right &&
          !right->warps && !right->hasLane)
        divide(operation, *left, right->rest);
    }
  }

  void add(BinaryOperator &sum, const Form &left, const Form &right) {
    const bool isSum = sum.getOpcode() == Instruction::Add;
    Form form{left.warps, isSum ? left.rest + right.rest : left.rest - right.rest,
              left.hasLane || right.hasLane, left.isPositive && right.isPositive};
    if (left.warps && right.warps) {
      IRBuilder<> builder(&sum);
      form.warps = builder.CreateAdd(left.warps, right.warps);
      uniform.insert(form.warps);
    } else if (right.warps) {
      form.warps = right.warps;
    }
    forms[&sum] = form;
  }

  // By a number, or what remains of it.
  void divide(BinaryOperator &operation, const Form &form, int64_t number) {
    IRBuilder<> builder(&operation);
    Type *type = operation.getType();
    Value *warps = form.warps ? form.warps : Constant::getNullValue(type);
    if (form.rest)
      warps = builder.CreateAdd(warps, ConstantInt::get(type, form.rest, /*IsSigned=*/true));
    const bool isSigned =
        operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::SRem;
    if (isSigned && !(form.isPositive && form.rest >= 0))
      return;
    Value *own = builder.CreateZExtOrTrunc(&lane, type);
    const bool isShift =
        operation.getOpcode() == Instruction::LShr || operation.getOpcode() == Instruction::AShr;
    const bool isQuotient =
        operation.getOpcode() == Instruction::SDiv || operation.getOpcode() == Instruction::UDiv;
    const bool isRest =
        operation.getOpcode() == Instruction::SRem || operation.getOpcode() == Instruction::URem;
    Value *result = nullptr;
    if ((isShift && number >= 5) || (isQuotient && number > 0 && number % lanesOfWarp == 0)) {
      result = builder.CreateBinOp(operation.getOpcode(), warps, operation.getOperand(1));
    } else if (isRest && number > 0 && lanesOfWarp % number == 0) {
      result = builder.CreateBinOp(operation.getOpcode(), own, operation.getOperand(1));
    } else if (operation.getOpcode() == Instruction::And && number >= 0 && number < lanesOfWarp) {
      result = builder.CreateAnd(own, operation.getOperand(1));
    } else if (operation.getOpcode() == Instruction::And && number % lanesOfWarp == 0) {
      result = builder.CreateAnd(warps, operation.getOperand(1));
      forms[result] = {result, 0, false, form.isPositive && form.rest >= 0};
    }
    if (!result)
      return;
    if (auto *made = dyn_cast<Instruction>(result))
      noteUniform(*made);
    operation.replaceAllUsesWith(result);
    forms.erase(&operation); // where another may come to be
    uniform.erase(&operation);
    operation.eraseFromParent();
  }

  // One of the sides has the lane, the other is a number or goes by whole warps.
  void simplifyComparison(ICmpInst &compare) {
    std::optional<Form> left = formOf(compare.getOperand(0)), right = formOf(compare.getOperand(1));
    CmpPredicate order = compare.getPredicate();
    if (!left || !right || left->hasLane == right->hasLane || compare.isEquality())
      return;
    if (right->hasLane) {
      std::swap(left, right);
      order = ICmpInst::getSwappedCmpPredicate(order);
    }
    int64_t distance = right->rest - left->rest; // warps + lane, and what it is compared to
    if (order == ICmpInst::ICMP_SLE || order == ICmpInst::ICMP_SGT) {
      ++distance;
      order = order == ICmpInst::ICMP_SLE ? ICmpInst::ICMP_SLT : ICmpInst::ICMP_SGE;
    }
    if ((order != ICmpInst::ICMP_SLT && order != ICmpInst::ICMP_SGE) ||
        distance % static_cast<int64_t>(lanesOfWarp) != 0)
      return;
    IRBuilder<> builder(&compare);
    Type *type = compare.getOperand(0)->getType();
    Value *warps = left->warps ? left->warps : Constant::getNullValue(type);
    Value *end = ConstantInt::get(type, distance, /*IsSigned=*/true);
    if (right->warps)
      end = builder.CreateAdd(right->warps, end);
    compare.replaceAllUsesWith(builder.CreateICmp(order, warps, end));
    compare.eraseFromParent();
  }

  Function &thread;
  Argument &lane;
  DenseMap<Value *, Form> forms;
  DenseSet<const Value *> uniform, positive;
};

CallInst *shuffleOf(Value *half) {
  auto *call = dyn_cast<CallInst>(half);
  std::optional<SyncOperation> operation =
      call && call->getType()->isIntegerTy(32) ? syncOperation(*call) : std::nullopt;
  return operation && operation->kind >= CUFRT_SHUFFLE_INDEX &&
                 operation->kind <= CUFRT_SHUFFLE_XOR && call->hasOneUse()
             ? call
             : nullptr;
}

// shuffle(low half of v) + shuffle(high half of v)*2**32
void joinHalves(BinaryOperator &sum) {
  using namespace PatternMatch;
  Value *low = nullptr, *high = nullptr, *value = nullptr;
  if (!sum.getType()->isIntegerTy(64) ||
      !match(&sum, m_c_Or(m_ZExt(m_Value(low)), m_Shl(m_ZExt(m_Value(high)), m_SpecificInt(32)))))
    return;
  CallInst *first = shuffleOf(low), *second = shuffleOf(high);
  if (!first || !second || first->getCalledFunction() != second->getCalledFunction() ||
      first->getParent() != second->getParent() ||
      any_of(ArrayRef{0u, 2u, 3u},
             [&](unsigned i) { return first->getArgOperand(i) != second->getArgOperand(i); }) ||
      !match(first->getArgOperand(1), m_Trunc(m_Value(value))) ||
      !match(second->getArgOperand(1), m_Trunc(m_LShr(m_Specific(value), m_SpecificInt(32)))))
    return;
  std::optional<SyncOperation> operation = syncOperation(*first);
  if (!operation)
    return;
  IRBuilder<> builder(first);
  Value *arguments[] = {first->getArgOperand(0), value, first->getArgOperand(2),
                        first->getArgOperand(3)};
  CallInst *both = builder.CreateCall(wideShuffle(*sum.getModule(), operation->kind), arguments);
  sum.replaceAllUsesWith(both);
  RecursivelyDeleteTriviallyDeadInstructions(&sum);
  for (CallInst *half : {first, second})
    if (half->use_empty())
      half->eraseFromParent();
}

} // namespace

bool synchronisesLanes(const Function &thread) {
  return any_of(instructions(thread), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallBase>(&instruction);
    std::optional<SyncOperation> operation =
        call ? syncOperation(*call) : std::optional<SyncOperation>();
    return operation && operation->kind > CUFRT_BARRIER_COUNT && canBeOfLanes(*operation);
  });
}

void useLanes(Function &thread) {
  std::vector<BinaryOperator *> sums;
  for (Instruction &instruction : instructions(thread))
    if (instruction.getOpcode() == Instruction::Or)
      sums.push_back(cast<BinaryOperator>(&instruction));
  for (BinaryOperator *sum : sums)
    joinHalves(*sum);
  Lanes(thread).run();
}

} // namespace cufc
