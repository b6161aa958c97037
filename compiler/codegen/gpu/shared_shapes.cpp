// Most kernels work on arrays of one shape, but each comes with a descriptor of its own, from which
// a thread computes one address for each array. If b has the shape of a, then b(i, j) is as far
// from the beginning of b as a(i, j) from that of a, and one distance serves all.
//
// That shapes are the same only the runtime library can see, so this is a guess from the
// subscripts. Arrays without gaps (ALLOCATABLE) are addressed by extents,
//   base + ((j - bound 2)*extent 1 + (i - bound 1))*bytes
// and others by strides. To compare such expressions whatever order LLVM has them in, they are
// evaluated modulo 2**64 with arbitrary numbers in place of what is not computed in them: i is one
// number in all of them, extent 1 is one for the extents of all arrays, and lower bounds are 0. The
// results are the same for the same polynomial, and for others only by chance.
#include "codegen/gpu/shared_shapes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <optional>
#include <set>

namespace cufc {
namespace {

using namespace llvm;

// How deep the numbers of a subscript may be nested.
constexpr unsigned mostDepth = 24;

// The place of an element by the numbers above: that for the subscripts without what is added to
// them as a constant, and how far from there it is.
struct Place {
  uint64_t centre = 0, distance = 0;
  Place operator+(Place other) const { return {centre + other.centre, distance + other.distance}; }
  Place operator*(Place other) const { // (a + b)(c + d) = ac + (ad + bc + bd)
    return {centre * other.centre,
            centre * other.distance + distance * (other.centre + other.distance)};
  }
  Place operator-() const { return {0 - centre, 0 - distance}; }
  auto operator<=>(const Place &) const = default;
};

class Evaluation {
public:
  Evaluation(const std::map<const Value *, DescriptorLoad> &loads, unsigned argument)
      : loads(loads), argument(argument) {}

  Place of(const Value &value, unsigned depth = 0) {
    if (auto *constant = dyn_cast<ConstantInt>(&value))
      return {static_cast<uint64_t>(constant->getSExtValue()), 0};
    if (auto load = loads.find(&value); load != loads.end() && load->second.argument == argument)
      return ofDescriptor(load->second.offset);
    auto *instruction = dyn_cast<Instruction>(&value);
    if (instruction && depth < mostDepth) {
      if (isa<TruncInst, SExtInst, ZExtInst>(instruction))
        return of(*instruction->getOperand(0), depth + 1);
      if (instruction->isBinaryOp()) {
        if (auto known = places.find(instruction); known != places.end())
          return known->second;
        const Place place = ofOperation(*instruction, depth + 1);
        places.try_emplace(instruction, place);
        return place;
      }
    }
    return {hash_value(&value), 0};
  }

  Place ofDescriptor(uint64_t offset) {
    readsShape = true;
    return {dimensionAt(offset, lowerBoundOffset) ? hash_code(0) : hash_combine(offset), 0};
  }

  bool readsShape = false;

private:
  Place ofOperation(const Instruction &operation, unsigned depth) {
    const Value &first = *operation.getOperand(0), &second = *operation.getOperand(1);
    const Place left = of(first, depth), right = of(second, depth);
    switch (operation.getOpcode()) {
    case Instruction::Add:
    case Instruction::Or: // of numbers without a bit in common, else it does not matter
      if (isa<ConstantInt>(second))
        return {left.centre, left.distance + right.centre};
      return left + right;
    case Instruction::Sub:
      return left + -right;
    case Instruction::Mul:
      return left * right;
    case Instruction::Shl:
      if (auto *bits = dyn_cast<ConstantInt>(&second); bits && bits->getValue().ult(64))
        return left * Place{uint64_t(1) << bits->getZExtValue(), 0};
      break;
    default:
      break;
    }
    return {hash_value(&operation), 0};
  }

  const std::map<const Value *, DescriptorLoad> &loads;
  std::map<const Value *, Place> places; // of operations, which may be parts of several
  unsigned argument;
};

// The elements that an access may reach. Those of arrays with different elements are comparable if
// they are addressed by extents.
struct Element {
  uint64_t rank, bytes; // of the array, and of an element; the latter is 0 if it does not matter
  Place place;
  auto operator<=>(const Element &) const = default;
};

class Finder {
public:
  Finder(Function &entry, const KernelFacts &facts, const PackedKernel &packed)
      : entry(entry), packed(packed) {
    for (const DescriptorLoad &load : descriptorLoads(entry, facts))
      loads.emplace(load.load, load);
  }

