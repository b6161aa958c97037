// What is documented of names that no source file of the user declares: module cudafor, the
// procedures of device code, Fortran's intrinsic procedures and modules, and CUDA Fortran's own
// words.
//
// Filled from lib/cufc/api.json, which compiler/tables/generate/api_json.py makes of the tables
// there.
#ifndef CUFLS_IDE_API_TABLE_H
#define CUFLS_IDE_API_TABLE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace cufc {

enum class ApiKind : std::uint8_t {
  Function,
  Subroutine,
  Type,
  Constant,
  Module,
  Variable,  // threadIdx and its like
  Attribute, // of data: shared
  Prefix,    // of procedures: global, launch_bounds(...)
  Launch,    // the chevrons
  Directive,
  Clause, // of a directive
};

// A dummy argument, or a component of a type.
struct ApiArgument {
  std::string name, type, intent, unit, about;
  bool optional = false;
};

struct ApiEntry {
  std::string name; // as documentation spells it
  ApiKind kind = ApiKind::Function;
  std::string module;               // where it comes from; "intrinsic"; empty for modules and words
  std::vector<std::string> through; // modules that hand it on
  std::string offered;              // what programs use to get it, if not `module`
  std::vector<std::string> usage;   // lines of Fortran
  std::string summary, description;
  std::vector<ApiArgument> arguments;
  std::vector<std::vector<int>> forms; // the argument lists, as numbers of `arguments`
  std::vector<ApiArgument> components;
  std::string result; // type of a function
  std::vector<std::string> errors;
  std::string c, since;           // the counterpart in CUDA C, and the CUDA that brought it
  std::string value;              // of constants
  std::vector<std::string> words; // of OpenMP: clauses of a directive, what begins a clause's list
  bool device = false;            // an intrinsic procedure that device code can call
  bool common = false;            // most programs use it: completion has it before others

  bool isProcedure() const { return kind == ApiKind::Function || kind == ApiKind::Subroutine; }
  // Of no use in host code, or in device code.
  bool deviceOnly() const { return module == "cudadevice" || kind == ApiKind::Variable; }
  bool hostOnly() const;
  // What a program uses to get the name.
  const std::string &usedModule() const { return offered.empty() ? module : offered; }
  bool isHandedOnBy(std::string_view name) const;
};

class ApiTable {
public:
  void add(ApiEntry entry);
  const std::vector<ApiEntry> &entries() const { return all; }

  // In any case of letters. The first in the table, or that of `module` if there is one.
  const ApiEntry *find(std::string_view name, std::string_view module = {}) const;
  // All with a name: "sin" of Fortran and of libm.
  std::vector<const ApiEntry *> findAll(std::string_view name) const;
  // The module is one of the table's.
  bool hasModule(std::string_view name) const;

private:
  std::vector<ApiEntry> all;
  std::unordered_multimap<std::string, size_t> byName; // lower case
};

// Whether names of a module are known where nothing makes them visible by USE.
bool needsUse(const ApiEntry &entry);

// What hover shows, in Markdown.
std::string documentationOf(const ApiEntry &entry);
// The first line of its usage.
std::string headOf(const ApiEntry &entry);

} // namespace cufc
#endif // CUFLS_IDE_API_TABLE_H
