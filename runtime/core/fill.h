// Sets every element of a section to one value.
#ifndef CUFRT_CORE_FILL_H
#define CUFRT_CORE_FILL_H

#include "core/section.h"
#include "cufrt/device.h"

namespace cufrt {

// `value` is one element in host memory; the section is in device or managed memory.
Error fillOnDevice(const Section &section, const void *value);

// `value` and the section are in host memory.
void fillOnHost(const Section &section, const void *value);

} // namespace cufrt
#endif // CUFRT_CORE_FILL_H
