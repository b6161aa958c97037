// MAXVAL, MINVAL, MAXLOC and MINLOC of arrays of host code, which flang makes loops that carry a
// value and a place from each element to the next, so that they are not vectorised. As there (and
// as Fortran 2018, 16.9.135 has it) the first of equal values counts, a NaN counts if all are NaN,
// and then it is the first:
//
//   for each block of neighbours   greatest of all lanes, which NaNs never become
//   if it is greater than before   the first place in the block that has it
#include "core/array_copies.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace {

using namespace cufrt;

constexpr int64_t blockElements = 2048;

template <typename T, bool greatest>
struct Order {
  static bool isBetter(T x, T y) { return greatest ? x > y : x < y; }
  static bool isNan(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return std::isnan(x);
    return false;
  }
  // The end of the order, that no element lies beyond.
  static constexpr T worst() {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_floating_point_v<T>)
      return greatest ? -Limits::infinity() : Limits::infinity();
    return greatest ? Limits::min() : Limits::max();
  }
};

// The best value of elements without gaps, NaNs left out.
template <typename T, bool greatest, size_t bytes>
struct Lanes {
  typedef T Vector __attribute__((vector_size(bytes)));
  typedef Vector Unaligned __attribute__((aligned(alignof(T))));
  static constexpr int64_t width = bytes / sizeof(T);
  static constexpr int64_t chains = 4;

  [[gnu::always_inline]] static inline Vector better(Vector x, Vector y) {
    return greatest ? (x > y ? x : y) : (x < y ? x : y);
  }

  [[gnu::always_inline]] static inline T best(const T *values, int64_t count) {
    T result = Order<T, greatest>::worst();
    Vector lanes[chains];
    for (auto &chain : lanes)
      chain = Vector{} + result;
    int64_t i = 0;
    for (; i + chains * width <= count; i += chains * width)
#pragma clang loop unroll(full)
      for (int64_t chain = 0; chain < chains; ++chain)
        lanes[chain] =
            better(*reinterpret_cast<const Unaligned *>(values + i + chain * width), lanes[chain]);
    Vector both = better(better(lanes[0], lanes[1]), better(lanes[2], lanes[3]));
    for (int64_t lane = 0; lane < width; ++lane)
      result = Order<T, greatest>::isBetter(both[lane], result) ? both[lane] : result;
    for (; i < count; ++i)
      result = Order<T, greatest>::isBetter(values[i], result) ? values[i] : result;
    return result;
  }
};

template <typename T, bool greatest>
T best128(const T *values, int64_t count) {
  return Lanes<T, greatest, 16>::best(values, count);
}

template <typename T, bool greatest>
using Best = T (*)(const T *values, int64_t count);

#ifdef __x86_64__
template <typename T, bool greatest>
[[gnu::target("avx2")]] T best256(const T *values, int64_t count) {
  return Lanes<T, greatest, 32>::best(values, count);
}
template <typename T, bool greatest>
[[gnu::target("avx512f,avx512vl")]] T best512(const T *values, int64_t count) {
  return Lanes<T, greatest, 64>::best(values, count);
}

template <typename T, bool greatest>
Best<T, greatest> bestFor() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"))
    return best512<T, greatest>;
  return __builtin_cpu_supports("avx2") ? best256<T, greatest> : best128<T, greatest>;
}
#else
template <typename T, bool greatest>
Best<T, greatest> bestFor() {
  return best128<T, greatest>;
}
#endif

template <typename T, bool greatest>
class Search {
public:
  explicit Search(const CFI_cdesc_t &array) : array(array) {
    if (array.rank == 1)
      searchColumn(static_cast<const char *>(array.base_addr), array.dim[0].sm,
                   array.dim[0].extent);
    else if (isDense(array))
      searchColumn(static_cast<const char *>(array.base_addr), sizeof(T),
                   static_cast<int64_t>(elementsOf(array)));
    else if (elementsOf(array) > 0)
      forEachColumn(array, [&](const char *column, CFI_index_t stride, CFI_index_t count) {
        searchColumn(column, stride, count);
      });
  }

  T value{};
  int64_t place = -1; // in array element order, from 0; -1 if there are no elements

private:
  void searchColumn(const char *first, int64_t stride, int64_t count) {
    if (stride == sizeof(T) && count > 32)
      searchBlocks(reinterpret_cast<const T *>(first), count);
    else
      for (int64_t i = 0; i < count; ++i)
        offer(*reinterpret_cast<const T *>(first + i * stride), seen + i);
    seen += count;
  }

  void searchBlocks(const T *values, int64_t count) {
    Best<T, greatest> best = bestFor<T, greatest>();
    offer(values[0], seen);
    for (int64_t i = 0; i < count; i += blockElements) {
      int64_t elements = std::min(blockElements, count - i);
      T candidate = best(values + i, elements);
      if (isTaken(candidate))
        offerFirst(values + i, elements, candidate, seen + i);
    }
  }

  // A block of NaNs has the worst value too, which none of its elements has.
  void offerFirst(const T *values, int64_t count, T candidate, int64_t at) {
    for (int64_t i = 0; i < count; ++i)
      if (values[i] == candidate)
        return offer(values[i], at + i);
  }

  bool isTaken(T x) const {
    using Values = Order<T, greatest>;
    return place < 0 || Values::isBetter(x, value) || (Values::isNan(value) && !Values::isNan(x));
  }

  void offer(T x, int64_t at) {
    if (!isTaken(x))
      return;
    value = x;
    place = at;
  }

  const CFI_cdesc_t &array;
  int64_t seen = 0;
};

template <typename T, bool greatest>
T bestValue(const CFI_cdesc_t &array) {
  Search<T, greatest> search(array);
  using Limits = std::numeric_limits<T>;
  return search.place < 0 ? (greatest ? Limits::lowest() : Limits::max()) : search.value;
}

// From 1; 0 if there are no elements.
template <typename T, bool greatest>
int64_t bestPlace(const CFI_cdesc_t &array) {
  return Search<T, greatest>(array).place + 1;
}

} // namespace

#define CUFRT_EXTREME_PLACES(name, T)                                                              \
  extern "C" int64_t cufrt_maxloc_##name(const CFI_cdesc_t &array) {                               \
    return bestPlace<T, true>(array);                                                              \
  }                                                                                                \
  extern "C" int64_t cufrt_minloc_##name(const CFI_cdesc_t &array) {                               \
    return bestPlace<T, false>(array);                                                             \
  }

#define CUFRT_EXTREME_VALUES(name, T)                                                              \
  extern "C" T cufrt_maxval_##name(const CFI_cdesc_t &array) { return bestValue<T, true>(array); } \
  extern "C" T cufrt_minval_##name(const CFI_cdesc_t &array) { return bestValue<T, false>(array); }

CUFRT_EXTREME_PLACES(real4, float)
CUFRT_EXTREME_PLACES(real8, double)
CUFRT_EXTREME_PLACES(integer4, int32_t)
CUFRT_EXTREME_PLACES(integer8, int64_t)
CUFRT_EXTREME_VALUES(real4, float)
CUFRT_EXTREME_VALUES(real8, double)
