// -g on its way to lowering: among the macros of a source, as source/language_options.h says.
#ifndef CUFC_LOWER_DEBUGGER_WORD_H
#define CUFC_LOWER_DEBUGGER_WORD_H

namespace cufc {

inline constexpr const char *debuggerWord = "-g";

} // namespace cufc
#endif // CUFC_LOWER_DEBUGGER_WORD_H
