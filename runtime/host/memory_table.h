// The memory that programs have allocated on the host device.
#ifndef CUFRT_HOST_MEMORY_TABLE_H
#define CUFRT_HOST_MEMORY_TABLE_H

#include "cufrt/device.h"

#include <cstddef>

namespace cufrt::host {

size_t physicalMemory();
size_t allocatedBytes();

// Where an address leads.
enum class Place {
  unknown, // memory that the program did not get from the device: ordinary host memory
  device,  // an allocation, pinned and managed ones too, or a module variable
  invalid, // of the device's addresses, but in no allocation: freed, or beyond the end of one
};

struct Range {
  Place place;
  size_t bytes; // from the address to the end of the allocation
};

Range rangeAt(const void *address);

// Fortran's words for an address `offset` bytes from the start of an allocation.
void describeOffset(ptrdiff_t offset, size_t bytes, bool isFreed, char *text, size_t capacity);

// "12 bytes past the end of an array of 4000 bytes", if an allocation is near. Takes no lock that a
// thread may hold while it faults.
bool describeDeviceAddress(const void *address, char *text, size_t capacity);

// Frees everything, pinned memory too.
void freeAllMemory();

} // namespace cufrt::host
#endif // CUFRT_HOST_MEMORY_TABLE_H
