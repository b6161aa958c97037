// LLVM's straight-line strength reduction computes a(i, j+2) from a(i, j-2), as the last one before
// it. A GPU multiplies a number of 32 bits and adds an address of 64 bits in one instruction, so
// the neighbours of a point are computed from the point, and where strides have 64 bits, from the
// one at one stride's distance. And a subscript that is extended to 64 bits in two ways gives two
// addresses for one element, which are one here.
#include "codegen/gpu/neighbour_addresses.h"
#include "codegen/gpu/shared_addresses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

constexpr unsigned mostDepth = 5;
// Of constants that are looked at, so that products of mostDepth of them fit 64 bits.
constexpr unsigned bitsOfFactor = 8, bitsOfSum = 20;
constexpr size_t mostAccesses = 256; // of a block, each of which is compared with those before it

// A pointer as the sum of another, multiples of numbers, and a constant, in bytes and modulo 2**64.
struct Address {
  Value *base = nullptr;
  std::map<Value *, int64_t> terms; // of numbers of 64 bits, and of 32 that are extended
  int64_t constant = 0;
};

// What one address has more than another with the same base.
struct Difference {
  Value *term = nullptr; // null: they differ by the constant alone
  int64_t factor = 0, constant = 0;
};

// A place that instructions read or write, or one at a constant distance from it.
struct Place {
  Value *pointer;
  Address address;
};

class Block {
public:
  Block(BasicBlock &block, const DataLayout &layout) : block(block), layout(layout) {}

