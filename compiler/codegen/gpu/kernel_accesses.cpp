// See kernel_accesses.h.
#include "codegen/gpu/kernel_accesses.h"
#include "codegen/described_arrays.h"
#include "codegen/gpu/shared_addresses.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include <algorithm>
#include <optional>

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

bool isOnlyRead(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<GEPOperator, AddrSpaceCastOperator>(user))
      return isOnlyRead(*user);
    if (auto *copy = dyn_cast<MemTransferInst>(user))
      return use.getOperandNo() == 1 && !copy->isVolatile();
    if (auto *call = dyn_cast<CallBase>(user))
      return call->isArgOperand(&use) && call->onlyReadsMemory(call->getArgOperandNo(&use));
    return isa<LoadInst>(user);
  });
}

bool isArray(const Argument &argument, const KernelFacts &facts) {
  return argument.getArgNo() < facts.arguments.size() &&
         facts.arguments[argument.getArgNo()].elementBytes && argument.getType()->isPointerTy() &&
         (!argument.hasByValAttr() || isReadDescriptor(argument));
}

// Where in an argument's descriptor the value comes from.
std::optional<DescriptorLoad> descriptorLoad(Value *value, const KernelFacts &facts) {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load || load->isVolatile())
    return std::nullopt;
  const DataLayout &layout = load->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  auto *argument = dyn_cast<Argument>(load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true));
  if (!argument || !isArray(*argument, facts) || !argument->hasByValAttr())
    return std::nullopt;
  return DescriptorLoad{load, argument->getArgNo(), offset.getZExtValue()};
}

class Address {
public:
  Address(ArrayAccess &access, const KernelFacts &facts) : access(access), facts(facts) {}

  bool takeApart(Value *pointer, const DataLayout &layout) {
    while (true) {
      pointer = pointer->stripPointerCasts();
      auto *step = dyn_cast<GEPOperator>(pointer);
      if (!step)
        break;
      SmallMapVector<Value *, APInt, 4> variables;
      unsigned bits = layout.getIndexTypeSizeInBits(step->getType());
      APInt constant(bits, 0);
      if (!step->collectOffset(layout, bits, variables, constant))
        return false;
      access.constant += constant.getSExtValue();
      for (auto &[value, scale] : variables)
        steps.emplace_back(value, scale.getZExtValue());
      pointer = step->getPointerOperand();
    }
    return findArray(pointer) && addSteps();
  }

private:
  bool findArray(Value *root) {
    if (auto *argument = dyn_cast<Argument>(root)) {
      access.argument = argument->getArgNo();
      return isArray(*argument, facts) && !argument->hasByValAttr();
    }
    std::optional<DescriptorLoad> load = descriptorLoad(root, facts);
    access.argument = load ? load->argument : 0;
    return load && load->offset == dataOffset;
  }

  bool addSteps() {
    for (auto [value, scale] : steps)
      add(value, scale);
    std::sort(access.terms.begin(), access.terms.end());
    return true;
  }

  void add(Value *value, uint64_t scale) {
    Value *left = nullptr, *right = nullptr;
    uint64_t doublings = 0;
    if (match(value, m_Add(m_Value(left), m_Value(right)))) {
      add(left, scale);
      add(right, scale);
    } else if (match(value, m_Shl(m_Value(left), m_ConstantInt(doublings))) && doublings < 32) {
      add(left, scale << doublings);
    } else if (auto *constant = dyn_cast<ConstantInt>(value)) {
      access.constant += constant->getSExtValue() * static_cast<int64_t>(scale);
    } else if (match(value, m_Mul(m_Value(left), m_Value(right)))) {
      unsigned ofLeft = dimensionOf(left), ofRight = dimensionOf(right);
      if (ofLeft || ofRight)
        addTerm(ofLeft ? right : left, ofLeft ? ofLeft : ofRight, scale);
      else
        addTerm(value, 0, scale);
    } else if (unsigned dimension = dimensionOf(value)) {
      access.terms.push_back({nullptr, dimension, scale});
    } else if (Value *narrow = narrowNumber(value)) {
      addNarrow(narrow, scale);
    } else {
      addTerm(value, 0, scale);
    }
  }

