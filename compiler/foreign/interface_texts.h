// The interfaces of modules that have no source here, as Fortran that a person can read: of
// gfortran's files what is made of them for flang, of flang's what they hold.
#ifndef CUFC_FOREIGN_INTERFACE_TEXTS_H
#define CUFC_FOREIGN_INTERFACE_TEXTS_H

#include <map>
#include <string>
#include <vector>

namespace cufc::foreign {

struct InterfaceText {
  std::string file; // of the module
  std::string text;
};

// Of these modules and of all that they use, by name; none of what lies in the folders `without`,
// but those of OpenMP.
std::map<std::string, InterfaceText> interfaceTexts(const std::vector<std::string> &modules,
                                                    const std::vector<std::string> &folders,
                                                    const std::vector<std::string> &intrinsic,
                                                    const std::vector<std::string> &without);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_INTERFACE_TEXTS_H
