// Expressions of a module file as Fortran text, and the values of constant ones.
#ifndef CUFC_FOREIGN_EXPRESSION_TEXT_H
#define CUFC_FOREIGN_EXPRESSION_TEXT_H

#include "foreign/model.h"
#include <functional>
#include <optional>

namespace cufc::foreign {

// The name of a symbol where the text will stand; empty if it has none there.
using NameOf = std::function<std::string(const Symbol &)>;

// What the text calls the null pointers of ISO_C_BINDING.
inline constexpr const char *nullPointer = "cufc_null_ptr";
inline constexpr const char *nullProcedurePointer = "cufc_null_funptr";

// Nothing if flang has no such expression: kinds that it lacks, or names that are not to be had.
std::optional<std::string> expressionText(const Module &module, Expression expression,
                                          const NameOf &nameOf);

// The value of an integer expression of constants.
std::optional<long long> constantValue(const Module &module, Expression expression);

} // namespace cufc::foreign
#endif // CUFC_FOREIGN_EXPRESSION_TEXT_H
