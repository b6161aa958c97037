// In module mpi_f08 a handle is a type with the integer as its only component, and a status a type
// with the integers of the array. So both have the layout that the library's Fortran procedures
// know, and the constants and variables of the header serve both modules.
#include "mpi/sources.h"
#include "mpi/rows.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace cufc {
namespace {

// One statement for many names, in lines that are not too long.
std::string statement(const std::string &head, const std::vector<std::string> &items) {
  std::string text;
  for (size_t begin = 0; begin < items.size();) {
    std::string line = head;
    for (size_t count = 0; begin < items.size() && count < 8; ++count, ++begin)
      line += (count ? ", " : " ") + items[begin];
    text += line + "\n";
  }
  return text;
}

std::string valueText(const MpiHeader::Value &value) {
  return value.number ? std::to_string(*value.number) : value.text;
}

// The sentinel of a name, or null.
const MpiConstant *sentinel(const std::string &name) {
  const MpiConstant *row = findMpiConstant(name);
  return row && row->type == "sentinel" ? row : nullptr;
}

bool isCommon(const MpiHeader &header, const std::string &name) {
  for (const MpiHeader::Common &common : header.commons)
    if (std::find(common.names.begin(), common.names.end(), name) != common.names.end())
      return true;
  return false;
}

// Arrays where some libraries have scalars, so that each can be passed to the array that it stands
// for; a COMMON block has the same size with either.
std::string variableDeclaration(const MpiHeader &header, const std::string &name, bool f08) {
  const MpiConstant *row = sentinel(name);
  if (!row) {
    const MpiHeader::Variable &variable = header.variables.at(name);
    std::string extents = variable.extents.empty() ? "" : "(" + variable.extents + ")";
    return fmt::format("{} :: {}{}\n", variable.type, name, extents);
  }
  std::string extents(row->extent);
  if (f08 && row->holds == "status")
    return fmt::format("type(MPI_Status) :: {}{}\n", name,
                       extents == "MPI_STATUS_SIZE" ? "" : "(1)");
  std::string_view type = row->holds == "string" ? "character(1)" : "integer";
  return fmt::format("{} :: {}{}\n", type, name, extents.empty() ? "" : "(" + extents + ")");
}

std::string commonStatements(const MpiHeader &header, bool f08) {
  std::string text;
  for (const MpiHeader::Common &common : header.commons) {
    for (const std::string &name : common.names)
      if (header.declares(name))
        text += variableDeclaration(header, name, f08);
    text += fmt::format("common /{}/ {}\nsave /{}/\n", common.block, fmt::join(common.names, ", "),
                        common.block);
  }
  return text;
}

std::string constantsModule(const MpiHeader &header) {
  std::string text = "module mpi_constants\nimplicit none\n";
  std::vector<std::string> integers;
  auto flush = [&] {
    text += statement("integer, parameter ::", integers);
    integers.clear();
  };
  for (const MpiHeader::Value &value : header.values) {
    if (value.type == "INTEGER" && value.number) {
      integers.push_back(value.name + " = " + valueText(value));
      continue;
    }
    flush(); // kinds stand before what has them
    text += fmt::format("{}, parameter :: {} = {}\n", value.type, value.name, valueText(value));
  }
  flush();
  return text + commonStatements(header, false) + "end module\n";
}

// The integers of a status, those that have names at their places.
std::string statusType(const MpiHeader &header) {
  std::string text = "type, bind(c) :: MPI_Status\n";
  long long size = header.number("MPI_STATUS_SIZE", 0);
  for (long long at = 1; at <= size; ++at) {
    std::string name = fmt::format("cufrt_{}", at);
    for (const char *known : {"MPI_SOURCE", "MPI_TAG", "MPI_ERROR"})
      if (header.number(known, 0) == at)
        name = known;
    bool own = name.starts_with("cufrt_");
    text += fmt::format("integer{} :: {}\n", own ? ", private" : "", name);
  }
  return text + "end type\n";
}

std::string typesModule(const MpiHeader &header) {
  return "module mpi_f08_types\nuse mpi_constants, only: MPI_STATUS_SIZE, MPI_SUCCESS\nimplicit "
         "none\n"
         "private :: MPI_STATUS_SIZE, MPI_SUCCESS\n" +
         statusType(header) +
         "include 'mpi_types.inc'\ninclude 'mpi_own.inc'\ncontains\n"
         "include 'mpi_comparisons.inc'\ninclude 'mpi_procedures.inc'\nend module\n";
}

// What mpi_f08 takes from mpi_constants: all but handles and variables.
std::string f08Constants(const MpiHeader &header) {
  std::vector<std::string> taken;
  std::string handles;
  for (const MpiHeader::Value &value : header.values) {
    const MpiConstant *row = findMpiConstant(value.name);
    std::string_view type = row ? mpiHandleType(row->type) : std::string_view();
    if (type.empty())
      taken.push_back(value.name);
    else if (value.number)
      handles +=
          fmt::format("type({0}), parameter :: {1} = {0}({2})\n", type, row->name, *value.number);
  }
  return statement("use mpi_constants, only:", taken) + "implicit none\n" + handles;
}

const char *modulesEnd = R"(module mpi
use, intrinsic :: iso_c_binding, only: c_ptr
use mpi_constants
use mpi_f08_types, only: MPI_Status, MPI_Sizeof, MPI_Status_f082f, MPI_Status_f2f08
implicit none
private :: c_ptr
include 'mpi.inc'
end module
module mpi_base
use mpi
end module
module mpi_f08_callbacks
use, intrinsic :: iso_c_binding, only: c_ptr
use mpi_f08_types
use mpi_constants, only: MPI_ADDRESS_KIND, MPI_OFFSET_KIND, MPI_COUNT_KIND
implicit none
include 'mpi_callbacks.inc'
end module
module mpi_f08
use, intrinsic :: iso_c_binding, only: c_ptr
use mpi_f08_types
use mpi_f08_callbacks
)";

} // namespace

