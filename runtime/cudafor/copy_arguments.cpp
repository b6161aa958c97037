// See copy_arguments.h.
#include "cudafor/copy_arguments.h"

namespace cufrt::cudafor {
namespace {

bool isComplexOf(CFI_type_t complex, CFI_type_t real) {
  return (complex == CFI_type_float_Complex && real == CFI_type_float) ||
         (complex == CFI_type_double_Complex && real == CFI_type_double);
}

// A complex array beside a real one of its kind counts in real numbers.
void takeParts(Operand &operand, const CFI_cdesc_t *array, const CFI_cdesc_t *other) {
  if (!isComplexOf(array->type, other->type))
    return;
  operand.elementBytes /= 2;
  if (operand.elements != SIZE_MAX)
    operand.elements *= 2;
}

} // namespace

bool operandsOf(const CFI_cdesc_t *dst, const CFI_cdesc_t *src, Operand &to, Operand &from) {
  if (!operandOf(dst, to) || !operandOf(src, from))
    return false;
  if (to.isAddress || from.isAddress) {
    to = inBytes(to);
    from = inBytes(from);
  }
  takeParts(to, dst, src);
  takeParts(from, src, dst);
  return to.elementBytes == from.elementBytes;
}

Error directionOf(const CFI_cdesc_t *kdir, int &kind) {
  int64_t value = copyDefault;
  if (kdir && !integerValue(kdir, value))
    return errorInvalidValue;
  kind = static_cast<int>(value);
  return value >= hostToHost && value <= copyDefault ? success : errorInvalidMemcpyDirection;
}

void takeStreamForDirection(const CFI_cdesc_t *&kdir, const CFI_cdesc_t *&stream) {
  if (kdir && !stream && kdir->elem_len == sizeof(void *)) {
    stream = kdir;
    kdir = nullptr;
  }
}

bool reachesMatrix(const Operand &operand, size_t pitch, size_t width, size_t rows) {
  if (width == 0 || rows == 0)
    return true;
  size_t before, elements;
  return multiply(pitch, rows - 1, before) && !__builtin_add_overflow(before, width, &elements) &&
         reaches(operand, elements);
}

} // namespace cufrt::cudafor
