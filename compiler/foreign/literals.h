// Constants of a module file as Fortran text. Reals are hexadecimal there: '0.8@1' is 8.
#ifndef CUFC_FOREIGN_LITERALS_H
#define CUFC_FOREIGN_LITERALS_H

#include <optional>
#include <string>
#include <string_view>

namespace cufc::foreign {

// Each is nothing for kinds that flang lacks here, or for damage.
std::optional<std::string> integerLiteral(std::string_view digits, int kind);
std::optional<std::string> realLiteral(std::string_view hexadecimal, int kind);
// `text` as the file has it, with escapes like \U0000000a.
std::optional<std::string> characterLiteral(std::string_view text, int kind);

bool hasRealKind(int kind);
bool hasIntegerKind(int kind);
bool hasLogicalKind(int kind);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_LITERALS_H
