// Installed MPI libraries: where their mpif.h is and how one links them.
//
// A library is found through its compiler wrapper (mpifort and its like), which says with -show
// what it would add to a command, or through its header in a folder of -I. No wrapper compiles
// anything.
#ifndef CUFC_MPI_LIBRARY_H
#define CUFC_MPI_LIBRARY_H

#include <optional>
#include <string>
#include <vector>

namespace cufc {

struct MpiWish {
  bool asked = false; // by -Mmpi: an error if it is missing
  std::string name;   // of -Mmpi=: openmpi, mpich, another name, or a folder; may be empty
  std::vector<std::string> includes; // -I
};

struct MpiLibrary {
  std::string header;               // path of mpif.h
  std::vector<std::string> folders; // that it may include from
  std::vector<std::string> link;    // -L, -l and -Wl arguments
};

// `cache` is a folder for what wrappers have said; it may be empty.
std::optional<MpiLibrary> findMpiLibrary(const MpiWish &wish, const std::string &cache);

// The first folder of -I that has an mpif.h, or empty.
std::string folderWithMpiHeader(const std::vector<std::string> &includes);

// Of an argument of a link: the MPI library that it names, such as "mpi_mpifh" of -lmpi_mpifh or of
// a path to libmpi_mpifh.so; empty if it names none.
std::string mpiLibraryNamed(const std::string &argument);

} // namespace cufc
#endif // CUFC_MPI_LIBRARY_H
