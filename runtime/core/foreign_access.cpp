// See foreign_access.h. On a GPU the driver is asked, through the library that libcudart has
// loaded: unlike libcudart it makes no context, which on a machine with many ranks would cost each
// of them memory on the first GPU.
#include "core/foreign_access.h"
#include "core/choose_device.h"
#include "cufrt/device.h"
#include "host/arena.h"
#include "host/functions.h"

#include <atomic>
#include <dlfcn.h>

namespace cufrt {
namespace {

// cuda.h, CUpointer_attribute and CUmemorytype.
enum : int { attributeMemoryType = 2, attributeIsManaged = 8, attributeDeviceOrdinal = 9 };
constexpr unsigned memoryTypeHost = 1, memoryTypeDevice = 2;

using GetAttributes = int (*)(unsigned count, int *attributes, void **values, void *address);

// Null as long as nobody has loaded the driver: there is no memory of a GPU then.
GetAttributes driverQuery() {
  static std::atomic<GetAttributes> known{nullptr};
  GetAttributes query = known.load(std::memory_order_acquire);
  if (query)
    return query;
  void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!driver)
    return nullptr;
  query = reinterpret_cast<GetAttributes>(dlsym(driver, "cuPointerGetAttributes"));
  known.store(query, std::memory_order_release);
  return query;
}

MemoryPlace placeOnGpu(const void *address) {
  GetAttributes query = driverQuery();
  unsigned type = 0, isManaged = 0;
  int device = 0;
  int attributes[] = {attributeMemoryType, attributeIsManaged, attributeDeviceOrdinal};
  void *values[] = {&type, &isManaged, &device};
  // It succeeds for addresses of the host too, which have no type then.
  if (!query || query(3, attributes, values, const_cast<void *>(address)) != 0)
    return {Home::host, 0};
  if (isManaged)
    return {Home::managed, device};
  return {type == memoryTypeDevice ? Home::device : Home::host, device};
}

} // namespace

MemoryPlace placeOf(const void *address) {
  const Device *device = deviceInUse();
  if (!device || !device->isHost)
    return placeOnGpu(address);
  PointerAttributes attributes{};
  host::pointerAttributes(attributes, address);
  switch (attributes.type) {
  case deviceMemory:
    return {Home::device, attributes.device};
  case managedMemory:
    return {Home::managed, attributes.device};
  default:
    return {Home::host, 0};
  }
}

bool isPinned(const void *address) {
  const Device *device = deviceInUse();
  if (device && device->isHost) {
    PointerAttributes attributes{};
    return host::pointerAttributes(attributes, address) == success && attributes.type == hostMemory;
  }
  GetAttributes query = driverQuery();
  unsigned type = 0;
  int attribute = attributeMemoryType;
  void *value = &type;
  return query && query(1, &attribute, &value, const_cast<void *>(address)) == 0 &&
         type == memoryTypeHost;
}

bool beginAccess(const void *address) {
  const Device *device = deviceInUse();
  return device && device->isHost && host::holdOpen(address);
}

void endAccess(const void *address) { host::letClose(address); }

} // namespace cufrt
