// A kit: what cufc needs to compile and link with one installed MPI library.
//
// A folder in the cache, made once for a library and named by the content of its headers, by how it
// is linked and by this compiler:
//   modules/   mpi.mod, mpi_f08.mod and those that they use
//   include/   mpif.h
//   kit.o      procedures of the modules
//   layer.o    subroutine cufrt_mpi_library, which tells the run-time layer the library's constants
//   kit.txt    the fields of MpiKit, one a line
//
// It is made beside its place and renamed, so that several processes may want it at the same time
// and none sees a part of it.
#ifndef CUFC_MPI_KIT_H
#define CUFC_MPI_KIT_H

#include "mpi/library.h"
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cufc {

struct MpiKit {
  std::string folder;
  std::string library, version; // "Open MPI", "4.1.4"
  std::string standard;         // "3.1"
  std::string header;           // mpif.h of the library; empty: none is installed
  std::vector<std::string> link;
  std::set<std::string> lacks; // procedures of the table

  // For messages: "Open MPI 4.1.4".
  std::string name() const { return version.empty() ? library : library + " " + version; }
  std::string modules() const { return folder + "/modules"; }
  std::string include() const { return folder + "/include"; }
};

struct MpiKitPlace {
  std::string cache;     // folder of the kits, which need not be there yet
  std::string libraries; // lib/cufc
  std::string identity;  // of this compiler: a kit that another one has made is not used
};

enum class MakeKit { No, Yes };

// The kit of an installed library. Nothing if it is not there and not to be made, or cannot be
// made; `problem` then says why, or is empty.
std::optional<MpiKit> kitOf(const MpiLibrary &library, const MpiKitPlace &place, MakeKit make,
                            std::string &problem);

// The kit whose modules are in one of the folders, the first.
std::optional<MpiKit> kitAmong(const std::vector<std::string> &folders);

// The kit in a folder.
std::optional<MpiKit> readKit(const std::string &folder);

} // namespace cufc
#endif // CUFC_MPI_KIT_H
