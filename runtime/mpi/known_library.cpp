// See library.h.
#include "mpi/known_library.h"
#include "core/foreign_access.h"
#include "core/settings.h"
#include "cufrt/device.h"

#include <dlfcn.h>

// Weak: a program that was linked without it gets a message instead of an error of the linker.
extern "C" __attribute__((weak)) void cufrt_mpi_library_();

namespace cufrt::mpi {
namespace {

struct Library {
  int values[constantCount];
  bool isKnown[constantCount];
  const void *sentinels[sentinelCount];
};

Library library;

const Library &knownLibrary() {
  static const bool read = [] {
    if (!cufrt_mpi_library_)
      fatal(nullptr, 0,
            "MPI is given device memory, but the program was linked without the MPI library's "
            "constants: link it with cufc");
    cufrt_mpi_library_();
    return true;
  }();
  (void)read;
  return library;
}

template <typename Function>
Function find(const char *name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

// Open MPI's extension and MPICH's.
bool saysThatItIsAware() {
  constexpr int cuda = 0; // MPIX_GPU_SUPPORT_CUDA
  if (settings().mpiIsMadeAware)
    return true;
  if (auto *query = find<int (*)()>("MPIX_Query_cuda_support"))
    return query() == 1;
  int isSupported = 0;
  if (auto *query = find<int (*)(int, int *)>("MPIX_GPU_query_support"))
    return !settings().mpiIsMadeUnaware && query(cuda, &isSupported) == noError && isSupported;
  return false;
}

} // namespace

int valueOf(Constant constant) {
  int index = static_cast<int>(constant);
  if (!knownLibrary().isKnown[index])
    fatal(nullptr, 0, "the MPI library does not know %s", nameOf(constant));
  return library.values[index];
}

bool isKnown(Constant constant) { return knownLibrary().isKnown[static_cast<int>(constant)]; }

bool is(Sentinel sentinel, const void *address) {
  return address == knownLibrary().sentinels[static_cast<int>(sentinel)];
}

bool takesDeviceMemory() {
  switch (settings().mpiBuffers) {
  case MpiBuffers::direct:
    return true;
  case MpiBuffers::staged:
    return false;
  case MpiBuffers::automatic:
    break;
  }
  const Device *device = deviceInUse();
  if (device && device->isHost)
    return true;
  static const bool isAware = saysThatItIsAware();
  return isAware;
}

} // namespace cufrt::mpi

extern "C" {

void cufrt_mpi_constant_(const int *index, const int *value) {
  if (*index < 0 || *index >= cufrt::mpi::constantCount)
    return; // one that came with a later version
  cufrt::mpi::library.values[*index] = *value;
  cufrt::mpi::library.isKnown[*index] = true;
}

void cufrt_mpi_sentinel_(const int *index, const void *variable) {
  if (*index >= 0 && *index < cufrt::mpi::sentinelCount)
    cufrt::mpi::library.sentinels[*index] = variable;
}

} // extern "C"
