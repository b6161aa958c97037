// What copies on the host device ask of their two sides.
#ifndef CUFRT_HOST_SIDE_H
#define CUFRT_HOST_SIDE_H

#include "cufrt/device.h"

namespace cufrt::host {

inline bool isCopyKind(int kind) { return kind >= hostToHost && kind <= copyDefault; }
inline bool isDeviceTarget(int kind) { return kind == hostToDevice || kind == deviceToDevice; }
inline bool isDeviceSource(int kind) { return kind == deviceToHost || kind == deviceToDevice; }

// Whether a copy may touch `bytes` bytes from `pointer` on; `onDevice` if they must be device
// memory.
bool isUsable(const void *pointer, size_t bytes, bool onDevice);

} // namespace cufrt::host
#endif // CUFRT_HOST_SIDE_H
