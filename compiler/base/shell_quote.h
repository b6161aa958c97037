// Texts as words of a POSIX shell.
#ifndef CUFC_BASE_SHELL_QUOTE_H
#define CUFC_BASE_SHELL_QUOTE_H

#include <string>

namespace cufc {

// 'a b' for a POSIX shell.
std::string quotedForShell(const std::string &text);

} // namespace cufc
#endif // CUFC_BASE_SHELL_QUOTE_H
