// What the files of the 64-bit interface share: types are arguments, sizes 64 bits wide. LAPACK's
// are 32, which larger matrices than memory holds would need.
#ifndef CUFRT_LIBRARIES_CUSOLVER_WIDE_H
#define CUFRT_LIBRARIES_CUSOLVER_WIDE_H

#include "libraries/cusolver/cusolver.h"
#include "libraries/numbers.h"

#include <climits>

namespace cufrt::libraries::cusolver {

template <typename... Sizes>
bool areSizes(Sizes... sizes) {
  return ((sizes >= 0 && sizes <= INT_MAX) && ...);
}

template <typename T>
using ElementOf = std::remove_pointer_t<T>;

inline bool isRealOf(int real, int type) {
  return real == (type == real32 || type == complexFloat ? real32 : real64);
}

// Runs `body` with a typed matrix.
template <typename Body>
Status runTyped(void *handle, bool isRight, int type, void *a, const Body &body) {
  if (!isNumber(type))
    return contexts().find(handle) ? notSupported : notInitialized;
  return run(handle, isRight,
             [=] { withNumber(type, [&](auto *null) { body(static_cast<decltype(null)>(a)); }); });
}

inline Status sizes(void *handle, bool isRight, size_t *device, size_t *host) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!isRight || !device || !host)
    return invalidValue;
  *device = sizeof(ComplexDouble);
  *host = 0;
  return ok;
}

} // namespace cufrt::libraries::cusolver
#endif // CUFRT_LIBRARIES_CUSOLVER_WIDE_H
