// cudaGetDeviceProperties: the type's layout is shared, so that the device fills it in place.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

extern "C" int cufrt_f_cudaGetDeviceProperties(cufrt::DeviceProperties *prop, int devnum) {
  return prop ? cufrt::api().getProperties(*prop, devnum) : cufrt::cudafor::invalidValue();
}
