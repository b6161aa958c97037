// Large-count forms of procedures that keep memory longer than the call. A window is that of the
// default form, since its size is of a large kind there too.
#include "cufrt/device.h"
#include "mpi/c_library.h"
#include "mpi/call.h"
#include "mpi/kept_buffers.h"
#include "mpi/pmpi.h" // generated

#include <climits>

using namespace cufrt::mpi;

extern "C" {

__attribute__((weak)) int PMPI_Win_create_c(void *base, int64_t size, int64_t unit, void *info,
                                            void *comm, void *window);
__attribute__((weak)) int PMPI_Buffer_attach_c(void *buffer, int64_t size);
__attribute__((weak)) int PMPI_Buffer_detach_c(void *address, int64_t *size);

void cufrt_pmpi_win_create_c_(void *base, int64_t *size, int64_t *unitBytes, int *info, int *comm,
                              int *win, int *ierror) {
  if (*unitBytes >= 0 && *unitBytes <= INT_MAX) {
    int unit = static_cast<int>(*unitBytes);
    return cufrt_pmpi_win_create_(base, size, &unit, info, comm, win, ierror);
  }
  if (!PMPI_Win_create_c)
    missing("MPI_Win_create_c");
  if (!isOrdinary(base))
    cufrt::fatal(nullptr, 0, "MPI_Win_create: a unit of %lld bytes for device memory is too large",
                 static_cast<long long>(*unitBytes));
  int error = PMPI_Win_create_c(addressOf(base), *size, *unitBytes, handleOf(PMPI_Info_f2c, *info),
                                handleOf(PMPI_Comm_f2c, *comm),
                                GivenHandle(win, PMPI_Win_f2c, PMPI_Win_c2f).place());
  if (ierror)
    *ierror = error;
}

void cufrt_pmpi_buffer_attach_c_(void *buffer, int64_t *size, int *ierror) {
  if (!PMPI_Buffer_attach_c)
    missing("MPI_Buffer_attach_c");
  int error = noError;
  attachBuffer(buffer, [&] { return error = PMPI_Buffer_attach_c(buffer, *size); });
  if (ierror)
    *ierror = error;
}

void cufrt_pmpi_buffer_detach_c_(void *address, int64_t *size, int *ierror) {
  if (!PMPI_Buffer_detach_c)
    missing("MPI_Buffer_detach_c");
  int error = PMPI_Buffer_detach_c(address, size);
  if (ierror)
    *ierror = error;
  detachBuffer();
}

} // extern "C"
