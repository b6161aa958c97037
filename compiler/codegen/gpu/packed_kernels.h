// Second entries of kernels, for arrays without gaps.
//
// A kernel gets an assumed-shape array as a descriptor, in which neighbours may lie at any
// distance, and any array at an address that is known to be a multiple of its element's alignment
// alone. Nearly every array that a kernel is launched with has neither a gap nor an odd address. So
// the kernel gets a second entry, whose name ends with packedSuffix, that takes both for granted;
// the runtime library looks at the arguments and launches one or the other
// (runtime/cuda/packed_kernels.cpp).
#ifndef CUFC_CODEGEN_GPU_PACKED_KERNELS_H
#define CUFC_CODEGEN_GPU_PACKED_KERNELS_H

#include "lower/device_facts.h"

namespace llvm {
class Module;
} // namespace llvm

namespace cufc {

// Adds the second entries. Those of kernels in facts.packed are there for completePackedKernels;
// comes before the optimiser.
void addPackedKernels(llvm::Module &module, DeviceFacts &facts);

// Uses more of what the optimiser has made visible: columns that begin at multiples of 16 bytes,
// arrays that have the same shape as others. facts.packed then has what each second entry needs;
// those that gain nothing are gone. For optimised modules.
void completePackedKernels(llvm::Module &module, DeviceFacts &facts);

} // namespace cufc
#endif // CUFC_CODEGEN_GPU_PACKED_KERNELS_H