  void run() {
    SmallVector<Instruction *> accesses;
    for (Instruction &instruction : block)
      if (Value *pointer = getLoadStorePointerOperand(&instruction);
          pointer && isa<GetElementPtrInst>(pointer) && isOfArray(*pointer))
        accesses.push_back(&instruction);
    if (accesses.size() > mostAccesses)
      return;
    for (Instruction *access : accesses)
      shorten(*access);
    // Not before, since terms of addresses are told apart by their pointers.
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  }

private:
  // Of shared memory and of the stack there are addresses of 32 bits, and constant ones.
  bool isOfArray(const Value &pointer) const {
    return layout.getIndexTypeSizeInBits(pointer.getType()) == 64 &&
           !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(&pointer, 0));
  }

  void shorten(Instruction &access) {
    Use &operand =
        access.getOperandUse(isa<LoadInst>(access) ? LoadInst::getPointerOperandIndex()
                                                   : StoreInst::getPointerOperandIndex());
    APInt held(layout.getIndexTypeSizeInBits(operand->getType()), 0); // by the instruction
    Value *pointer =
        operand->stripAndAccumulateConstantOffsets(layout, held, /*AllowNonInbounds=*/true);
    if (isKnown(pointer) || pointer->getType() != operand->getType())
      return;
    Place own{pointer, addressOf(*pointer, layout)};
    IRBuilder<> builder(&access);
    std::optional<int64_t> distance = replace(own, additionsOf(*operand), builder);
    if (distance) {
      replaced.emplace_back(operand.get());
      held += APInt(held.getBitWidth(), static_cast<uint64_t>(*distance));
      operand = builder.CreatePtrAdd(own.pointer, builder.getInt(held));
    }
    if (!isKnown(own.pointer))
      known.push_back(std::move(own));
  }

  bool isKnown(const Value *pointer) const {
    return any_of(known, [&](const Place &place) { return place.pointer == pointer; });
  }

  // Puts a place before it for `own`, or one beside that; gives the distance of `own` from it.
  std::optional<int64_t> replace(Place &own, unsigned additions, IRBuilder<> &builder) {
    const Place *nearest = nullptr;
    Difference least;
    unsigned leastCost = additions < 2 ? 1 : 3;
    for (const Place &place : known)
      if (std::optional<Difference> difference = differenceOf(own.address, place.address);
          difference && costOf(*difference) < leastCost) {
        nearest = &place;
        least = *difference;
        leastCost = costOf(least);
      }
    if (!nearest)
      return std::nullopt;
    own.pointer = nearest->pointer;
    if (least.term)
      own.pointer = builder.CreatePtrAdd(own.pointer, distanceOf(least, builder));
    own.address.constant -= least.constant;
    return least.constant;
  }

  // In instructions: a product of 32 bits and its sum with an address are one, a sum of 64 bits
  // two.
  static unsigned costOf(const Difference &difference) {
    if (!difference.term)
      return 0;
    if (difference.term->getType()->isIntegerTy(32) && isInt<32>(difference.factor))
      return 1;
    return difference.term->getType()->isIntegerTy(64) && std::abs(difference.factor) == 1 ? 2
                                                                                           : ~0U;
  }

  static Value *distanceOf(const Difference &difference, IRBuilder<> &builder) {
    Value *term = difference.term;
    if (term->getType()->isIntegerTy(32))
      return wideProduct(builder, term, builder.getInt32(static_cast<uint32_t>(difference.factor)));
    return difference.factor < 0 ? builder.CreateNeg(term) : term;
  }

  // How many additions of numbers that are not constant the address takes, of those for it alone.
  static unsigned additionsOf(const Value &value, unsigned depth = 0) {
    auto *operation = dyn_cast<Instruction>(&value);
    if (!operation || depth > mostDepth || (depth > 0 && !operation->hasOneUse()))
      return 0;
    if (!isa<GetElementPtrInst, BinaryOperator, CastInst>(operation))
      return 0;
    unsigned count = 0;
    bool constant = isa<CastInst>(operation);
    for (const Value *operand : operation->operands()) {
      constant |= isa<ConstantInt>(operand);
      count += additionsOf(*operand, depth + 1);
    }
    return count + (constant ? 0 : 1);
  }

  static std::optional<Difference> differenceOf(const Address &a, const Address &b) {
    if (a.base != b.base)
      return std::nullopt;
    Difference difference;
    difference.constant = a.constant - b.constant;
    if (std::abs(difference.constant) > mostDistance * 16)
      return std::nullopt;
    auto add = [&](Value *term, int64_t factor) {
      if (factor == 0)
        return true;
      bool first = !difference.term;
      difference.term = term;
      difference.factor = factor;
      return first;
    };
    for (auto [term, factor] : a.terms)
      if (auto same = b.terms.find(term);
          !add(term, factor - (same == b.terms.end() ? 0 : same->second)))
        return std::nullopt;
    for (auto [term, factor] : b.terms)
      if (!a.terms.count(term) && !add(term, -factor))
        return std::nullopt;
    return difference;
  }

  static Address addressOf(Value &place, const DataLayout &layout) {
    Address address;
    Value *pointer = &place;
    while (auto *part = dyn_cast<GetElementPtrInst>(pointer)) {
      SmallMapVector<Value *, APInt, 4> variables;
      APInt constant(layout.getIndexTypeSizeInBits(part->getType()), 0);
      if (!part->collectOffset(layout, constant.getBitWidth(), variables, constant))
        break;
      address.constant += constant.getSExtValue();
      for (auto &[index, size] : variables)
        add(address, index, size.getSExtValue());
      pointer = part->getPointerOperand();
    }
    address.base = pointer;
    return address;
  }

  // A multiple of a number of 64 bits, which is part of the address.
  static void add(Address &address, Value *number, int64_t factor, unsigned depth = 0) {
    if (depth <= mostDepth && addParts(address, number, factor, depth + 1))
      return;
    if (Value *narrow = narrowNumber(number))
      addNarrow(address, narrow, factor);
    else
      address.terms[number] += factor;
  }

  // False if it is neither a constant nor a sum or a multiple.
  static bool addParts(Address &address, Value *number, int64_t factor, unsigned depth) {
    using namespace PatternMatch;
    Value *left, *right;
    const APInt *constant;
    if (match(number, m_APInt(constant)) && constant->isSignedIntN(bitsOfSum)) {
      address.constant += factor * constant->getSExtValue();
    } else if (match(number, m_Add(m_Value(left), m_Value(right)))) {
      add(address, left, factor, depth);
      add(address, right, factor, depth);
    } else if (match(number, m_Sub(m_Value(left), m_Value(right)))) {
      add(address, left, factor, depth);
      add(address, right, -factor, depth);
    } else if (match(number, m_Mul(m_Value(left), m_APInt(constant))) &&
               constant->isSignedIntN(bitsOfFactor)) {
      add(address, left, factor * constant->getSExtValue(), depth);
    } else if (match(number, m_Shl(m_Value(left), m_APInt(constant))) &&
               constant->ult(bitsOfFactor)) {
      add(address, left, factor * (int64_t{1} << constant->getZExtValue()), depth);
    } else {
      return false;
    }
    return true;
  }

  // extend(i + constant) is extend(i) + constant where the sum does not overflow, and it makes no
  // difference how a number that is not negative is extended.
  static void addNarrow(Address &address, Value *narrow, int64_t factor) {
    using namespace PatternMatch;
    Value *rest;
    const APInt *constant;
    while (match(narrow, m_NSWAdd(m_Value(rest), m_APInt(constant)))) {
      address.constant += factor * constant->getSExtValue();
      narrow = rest;
    }
    address.terms[narrow] += factor;
  }

  BasicBlock &block;
  const DataLayout &layout;
  std::vector<Place> known;
  SmallVector<WeakTrackingVH> replaced;
};

} // namespace

void chainNeighbours(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      Block(block, module.getDataLayout()).run();
}

} // namespace cufc
