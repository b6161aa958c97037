// Values of the integer expressions in headers of MPI: numbers, names, + - * / and parentheses,
// SELECTED_INT_KIND.
#ifndef CUFC_MPI_EXPRESSION_H
#define CUFC_MPI_EXPRESSION_H

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cufc {

using NamedValue = std::function<std::optional<long long>(const std::string &)>;

// Nothing if it is something else, or a name has no value.
std::optional<long long> integerValue(std::string_view text, const NamedValue &named);

} // namespace cufc
#endif // CUFC_MPI_EXPRESSION_H
