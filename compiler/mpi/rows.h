// The table of MPI, tables/mpi/*.toml, as data.
#ifndef CUFC_MPI_ROWS_H
#define CUFC_MPI_ROWS_H

#include <string_view>
#include <vector>

namespace cufc {

struct MpiConstant {
  std::string_view name;
  std::string_view type;  // "integer", "logical", "offset", "sentinel", or that of a handle: "comm"
  std::string_view holds; // what a sentinel is declared as: "integer", "status", "string"
  std::string_view extent; // of a sentinel that is an array
  int layer;               // what the run-time layer knows it by; -1: it does not
};
const std::vector<MpiConstant> &mpiConstants();
// Null if the table has no such name; in any case of letters.
const MpiConstant *findMpiConstant(std::string_view name);

struct MpiDummy {
  std::string_view name, type, intent;
  std::string_view use; // of a choice buffer: "window", "kept", "address", ...; mostly empty
};

enum MpiModule { MpifH = 1, ModuleMpi = 2, ModuleMpiF08 = 4 };

struct MpiProcedure {
  std::string_view name;
  std::string_view form; // "callback" or "predefined"; otherwise a procedure to be called
  std::string_view when; // "blocking", "nonblocking", ...
  std::string_view does; // "point_to_point", "collective", ...
  int modules;           // of MpiModule
  int arguments;         // with ierror
  bool ierror, function;
  std::string_view since, removed, instead;
  std::vector<MpiDummy> dummies = {}; // without ierror
};
const std::vector<MpiProcedure> &mpiProcedures();
const MpiProcedure *findMpiProcedure(std::string_view name);

// The type of a handle in mpi_f08, such as "MPI_Comm" of "comm"; empty for other types of the
// table.
std::string_view mpiHandleType(std::string_view type);

} // namespace cufc
#endif // CUFC_MPI_ROWS_H
