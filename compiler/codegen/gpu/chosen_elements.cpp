// A pivot is one of the rows that are left:
//
//   p = k; if (abs(m(k + 1)) > abs(m(p))) p = k + 1; ...     p is k, k + 1 or k + 2
//   t = m(p)             t = p == k + 2 ? m(k + 2) : p == k + 1 ? m(k + 1) : m(k)
//   m(p) = s             m(k) = p == k ? s : m(k), ...
//
// An array lies in local memory if one of its subscripts is no constant. Where each is one of a few
// constants, selections cost less than that memory: the array is in registers then. It holds for
// arrays of which no access has an unknown place, with loops unrolled by codegen/local_arrays.cpp.
#include "codegen/gpu/chosen_elements.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace cufc {
namespace {

using namespace llvm;

constexpr uint64_t mostArrayBytes = 768; // as of local_arrays.cpp
constexpr size_t mostValues = 8;
constexpr size_t mostNodes = 256; // of the expression of a number
constexpr uint64_t mostSelections = 2048, bytesOfRegister = 4;

using Values = SmallSetVector<int64_t, mostValues>;

// A sum of a constant and of products of a constant and a number, as an address is one.
struct Sum {
  Value *base = nullptr;
  SmallMapVector<Value *, APInt, 4> terms;
  APInt constant;
};

std::optional<Sum> sumOf(GetElementPtrInst &address, const DataLayout &layout) {
  Sum sum;
  const unsigned bits = layout.getIndexTypeSizeInBits(address.getType());
  sum.base = address.getPointerOperand();
  sum.constant = APInt(bits, 0);
  if (bits != 64 ||
      !cast<GEPOperator>(address).collectOffset(layout, bits, sum.terms, sum.constant))
    return std::nullopt;
  return sum;
}

// The values that numbers can have, and the distances of addresses from the array that they are in.
class FewValues {
public:
  explicit FewValues(const DataLayout &layout) : layout(layout) {}

  // None: they are not known, or too many.
  std::optional<Values> of(Value *value) {
    nodes.clear();
    known.clear();
    if (!collect(value))
      return std::nullopt;
    for (bool grows = true; grows;) {
      grows = false;
      for (Value *node : nodes) {
        Values values = known[node];
        if (!evaluate(node, values) || values.size() > mostValues)
          return std::nullopt;
        grows |= values.size() != known[node].size();
        known[node] = values;
      }
    }
    if (known[value].empty())
      return std::nullopt;
    return known[value];
  }

private:
  bool collect(Value *value) {
    if (isa<ConstantInt, AllocaInst, PoisonValue>(value)) {
      insert(value);
      return true;
    }
    if (value->getType()->isVectorTy() || layout.getTypeSizeInBits(value->getType()) > 64)
      return false;
    if (!isUnderstood(value))
      return collectRange(value);
    if (!insert(value))
      return true;
    auto *choice = dyn_cast<SelectInst>(value);
    return nodes.size() <= mostNodes &&
           all_of(cast<Instruction>(value)->operands(), [&](Value *operand) {
             return (choice && operand == choice->getCondition()) || collect(operand);
           });
  }

  static bool isUnderstood(const Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    switch (instruction ? instruction->getOpcode() : 0) {
    case Instruction::And:
      return !isa<Constant>(instruction->getOperand(1));
    case Instruction::Trunc:
      return !instruction->getType()->isIntegerTy(1);
    case Instruction::PHI:
    case Instruction::Select:
    case Instruction::SExt:
    case Instruction::ZExt:
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::GetElementPtr:
      return true;
    default:
      return false;
    }
  }

  // A number of which no more is known than that it is in a small range, as the rest of a division.
  bool collectRange(Value *value) {
    if (!value->getType()->isIntegerTy())
      return false;
    const ConstantRange range = computeConstantRange(value, /*ForSigned=*/false);
    if (range.isSizeLargerThan(mostValues) || range.isEmptySet())
      return false;
    if (insert(value)) {
      APInt number = range.getLower();
      do
        known[value].insert(number.getSExtValue());
      while (++number != range.getUpper());
    }
    return true;
  }

