// What an installed library says of itself in its mpif.h, and in the mpi.h beside it.
//
// Such a header can be included in fixed and in free form, so it is simple: declarations, PARAMETER
// and COMMON statements, EXTERNAL. Interfaces, which some have for MPI_SIZEOF in forms that flang
// does not know, are left out. Nothing of the library is run.
#ifndef CUFC_MPI_HEADER_H
#define CUFC_MPI_HEADER_H

#include "base/diagnostics.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cufc {

struct MpiHeader {
  struct Value {
    std::string name; // in capitals
    std::string type; // as declared: "INTEGER", "INTEGER(KIND=8)", "LOGICAL"
    std::string text; // of the value, an expression of constants before it
    std::optional<long long> number;
  };
  struct Common {
    std::string block;
    std::vector<std::string> names;
  };
  struct Variable {
    std::string type, extents;
  };

  std::vector<Value> values; // in the order of the header
  std::vector<Common> commons;
  std::map<std::string, Variable> variables; // what is declared and no constant, by its name
  std::vector<std::string> externals;
  std::vector<std::string> files; // that were read
  std::string content;            // of all of them
  std::string library = "MPI";    // "Open MPI", "MPICH", ...
  std::string version;            // of the library, may be empty

  // Null if there is no constant of that name, given in capitals.
  const Value *value(const std::string &name) const;
  long long number(const std::string &name, long long otherwise) const;
  bool declares(const std::string &name) const { return variables.count(name) != 0; }
};

// Reads a header. Nothing if it cannot be read or has no MPI_COMM_WORLD; `problem` says why.
std::optional<MpiHeader> readMpiHeader(const std::string &path,
                                       const std::vector<std::string> &folders,
                                       std::string &problem);

} // namespace cufc
#endif // CUFC_MPI_HEADER_H
