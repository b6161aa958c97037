// Copies are made in the device that the memory belongs to: the default stream is that of the
// current device.
#ifndef CUFRT_MPI_CURRENT_DEVICE_H
#define CUFRT_MPI_CURRENT_DEVICE_H

#include "cufrt/device.h"

namespace cufrt::mpi {

class CurrentDevice {
public:
  explicit CurrentDevice(int wanted) {
    if (api().isHost || api().cudaGetDevice(&before) != success || before == wanted)
      return;
    changed = api().cudaSetDevice(wanted) == success;
  }
  CurrentDevice(const CurrentDevice &) = delete;
  ~CurrentDevice() {
    if (changed)
      api().cudaSetDevice(before);
  }

private:
  int before = 0;
  bool changed = false;
};

} // namespace cufrt::mpi
#endif // CUFRT_MPI_CURRENT_DEVICE_H
