// The size of a kernel's blocks as far as its launches or its own code betray it.
#ifndef CUFC_CODEGEN_CPU_LIKELY_BLOCKS_H
#define CUFC_CODEGEN_CPU_LIKELY_BLOCKS_H

#include "codegen/cpu/host_kernel_body.h"
#include "lower/device_facts.h"
#include <vector>

namespace cufc {

// Of a kernel, and of its body as makeThreadFunction gives it: what its file launches, or a guess.
// Other blocks must work, too.
std::vector<BlockSize> likelyBlocks(const HostKernelBody &body, const KernelFacts &facts);

} // namespace cufc
#endif // CUFC_CODEGEN_CPU_LIKELY_BLOCKS_H
