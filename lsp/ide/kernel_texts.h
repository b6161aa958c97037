// What is said in the text of a source about what its kernels cost.
#ifndef CUFLS_IDE_KERNEL_TEXTS_H
#define CUFLS_IDE_KERNEL_TEXTS_H

#include "ide/inlay_hints.h"
#include "ide/query.h"
#include "occupancy/report.h"

namespace cufc {

// The kernel whose name stands at a position, or in whose CUF kernel directive it is; null if none.
const KernelReport *kernelNamedAt(const Query &query, const std::vector<KernelReport> &kernels);
// The same, or the kernel whose text or launch the position is in.
const KernelReport *kernelAround(const Query &query, const std::vector<KernelReport> &kernels);

// "24 registers, 4096 bytes shared: 100 % with 256 threads"
std::string costTitle(const KernelReport &kernel);
std::string costMarkdown(const KernelReport &kernel, const GpuLimits &gpu, const Chip &chip);

// At each launch in `range`: occupancy, waves, threads that have nothing to do.
std::vector<InlayHint> costHints(const Query &query, const TextRange &range,
                                 const std::vector<KernelReport> &kernels);

} // namespace cufc
#endif // CUFLS_IDE_KERNEL_TEXTS_H
