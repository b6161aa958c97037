// Calls of MPI's profiling names, PMPI_Send.
#ifndef CUFC_MPI_PROFILING_NAMES_H
#define CUFC_MPI_PROFILING_NAMES_H

namespace llvm {
class Module;
}

namespace cufc {

// The library's procedures of these names know nothing of device buffers, nor of requests that the
// run-time layer keeps. The layer has entries of its own for them, cufrt_pmpi_send_, which the
// module calls from now on. Another name than mpi_send_, since a program may have a procedure
// MPI_Send of its own that calls PMPI_Send.
void callLayerByProfilingNames(llvm::Module &host);

} // namespace cufc
#endif // CUFC_MPI_PROFILING_NAMES_H