  bool insert(Value *value) {
    known.try_emplace(value);
    return nodes.insert(value);
  }

  bool evaluate(Value *node, Values &values) {
    auto add = [&](Value *from) { values.insert_range(known[from]); };
    if (auto *number = dyn_cast<ConstantInt>(node)) {
      if (number->getBitWidth() > 64)
        return false;
      values.insert(number->getSExtValue());
    } else if (isa<AllocaInst>(node)) {
      values.insert(0);
    } else if (!isUnderstood(node)) {
      return true; // a range, or nothing
    } else if (auto *phi = dyn_cast<PHINode>(node)) {
      for (Value *incoming : phi->incoming_values())
        add(incoming);
    } else if (auto *choice = dyn_cast<SelectInst>(node)) {
      add(choice->getTrueValue());
      add(choice->getFalseValue());
    } else if (auto *cast = dyn_cast<CastInst>(node)) {
      return evaluateCast(*cast, values);
    } else if (auto *operation = dyn_cast<BinaryOperator>(node)) {
      return evaluateOperation(*operation, values);
    } else if (auto *address = dyn_cast<GetElementPtrInst>(node)) {
      return evaluateAddress(*address, values);
    }
    return true;
  }

  bool evaluateCast(CastInst &cast, Values &values) {
    Type *from = cast.getSrcTy(), *to = cast.getDestTy();
    for (int64_t value : known[cast.getOperand(0)])
      values.insert(isa<ZExtInst>(cast)
                        ? static_cast<int64_t>(value & maskTrailingOnes<uint64_t>(bitsOf(from)))
                        : SignExtend64(value, bitsOf(to)));
    return true;
  }

  bool evaluateOperation(BinaryOperator &operation, Values &values) {
    for (int64_t left : known[operation.getOperand(0)])
      for (int64_t right : known[operation.getOperand(1)]) {
        std::optional<uint64_t> value = resultOf(operation, left, right);
        if (!value)
          return false;
        values.insert(SignExtend64(*value, bitsOf(operation.getType())));
      }
    return true;
  }

  static std::optional<uint64_t> resultOf(const BinaryOperator &operation, uint64_t left,
                                          uint64_t right) {
    switch (operation.getOpcode()) {
    case Instruction::Add:
      return left + right;
    case Instruction::Sub:
      return left - right;
    case Instruction::Mul:
      return left * right;
    case Instruction::And:
      return left & right;
    case Instruction::Or:
      return left | right;
    case Instruction::Xor:
      return left ^ right;
    case Instruction::Shl:
      if (right < bitsOf(operation.getType()))
        return left << right;
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }

  bool evaluateAddress(GetElementPtrInst &address, Values &values) {
    std::optional<Sum> sum = sumOf(address, layout);
    if (!sum)
      return false;
    Values all;
    for (int64_t place : known[sum->base])
      all.insert(place + sum->constant.getSExtValue());
    for (auto &[number, factor] : sum->terms) {
      Values next;
      for (int64_t place : all)
        for (int64_t value : known[number])
          next.insert(place + factor.getSExtValue() * value);
      if (next.size() > mostValues * mostValues)
        return false;
      all = next;
    }
    values.insert_range(all);
    return true;
  }

  static unsigned bitsOf(const Type *type) { return type->getIntegerBitWidth(); }

  const DataLayout &layout;
  SetVector<Value *> nodes;
  DenseMap<Value *, Values> known;
};

// One access, and the number that decides on its place, which is an address where no other is
// known: with each value of it the distance in the array. One place alone needs no number.
struct Access {
  Instruction *instruction;
  Value *number = nullptr;
  SmallVector<std::pair<int64_t, int64_t>, mostValues> places;
};

class ChosenArray {
public:
  ChosenArray(AllocaInst &array, uint64_t bytes)
      : array(array), layout(array.getModule()->getDataLayout()), bytes(bytes), few(layout) {}

