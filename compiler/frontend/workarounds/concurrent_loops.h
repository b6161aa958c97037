// DO CONCURRENT as the loop of a CUF kernel. Private to frontend/.
#ifndef CUFC_FRONTEND_CONCURRENT_LOOPS_H
#define CUFC_FRONTEND_CONCURRENT_LOOPS_H

#include "base/diagnostics.h"
#include "flang/Parser/parse-tree.h"
#include "frontend/flang_program.h"

namespace cufc {

// Before the analysis: the loop of the directive at `directive`, which is part of it or follows it
// in `block`, becomes ordinary loops if it is a DO CONCURRENT that they can stand for. What follows
// them in `block`, or the directive if there is no such loop.
Fortran::parser::Block::iterator spreadConcurrentLoop(Fortran::parser::Block &block,
                                                      Fortran::parser::Block::iterator directive,
                                                      const FlangProgram &program,
                                                      Diagnostics &diagnostics);

// The number in do(2), if it is a literal; otherwise 0.
std::size_t depthOf(const Fortran::parser::CUFKernelDoConstruct::Directive &directive);

} // namespace cufc
#endif // CUFC_FRONTEND_CONCURRENT_LOOPS_H
