// See packed_kernels.h.
#include "codegen/gpu/packed_kernels.h"
#include "base/kernel_names.h"
#include "codegen/gpu/inner_extents.h"
#include "codegen/gpu/kernel_accesses.h"
#include "codegen/gpu/passed_descriptors.h"
#include "codegen/gpu/rebased_arrays.h"
#include "codegen/gpu/separate_arrays.h"
#include "codegen/gpu/shared_shapes.h"
#include "cufrt/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <map>
#include <optional>

namespace cufc {
namespace {

using namespace llvm;

// What one load or store of a thread moves at most.
constexpr uint64_t vectorBytes = 16;

// Of an entry that gets another one beside it: ptxas needs time for each.
constexpr unsigned mostInstructions = 1500;

// The arrays among the arguments, as far as they can be looked at before a launch.
std::vector<PackedArgument> arraysOf(const Function &kernel, const KernelFacts &facts) {
  std::vector<PackedArgument> arrays;
  for (const Argument &argument : kernel.args()) {
    unsigned number = argument.getArgNo();
    uint32_t bytes = number < facts.arguments.size() ? facts.arguments[number].elementBytes : 0;
    if (bytes && isReadDescriptor(argument))
      arrays.push_back({number, bytes});
    else if (bytes && argument.getType()->isPointerTy() && !argument.hasByValAttr())
      arrays.push_back({number, 0});
  }
  return arrays;
}

// What is known of a kernel's entry: of its own arguments, and behind them of the descriptors.
KernelFacts entryFacts(const KernelFacts &kernel, const PackedKernel &packed) {
  KernelFacts facts = kernel;
  facts.arguments = packed.arguments;
  return facts;
}

void assumePacked(Function &kernel, const KernelFacts &facts) {
  LLVMContext &context = kernel.getContext();
  for (Argument &argument : kernel.args())
    if (unsigned number = argument.getArgNo();
        number < facts.arguments.size() && facts.arguments[number].elementBytes &&
        argument.getType()->isPointerTy() && !argument.hasByValAttr())
      argument.addAttr(Attribute::getWithAlignment(context, Align(vectorBytes)));
  Metadata *aligned =
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), vectorBytes));
  for (auto [load, argument, offset] : descriptorLoads(kernel, facts))
    if (offset == strideOffset && load->getType()->isIntegerTy(64))
      load->replaceAllUsesWith(
          ConstantInt::get(load->getType(), facts.arguments[argument].elementBytes));
    else if (offset == dataOffset && load->getType()->isPointerTy())
      load->setMetadata(LLVMContext::MD_align, MDNode::get(context, aligned));
}

class PackedEntry {
public:
  PackedEntry(Function &kernel, Function &plain, const KernelFacts &facts, PackedKernel &packed)
      : kernel(kernel), plain(plain), facts(facts), packed(packed),
        accesses(arrayAccesses(kernel, facts)) {}

  LikeArrays like() const { return likeArrays(kernel, facts, packed, accesses); }

  // Whether it gains something. `leaders`: arrays that are taken to have the shape of others.
  bool complete(const ShapeLeaders &leaders) {
    bool gains = readsStrides() || !packed.variables.empty() || isInSpace();
    for (PackedArgument &array : packed.arrays) {
      array.strideMultiple = multipleFor(array);
      gains |= align(array);
    }
    gains |= shareShapes(kernel, facts, leaders, packed);
    if (!packed.variables.empty())
      rebaseArrays(kernel, accesses, packed);
    narrowStrides();
    return gains;
  }

private:
  // Accesses of which the addresses differ by constants.
  using Group = std::vector<const ArrayAccess *>;

  bool readsStrides() {
    return any_of(descriptorLoads(plain, facts),
                  [](const DescriptorLoad &load) { return load.offset == strideOffset; });
  }

  bool isInSpace() const {
    return any_of(packed.arrays, [](const PackedArgument &array) { return array.spaceDimensions; });
  }

