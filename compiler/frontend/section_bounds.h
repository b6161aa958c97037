// Sections of device arrays with one bound left out, in expressions of the host. Private to
// frontend/ but for the marks, which lower/section_bounds.cpp replaces.
#ifndef CUFC_FRONTEND_SECTION_BOUNDS_H
#define CUFC_FRONTEND_SECTION_BOUNDS_H

#include <cstdint>

namespace cufc {

struct FlangProgram;

// A bound that only the program knows is written as (x + mark), which no program contains.
constexpr std::int64_t lowerBoundMark = -0x3c5f'1a27'6e04'd0b1;
constexpr std::int64_t upperBoundMark = -0x3c5f'1a27'6e04'd0b3;

// Fills in the bounds in the assignments of the analysed program. flang copies the variable to a
// temporary whose bounds begin at 1, and takes what is left out from there.
void completeSections(FlangProgram &program);

} // namespace cufc
#endif // CUFC_FRONTEND_SECTION_BOUNDS_H
