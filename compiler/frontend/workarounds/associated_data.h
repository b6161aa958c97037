// Actual arguments that flang refuses and that are good. It knows the memory of data by the last
// name alone: that of a component without an attribute is lost, which lies where its object does.
// It follows the name that an ASSOCIATE construct gives to device data to a whole variable only.
#ifndef CUFC_FRONTEND_ASSOCIATED_DATA_H
#define CUFC_FRONTEND_ASSOCIATED_DATA_H

#include "flang/Semantics/expression.h"
#include "flang/Support/Fortran.h"
#include <map>
#include <optional>
#include <set>

namespace cufc {

struct FlangProgram;

// The memory of data that flang takes for host data: of a component of a device object, or of what
// an associate name stands for. Nothing where flang is right, and for what is no variable.
std::optional<Fortran::common::CUDADataAttr>
inheritedMemory(const Fortran::semantics::SomeExpr &actual);

// The actual arguments that are device, managed or pinned data, under such a name or their own, by
// the place where they begin.
std::map<size_t, Fortran::common::CUDADataAttr> argumentsInMemory(const FlangProgram &program);

// The actual arguments of CALL statements whose dummy is a choice buffer, TYPE(*) of assumed size
// or of any rank (IGNORE_TKR), by the place where they begin. An element of an assumed-shape or
// pointer array is where such a buffer begins (F2023, 15.5.2.5 p14).
std::set<size_t> choiceBuffers(const FlangProgram &program);

// Whether flang's message about an actual argument without the attributes that its dummy has is
// wrong, since the argument lies in `memory`.
bool fitsDummy(std::string_view message, Fortran::common::CUDADataAttr memory);

} // namespace cufc
#endif // CUFC_FRONTEND_ASSOCIATED_DATA_H