  std::vector<Group> groupsOf(unsigned argument) const {
    std::map<std::vector<AddressTerm>, Group> groups;
    for (const ArrayAccess &access : accesses)
      if (access.argument == argument)
        groups[access.terms].push_back(&access);
    std::vector<Group> result;
    for (auto &[terms, group] : groups)
      result.push_back(std::move(group));
    return result;
  }

  // What the address is a multiple of if the array begins at a multiple of vectorBytes and its
  // strides are multiples of `multiple`.
  uint64_t alignmentOf(const ArrayAccess &access, uint64_t multiple) const {
    uint64_t bits = vectorBytes | static_cast<uint64_t>(access.constant);
    for (const AddressTerm &term : access.terms) {
      uint64_t factor = term.dimension ? std::max<uint64_t>(multiple, 1) : 1;
      if (!term.dimension && term.value) {
        KnownBits known = computeKnownBits(term.value, kernel.getDataLayout());
        factor = uint64_t(1) << std::min(known.countMinTrailingZeros(), 4u);
      }
      bits |= factor * term.scale;
    }
    return bits & (~bits + 1);
  }

  // If a thread reads or writes parts of a column that are at constant places of it: the power of 2
  // that they fill whole, since such columns begin at multiples of it. 0: not asked for.
  uint32_t multipleFor(const PackedArgument &array) const {
    uint64_t multiple = vectorBytes;
    bool any = false;
    for (const Group &group : groupsOf(array.number)) {
      bool strided =
          any_of(group.front()->terms, [](const AddressTerm &term) { return term.dimension != 0; });
      if (group.size() < 2 || !strided)
        continue;
      int64_t first = group.front()->constant, end = first;
      for (const ArrayAccess *access : group) {
        first = std::min(first, access->constant);
        end = std::max(end, access->constant + static_cast<int64_t>(access->bytes));
      }
      uint64_t span = static_cast<uint64_t>(end - first) | vectorBytes;
      any = true;
      multiple = std::min(multiple, span & (~span + 1));
    }
    if (array.elementBytes % vectorBytes == 0)
      multiple = vectorBytes;
    return any && multiple > array.elementBytes / 2 && multiple >= 8
               ? static_cast<uint32_t>(multiple)
               : 0;
  }

  // Whether some neighbours can be accessed at once.
  bool align(const PackedArgument &array) {
    bool gains = false;
    for (const Group &group : groupsOf(array.number)) {
      std::map<int64_t, const ArrayAccess *> places;
      for (const ArrayAccess *access : group) {
        Align alignment(alignmentOf(*access, array.strideMultiple));
        if (alignment > getLoadStoreAlignment(access->instruction))
          setLoadStoreAlignment(access->instruction, alignment);
        places[access->constant] = access;
      }
      for (auto [place, access] : places)
        gains |= places.contains(place + static_cast<int64_t>(access->bytes)) &&
                 getLoadStoreAlignment(access->instruction).value() >= 2 * access->bytes;
    }
    return gains;
  }

  // The runtime library has seen that they fit 31 bits: to multiply such a stride with a subscript
  // is one instruction, and with one of 64 bits three (codegen/gpu/shared_addresses.cpp).
  void narrowStrides() {
    for (auto [load, argument, offset] : descriptorLoads(kernel, facts)) {
      if (!dimensionAt(offset, strideOffset).value_or(0) || !load->getType()->isIntegerTy(64) ||
          load->use_empty() || !packed.arrayOf(argument))
        continue;
      IRBuilder<> builder(load);
      LoadInst *low = builder.CreateLoad(builder.getInt32Ty(), load->getPointerOperand());
      load->replaceAllUsesWith(builder.CreateSExt(low, load->getType()));
    }
  }

  Function &kernel, &plain;
  const KernelFacts &facts;
  PackedKernel &packed;
  std::vector<ArrayAccess> accesses;
};

