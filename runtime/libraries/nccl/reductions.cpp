// See reductions.h. Half precision is combined in single precision and rounded once.
#include "libraries/nccl/reductions.h"
#include "libraries/numbers.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace cufrt::libraries::nccl {
namespace {

enum Operation : int { sum = 0, product = 1, largest = 2, smallest = 3, average = 4 };

template <typename T>
T combine(int operation, T left, T right) {
  switch (operation) {
  case product:
    return static_cast<T>(left * right);
  case largest:
    return left < right ? right : left;
  case smallest:
    return right < left ? right : left;
  default:
    return static_cast<T>(left + right);
  }
}

template <typename T>
void reduceAs(int operation, const char *parts, int ranks, size_t count, char *into) {
  for (size_t i = 0; i < count; ++i) {
    T result = reinterpret_cast<const T *>(parts)[i];
    for (int rank = 1; rank < ranks; ++rank)
      result = combine(operation, result,
                       reinterpret_cast<const T *>(parts)[static_cast<size_t>(rank) * count + i]);
    if (operation == average)
      result = static_cast<T>(result / static_cast<T>(ranks));
    reinterpret_cast<T *>(into)[i] = result;
  }
}

void reduceNarrow(int type, int operation, const char *parts, int ranks, size_t count, char *into) {
  std::vector<float> wide(count * static_cast<size_t>(ranks)), result(count);
  for (size_t i = 0; i < wide.size(); ++i)
    wide[i] = static_cast<float>(read(parts, type, static_cast<int64_t>(i)).real());
  reduceAs<float>(operation, reinterpret_cast<const char *>(wide.data()), ranks, count,
                  reinterpret_cast<char *>(result.data()));
  for (size_t i = 0; i < count; ++i)
    write(into, type, static_cast<int64_t>(i), double(result[i]));
}

template <typename T>
void scaleAs(const void *factor, const char *elements, size_t count, char *into) {
  T by;
  std::memcpy(&by, factor, sizeof by);
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<T *>(into)[i] = static_cast<T>(by * reinterpret_cast<const T *>(elements)[i]);
}

void scaleNarrow(int type, const void *factor, const char *elements, size_t count, char *into) {
  double by = read(factor, type, 0).real();
  for (size_t i = 0; i < count; ++i)
    write(into, type, static_cast<int64_t>(i),
          by * read(elements, type, static_cast<int64_t>(i)).real());
}

} // namespace

size_t bytesOf(int type) {
  const size_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
  return type >= 0 && type < 10 ? bytes[type] : 0;
}

void scale(int type, const void *factor, const char *elements, size_t count, char *into) {
  switch (type) {
  case 0:
    return scaleAs<int8_t>(factor, elements, count, into);
  case 1:
    return scaleAs<uint8_t>(factor, elements, count, into);
  case 2:
    return scaleAs<int32_t>(factor, elements, count, into);
  case 3:
    return scaleAs<uint32_t>(factor, elements, count, into);
  case 4:
    return scaleAs<int64_t>(factor, elements, count, into);
  case 5:
    return scaleAs<uint64_t>(factor, elements, count, into);
  case 6:
    return scaleNarrow(half, factor, elements, count, into);
  case 7:
    return scaleAs<float>(factor, elements, count, into);
  case 8:
    return scaleAs<double>(factor, elements, count, into);
  default:
    return scaleNarrow(brain, factor, elements, count, into);
  }
}

void reduce(int type, int operation, const char *parts, int ranks, size_t count, char *into) {
  switch (type) {
  case 0:
    return reduceAs<int8_t>(operation, parts, ranks, count, into);
  case 1:
    return reduceAs<uint8_t>(operation, parts, ranks, count, into);
  case 2:
    return reduceAs<int32_t>(operation, parts, ranks, count, into);
  case 3:
    return reduceAs<uint32_t>(operation, parts, ranks, count, into);
  case 4:
    return reduceAs<int64_t>(operation, parts, ranks, count, into);
  case 5:
    return reduceAs<uint64_t>(operation, parts, ranks, count, into);
  case 6:
    return reduceNarrow(half, operation, parts, ranks, count, into);
  case 7:
    return reduceAs<float>(operation, parts, ranks, count, into);
  case 8:
    return reduceAs<double>(operation, parts, ranks, count, into);
  default:
    return reduceNarrow(brain, operation, parts, ranks, count, into);
  }
}

} // namespace cufrt::libraries::nccl
