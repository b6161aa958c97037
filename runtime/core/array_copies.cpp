// See array_copies.h.
#include "core/array_copies.h"
#include <cstdint>
#include <cstring>

namespace cufrt {
namespace {

template <size_t size>
void copyEach(char *__restrict to, CFI_index_t toStride, const char *__restrict from,
              CFI_index_t fromStride, CFI_index_t count) {
  for (CFI_index_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride, from + i * fromStride, size);
}

} // namespace

void copyElements(char *to, CFI_index_t toStride, const char *from, CFI_index_t fromStride,
                  CFI_index_t count, size_t bytes) {
  auto size = static_cast<CFI_index_t>(bytes);
  if (toStride == size && fromStride == size)
    std::memcpy(to, from, count * bytes);
  else if (bytes == 8 && toStride == 8 && fromStride == -8)
    copyEach<8>(to, 8, from, -8, count);
  else if (bytes == 4 && toStride == 4 && fromStride == -4)
    copyEach<4>(to, 4, from, -4, count);
  else if (bytes == 1)
    copyEach<1>(to, toStride, from, fromStride, count);
  else if (bytes == 2)
    copyEach<2>(to, toStride, from, fromStride, count);
  else if (bytes == 4)
    copyEach<4>(to, toStride, from, fromStride, count);
  else if (bytes == 8)
    copyEach<8>(to, toStride, from, fromStride, count);
  else if (bytes == 16)
    copyEach<16>(to, toStride, from, fromStride, count);
  else
    for (CFI_index_t i = 0; i < count; ++i)
      std::memcpy(to + i * toStride, from + i * fromStride, bytes);
}

void gather(char *to, const CFI_cdesc_t &from) {
  if (elementsOf(from) == 0)
    return;
  size_t bytes = from.elem_len;
  forEachColumn(from, [&](char *column, CFI_index_t stride, CFI_index_t rows) {
    copyElements(to, static_cast<CFI_index_t>(bytes), column, stride, rows, bytes);
    to += rows * bytes;
  });
}

void scatter(const CFI_cdesc_t &to, const char *from) {
  if (elementsOf(to) == 0)
    return;
  size_t bytes = to.elem_len;
  forEachColumn(to, [&](char *column, CFI_index_t stride, CFI_index_t rows) {
    copyElements(column, stride, from, static_cast<CFI_index_t>(bytes), rows, bytes);
    from += rows * bytes;
  });
}

void copy(const CFI_cdesc_t &to, const CFI_cdesc_t &from) {
  if (elementsOf(to) == 0)
    return;
  Columns columns(to, from);
  do {
    copyElements(columns.one, strideOf(to), columns.other, strideOf(from), rowsOf(to), to.elem_len);
  } while (columns.next());
}

} // namespace cufrt
