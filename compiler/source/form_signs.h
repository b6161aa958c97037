// What the lines of a text say of its form, whatever its name says.
#ifndef CUFC_SOURCE_FORM_SIGNS_H
#define CUFC_SOURCE_FORM_SIGNS_H

#include <string_view>

namespace cufc {

struct FormSigns {
  int fixedOnly = 0;                 // comments with C or *, marks of continuation in column 6
  int freeOnly = 0;                  // statements that begin before column 7
  int firstFixed = 0, firstFree = 0; // lines, from 1

  // Nothing speaks for the other form.
  bool isFixed() const { return fixedOnly > 0 && freeOnly == 0; }
  bool isFree() const { return freeOnly > 2 && fixedOnly == 0; }
};

FormSigns formSigns(std::string_view text);

} // namespace cufc
#endif // CUFC_SOURCE_FORM_SIGNS_H
