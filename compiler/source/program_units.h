// Where the program units and procedures of a source begin and end, by a scan of its statements:
// what can be analysed apart from the rest.
#ifndef CUFC_SOURCE_PROGRAM_UNITS_H
#define CUFC_SOURCE_PROGRAM_UNITS_H

#include <string>
#include <vector>

namespace cufc {

// A program unit or a procedure that is not inside another procedure. Lines start at 1.
struct ProgramUnit {
  enum class Kind { Program, Module, Submodule, Procedure, BlockData };
  Kind kind;
  std::string name;          // lower case; empty for a main program without a statement
  int parent;                // the module or submodule of a module procedure, or -1
  int firstLine;             // of its first statement
  int lastLine;              // of its END statement
  int contains = 0;          // line of a module's CONTAINS, or 0
  bool implicitNone = false; // a module's own IMPLICIT NONE
};

// In the order of their first lines. Empty if the statements do not nest, if a statement shares its
// line with the beginning or end of a unit, or if preprocessor conditions stand in the text: then
// nothing can be said safely.
std::vector<ProgramUnit> programUnits(const std::string &text, bool fixedForm, int fixedColumns);

} // namespace cufc
#endif // CUFC_SOURCE_PROGRAM_UNITS_H
