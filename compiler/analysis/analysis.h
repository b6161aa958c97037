// What is known of one source file: diagnostics, symbols, where each is used, scopes, kernels and
// launches. Plain data without a pointer into flang, so that it can be kept, sent and compared; all
// features of the editor are functions of such values.
//
// Tables refer to each other by index; -1 is "none". Lines and columns start at 1, columns count
// bytes, ends are exclusive, and all are those of the text as the user wrote it.
//
// This header compiles as C++17 also, for the front end.
#ifndef CUFC_ANALYSIS_ANALYSIS_H
#define CUFC_ANALYSIS_ANALYSIS_H

#include "base/diagnostics.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cufc {

// A range in one of `Analysis::files`.
struct Place {
  int file = -1; // -1: nowhere in the text, such as an implicit symbol
  int line = 0;
  int column = 0;
  int endLine = 0;
  int endColumn = 0;
};
inline bool operator==(const Place &a, const Place &b) {
  return a.file == b.file && a.line == b.line && a.column == b.column && a.endLine == b.endLine &&
         a.endColumn == b.endColumn;
}
inline bool operator!=(const Place &a, const Place &b) { return !(a == b); }

enum class SymbolKind : std::uint8_t {
  Program,
  Module,
  Submodule,
  BlockData,
  Subroutine,
  Function,
  Generic, // a generic name or operator
  Variable,
  Constant, // PARAMETER
  DerivedType,
  Component,
  Binding, // a type-bound procedure
  Namelist,
  CommonBlock,
  Construct, // the name of a construct
  Label,
};

// CUDA's attributes of data and procedures, bit sets.
namespace data_attribute {
enum : std::uint16_t {
  Device = 1,
  Shared = 2,
  Constant = 4,
  Managed = 8,
  Pinned = 16,
  Unified = 32,
  Texture = 64
};
}
namespace procedure_attribute {
enum : std::uint8_t { Host = 1, Device = 2, Global = 4, GridGlobal = 8 };
}

struct SymbolInfo {
  std::string name; // as declared
  SymbolKind kind = SymbolKind::Variable;
  int scope = -1;    // the scope that it is declared in
  int ownScope = -1; // of a program unit, procedure, derived type
  Place declared;    // its name where it is declared
  Place definition;  // the whole declaration or program unit
  std::string type;  // "real(8)", "type(point)"; of a function its result's
  std::vector<std::string>
      attributes;                   // in Fortran's spelling: "allocatable", "intent(in)", "device"
  std::string shape;                // "(:,:)", "(n,0:m)"; empty for scalars
  std::string value;                // of constants, in Fortran's spelling; initial values of others
  std::uint16_t dataAttributes = 0; // data_attribute
  std::uint8_t procedureAttributes = 0; // procedure_attribute
  std::vector<int> dummies;             // of a procedure, in order; alternate returns are -1
  int result = -1; // of a function: the result variable; -1 if that has the function's name, which
                   // then is one symbol for both
  int typeSymbol = -1;        // of variables and components of derived type; of a type its parent
  std::vector<int> specifics; // of a generic; of a binding the procedure
  int dummyOf = -1;           // the procedure that this is a dummy of
  int moduleInterface = -1;   // of a separate module procedure: its interface in the module
  std::string documentation;  // the comment above it, or behind it on its line, without marks
  std::string module;         // where it comes from, if that is another file's module
  int owner = -1;             // then, if it is not the module's own: the type or procedure that
                              // declares it
  bool exported = false;      // visible to users of the module
  bool implicit = false;      // typed by its first letter
  bool intrinsic = false;
};

enum class Role : std::uint8_t {
  Declaration, // the name in its declaration
  Reference,   // neither read nor written: USE, ONLY, attributes, inquiry, END statements
  Read,
  Write,
  ReadWrite, // actual arguments without INTENT, INTENT(INOUT), operands of atomic routines
  Call,
  Launch, // a call with chevrons
};

// The text at `place` is the symbol's name or, after a renaming USE, its local name. A call of a
// generic name gives two at the same place: of the generic name and of the specific procedure.
struct Occurrence {
  Place place;
  int symbol = -1;
  Role role = Role::Reference;
};

struct UseInfo {
  std::string module;
  Place place; // the module's name
  bool only = false;
  std::vector<std::string> names; // of ONLY and of renames, local names
};

enum class ScopeKind : std::uint8_t {
  Global,
  Module,
  Submodule,
  MainProgram,
  Subprogram,
  DerivedType,
  Block,
  Construct,
  Interface
};

struct ScopeInfo {
  ScopeKind kind = ScopeKind::Global;
  int parent = -1;
  int symbol = -1; // the program unit or type that it belongs to
  Place place;
  std::vector<int> symbols; // declared in it
  std::vector<UseInfo> uses;
  bool implicitNone = false;
  bool device = false; // statements in it run on the device
};

// A value of a launch configuration: its extents as far as they are constant.
struct LaunchExtent {
  std::string text;                                 // as written; empty if absent
  std::vector<std::optional<std::int64_t>> extents; // 1 to 3; nothing where not constant
};

struct KernelInfo {
  int symbol = -1;
  Place place;
  std::optional<std::int64_t> maxThreads, minBlocks; // launch_bounds
  std::vector<std::int64_t> cluster;                 // cluster_dims
  std::optional<std::int64_t> sharedBytes;           // static; nothing if an extent is not constant
  bool dynamicShared = false;
  bool grid = false; // attributes(grid_global)
};

struct LaunchInfo {
  int kernel = -1; // symbol; -1 for a CUF kernel directive
  Place place;     // the whole statement or directive
  LaunchExtent grid, block;
  std::string shared, stream; // as written
  std::optional<std::int64_t> sharedBytes;
  int loops = 0; // of a CUF kernel directive: the loops spread
};

struct FoldingRange {
  int line = 0, endLine = 0;
  bool comment = false;
};

// One module or submodule of this file. Equal hashes mean that no user needs to be analysed again.
struct ModuleInterface {
  std::string name;       // of a submodule "ancestor:name"
  std::uint64_t hash = 0; // 0: errors in the interface, so that no module file could be written
};

struct Analysis {
  std::vector<std::string> files; // 0 is the source itself, then what it includes
  std::vector<Diagnostic> diagnostics;
  std::vector<SymbolInfo> symbols;
  std::vector<Occurrence> occurrences; // by place
  std::vector<ScopeInfo> scopes;       // 0 is the global scope
  std::vector<KernelInfo> kernels;
  std::vector<LaunchInfo> launches;
  std::vector<FoldingRange> folds;
  std::vector<Place> statements; // constructs and statements, outer before inner: selection ranges
  std::vector<ModuleInterface> interfaces;
  std::vector<std::string> modulesUsed; // of other files
  bool complete = true; // false if a part of the text could not be parsed and was left out
};

} // namespace cufc
#endif // CUFC_ANALYSIS_ANALYSIS_H
