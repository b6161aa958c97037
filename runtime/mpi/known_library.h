// The MPI library that the program is linked with, as the layer must know it: the values of the
// standard's constants, which differ between libraries, the variables whose address is what counts,
// and whether it takes device memory. The values come from `cufrt_mpi_library`, a Fortran procedure
// that was compiled with the library's own mpif.h.
#ifndef CUFRT_MPI_KNOWN_LIBRARY_H
#define CUFRT_MPI_KNOWN_LIBRARY_H

#include "mpi/constants.h" // generated

namespace cufrt::mpi {

// INTEGER handles and error codes of the Fortran binding.
using Handle = int;
inline constexpr int noError = 0; // MPI_SUCCESS

// Ends the program with a message if the library does not know it.
int valueOf(Constant constant);

bool isKnown(Constant constant);

bool is(Sentinel sentinel, const void *address);

// Whether device memory is handed to the library as it is: always on the host device, on a GPU if
// the library says that it is CUDA-aware, unless the setting CUF_MPI_BUFFERS decides.
bool takesDeviceMemory();

} // namespace cufrt::mpi
#endif // CUFRT_MPI_KNOWN_LIBRARY_H
