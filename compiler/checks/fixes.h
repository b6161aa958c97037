// Edits that mend mistakes, from places in flang's text. Private to checks/.
#ifndef CUFC_CHECKS_FIXES_H
#define CUFC_CHECKS_FIXES_H

#include "checks/check.h"
#include <optional>

namespace cufc {

// The statement around a place, as flang read it: from its label or first word to its end.
Fortran::parser::CharBlock statementAround(const CheckContext &context,
                                           Fortran::parser::CharBlock place);

TextEdit insertBefore(const CheckContext &context, Fortran::parser::CharBlock place,
                      std::string text);
TextEdit insertAfter(const CheckContext &context, Fortran::parser::CharBlock place,
                     std::string text);
TextEdit replace(const CheckContext &context, Fortran::parser::CharBlock place, std::string text);

// Whether the file that is checked declares the symbol itself.
bool isOfThisFile(const CheckContext &context, const Fortran::semantics::Symbol &symbol);

// Gives a procedure of a module of this file attributes(host, device).
std::optional<Fix> makeHostDevice(const CheckContext &context,
                                  const Fortran::semantics::Symbol &procedure);

// Gives a variable an attribute ("device", "value"), in its declaration or by a statement of its
// own where the declaration is about others too.
std::optional<Fix> addAttribute(const CheckContext &context,
                                const Fortran::semantics::Symbol &variable,
                                const std::string &attribute);

// Takes an attribute ("save") out of a variable's declaration.
std::optional<Fix> removeAttribute(const CheckContext &context,
                                   const Fortran::semantics::Symbol &variable,
                                   const std::string &attribute);

// "insert <<<1, 1>>>", "remove ...": a title and one edit.
Fix fixOf(std::string title, TextEdit edit);

} // namespace cufc
#endif // CUFC_CHECKS_FIXES_H