  bool isWorthIt() {
    SmallPtrSet<Value *, 16> seen;
    if (!find(&array, seen))
      return false;
    uint64_t selections = 0;
    for (const Access &access : accesses)
      if (access.number)
        selections += access.places.size() *
                      divideCeil(layout.getTypeStoreSize(getLoadStoreType(access.instruction)),
                                 bytesOfRegister);
    return selections != 0 && selections <= mostSelections;
  }

  void replace() {
    for (Access &access : accesses) {
      if (!access.number)
        continue;
      if (access.number->getType()->isPointerTy())
        access.number = distanceOf(access.number);
      if (auto *load = dyn_cast<LoadInst>(access.instruction))
        replaceLoad(*load, access);
      else
        replaceStore(*cast<StoreInst>(access.instruction), access);
      access.instruction->eraseFromParent();
    }
  }

private:
  bool find(Value *address, SmallPtrSetImpl<Value *> &seen) {
    for (Use &use : address->uses()) {
      User *user = use.getUser();
      if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
        if (seen.insert(user).second && !find(user, seen))
          return false;
        continue;
      }
      auto *intrinsic = dyn_cast<IntrinsicInst>(user);
      if (intrinsic && (intrinsic->isLifetimeStartOrEnd() || isWholeCopy(*intrinsic)))
        continue;
      auto *load = dyn_cast<LoadInst>(user);
      auto *store = dyn_cast<StoreInst>(user);
      if (!(load && load->isSimple()) &&
          !(store && store->isSimple() && store->getPointerOperand() == address &&
            store->getValueOperand() != address))
        return false;
      if (!add(*cast<Instruction>(user), address))
        return false;
    }
    return true;
  }

  // At one place, which SROA takes apart.
  bool isWholeCopy(IntrinsicInst &intrinsic) {
    auto *memory = dyn_cast<MemIntrinsic>(&intrinsic);
    if (!memory || memory->isVolatile() || !isa<ConstantInt>(memory->getLength()))
      return false;
    auto isFixed = [&](Value *address) {
      APInt distance(64, 0);
      return isa<AllocaInst>(address->stripAndAccumulateConstantOffsets(layout, distance, true)) ||
             !isa<AllocaInst>(getUnderlyingObject(address));
    };
    auto *transfer = dyn_cast<MemTransferInst>(memory);
    return isFixed(memory->getDest()) && (!transfer || isFixed(transfer->getSource()));
  }

  bool add(Instruction &instruction, Value *address) {
    Type *type = getLoadStoreType(&instruction);
    const uint64_t size = layout.getTypeStoreSize(type);
    std::optional<Values> places = few.of(address);
    if (!places || (places->size() > 1 && (type->isAggregateType() || type->isVectorTy())))
      return false;
    for (int64_t place : *places)
      if (place < 0 || place + size > bytes || (places->size() > 1 && place % size != 0))
        return false;
    Access access{&instruction, nullptr, {}};
    if (places->size() > 1 && !isDecidedByOne(address, access)) {
      access.number = address;
      access.places.clear();
      for (int64_t place : *places)
        access.places.emplace_back(place, place);
    }
    accesses.push_back(access);
    return true;
  }

  // Whether one number decides on the address, no choice of addresses.
  bool isDecidedByOne(Value *address, Access &access) {
    int64_t distance = 0;
    while (auto *part = dyn_cast<GetElementPtrInst>(address)) {
      std::optional<Sum> sum = sumOf(*part, layout);
      if (!sum || sum->terms.size() + (access.number ? 1 : 0) > 1)
        return false;
      distance += sum->constant.getSExtValue();
      for (auto &[number, factor] : sum->terms) {
        std::optional<Values> values = few.of(number);
        if (!values)
          return false;
        access.number = number;
        for (int64_t value : *values)
          access.places.emplace_back(value, factor.getSExtValue() * value);
      }
      address = sum->base;
    }
    for (auto &[value, place] : access.places)
      place += distance;
    return address == &array;
  }

