// flang's messages as diagnostics of ours. Private to frontend/ and checks/.
#ifndef CUFC_FRONTEND_MESSAGES_H
#define CUFC_FRONTEND_MESSAGES_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"
#include "source/mistakes/mistakes.h"

namespace cufc {

// The name of a file as the user wrote it: flang puts "./" before the source's.
const std::string &userPath(const FlangProgram &program, const std::string &path);

// The place in the source of a part of flang's text.
SourceRange rangeOf(const FlangProgram &program, Fortran::parser::CharBlock text);

// What mistakes are known by the text of the source.
Mistakes mistakesIn(const FlangProgram &program);

// One of flang's messages in flang's words, without a code.
Diagnostic diagnosticOf(const Fortran::parser::Message &message, const FlangProgram &program);

// Adds every message in the order of the source, without repetitions; warnings only if wanted.
// Those that the checks may replace are kept in `program` for them.
void collectMessages(Fortran::parser::Messages &messages, FlangProgram &program, bool warnings,
                     Diagnostics &diagnostics);

// Every error, with its place and flang's words.
std::vector<Diagnostic> errorsIn(Fortran::parser::Messages &messages, FlangProgram &program);

// Like collectMessages, after a parse that failed, where the attachments of messages are the
// constructs around the place of the error.
void collectSyntaxErrors(Fortran::parser::Messages &messages, FlangProgram &program, bool warnings,
                         Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_FRONTEND_MESSAGES_H
