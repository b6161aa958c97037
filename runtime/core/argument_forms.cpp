// What is passed for an assumed-shape dummy argument of an interface, where the procedure may have
// declared the dummy otherwise (compiler/lower/argument_forms.cpp).
#include "core/descriptor.h"
#include "cufrt/device.h"

namespace {

// flang's CFI_is_contiguous is in its own runtime library, which programs may do without.
bool isContiguous(const CFI_cdesc_t &array) {
  CFI_index_t expected = static_cast<CFI_index_t>(array.elem_len);
  bool contiguous = true;
  for (int i = 0; i < array.rank; ++i) {
    const CFI_dim_t &dimension = array.dim[i];
    if (dimension.extent == 0)
      return true;
    contiguous = contiguous && (dimension.extent == 1 || dimension.sm == expected);
    expected *= dimension.extent;
  }
  return contiguous;
}

} // namespace

// `forms`: the number of arguments, for each 1 if it is an address, and the procedure's name. Null
// if no procedure of the program has such a table.
extern "C" CFI_cdesc_t *cufrt_argument(CFI_cdesc_t *array, const unsigned char *forms,
                                       int32_t number) {
  if (!array || !forms || number >= forms[0] || !forms[1 + number])
    return array;
  if (!isContiguous(*array))
    cufrt::fatal(nullptr, 0,
                 "argument %d of %s is an array with gaps: the procedure takes an array without a "
                 "descriptor, its interface says assumed shape",
                 number + 1, reinterpret_cast<const char *>(forms + 1 + forms[0]));
  return static_cast<CFI_cdesc_t *>(array->base_addr);
}
