// A procedure gets a block of an array by the address of its first element, and adds what its
// subscripts say; the caller adds both in 32 bits:
//
//   u(i, j, k, p)           base + extend(1000*p + 100*k + 10*j + i)
//   slope(u(0, 0, 0, p))    base + extend(1000*p) + extend(100*k + 10*j + i)
//
// These are one element, but LLVM, which has lost what it knew of overflows as it rearranged the
// sums, loads it twice. Here each address is the sum of its base, multiples of numbers, and a
// constant, as if no sum overflowed. Where one does, the parts are wrong by a multiple of 2**32
// times the factor of the number that was extended, which is at least the size of an element. An
// array has less than 2**31 elements (lower/narrow_indices.cpp), so two elements of it whose parts
// differ by a small constant alone are at that distance all the same.
#include "codegen/gpu/element_addresses.h"
#include "codegen/gpu/shared_addresses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include <map>

namespace cufc {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

constexpr unsigned mostDepth = 16, mostParts = 32;
constexpr size_t mostKnown = 32; // accesses with the same terms, each of which is compared
// Of constants and factors, so that sums of mostParts products of them fit 64 bits.
constexpr unsigned bitsOfFactor = 28, bitsOfConstant = 28;
constexpr int64_t mostBytes = mostDistance * 16; // that a distance may be

struct Sum {
  Value *base = nullptr;
  std::map<Value *, int64_t> terms; // numbers of 32 bits that are extended, and others of 64
  int64_t constant = 0;
};

// Takes a pointer apart.
class Parts {
public:
  Parts(const DataLayout &layout, uint64_t elementBytes)
      : layout(layout), elementBytes(static_cast<int64_t>(elementBytes)) {}

  // False if there are too many.
  bool read(Value &place) {
    Value *pointer = &place;
    while (auto *part = dyn_cast<GetElementPtrInst>(pointer)) {
      SmallMapVector<Value *, APInt, 4> variables;
      APInt constant(layout.getIndexTypeSizeInBits(part->getType()), 0);
      if (!part->collectOffset(layout, constant.getBitWidth(), variables, constant))
        return false;
      if (!constant.isSignedIntN(2 * bitsOfConstant))
        return false;
      sum.constant += constant.getSExtValue();
      for (auto &[index, size] : variables)
        if (!size.isSignedIntN(bitsOfFactor) || !add(index, size.getSExtValue(), 0))
          return false;
      pointer = part->getPointerOperand();
    }
    sum.base = pointer;
    std::erase_if(sum.terms, [](const auto &term) { return term.second == 0; });
    return true;
  }

  Sum sum;

private:
  bool add(Value *number, int64_t factor, unsigned depth) {
    if (++parts > mostParts)
      return false;
    Value *left, *right;
    const APInt *constant;
    // A sum of 32 bits is one number where a multiple of 2**32 would be less than an element.
    const bool mayDivide = depth < mostDepth &&
                           (number->getType()->isIntegerTy(64) || std::abs(factor) >= elementBytes);
    if (match(number, m_APInt(constant)) && constant->isSignedIntN(bitsOfConstant)) {
      sum.constant += factor * constant->getSExtValue();
      return true;
    }
    if (mayDivide && match(number, m_AddLike(m_Value(left), m_Value(right))))
      return add(left, factor, depth + 1) && add(right, factor, depth + 1);
    if (mayDivide && match(number, m_Sub(m_Value(left), m_Value(right))))
      return add(left, factor, depth + 1) && add(right, -factor, depth + 1);
    if (int64_t multiple = multipleOf(number, left); mayDivide && multiple != 0)
      if (int64_t product = factor * multiple; isInt<bitsOfFactor>(product))
        return add(left, product, depth + 1);
    if (Value *narrow = number->getType()->isIntegerTy(64) ? narrowNumber(number) : nullptr)
      return add(narrow, factor, depth + 1);
    sum.terms[number] += factor;
    return true;
  }

  // The constant that a number is multiplied with; 0 if there is none.
  static int64_t multipleOf(Value *product, Value *&number) {
    const APInt *constant;
    if (match(product, m_Mul(m_Value(number), m_APInt(constant))))
      return constant->isSignedIntN(bitsOfFactor) ? constant->getSExtValue() : 0;
    if (match(product, m_Shl(m_Value(number), m_APInt(constant))))
      return constant->ult(bitsOfFactor) ? int64_t{1} << constant->getZExtValue() : 0;
    return 0;
  }

  const DataLayout &layout;
  const int64_t elementBytes;
  unsigned parts = 0;
};

// What others may be computed from.
struct Access {
  Instruction *instruction;
  Value *pointer;
  int64_t constant;
};

class Joiner {
public:
  explicit Joiner(Function &function) : layout(function.getDataLayout()), dominators(function) {}

  void run() {
    // Those that dominate others come before them.
    for (auto *node : depth_first(dominators.getRootNode()))
      for (Instruction &instruction : *node->getBlock())
        if (Value *pointer = getLoadStorePointerOperand(&instruction);
            pointer && isa<GetElementPtrInst>(pointer) && isOfArray(*pointer))
          visit(instruction, *pointer);
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
  }

private:
  // Base, bytes, and terms.
  using Key = std::tuple<Value *, uint64_t, std::vector<std::pair<Value *, int64_t>>>;

  bool isOfArray(const Value &pointer) const {
    return layout.getIndexTypeSizeInBits(pointer.getType()) == 64 &&
           !isa<AllocaInst, GlobalVariable>(getUnderlyingObject(&pointer, 0));
  }

  void visit(Instruction &access, Value &pointer) {
    const uint64_t bytes = layout.getTypeStoreSize(getLoadStoreType(&access));
    Parts parts(layout, bytes);
    if (!parts.read(pointer))
      return;
    const Sum &sum = parts.sum;
    std::vector<Access> &known = accesses[{sum.base, bytes, {sum.terms.begin(), sum.terms.end()}}];
    for (const Access &other : known) {
      const int64_t distance = sum.constant - other.constant;
      if (std::abs(distance) > mostBytes || !dominators.dominates(other.instruction, &access))
        continue;
      place(access, pointer, other, distance);
      return;
    }
    if (known.size() < mostKnown)
      known.push_back({&access, &pointer, sum.constant});
  }

  void place(Instruction &access, Value &pointer, const Access &other, int64_t distance) {
    APInt own(64, 0), others(64, 0);
    const Value *from = pointer.stripAndAccumulateConstantOffsets(layout, own, true);
    Value *to = other.pointer->stripAndAccumulateConstantOffsets(layout, others, true);
    if (from == to || to->getType() != pointer.getType())
      return;
    IRBuilder<> builder(&access);
    others += APInt(64, static_cast<uint64_t>(distance), /*isSigned=*/true);
    Value *address = others.isZero() ? to : builder.CreatePtrAdd(to, builder.getInt(others));
    access.replaceUsesOfWith(&pointer, address);
    replaced.emplace_back(&pointer);
  }

  const DataLayout &layout;
  DominatorTree dominators;
  std::map<Key, std::vector<Access>> accesses;
  SmallVector<WeakTrackingVH> replaced;
};

} // namespace

void joinElementAddresses(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      Joiner(function).run();
}

} // namespace cufc
