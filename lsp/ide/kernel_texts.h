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

// The GPU that costs are about, and whether it is the user's: of this machine, the project or the
// settings. Of another one, what only its size decides is of no use.
struct CostsOf {
  std::string gpu; // "H100"
  bool users = false;
};

// "24 registers, 4096 bytes shared, occupancy 100 % with 256 threads", and on which GPU, if it is
// not the user's.
std::string costTitle(const KernelReport &kernel, const CostsOf &of);
std::string costMarkdown(const KernelReport &kernel, const GpuLimits &gpu, const Chip &chip);

// At each launch in `range`: occupancy and waves; what has nothing to do in the tooltip.
std::vector<InlayHint> costHints(const Query &query, const TextRange &range,
                                 const std::vector<KernelReport> &kernels, const CostsOf &of);

} // namespace cufc
#endif // CUFLS_IDE_KERNEL_TEXTS_H
