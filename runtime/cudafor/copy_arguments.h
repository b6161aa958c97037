// What copies of all forms read out of their arguments.
#ifndef CUFRT_CUDAFOR_COPY_ARGUMENTS_H
#define CUFRT_CUDAFOR_COPY_ARGUMENTS_H

#include "cudafor/arguments.h"

namespace cufrt::cudafor {

// Both sides in the same unit; false if their elements differ in size.
bool operandsOf(const CFI_cdesc_t *dst, const CFI_cdesc_t *src, Operand &to, Operand &from);

// The direction of an optional integer of any kind; `copyDefault` if absent.
Error directionOf(const CFI_cdesc_t *kdir, int &kind);

// A stream may stand in the place of `kdir`; its kind tells it from a direction.
void takeStreamForDirection(const CFI_cdesc_t *&kdir, const CFI_cdesc_t *&stream);

// Whether `rows` rows of `width` elements, `pitch` elements apart, lie inside `operand`.
bool reachesMatrix(const Operand &operand, size_t pitch, size_t width, size_t rows);

} // namespace cufrt::cudafor
#endif // CUFRT_CUDAFOR_COPY_ARGUMENTS_H