  // The distance of an address from the array, in code.
  Value *distanceOf(Value *address) {
    auto [entry, isNew] = distances.try_emplace(address, nullptr);
    if (!isNew)
      return entry->second;
    Type *type = Type::getInt32Ty(array.getContext());
    Value *result = ConstantInt::get(type, 0);
    if (auto *phi = dyn_cast<PHINode>(address)) {
      PHINode *copy = PHINode::Create(type, phi->getNumIncomingValues(), "", phi->getIterator());
      distances[address] = copy; // may decide on itself
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        copy->addIncoming(distanceOf(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
      return copy;
    }
    if (auto *choice = dyn_cast<SelectInst>(address)) {
      Value *first = distanceOf(choice->getTrueValue());
      Value *second = distanceOf(choice->getFalseValue());
      result = IRBuilder<>(choice).CreateSelect(choice->getCondition(), first, second);
    } else if (auto *part = dyn_cast<GetElementPtrInst>(address)) {
      std::optional<Sum> sum = sumOf(*part, layout);
      if (!sum)
        llvm_unreachable("places of this address are known");
      result = distanceOf(sum->base);
      IRBuilder<> builder(part);
      for (auto &[number, factor] : sum->terms)
        result = builder.CreateAdd(
            result, builder.CreateMul(builder.CreateSExtOrTrunc(number, type),
                                      ConstantInt::getSigned(type, factor.getSExtValue())));
      result =
          builder.CreateAdd(result, ConstantInt::getSigned(type, sum->constant.getSExtValue()));
    }
    return distances[address] = result;
  }

  Value *addressOf(IRBuilder<> &builder, int64_t place) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &array, place);
  }

  Align alignAt(int64_t place) const {
    return commonAlignment(array.getAlign(), static_cast<uint64_t>(place));
  }

  static Value *isValue(IRBuilder<> &builder, Value *number, int64_t value) {
    return builder.CreateICmpEQ(number, ConstantInt::getSigned(number->getType(), value));
  }

  void replaceLoad(LoadInst &load, const Access &access) {
    IRBuilder<> builder(&load);
    Value *chosen = nullptr;
    for (auto [value, place] : access.places) {
      LoadInst *element =
          builder.CreateAlignedLoad(load.getType(), addressOf(builder, place), load.getAlign());
      chosen = chosen
                   ? builder.CreateSelect(isValue(builder, access.number, value), element, chosen)
                   : element;
    }
    load.replaceAllUsesWith(chosen);
  }

  void replaceStore(StoreInst &store, const Access &access) {
    IRBuilder<> builder(&store);
    Type *type = store.getValueOperand()->getType();
    for (auto [value, place] : access.places) {
      Value *address = addressOf(builder, place);
      Value *old = builder.CreateAlignedLoad(type, address, alignAt(place));
      Value *result = builder.CreateSelect(isValue(builder, access.number, value),
                                           store.getValueOperand(), old);
      builder.CreateAlignedStore(result, address, alignAt(place));
    }
  }

  AllocaInst &array;
  const DataLayout &layout;
  uint64_t bytes;
  FewValues few;
  DenseMap<Value *, Value *> distances;
  SmallVector<Access, 32> accesses;
};

struct ChooseElements : PassInfoMixin<ChooseElements> {
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    bool any = false;
    for (Instruction &instruction : function.getEntryBlock()) {
      auto *array = dyn_cast<AllocaInst>(&instruction);
      std::optional<TypeSize> size;
      if (array && array->isStaticAlloca())
        size = array->getAllocationSize(function.getDataLayout());
      if (!size || size->isScalable() || size->getFixedValue() > mostArrayBytes)
        continue;
      ChosenArray chosen(*array, size->getFixedValue());
      if (!chosen.isWorthIt())
        continue;
      chosen.replace();
      any = true;
    }
    if (!any)
      return PreservedAnalyses::all();
    analyses.invalidate(function, PreservedAnalyses::none());
    FunctionPassManager passes;
    passes.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes.addPass(EarlyCSEPass());
    passes.addPass(InstCombinePass());
    passes.addPass(SimplifyCFGPass());
    passes.run(function, analyses);
    return PreservedAnalyses::none();
  }
};

} // namespace

void chooseElements(PassBuilder &builder) {
  builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(ChooseElements()); });
}

} // namespace cufc
