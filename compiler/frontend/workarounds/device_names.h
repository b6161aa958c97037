// Names of device code that a program declares itself. Private to frontend/.
#ifndef CUFC_FRONTEND_DEVICE_NAMES_H
#define CUFC_FRONTEND_DEVICE_NAMES_H

#include "frontend/flang_program.h"
#include <set>
#include <string>
#include <vector>

namespace cufc {

// flang makes all of module cudadevice visible in each device procedure, hundreds of names, which
// takes longer than all else of its analysis, and refuses a variable or dummy argument there that
// has one of them, such as `clock` and `rsqrt`. For a program they are names of the language, which
// a declaration of its own hides.
//
// While one of these lives, the procedures of cudadevice that the file does not mention are not in
// the module's scope; those that device procedures of the file declare are taken out for good,
// unless another one uses the name without having declared it. A file that uses cudadevice itself
// passes its names on, so there all of them stay, as where FlangProgram::everyDeviceName is set.
class HiddenDeviceNames {
public:
  HiddenDeviceNames(FlangProgram &program, Fortran::parser::Program &tree);
  HiddenDeviceNames(const HiddenDeviceNames &) = delete;
  HiddenDeviceNames &operator=(const HiddenDeviceNames &) = delete;

  // Puts them back, after the semantic analysis. False if a module that the file uses needed one,
  // so that the analysis is worth nothing.
  bool restore();

private:
  void hideDeclared(const std::set<std::string> &names);
  void hideUnmentioned(const std::set<Fortran::parser::CharBlock> &mentioned, bool usesModule);
  bool areMissed() const;

  FlangProgram &program;
  std::vector<Fortran::semantics::Symbol *> hidden;
};

} // namespace cufc
#endif // CUFC_FRONTEND_DEVICE_NAMES_H
