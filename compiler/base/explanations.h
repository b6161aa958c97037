// The pages of tables/explanations/ as part of the program.
#ifndef CUFC_BASE_EXPLANATIONS_H
#define CUFC_BASE_EXPLANATIONS_H

#include <string_view>

namespace cufc {

// The page of a code, in Markdown, without a heading; empty if there is none.
std::string_view explanationOf(std::string_view code);

} // namespace cufc
#endif // CUFC_BASE_EXPLANATIONS_H