// Loops over coordinates of points are short, so they cost more than what they do, and nearly all
// are in space. Comes before the entry for any extents, since the runtime library takes the first
// that fits.
void addSpaceEntry(Function &entry, const KernelFacts &ofEntry, const PackedKernel &packed,
                   DeviceFacts &facts) {
  std::vector<ArrayDimension> dimensions = innerExtents(entry, ofEntry);
  if (dimensions.empty())
    return;
  PackedKernel inSpace = packed;
  inSpace.name += spaceSuffix;
  for (PackedArgument &array : inSpace.arrays)
    for (auto [argument, dimension] : dimensions)
      if (array.number == argument)
        array.spaceDimensions |= 1u << dimension;
  ValueToValueMapTy map;
  Function *clone = CloneFunction(&entry, map);
  clone->setName(inSpace.name);
  assumeExtents(*clone, ofEntry, dimensions, CUFRT_SPACE_EXTENT);
  facts.packed.push_back(std::move(inSpace));
}

} // namespace

void addPackedKernels(Module &module, DeviceFacts &facts) {
  const std::vector<DescribedArray> all = hostWrittenDescriptors(module, facts);
  for (const KernelFacts &kernel : facts.kernels) {
    Function *plain = module.getFunction(kernel.name);
    if (!plain || plain->isDeclaration())
      continue;
    std::vector<DescribedArray> descriptors = passedDescriptors(all, *plain);
    if (descriptors.empty() && arraysOf(*plain, kernel).empty())
      continue;
    PackedKernel packed{kernel.name, kernel.name + packedSuffix, {}, kernel.arguments, {}};
    packed.arguments.resize(plain->arg_size());
    for (const DescribedArray &descriptor : descriptors) {
      packed.arguments.push_back(descriptor.array);
      packed.variables.push_back(descriptor.variable->getName().str());
    }
    Function *entry = cloneWithDescriptors(*plain, descriptors, packed.name);
    KernelFacts ofEntry = entryFacts(kernel, packed);
    packed.arrays = arraysOf(*entry, ofEntry);
    separateArrays(*entry, ofEntry, packed);
    assumePacked(*entry, ofEntry);
    addSpaceEntry(*entry, ofEntry, packed, facts);
    facts.packed.push_back(std::move(packed));
  }
}

namespace {

// Where arrays are taken to be of one shape that may be of two, such as those of the cells and of
// the corners of a mesh, there is another entry behind the first, which takes less for granted.
std::optional<PackedKernel> cloneForShapes(Function &entry, const PackedKernel &packed) {
  if (entry.getInstructionCount() > mostInstructions)
    return std::nullopt;
  PackedKernel cautious = packed;
  cautious.name += cautiousSuffix;
  ValueToValueMapTy map;
  CloneFunction(&entry, map)->setName(cautious.name);
  return cautious;
}

class Completion {
public:
  Completion(Module &module, const DeviceFacts &facts) : module(module), facts(facts) {}

  void complete(PackedKernel packed) {
    Function &entry = *module.getFunction(packed.name), &plain = *module.getFunction(packed.kernel);
    auto kernel = find_if(facts.kernels, [&](auto &each) { return each.name == packed.kernel; });
    readPassedDescriptors(entry, static_cast<unsigned>(plain.arg_size()), packed.variables);
    KernelFacts ofEntry = entryFacts(*kernel, packed);
    PackedEntry first(entry, plain, ofEntry, packed);
    LikeArrays like = first.like();
    std::optional<PackedKernel> cautious;
    if (like.isDoubtful && !StringRef(packed.name).ends_with(spaceSuffix))
      cautious = cloneForShapes(entry, packed);
    keepIf(first.complete(like.any), std::move(packed));
    if (!cautious)
      return;
    PackedEntry second(*module.getFunction(cautious->name), plain, ofEntry, *cautious);
    ShapeLeaders equal = second.like().equal;
    keepIf(second.complete(equal), std::move(*cautious));
  }

  std::vector<PackedKernel> kept;

private:
  void keepIf(bool gains, PackedKernel packed) {
    if (gains)
      kept.push_back(std::move(packed));
    else
      module.getFunction(packed.name)->eraseFromParent();
  }

  Module &module;
  const DeviceFacts &facts;
};

} // namespace

void completePackedKernels(Module &module, DeviceFacts &facts) {
  Completion completion(module, facts);
  for (PackedKernel &packed : facts.packed)
    completion.complete(std::move(packed));
  facts.packed = std::move(completion.kept);
}

} // namespace cufc
