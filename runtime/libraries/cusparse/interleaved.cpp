// Many systems with three or five diagonals on the host device, of which the elements of one kind
// lie together. Each is copied out and solved by LAPACK with pivots, whatever method is asked for.
#include "libraries/cusparse/cusparse.h"

#include <algorithm>

namespace cufrt::libraries::cusparse {
namespace {

// The diagonals from the lowest to the highest; each has room for `m` elements of all systems.
template <typename T, size_t count>
struct Systems {
  int m, batches;
  const T *diagonals[count];

  T at(int diagonal, int row, int system) const {
    return diagonals[diagonal][int64_t(row) * batches + system];
  }
};

// Element (i, j) of a band matrix in LAPACK's form: `width` diagonals on each side, room for as
// many above them.
template <typename T, size_t count>
std::vector<T> bandOf(const Systems<T, count> &systems, int system) {
  constexpr int width = count / 2, rows = 3 * width + 1;
  std::vector<T> band(static_cast<size_t>(rows) * static_cast<size_t>(systems.m));
  for (int i = 0; i < systems.m; ++i)
    for (int j = std::max(0, i - width); j <= std::min(systems.m - 1, i + width); ++j)
      band[static_cast<size_t>(j) * rows + static_cast<size_t>(2 * width + i - j)] =
          systems.at(j - i + width, i, system);
  return band;
}

template <typename T, size_t count>
void solve(const Systems<T, count> &systems, T *x) {
  constexpr int width = count / 2, rows = 3 * width + 1;
  int m = systems.m, one = 1, info = 0;
  std::vector<int> pivots(static_cast<size_t>(m));
  std::vector<T> side(static_cast<size_t>(m));
  for (int system = 0; system < systems.batches; ++system) {
    std::vector<T> band = bandOf(systems, system);
    for (int i = 0; i < m; ++i)
      side[static_cast<size_t>(i)] = x[int64_t(i) * systems.batches + system];
    call<T>("gbsv", m, width, width, one, band.data(), rows, pivots.data(), side.data(), m, &info);
    for (int i = 0; i < m; ++i)
      x[int64_t(i) * systems.batches + system] = side[static_cast<size_t>(i)];
  }
}

bool areThree(int algorithm, int m, int batches) {
  return algorithm >= 0 && algorithm <= 2 && m >= 1 && batches >= 1;
}

template <typename T>
Status threeSize(void *handle, int algorithm, int m, const T *, const T *, const T *, const T *,
                 int batches, size_t *size) {
  return tellSize(handle, areThree(algorithm, m, batches), size);
}

template <typename T>
Status three(void *handle, int algorithm, int m, T *lower, T *diagonal, T *upper, T *x, int batches,
             void *) {
  return run(handle, areThree(algorithm, m, batches), {real64},
             [=](auto *) { solve(Systems<T, 3>{m, batches, {lower, diagonal, upper}}, x); });
}

bool areFive(int algorithm, int m, int batches) { return algorithm == 0 && m >= 3 && batches >= 1; }

template <typename T>
Status fiveSize(void *handle, int algorithm, int m, const T *, const T *, const T *, const T *,
                const T *, const T *, int batches, size_t *size) {
  return tellSize(handle, areFive(algorithm, m, batches), size);
}

template <typename T>
Status five(void *handle, int algorithm, int m, T *lowest, T *lower, T *diagonal, T *upper,
            T *highest, T *x, int batches, void *) {
  return run(handle, areFive(algorithm, m, batches), {real64}, [=](auto *) {
    solve(Systems<T, 5>{m, batches, {lowest, lower, diagonal, upper, highest}}, x);
  });
}

} // namespace

std::span<const HostFunction> interleaved() {
  static const HostFunction rows[] = {
      CUFRT_ALL("gtsvInterleavedBatch_bufferSizeExt", threeSize),
      CUFRT_ALL("gtsvInterleavedBatch", three),
      CUFRT_ALL("gpsvInterleavedBatch_bufferSizeExt", fiveSize),
      CUFRT_ALL("gpsvInterleavedBatch", five),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
