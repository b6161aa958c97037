// What symbols are, in Fortran's spelling, for people to read. Private to frontend/.
#ifndef CUFC_FRONTEND_SYMBOL_TEXT_H
#define CUFC_FRONTEND_SYMBOL_TEXT_H

#include "analysis/analysis.h"
#include "flang/Semantics/symbol.h"

namespace cufc {

// Without what flang puts before the names of its own modules: dim3 for __builtin_dim3.
std::string publicName(std::string name);

// "real(8)", "character(len=*)", "type(point)"; empty if there is no type.
std::string typeText(const Fortran::semantics::Symbol &symbol);

// "(:,:)", "(n,0:m)"; empty for scalars.
std::string shapeText(const Fortran::semantics::Symbol &symbol);

// Of a constant, or the initial value of another; empty if there is none or if it is long.
std::string valueText(const Fortran::semantics::Symbol &symbol);

std::vector<std::string> attributeTexts(const Fortran::semantics::Symbol &symbol);

// Bits of data_attribute and procedure_attribute.
std::uint16_t dataAttributesOf(const Fortran::semantics::Symbol &symbol);
std::uint8_t procedureAttributesOf(const Fortran::semantics::Symbol &symbol);

} // namespace cufc
#endif // CUFC_FRONTEND_SYMBOL_TEXT_H
