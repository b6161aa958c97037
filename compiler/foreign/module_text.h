// A gfortran module as the text of a module file of flang.
#ifndef CUFC_FOREIGN_MODULE_TEXT_H
#define CUFC_FOREIGN_MODULE_TEXT_H

#include "foreign/calls.h"
#include "foreign/names.h"

namespace cufc::foreign {

// The text without flang's header. Adds the module's procedures and variables to `calls`, and what
// of it cannot be used to `restrictions`; such names are declared all the same.
std::string moduleText(const Module &module, const FindModule &find, Calls &calls,
                       Restrictions &restrictions);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_MODULE_TEXT_H
