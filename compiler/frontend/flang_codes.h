// Codes of ours for flang's messages, from tables/flang_messages.def, and fewer of them: several
// messages that have one cause become one. Text alone, no flang. Private to frontend/.
#ifndef CUFC_FRONTEND_FLANG_CODES_H
#define CUFC_FRONTEND_FLANG_CODES_H

#include "base/diagnostics.h"
#include "base/flang_phrases.h"
#include <vector>

namespace cufc {

// What flang says of a warning beside its text.
struct FlangWarning {
  std::string category;   // the name of its LanguageFeature or UsageWarning, empty if it has none
  bool extension = false; // it is a LanguageFeature
};

// Gives a message of flang its code, and another text where the table has one; its related messages
// too. One that has a code already is left alone.
void giveCode(Diagnostic &diagnostic, const FlangWarning &warning);

// Of diagnostics in the order of their places: errors at one place become one, whose related
// messages the others are; what only follows from an error inside of it goes.
void mergeErrors(std::vector<Diagnostic> &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_FLANG_CODES_H
