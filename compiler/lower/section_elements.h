// Elements of array sections as elements of the arrays.
#ifndef CUFC_LOWER_SECTION_ELEMENTS_H
#define CUFC_LOWER_SECTION_ELEMENTS_H

#include <memory>

namespace mlir {
class Pass;
} // namespace mlir

namespace cufc {

enum class SectionKind {
  Any,
  UnknownStrides, // of arrays with columns whose length is known at run time alone
};

// When expressions and assignments have become loops, before HLFIR becomes FIR.
std::unique_ptr<mlir::Pass> createSectionElements(SectionKind kind);

} // namespace cufc
#endif // CUFC_LOWER_SECTION_ELEMENTS_H