std::string mpiModulesSource(const MpiHeader &header, LargeCounts largeCounts) {
  const char *interfaces = largeCounts == LargeCounts::Yes ? "mpi_f08_large" : "mpi_f08";
  return constantsModule(header) + typesModule(header) + modulesEnd + f08Constants(header) +
         commonStatements(header, true) + fmt::format("include '{}.inc'\nend module\n", interfaces);
}

std::string mpiLayerSource(const MpiHeader &header) {
  std::string text = R"(subroutine cufrt_mpi_library
use mpi_constants
implicit none
interface
subroutine cufrt_mpi_constant(index, value)
integer :: index, value
end subroutine
subroutine cufrt_mpi_sentinel(index, where)
integer :: index
type(*), dimension(*) :: where
!dir$ ignore_tkr(tkrdm) where
end subroutine
end interface
)";
  for (const MpiConstant &row : mpiConstants()) {
    std::string name(row.name);
    bool known = row.type == "sentinel" ? isCommon(header, name) : header.value(name) != nullptr;
    if (row.layer >= 0 && known)
      text += fmt::format("call cufrt_mpi_{}({}, {})\n",
                          row.type == "sentinel" ? "sentinel" : "constant", row.layer, name);
  }
  return text + "end subroutine\n";
}

std::string mpiIncludeText(const MpiHeader &header) {
  std::string text = fmt::format("! The constants of {} {}, made by cufc from\n! {}\n",
                                 header.library, header.version, header.files.front());
  for (const MpiHeader::Value &value : header.values)
    text += fmt::format("      {} {}\n      PARAMETER ({}={})\n", value.type, value.name,
                        value.name, valueText(value));
  for (const auto &[name, variable] : header.variables)
    text += fmt::format("      {} {}{}\n", variable.type, name,
                        variable.extents.empty() ? "" : "(" + variable.extents + ")");
  for (const MpiHeader::Common &common : header.commons) {
    text += fmt::format("      COMMON /{}/ {}\n", common.block, common.names.front());
    for (size_t i = 1; i < common.names.size(); ++i)
      text += fmt::format("      COMMON /{}/ {}\n", common.block, common.names[i]);
    text += fmt::format("      SAVE /{}/\n", common.block);
  }
  // Functions that some headers forget.
  for (const char *name : {"MPI_AINT_ADD", "MPI_AINT_DIFF"})
    if (!header.declares(name))
      text += fmt::format("      INTEGER({}) {}\n      EXTERNAL {}\n",
                          header.number("MPI_ADDRESS_KIND", 8), name, name);
  std::set<std::string> written;
  for (const std::string &name : header.externals)
    if (written.insert(name).second)
      text += fmt::format("      EXTERNAL {}\n", name);
  return text;
}

} // namespace cufc
