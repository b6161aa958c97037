// The memory that programs have allocated on the host device.
#ifndef CUFRT_HOST_MEMORY_TABLE_H
#define CUFRT_HOST_MEMORY_TABLE_H

#include <cstddef>

namespace cufrt::host {

size_t physicalMemory();
size_t allocatedBytes();

} // namespace cufrt::host
#endif // CUFRT_HOST_MEMORY_TABLE_H
