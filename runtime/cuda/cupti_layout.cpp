// Compares the records of report/cupti.h with the toolkit's, if its CUPTI is installed. No code.
#if __has_include(<cupti_activity.h>)
#include "report/cupti.h"

#include <cuda.h>
#include <cupti_activity.h>

namespace cufrt::report::cupti {
namespace {

#if CUDA_VERSION >= 13000
using Kernel = CUpti_ActivityKernel10;
using Copy = CUpti_ActivityMemcpy6;
#else
using Kernel = CUpti_ActivityKernel9;
using Copy = CUpti_ActivityMemcpy5;
#endif
using PeerCopy = CUpti_ActivityMemcpyPtoP4;
using Fill = CUpti_ActivityMemset4;
using External = CUpti_ActivityExternalCorrelation;

#define CUFRT_SAME(Ours, ours, Theirs, theirs)                                                     \
  static_assert(offsetof(Ours, ours) == offsetof(Theirs, theirs) &&                                \
                sizeof(Ours::ours) == sizeof(Theirs::theirs))

CUFRT_SAME(KernelRecord, kind, Kernel, kind);
CUFRT_SAME(KernelRecord, start, Kernel, start);
CUFRT_SAME(KernelRecord, end, Kernel, end);
CUFRT_SAME(KernelRecord, device, Kernel, deviceId);
CUFRT_SAME(KernelRecord, correlation, Kernel, correlationId);
CUFRT_SAME(KernelRecord, name, Kernel, name);
CUFRT_SAME(CopyRecord, copyKind, Copy, copyKind);
CUFRT_SAME(CopyRecord, bytes, Copy, bytes);
CUFRT_SAME(CopyRecord, start, Copy, start);
CUFRT_SAME(CopyRecord, end, Copy, end);
CUFRT_SAME(CopyRecord, correlation, Copy, correlationId);
CUFRT_SAME(PeerCopyRecord, bytes, PeerCopy, bytes);
CUFRT_SAME(PeerCopyRecord, start, PeerCopy, start);
CUFRT_SAME(PeerCopyRecord, end, PeerCopy, end);
CUFRT_SAME(PeerCopyRecord, correlation, PeerCopy, correlationId);
CUFRT_SAME(FillRecord, bytes, Fill, bytes);
CUFRT_SAME(FillRecord, start, Fill, start);
CUFRT_SAME(FillRecord, end, Fill, end);
CUFRT_SAME(FillRecord, correlation, Fill, correlationId);
CUFRT_SAME(ExternalRecord, externalKind, External, externalKind);
CUFRT_SAME(ExternalRecord, external, External, externalId);
CUFRT_SAME(ExternalRecord, correlation, External, correlationId);
#undef CUFRT_SAME

static_assert(int{kindConcurrentKernel} == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
              int{kindCopy} == CUPTI_ACTIVITY_KIND_MEMCPY &&
              int{kindPeerCopy} == CUPTI_ACTIVITY_KIND_MEMCPY2 &&
              int{kindFill} == CUPTI_ACTIVITY_KIND_MEMSET &&
              int{kindRuntimeCall} == CUPTI_ACTIVITY_KIND_RUNTIME &&
              int{kindDriverCall} == CUPTI_ACTIVITY_KIND_DRIVER &&
              int{kindExternalCorrelation} == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION &&
              int{externalCustom} == CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0 &&
              int{flushForced} == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);

} // namespace
} // namespace cufrt::report::cupti
#endif
