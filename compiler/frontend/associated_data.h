// Device data under the name that an ASSOCIATE construct gives it. flang follows such a name to a
// whole variable only; the memory of a component, an element or a section gets lost.
#ifndef CUFC_FRONTEND_ASSOCIATED_DATA_H
#define CUFC_FRONTEND_ASSOCIATED_DATA_H

#include "flang/Semantics/expression.h"
#include "flang/Support/Fortran.h"
#include <map>
#include <optional>

namespace cufc {

struct FlangProgram;

// The memory of what the associate name stands for that `actual`, a whole name or a part of it,
// begins with; nothing for other expressions, and where that is host data.
std::optional<Fortran::common::CUDADataAttr>
associatedMemory(const Fortran::semantics::SomeExpr &actual);

// The actual arguments that are device, managed or pinned data, under such a name or their own, by
// the place where they begin.
std::map<size_t, Fortran::common::CUDADataAttr> argumentsInMemory(const FlangProgram &program);

// Whether flang's message about an actual argument without the attributes that its dummy has is
// wrong, since the argument lies in `memory`.
bool fitsDummy(std::string_view message, Fortran::common::CUDADataAttr memory);

} // namespace cufc
#endif // CUFC_FRONTEND_ASSOCIATED_DATA_H
