// PACK and SPREAD of arrays of intrinsic types in place of flang's functions, which find the place
// of each element anew. What is not handled here is flang's. Results are allocated as flang does
// it: with malloc, for the generated code frees them.
#include "core/array_copies.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" void _FortranAPack(CFI_cdesc_t &result, const CFI_cdesc_t &source,
                              const CFI_cdesc_t &mask, const CFI_cdesc_t *vector, const char *file,
                              int line);
extern "C" void _FortranASpread(CFI_cdesc_t &result, const CFI_cdesc_t &source, int dim,
                                int64_t copies, const char *file, int line);

namespace {

using namespace cufrt;

// One dimension over all elements: those of a vector, or of an array without gaps.
struct Elements {
  explicit Elements(const CFI_cdesc_t &array)
      : first(static_cast<const char *>(array.base_addr)),
        stride(array.rank == 1 ? array.dim[0].sm : static_cast<CFI_index_t>(array.elem_len)),
        good(array.rank == 1 || isDense(array)) {}

  const char *first;
  CFI_index_t stride;
  bool good;
};

void establish(CFI_cdesc_t &result, void *memory, const CFI_cdesc_t &like, int rank) {
  result.base_addr = memory;
  result.elem_len = like.elem_len;
  result.version = CFI_VERSION;
  result.rank = static_cast<CFI_rank_t>(rank);
  result.type = like.type;
  result.attribute = CFI_attribute_allocatable;
  result.extra = 0;
}

void setDimension(CFI_cdesc_t &result, int dimension, CFI_index_t extent, CFI_index_t stride) {
  result.dim[dimension].lower_bound = 1;
  result.dim[dimension].extent = extent;
  result.dim[dimension].sm = stride;
}

template <typename Logical>
Logical valueAt(const Elements &mask, CFI_index_t i) {
  Logical value;
  std::memcpy(&value, mask.first + i * mask.stride, sizeof value);
  return value;
}

template <typename Logical>
CFI_index_t countTrue(const Elements &mask, CFI_index_t elements) {
  CFI_index_t count = 0;
  if (mask.stride == sizeof(Logical)) {
    auto *values = reinterpret_cast<const Logical *>(mask.first);
    for (CFI_index_t i = 0; i < elements; ++i)
      count += values[i] != 0;
  } else {
    for (CFI_index_t i = 0; i < elements; ++i)
      count += valueAt<Logical>(mask, i) != 0;
  }
  return count;
}

// Each element is written, at the place of the next one that is wanted; the last goes behind the
// end.
template <size_t bytes, typename Logical>
void select(char *to, const Elements &source, const Elements &mask, CFI_index_t elements) {
  for (CFI_index_t i = 0; i < elements; ++i) {
    std::memcpy(to, source.first + i * source.stride, bytes);
    to += valueAt<Logical>(mask, i) != 0 ? bytes : 0;
  }
}

template <typename Logical>
bool pack(CFI_cdesc_t &result, const CFI_cdesc_t &source, const CFI_cdesc_t &mask) {
  Elements values(source), wanted(mask);
  auto elements = static_cast<CFI_index_t>(elementsOf(source));
  size_t bytes = source.elem_len;
  auto *run = bytes == 1    ? select<1, Logical>
              : bytes == 2  ? select<2, Logical>
              : bytes == 4  ? select<4, Logical>
              : bytes == 8  ? select<8, Logical>
              : bytes == 16 ? select<16, Logical>
                            : nullptr;
  if (!values.good || !wanted.good || !run)
    return false;
  CFI_index_t count = countTrue<Logical>(wanted, elements);
  auto *memory = static_cast<char *>(std::malloc((count + 1) * bytes));
  if (!memory)
    return false;
  run(memory, values, wanted, elements);
  establish(result, memory, source, 1);
  setDimension(result, 0, count, static_cast<CFI_index_t>(bytes));
  return true;
}

bool pack(CFI_cdesc_t &result, const CFI_cdesc_t &source, const CFI_cdesc_t &mask,
          const CFI_cdesc_t *vector) {
  if (vector || source.rank == 0 || !isPlainArray(source) || !isPlainArray(mask) ||
      !haveSameShape(source, mask))
    return false;
  switch (mask.elem_len) {
  case 1:
    return pack<uint8_t>(result, source, mask);
  case 2:
    return pack<uint16_t>(result, source, mask);
  case 4:
    return pack<uint32_t>(result, source, mask);
  case 8:
    return pack<uint64_t>(result, source, mask);
  default:
    return false;
  }
}

// `blocks` blocks of `bytes` bytes, each `copies` times.
void repeat(char *to, const char *from, size_t bytes, int64_t copies, size_t blocks) {
  for (size_t block = 0; block < blocks; ++block, from += bytes)
    for (int64_t copy = 0; copy < copies; ++copy, to += bytes)
      std::memcpy(to, from, bytes);
}

bool spread(CFI_cdesc_t &result, const CFI_cdesc_t &source, int dim, int64_t copies) {
  size_t elements = elementsOf(source), bytes = source.elem_len;
  if (!isPlainArray(source) || source.rank == CFI_MAX_RANK || dim < 1 || dim > source.rank + 1 ||
      copies <= 0 || elements == 0 || bytes == 0)
    return false;
  bool dense = isDense(source);
  auto *memory = static_cast<char *>(std::malloc(elements * copies * bytes));
  auto *gathered = dense ? nullptr : static_cast<char *>(std::malloc(elements * bytes));
  if (!memory || (!dense && !gathered)) {
    std::free(memory);
    std::free(gathered);
    return false;
  }
  size_t before = 1;
  for (int i = 0; i < dim - 1; ++i)
    before *= source.dim[i].extent;
  const char *from = static_cast<const char *>(source.base_addr);
  if (gathered) {
    gather(gathered, source);
    from = gathered;
  }
  if (before == 1 && bytes == 8)
    repeat(memory, from, 8, copies, elements);
  else
    repeat(memory, from, before * bytes, copies, elements / before);
  std::free(gathered);
  establish(result, memory, source, source.rank + 1);
  auto stride = static_cast<CFI_index_t>(bytes);
  for (int i = 0; i <= source.rank; ++i) {
    CFI_index_t extent = i + 1 == dim ? copies : source.dim[i < dim ? i : i - 1].extent;
    setDimension(result, i, extent, stride);
    stride *= extent;
  }
  return true;
}

} // namespace

extern "C" void cufrt_pack(CFI_cdesc_t &result, const CFI_cdesc_t &source, const CFI_cdesc_t &mask,
                           const CFI_cdesc_t *vector, const char *file, int line) {
  if (!pack(result, source, mask, vector))
    _FortranAPack(result, source, mask, vector, file, line);
}

extern "C" void cufrt_spread(CFI_cdesc_t &result, const CFI_cdesc_t &source, int dim,
                             int64_t copies, const char *file, int line) {
  if (!spread(result, source, dim, copies))
    _FortranASpread(result, source, dim, copies, file, line);
}
