// The rows are generated; names are found in any case of letters, as Fortran has them.
#include "mpi/rows.h"
#include <algorithm>
#include <cctype>
#include <string>
#include <unordered_map>

namespace cufc {
namespace {

std::string lower(std::string_view name) {
  std::string result(name);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return result;
}

std::vector<MpiProcedure> allProcedures() {
  std::vector<MpiProcedure> rows;
#define MPI_PROCEDURE(...) rows.push_back(MpiProcedure{__VA_ARGS__});
#define MPI_DUMMY(...) rows.back().dummies.push_back(MpiDummy{__VA_ARGS__});
#include "tables/mpi.inc"
#undef MPI_PROCEDURE
#undef MPI_DUMMY
  return rows;
}

template <typename Row>
const Row *find(const std::vector<Row> &rows, std::string_view name) {
  static const std::unordered_map<std::string, const Row *> byName = [&] {
    std::unordered_map<std::string, const Row *> result;
    for (const Row &row : rows)
      result.emplace(lower(row.name), &row);
    return result;
  }();
  auto found = byName.find(lower(name));
  return found == byName.end() ? nullptr : found->second;
}

} // namespace

const std::vector<MpiConstant> &mpiConstants() {
  static const std::vector<MpiConstant> rows = {
#define MPI_CONSTANT(...) MpiConstant{__VA_ARGS__},
#include "tables/mpi.inc"
#undef MPI_CONSTANT
  };
  return rows;
}

const MpiConstant *findMpiConstant(std::string_view name) { return find(mpiConstants(), name); }

const std::vector<MpiProcedure> &mpiProcedures() {
  static const std::vector<MpiProcedure> rows = allProcedures();
  return rows;
}

const MpiProcedure *findMpiProcedure(std::string_view name) { return find(mpiProcedures(), name); }

std::string_view mpiHandleType(std::string_view type) {
  static constexpr std::pair<std::string_view, std::string_view> types[] = {
      {"comm", "MPI_Comm"},
      {"datatype", "MPI_Datatype"},
      {"errhandler", "MPI_Errhandler"},
      {"file", "MPI_File"},
      {"group", "MPI_Group"},
      {"info", "MPI_Info"},
      {"message", "MPI_Message"},
      {"op", "MPI_Op"},
      {"request", "MPI_Request"},
      {"session", "MPI_Session"},
      {"win", "MPI_Win"}};
  for (auto [name, type08] : types)
    if (name == type)
      return type08;
  return {};
}

} // namespace cufc
