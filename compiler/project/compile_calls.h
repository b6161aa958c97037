// Calls of Fortran compilers, whichever they are, as sources of a project with the options that
// cufc knows too. Compilation databases, makefiles and CMake give them. Only compiler/project
// includes this.
#ifndef CUFC_PROJECT_COMPILE_CALLS_H
#define CUFC_PROJECT_COMPILE_CALLS_H

#include "project/project.h"
#include <set>

namespace cufc {

// The words of a command as a shell would see them, without expansions.
std::vector<std::string> splitCommand(std::string_view text);

// Whether a program is a Fortran compiler by its name: nvfortran, gfortran-12, mpif90, ftn.
bool isFortranCompiler(const std::string &word);

class CompileCalls {
public:
  // Sources go to `project`, and at the end notes of what was left out.
  explicit CompileCalls(Project &project) : project(project) {}

  // A compilation of `file`, an absolute path, or of all sources among the words. The first one of
  // a source counts.
  void add(const std::string &directory, std::vector<std::string> words,
           const std::string &file = {});
  // Any command: nothing happens unless it compiles Fortran.
  void addCommand(const std::string &directory, std::vector<std::string> words);
  void finish();

private:
  void addSource(const std::string &directory, const std::vector<std::string> &words,
                 const std::string &path);

  Project &project;
  std::set<std::string> unknown; // options
};

} // namespace cufc
#endif // CUFC_PROJECT_COMPILE_CALLS_H