  // Nothing if the shape of the array plays no part.
  std::optional<Element> elementOf(const ArrayAccess &access) {
    auto array = find_if(packed.arrays, [&](auto &each) { return each.number == access.argument; });
    if (array == packed.arrays.end() || !array->elementBytes)
      return std::nullopt;
    Evaluation evaluation(loads, access.argument);
    const int64_t bytes = array->elementBytes;
    Place place{0, static_cast<uint64_t>(access.constant / bytes)};
    bool isStrided = false;
    for (const AddressTerm &term : access.terms) {
      if (term.isLowerBound)
        continue;
      Place part{static_cast<uint64_t>(static_cast<int64_t>(term.scale) / bytes), 0};
      if (term.dimension) { // a stride is that of elements here
        part = Place{term.scale, 0} *
               evaluation.ofDescriptor(strideOffset + term.dimension * dimensionBytes);
        isStrided = true;
      }
      if (term.value)
        part = part * evaluation.of(*term.value);
      else
        part = {0, part.centre};
      place = place + part;
    }
    if (!evaluation.readsShape)
      return std::nullopt;
    return Element{rankOfDescriptor(*entry.getArg(access.argument)),
                   isStrided ? array->elementBytes : 0, place};
  }

private:
  Function &entry;
  const PackedKernel &packed;
  std::map<const Value *, DescriptorLoad> loads;
};

// Whether with each element the one on the other side of the centre is among them, as in most
// stencils. Else there may be arrays of cells and of the faces or corners between them.
bool isCentred(const std::set<Element> &elements) {
  return all_of(elements, [&](Element element) {
    element.place.distance = 0 - element.place.distance;
    return elements.contains(element);
  });
}

// Followers of followers would compare with an array that is not looked at.
ShapeLeaders withoutChains(const ShapeLeaders &leaders) {
  ShapeLeaders result;
  for (auto [follower, leader] : leaders)
    if (!leaders.contains(leader))
      result.emplace(follower, leader);
  return result;
}

// Whether it is a lower bound or an extent that decides about addresses, as the last one does not.
bool isOfBounds(uint64_t offset, uint64_t rank) {
  std::optional<unsigned> extent = dimensionAt(offset, extentOffset);
  return dimensionAt(offset, lowerBoundOffset) || (extent && *extent + 1 < rank);
}

} // namespace

LikeArrays likeArrays(Function &entry, const KernelFacts &facts, const PackedKernel &packed,
                      const std::vector<ArrayAccess> &accesses) {
  Finder finder(entry, facts, packed);
  LikeArrays like;
  std::map<Element, unsigned> first;
  std::map<unsigned, std::set<Element>> all;
  for (const ArrayAccess &access : accesses) {
    std::optional<Element> element = finder.elementOf(access);
    if (!element)
      continue;
    all[access.argument].insert(*element);
    element->place.distance = 0;
    auto [found, isNew] = first.try_emplace(*element, access.argument);
    if (!isNew && found->second != access.argument)
      like.any.try_emplace(access.argument, found->second);
  }
  like.any = withoutChains(like.any);
  std::map<std::set<Element>, unsigned> leaders;
  for (const auto &[argument, elements] : all)
    if (auto [found, isNew] = leaders.try_emplace(elements, argument); !isNew)
      like.equal.emplace(argument, found->second);
  like.isDoubtful = like.any != like.equal && any_of(like.any, [&](const auto &pair) {
                      return !isCentred(all[pair.first]) || !isCentred(all[pair.second]);
                    });
  return like;
}

bool shareShapes(Function &entry, const KernelFacts &facts, const ShapeLeaders &leaders,
                 PackedKernel &packed) {
  bool changed = false;
  for (auto [load, argument, offset] : descriptorLoads(entry, facts)) {
    auto found = leaders.find(argument);
    if (found == leaders.end() || !load->getType()->isIntegerTy(64))
      continue;
    PackedArgument *array = packed.arrayOf(argument), *other = packed.arrayOf(found->second);
    bool isStride = dimensionAt(offset, strideOffset).value_or(0) != 0;
    bool isBound = isOfBounds(offset, rankOfDescriptor(*entry.getArg(argument)));
    if (isStride ? array->elementBytes != other->elementBytes : !isBound)
      continue;
    IRBuilder<> builder(load);
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                      entry.getArg(found->second), offset);
    load->replaceAllUsesWith(builder.CreateLoad(load->getType(), place));
    array->sameShapeAs = static_cast<int32_t>(found->second);
    array->hasSameStrides |= isStride;
    array->hasSameBounds |= isBound;
    changed = true;
  }
  return changed;
}

} // namespace cufc
