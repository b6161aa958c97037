// Symbols in words: their declarations as Fortran would have them.
#ifndef CUFLS_IDE_DECLARATION_H
#define CUFLS_IDE_DECLARATION_H

#include "analysis/analysis.h"

namespace cufc {

// "real(8), device, intent(in) :: a(n)", "attributes(global) subroutine scale(a, n)" with the
// declarations of the dummies in lines below it if `withDummies`.
std::string declarationOf(const Analysis &analysis, const SymbolInfo &symbol,
                          bool withDummies = false);

// "scale(a, n)": a procedure with the names of its dummies.
std::string headOf(const Analysis &analysis, const SymbolInfo &procedure);

// "in module kernels", "in subroutine scale of module kernels"; empty for what is global.
std::string ownerOf(const Analysis &analysis, const SymbolInfo &symbol);

// "device memory", "shared memory of a block", ...; empty for ordinary host data.
std::string memoryOf(const SymbolInfo &symbol);

bool isProcedure(const SymbolInfo &symbol);
bool isKernel(const SymbolInfo &symbol);

} // namespace cufc
#endif // CUFLS_IDE_DECLARATION_H
