// The Fortran sources of a kit: the constants of an installed library and the generated interfaces.
#ifndef CUFC_MPI_SOURCES_H
#define CUFC_MPI_SOURCES_H

#include "mpi/header.h"
#include <string>

namespace cufc {

// Whether mpi_f08 has forms with counts of kind MPI_COUNT_KIND, as since MPI 4.0.
enum class LargeCounts { No, Yes };

// The modules mpi_constants, mpi_f08_types, mpi_base, mpi, mpi_f08_callbacks and mpi_f08.
std::string mpiModulesSource(const MpiHeader &header, LargeCounts largeCounts);

// Subroutine cufrt_mpi_library, which tells the run-time layer the constants.
std::string mpiLayerSource(const MpiHeader &header);

// An mpif.h for fixed and free form.
std::string mpiIncludeText(const MpiHeader &header);

} // namespace cufc
#endif // CUFC_MPI_SOURCES_H
