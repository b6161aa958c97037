// See compiler_modules.h. tests/project/demand.py compares with the modules of lib/cufc.
#include "project/compiler_modules.h"
#include <algorithm>
#include <array>

namespace cufc {

bool isCompilerModule(std::string_view name) {
  constexpr std::array<std::string_view, 13> names = {"cooperative_groups",
                                                      "cudadevice",
                                                      "cudafor",
                                                      "ieee_arithmetic",
                                                      "ieee_exceptions",
                                                      "ieee_features",
                                                      "iso_c_binding",
                                                      "iso_fortran_env",
                                                      "libm",
                                                      "omp_lib",
                                                      "omp_lib_kinds",
                                                      "openacc",
                                                      "wmma"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isMpiModule(std::string_view name) { return name == "mpi" || name == "mpi_f08"; }

} // namespace cufc
