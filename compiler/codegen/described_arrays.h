// Arrays that device code reaches through descriptors of module data.
#ifndef CUFC_CODEGEN_DESCRIBED_ARRAYS_H
#define CUFC_CODEGEN_DESCRIBED_ARRAYS_H

#include "lower/device_facts.h"
#include <vector>

namespace llvm {
class GlobalVariable;
class Module;
class Type;
} // namespace llvm

namespace cufc {

// Whether it is the type of one of flang's descriptors.
bool isDescriptor(const llvm::Type *type);

// A descriptor of module data, and what is known of its array.
struct DescribedArray {
  llvm::GlobalVariable *variable;
  KernelArgumentFacts array;
};

// Descriptors of module data of which only the host knows how to write them, in generic memory and
// with an array whose elements have a known size.
std::vector<DescribedArray> hostWrittenDescriptors(llvm::Module &module, const DeviceFacts &facts);

// Says of descriptors of module data that no device code writes that they stay the same while a
// kernel runs. For modules whose accesses are in registers' form (after SROA).
void readDescriptorsOnce(llvm::Module &module, const DeviceFacts &facts);

// Says of the addresses in them that they are those of global memory; for optimised modules, since
// LLVM's passes would drop it.
void placeDescribedArrays(llvm::Module &module, const DeviceFacts &facts);

// Marks loads from arrays that the kernel writes nowhere, by the names that flang's alias tags give
// them; for optimised modules.
void markReadOnlyArrays(llvm::Module &module);

} // namespace cufc
#endif // CUFC_CODEGEN_DESCRIBED_ARRAYS_H
