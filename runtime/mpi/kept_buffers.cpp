// See kept_buffers.h.
#include "mpi/kept_buffers.h"
#include "cufrt/device.h"
#include "mpi/call.h"
#include "mpi/pmpi.h" // generated

#include <mutex>

// The C function: it alone gives the address.
extern "C" __attribute__((weak)) int PMPI_Buffer_detach(void *address, int *size);

namespace cufrt::mpi {
namespace {

std::mutex mutex;
std::optional<Operation> attached;

} // namespace

void endSplit(int *file, void *buffer, void *status, int *error,
              void (*end)(int *, void *, void *, int *)) {
  std::optional<Operation> operation = takeFromFile(*file);
  if (!operation)
    return end(file, buffer, status, error);
  Status chosen(status);
  end(file, operation->buffers[0].address(), chosen.data(), error);
  if (*error == noError)
    operation->deliver(chosen.data());
}

void attachBuffer(void *buffer, const std::function<int()> &attach) {
  if (isOrdinary(buffer)) {
    attach();
    return;
  }
  Call call("MPI_Buffer_attach");
  call.addUnstaged(buffer);
  if (attach() != noError)
    return;
  std::lock_guard lock(mutex);
  attached.emplace(call.take());
}

void detachBuffer() {
  std::lock_guard lock(mutex);
  attached.reset();
}

} // namespace cufrt::mpi

using namespace cufrt::mpi;

extern "C" {

void cufrt_pmpi_buffer_attach_(void *buffer, int *size, int *ierror) {
  int own = noError, *error = ierror ? ierror : &own;
  attachBuffer(buffer, [&] {
    pmpi_buffer_attach_(buffer, size, error);
    return *error;
  });
}

void cufrt_pmpi_buffer_detach_(void *address, int *size, int *ierror) {
  int own = noError;
  pmpi_buffer_detach_(address, size, ierror ? ierror : &own);
  detachBuffer();
}

// For module mpi_f08, whose dummy is a TYPE(C_PTR) that gets the address.
void cufrt_f08_mpi_buffer_detach_(void **address, int *size, int *ierror) {
  if (!PMPI_Buffer_detach)
    missing("MPI_Buffer_detach");
  int error = PMPI_Buffer_detach(address, size);
  if (ierror)
    *ierror = error;
  detachBuffer();
}

} // extern "C"
