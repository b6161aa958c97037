// See copy_arguments.h.
#include "cudafor/copy_arguments.h"

namespace cufrt::cudafor {
namespace {

// An array whose elements are made of smaller ones, such as a complex one beside a real one, counts
// in those.
void takeSmallerElements(Operand &operand, size_t bytes) {
  if (bytes == 0 || operand.elementBytes <= bytes || operand.elementBytes % bytes != 0)
    return;
  size_t elements;
  if (multiply(operand.elements, operand.elementBytes / bytes, elements))
    operand = {operand.address, bytes, elements, operand.isAddress};
}

} // namespace

bool operandsOf(const CFI_cdesc_t *dst, const CFI_cdesc_t *src, Operand &to, Operand &from) {
  if (!operandOf(dst, to) || !operandOf(src, from))
    return false;
  if (to.isAddress || from.isAddress) {
    to = inBytes(to);
    from = inBytes(from);
  }
  takeSmallerElements(to, from.elementBytes);
  takeSmallerElements(from, to.elementBytes);
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
