// Writes the sources of the modules of MPI for a header: mpi_sources HEADER FOLDER. Used while
// building.
#include "base/files.h"
#include "mpi/sources.h"
#include <cstdio>
#include <filesystem>

int main(int count, char **arguments) {
  using namespace cufc;
  if (count != 3)
    return 2;
  std::string problem, folder = arguments[2];
  std::optional<MpiHeader> header = readMpiHeader(arguments[1], {}, problem);
  if (!header) {
    std::fprintf(stderr, "mpi_sources: %s\n", problem.c_str());
    return 1;
  }
  std::error_code error;
  std::filesystem::create_directories(folder + "/modules", error);
  std::filesystem::create_directories(folder + "/include", error);
  bool good =
      writeFile(folder + "/kit.f90", mpiModulesSource(*header, LargeCounts::Yes)) &&
      writeFile(folder + "/include/mpif.h", mpiIncludeText(*header)) &&
      writeFile(folder + "/kit.txt", "library the MPI standard\nversion 4.0\nstandard 4.0\n");
  return good ? 0 : 1;
}
