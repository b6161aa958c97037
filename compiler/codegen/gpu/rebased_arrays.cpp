// Where a is an array with the bounds l and m and the strides 8 and s,
//
//   a(i + 1, j)   is at   base + (i + 1 - l)*8 + (j - m)*s
//                 or      (base - l*8 - m*s) + (i*8 + j*s) + 8
//
// of which the first part is the same in all threads, and the second for all arrays that are read
// at (i, j) or near it. i + 1 is a number of 32 bits that may wrap around as far as LLVM knows; it
// does not if the bounds are small, since it is one of the subscripts between them.
#include "codegen/gpu/rebased_arrays.h"
#include "codegen/gpu/shared_addresses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include <cstdlib>
#include <map>

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

// A subscript as a sum with a constant.
struct Subscript {
  Value *value;
  int64_t constant;
};

Subscript splitSubscript(Value *value, IRBuilder<> &builder) {
  value = builder.CreateSExtOrTrunc(value, builder.getInt64Ty()); // as getelementptr does
  Value *narrow = narrowNumber(value), *rest = nullptr;
  const APInt *constant = nullptr;
  if (!narrow)
    return {value, 0};
  int64_t sum = 0;
  while (match(narrow, m_Add(m_Value(rest), m_APInt(constant)))) {
    sum += constant->getSExtValue();
    narrow = rest;
  }
  if (std::abs(sum) > mostDistance)
    return {value, 0};
  return {builder.CreateSExt(narrow, builder.getInt64Ty()), sum};
}

class Rebasing {
public:
  Rebasing(Function &entry, PackedKernel &packed) : entry(entry), packed(packed) {
    for (const Argument &argument : entry.args())
      numbers.try_emplace(&argument, numbers.size() + 1);
    for (const Instruction &instruction : instructions(entry))
      numbers.try_emplace(&instruction, numbers.size() + 1);
  }

  void rebase(const ArrayAccess &access) {
    PackedArgument *array = packed.arrayOf(access.argument);
    if (!array || !array->elementBytes ||
        none_of(access.terms, [](const AddressTerm &term) { return term.isLowerBound; }))
      return;
    array->hasSmallBounds = true;
    IRBuilder<> builder(access.instruction);
    const bool isShared = hasSharedBounds(*array);
    Value *base = isShared ? loadFrom(builder, access.argument, dataOffset, builder.getPtrTy())
                           : baseOf(access);
    Value *sum = distance(access, builder);
    if (isShared)
      sum = builder.CreateAdd(sum, sharedBounds(access));
    Value *address = builder.CreateGEP(builder.getInt8Ty(), base, sum);
    if (constant != 0)
      address = builder.CreateGEP(builder.getInt8Ty(), address, builder.getInt64(constant));
    access.instruction->setOperand(isa<StoreInst>(access.instruction), address);
  }

private:
  Value *loadFrom(IRBuilder<> &builder, unsigned argument, uint64_t offset, Type *type) {
    return builder.CreateLoad(type, builder.CreateConstInBoundsGEP1_64(
                                        builder.getInt8Ty(), entry.getArg(argument), offset));
  }

  Value *strideOf(IRBuilder<> &builder, unsigned argument, unsigned dimension) {
    const PackedArgument &array = *packed.arrayOf(argument);
    return loadFrom(builder,
                    array.hasSameStrides ? static_cast<unsigned>(array.sameShapeAs) : argument,
                    strideOffset + dimension * dimensionBytes, builder.getInt64Ty());
  }

  static Value *scaled(IRBuilder<> &builder, Value *value, uint64_t scale) {
    return scale == 1 ? value
                      : builder.CreateMul(value, ConstantInt::get(builder.getInt64Ty(), scale));
  }

  // Whether its lower bounds are those of other arrays, so that their part of an address is, too.
  bool hasSharedBounds(const PackedArgument &array) const {
    return array.hasSameBounds || any_of(packed.arrays, [&](const PackedArgument &other) {
             return other.hasSameBounds && other.sameShapeAs == static_cast<int32_t>(array.number);
           });
  }

