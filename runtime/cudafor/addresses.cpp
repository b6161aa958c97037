// Device addresses in Fortran expressions, and the builders of descriptions of blocks.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

namespace {

size_t sizeOrZero(const CFI_cdesc_t *argument) {
  size_t value;
  return cufrt::cudafor::sizeValue(argument, value) ? value : 0;
}

} // namespace

extern "C" {

int cufrt_f_devptrEqual(void **a, void **b) { return *a == *b; }

int cufrt_f_devptrUnequal(void **a, void **b) { return *a != *b; }

int cufrt_f_devptrAssociated(void **c_ptr_1, void **c_ptr_2) {
  return *c_ptr_1 && (!c_ptr_2 || *c_ptr_1 == *c_ptr_2);
}

void cufrt_f_devptrAssign(void **devptr, void **address) { *devptr = *address; }

cufrt::Extent cufrt_f_make_cudaExtent(const CFI_cdesc_t *w, const CFI_cdesc_t *h,
                                      const CFI_cdesc_t *d) {
  return {sizeOrZero(w), sizeOrZero(h), sizeOrZero(d)};
}

cufrt::Position cufrt_f_make_cudaPos(const CFI_cdesc_t *x, const CFI_cdesc_t *y,
                                     const CFI_cdesc_t *z) {
  return {sizeOrZero(x), sizeOrZero(y), sizeOrZero(z)};
}

cufrt::PitchedPointer cufrt_f_make_cudaPitchedPtr(const CFI_cdesc_t *d, const CFI_cdesc_t *p,
                                                  const CFI_cdesc_t *xsz, const CFI_cdesc_t *ysz) {
  cufrt::cudafor::Operand operand{};
  cufrt::cudafor::operandOf(d, operand);
  return {operand.address, sizeOrZero(p), sizeOrZero(xsz), sizeOrZero(ysz)};
}

cufrt::ChannelFormat cufrt_f_cudaCreateChannelDesc(int x, int y, int z, int w, int f) {
  return {x, y, z, w, f};
}
}
