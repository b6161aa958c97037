// Components of objects that may lie in managed memory, read by the host for a kernel
// (compiler/lower/host_components.cpp).
#include "core/foreign_access.h"
#include "cufrt/device.h"

// Kernels that may still change a component in managed memory end before this returns. Host memory
// they cannot change.
extern "C" void cufrt_before_component(const void *address) {
  if (cufrt::placeOf(address).home == cufrt::Home::managed)
    cufrt::api().cudaDeviceSynchronize();
}
