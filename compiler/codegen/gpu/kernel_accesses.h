// The accesses of a kernel to its array arguments, taken apart into what their addresses are made
// of.
#ifndef CUFC_CODEGEN_GPU_KERNEL_ACCESSES_H
#define CUFC_CODEGEN_GPU_KERNEL_ACCESSES_H

#include "lower/device_facts.h"
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace llvm {
class Argument;
class Function;
class Instruction;
class LoadInst;
class Value;
} // namespace llvm

namespace cufc {

// Bytes of flang's descriptors (CFI_cdesc_t): the address of the data, the lower bound, the extent
// and the distance of neighbours in dimension 0. Those of the following dimensions come after it,
// every dimensionBytes.
constexpr uint64_t dataOffset = 0, lowerBoundOffset = 24, extentOffset = 32, strideOffset = 40,
                   dimensionBytes = 24;

// Whether the argument is an array that comes as a descriptor, which the kernel leaves as it is:
// pointers may be assigned.
bool isReadDescriptor(const llvm::Argument &argument);

// The dimension whose part of a descriptor is at this offset, where that of dimension 0 is at
// `first`; nothing if it is another part.
std::optional<unsigned> dimensionAt(uint64_t offset, uint64_t first);

uint64_t rankOfDescriptor(const llvm::Argument &argument);

// A load from the descriptor of an argument.
struct DescriptorLoad {
  llvm::LoadInst *load;
  unsigned argument;
  uint64_t offset; // bytes
};

std::vector<DescriptorLoad> descriptorLoads(llvm::Function &kernel, const KernelFacts &facts);

// A part of an address in bytes: the value, or if `dimension` is not 0 the value times the stride
// of that dimension, times a constant, which may be negative. No value: 1, or the lower bound of
// the dimension.
struct AddressTerm {
  llvm::Value *value;
  unsigned dimension;
  uint64_t scale;
  bool isLowerBound = false;
  auto operator<=>(const AddressTerm &) const = default;
};

struct ArrayAccess {
  llvm::Instruction *instruction; // a load or store
  unsigned argument;              // whose array it is to
  std::vector<AddressTerm> terms; // in order
  int64_t constant;               // bytes
  uint64_t bytes;
};

// Those to arrays that come as descriptors or addresses; accesses whose address is made in another
// way are left out. For optimised kernels.
std::vector<ArrayAccess> arrayAccesses(llvm::Function &kernel, const KernelFacts &facts);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_KERNEL_ACCESSES_H