  // A number that is extended: constants that are added before, without overflow, are added after.
  void addNarrow(Value *value, uint64_t scale) {
    Value *rest = nullptr;
    const APInt *constant = nullptr;
    while (match(value, m_CombineOr(m_NSWAdd(m_Value(rest), m_APInt(constant)),
                                    m_DisjointOr(m_Value(rest), m_APInt(constant))))) {
      access.constant += constant->getSExtValue() * static_cast<int64_t>(scale);
      value = rest;
    }
    access.terms.push_back({value, 0, scale});
  }

  // A subscript without the lower bound is two terms.
  void addTerm(Value *value, unsigned dimension, uint64_t scale) {
    Value *subscript = nullptr, *bound = nullptr;
    if (match(value, m_Sub(m_Value(subscript), m_Value(bound))) && isLowerBound(bound, dimension)) {
      access.terms.push_back({nullptr, dimension, -scale, true});
      value = subscript;
    }
    access.terms.push_back({value, dimension, scale});
  }

  // Where in the descriptor of the array the value comes from.
  std::optional<uint64_t> placeOf(Value *value) const {
    std::optional<DescriptorLoad> load = descriptorLoad(value, facts);
    return load && load->argument == access.argument ? std::optional(load->offset) : std::nullopt;
  }

  bool isLowerBound(Value *value, unsigned dimension) const {
    std::optional<uint64_t> place = placeOf(value);
    return place && dimensionAt(*place, lowerBoundOffset) == dimension;
  }

  // Whose stride in the array's descriptor it is; 0 for others.
  unsigned dimensionOf(Value *value) const {
    std::optional<uint64_t> place = placeOf(value);
    return place ? dimensionAt(*place, strideOffset).value_or(0) : 0;
  }

  ArrayAccess &access;
  const KernelFacts &facts;
  SmallVector<std::pair<Value *, uint64_t>> steps;
};

} // namespace

bool isReadDescriptor(const Argument &argument) {
  return argument.hasByValAttr() && isDescriptor(argument.getParamByValType()) &&
         isOnlyRead(argument);
}

std::optional<unsigned> dimensionAt(uint64_t offset, uint64_t first) {
  if (offset < first || (offset - first) % dimensionBytes != 0)
    return std::nullopt;
  return static_cast<unsigned>((offset - first) / dimensionBytes);
}

uint64_t rankOfDescriptor(const Argument &argument) {
  auto *type = cast<StructType>(argument.getParamByValType());
  return cast<ArrayType>(type->getElementType(7))->getNumElements();
}

std::vector<DescriptorLoad> descriptorLoads(Function &kernel, const KernelFacts &facts) {
  std::vector<DescriptorLoad> found;
  for (Instruction &instruction : instructions(kernel))
    if (std::optional<DescriptorLoad> load = descriptorLoad(&instruction, facts))
      found.push_back(*load);
  return found;
}

std::vector<ArrayAccess> arrayAccesses(Function &kernel, const KernelFacts &facts) {
  std::vector<ArrayAccess> found;
  const DataLayout &layout = kernel.getDataLayout();
  for (Instruction &instruction : instructions(kernel)) {
    Value *pointer = getLoadStorePointerOperand(&instruction);
    Type *type = pointer ? getLoadStoreType(&instruction) : nullptr;
    if (!pointer || !type->isSized() || instruction.isVolatile() || instruction.isAtomic())
      continue;
    ArrayAccess access{&instruction, 0, {}, 0, layout.getTypeStoreSize(type)};
    if (Address(access, facts).takeApart(pointer, layout))
      found.push_back(std::move(access));
  }
  return found;
}

} // namespace cufc
