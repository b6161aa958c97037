// What options change of the language and of the code that says it; by default it is Fortran 2018
// as flang has it.
#ifndef CUFC_SOURCE_LANGUAGE_OPTIONS_H
#define CUFC_SOURCE_LANGUAGE_OPTIONS_H

#include <string>
#include <utility>
#include <vector>

namespace cufc {

// Of local variables that the source gives no value; as -finit-real and its kin spell them, empty:
// none.
struct InitialValueOptions {
  std::string real;    // zero, inf, -inf, nan or snan
  std::string integer; // a number
  std::string logical; // true or false
  bool any() const { return !real.empty() || !integer.empty() || !logical.empty(); }
};

struct LanguageOptions {
  bool integer8 = false;       // default INTEGER and LOGICAL have kind 8
  bool implicitNone = false;   // as if every program unit said it
  bool saveLocals = false;     // local variables of host procedures keep their values
  bool standard = false;       // what is not in the standard is named
  bool debugLines = false;     // D in the first column of fixed form is a blank, not a comment
  bool reallocate = true;      // assignment allocates, as since Fortran 2003
  bool underscore = true;      // external names end in an underscore
  bool stackArrays = false;    // automatic arrays and temporaries are on the stack
  int fixedColumns = 72;       // of a line in fixed form
  std::string conversion = {}; // of unformatted files, as FORT_CONVERT has it
  std::string leftOut = {};    // mends of flang's defects that are not made (base/workarounds.h)
  InitialValueOptions initial = {};
};

// They travel with the macros of a source, as words that are no macros since they begin with a
// dash: so every request, cache and key that knows the one knows the other.
using MacroList = std::vector<std::pair<std::string, bool>>;

void addLanguage(const LanguageOptions &language, MacroList &macros);
LanguageOptions languageIn(const MacroList &macros);
inline bool isLanguageWord(const std::string &macro) { return !macro.empty() && macro[0] == '-'; }

} // namespace cufc
#endif // CUFC_SOURCE_LANGUAGE_OPTIONS_H
