// Copies between sections on the host and the device with as few calls of the device as possible.
#ifndef CUFRT_CORE_COPY_H
#define CUFRT_CORE_COPY_H

#include "core/section.h"
#include "cufrt/device.h"

namespace cufrt {

// The values of flang/Runtime/CUDA/common.h. "Device" is also managed memory.
enum class Direction : unsigned { hostToDevice = 0, deviceToHost = 1, deviceToDevice = 2 };

// The sections have the same shape and element size and may overlap. Goes to the stream
// of default_stream.h. Returns when the source may be changed and, if the destination is on the
// host or the stream is not the default stream, when it is complete.
Error copySection(const Section &to, const Section &from, Direction direction);

// Copies between sections that are both on the host and do not overlap.
void copyOnHost(const Section &to, const Section &from);

} // namespace cufrt
#endif // CUFRT_CORE_COPY_H