  static std::vector<AddressTerm> boundsOf(const ArrayAccess &access) {
    std::vector<AddressTerm> bounds;
    copy_if(access.terms, std::back_inserter(bounds),
            [](const AddressTerm &term) { return term.isLowerBound; });
    return bounds;
  }

  // The part of a lower bound in an address, bytes.
  Value *boundPart(IRBuilder<> &builder, unsigned argument, const AddressTerm &term) {
    Value *bound = loadFrom(builder, argument, lowerBoundOffset + term.dimension * dimensionBytes,
                            builder.getInt64Ty());
    if (term.dimension)
      bound = builder.CreateMul(bound, strideOf(builder, argument, term.dimension));
    return scaled(builder, bound, term.scale);
  }

  // The address of the array's element 0, made where the kernel begins.
  Value *baseOf(const ArrayAccess &access) {
    std::vector<AddressTerm> bounds = boundsOf(access);
    Value *&base = bases[{access.argument, bounds}];
    if (base)
      return base;
    IRBuilder<> builder(&*entry.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    base = loadFrom(builder, access.argument, dataOffset, builder.getPtrTy());
    for (const AddressTerm &term : bounds)
      base =
          builder.CreateGEP(builder.getInt8Ty(), base, boundPart(builder, access.argument, term));
    return base;
  }

  // How far element 0 is from the beginning of the arrays that share bounds, in the same way.
  Value *sharedBounds(const ArrayAccess &access) {
    const PackedArgument &array = *packed.arrayOf(access.argument);
    const unsigned leader =
        array.hasSameBounds ? static_cast<unsigned>(array.sameShapeAs) : access.argument;
    std::vector<AddressTerm> bounds = boundsOf(access);
    Value *&distance = distances[{leader, bounds}];
    if (distance)
      return distance;
    IRBuilder<> builder(&*entry.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    distance = builder.getInt64(0);
    for (const AddressTerm &term : bounds)
      distance = builder.CreateAdd(distance, boundPart(builder, leader, term));
    return distance;
  }

  // The order of the terms themselves is that of addresses of the compiler, another in each run.
  std::vector<AddressTerm> inOrder(std::vector<AddressTerm> terms) const {
    llvm::sort(terms, [&](const AddressTerm &one, const AddressTerm &other) {
      return std::pair(one.dimension, numbers.lookup(one.value)) <
             std::pair(other.dimension, numbers.lookup(other.value));
    });
    return terms;
  }

  // From there, without the part that `constant` gets.
  Value *distance(const ArrayAccess &access, IRBuilder<> &builder) {
    constant = access.constant;
    MapVector<unsigned, int64_t> rows; // constants by dimension
    Value *sum = builder.getInt64(0);
    for (const AddressTerm &term : inOrder(access.terms)) {
      if (term.isLowerBound)
        continue;
      Subscript subscript =
          term.value ? splitSubscript(term.value, builder) : Subscript{nullptr, 1};
      int64_t known = subscript.constant * static_cast<int64_t>(term.scale);
      if (term.dimension)
        rows[term.dimension] += known;
      else
        constant += known;
      if (!subscript.value)
        continue;
      Value *part = subscript.value;
      if (term.dimension)
        part = builder.CreateMul(part, strideOf(builder, access.argument, term.dimension));
      sum = builder.CreateAdd(sum, scaled(builder, part, term.scale));
    }
    for (auto [dimension, known] : rows)
      if (known != 0)
        sum = builder.CreateAdd(sum, scaled(builder, strideOf(builder, access.argument, dimension),
                                            static_cast<uint64_t>(known)));
    return sum;
  }

  Function &entry;
  PackedKernel &packed;
  DenseMap<const Value *, size_t> numbers; // of arguments and instructions
  int64_t constant = 0;                    // bytes, of the access that is being rebased
  std::map<std::pair<unsigned, std::vector<AddressTerm>>, Value *> bases, distances;
};

} // namespace

void rebaseArrays(Function &entry, const std::vector<ArrayAccess> &accesses, PackedKernel &packed) {
  Rebasing rebasing(entry, packed);
  for (const ArrayAccess &access : accesses)
    rebasing.rebase(access);
}

} // namespace cufc
