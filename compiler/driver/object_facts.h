// What objects ask of the program that they are linked into.
#ifndef CUFC_DRIVER_OBJECT_FACTS_H
#define CUFC_DRIVER_OBJECT_FACTS_H

#include <string>
#include <vector>

namespace cufc {

struct ObjectFacts {
  // An internal procedure is passed as an argument: its code for that lies on the stack. LLVM marks
  // all other objects as having no need of it, and lld takes no notice of a missing mark.
  bool executableStack = false;
  // It calls what gfortran compiled.
  bool gfortran = false;
  // It calls OpenMP's library, by directives or by name.
  bool openmp = false;
  // It calls a CUDA library through one of our modules, which open the library while the program
  // runs.
  bool cudaLibraries = false;
};

// Of all objects and archives together; other files are passed over.
ObjectFacts readObjectFacts(const std::vector<std::string> &files);

} // namespace cufc
#endif // CUFC_DRIVER_OBJECT_FACTS_H
