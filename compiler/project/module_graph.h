// The order in which source files must be compiled so that every module is there before it is used.
#ifndef CUFC_PROJECT_MODULE_GRAPH_H
#define CUFC_PROJECT_MODULE_GRAPH_H

#include "base/diagnostics.h"
#include <string>
#include <vector>

namespace cufc {

struct ModuleStatement {
  std::string name; // lower case
  SourceRange range;
  bool conditional = false; // under #if, which is not evaluated
};

// INCLUDE or #include.
struct IncludeLine {
  std::string name;          // as written
  bool betweenUnits = false; // no program unit is around it
};

// What one file defines and uses, by a scan of its statements. Preprocessor conditions are not
// evaluated, so the result may name more than a compilation would.
struct ModuleFacts {
  std::vector<ModuleStatement> defines;    // modules; "parent:child" for submodules
  std::vector<ModuleStatement> uses;       // modules used, and parents of submodules
  std::vector<ModuleStatement> usesItself; // USE of a module inside it, which is an error
  std::vector<ModuleStatement> programs;   // main programs
  std::vector<ModuleStatement> procedures; // external procedures
  std::vector<std::string> calls;          // what may be an external procedure of another file
  std::vector<IncludeLine> includes;       // their files: included_files.h
  bool cuda = false;                       // whether anything of CUDA Fortran is there
  bool freeForm = false;                   // it is, where the file's name says fixed form
};

ModuleFacts scanModules(const std::string &path, const std::string &text, bool fixedForm,
                        int fixedColumns);

// Groups of indices into `files`: every file only needs files of earlier groups. Empty after an
// error.
std::vector<std::vector<size_t>> compilationOrder(const std::vector<ModuleFacts> &files,
                                                  Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_MODULE_GRAPH_H
