// Sizes of variables in memory. Private to checks/.
#ifndef CUFC_CHECKS_SIZES_H
#define CUFC_CHECKS_SIZES_H

#include "checks/check.h"

namespace cufc {

// Bytes of a variable as flang's semantics has laid it out; 0 where that depends on the run.
inline size_t bytesOf(const Fortran::semantics::Symbol &symbol) { return symbol.size(); }

inline size_t alignedTo(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// Bytes of the shared variables of known size that a kernel and what it calls have; defined in
// shared_memory.cpp.
size_t staticSharedBytes(const CheckContext &context, const Procedure &kernel);

} // namespace cufc
#endif // CUFC_CHECKS_SIZES_H
