// Matrices by rows of what is left when small elements are dropped, on the host device: of elements
// of half, single and double precision, which are read as numbers of their type.
#include "libraries/cusparse/cusparse.h"

#include <algorithm>
#include <cmath>

namespace cufrt::libraries::cusparse {
namespace {

// No step leaves anything for the next.
struct Pruning {};
LiveObjects<Pruning> &allPrunings() {
  static auto *instance = new LiveObjects<Pruning>;
  return *instance;
}

// The elements that a routine starts from, dense or by rows, from 0.
struct Given {
  int rows, columns, type;
  const void *values;
  int leading = 0; // of a dense matrix
  const int *offsets = nullptr, *indices = nullptr;
  int count = 0, base = 0;

  // Calls `visit(row, column, value)` row by row.
  template <typename Visit>
  void each(const Visit &visit) const {
    for (int i = 0; i < rows; ++i) {
      if (!offsets) {
        for (int j = 0; j < columns; ++j)
          visit(i, j, read(values, type, int64_t(j) * leading + i).real());
        continue;
      }
      for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
        visit(i, indices[k] - base, read(values, type, k).real());
    }
  }
};

// The absolute value below which the given share of the elements lies: that of the element with the
// number ceil(share * count / 100) in ascending order (cuSPARSE's documentation).
double limitOf(const Given &given, float percentage) {
  std::vector<double> all;
  given.each([&](int, int, double value) { all.push_back(std::abs(value)); });
  if (all.empty())
    return 0;
  auto count = static_cast<double>(all.size());
  double place = std::ceil(count * (static_cast<double>(percentage) / 100)) - 1;
  auto at = all.begin() + static_cast<ptrdiff_t>(std::clamp(place, 0.0, count - 1));
  std::nth_element(all.begin(), at, all.end());
  return *at;
}

void countKept(const Given &given, double limit, int base, int *offsets, int *total) {
  std::fill_n(offsets, given.rows + 1, 0);
  given.each([&](int row, int, double value) { offsets[row + 1] += std::abs(value) > limit; });
  offsets[0] = base;
  for (int i = 0; i < given.rows; ++i)
    offsets[i + 1] += offsets[i];
  *opened(total) = offsets[given.rows] - base;
}

void writeKept(const Given &given, double limit, int base, void *values, int *indices) {
  int64_t next = 0;
  given.each([&](int, int column, double value) {
    if (!(std::abs(value) > limit))
      return;
    indices[next] = column + base;
    write(values, given.type, next++, value);
  });
}

// ------------------------------------------------------------------------------ what to start from

bool isRight(const Given &given) {
  return given.rows >= 0 && given.columns >= 0 && given.count >= 0 &&
         (given.offsets || given.leading >= std::max(1, given.rows));
}

// The two kinds of matrices give the same steps: `Rest` are the arguments behind the matrix.
template <int type, auto step>
struct FromRows;
template <int type, typename... Rest, Status (*step)(void *, bool, Given, Rest...)>
struct FromRows<type, step> {
  static Status call(void *handle, int m, int n, int count, void *description, const void *values,
                     const int *offsets, const int *indices, Rest... rest) {
    Description *known = allDescriptions().find(description);
    return step(handle, known,
                Given{m, n, type, values, 0, offsets, indices, count, known ? known->base : 0},
                rest...);
  }
};
template <int type, auto step>
struct FromDense;
template <int type, typename... Rest, Status (*step)(void *, bool, Given, Rest...)>
struct FromDense<type, step> {
  static Status call(void *handle, int m, int n, const void *values, int leading, Rest... rest) {
    return step(handle, true, Given{m, n, type, values, leading}, rest...);
  }
};

// ------------------------------------------------------------------------------------------ steps

Status sizeByLimit(void *handle, bool isKnown, Given given, const void *limit, void *result,
                   const void *, const int *, const int *, size_t *size) {
  return tellSize(handle, isKnown && isRight(given) && limit && allDescriptions().find(result),
                  size);
}

Status countByLimit(void *handle, bool isKnown, Given given, const void *limit, void *result,
                    int *offsets, int *total, void *) {
  Description *into = allDescriptions().find(result);
  bool right = isKnown && isRight(given) && limit && into && total;
  if (!right)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {real64}, [=, limit = AnyScalar(limit, given.type)](auto *) {
    countKept(given, limit.get().real(), into->base, offsets, total);
  });
}

Status keepByLimit(void *handle, bool isKnown, Given given, const void *limit, void *result,
                   void *values, const int *, int *indices, void *) {
  Description *into = allDescriptions().find(result);
  if (!isKnown || !isRight(given) || !limit || !into)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {real64}, [=, limit = AnyScalar(limit, given.type)](auto *) {
    writeKept(given, limit.get().real(), into->base, values, indices);
  });
}

bool isShare(float percentage) { return percentage >= 0 && percentage <= 100; }

Status sizeByShare(void *handle, bool isKnown, Given given, float percentage, void *result,
                   const void *, const int *, const int *, void *info, size_t *size) {
  bool right = isKnown && isRight(given) && isShare(percentage) && allPrunings().find(info) &&
               allDescriptions().find(result);
  return tellSize(handle, right, size);
}

Status countByShare(void *handle, bool isKnown, Given given, float percentage, void *result,
                    int *offsets, int *total, void *info, void *) {
  Description *into = allDescriptions().find(result);
  bool right =
      isKnown && isRight(given) && isShare(percentage) && into && total && allPrunings().find(info);
  return run(handle, right, {real64}, [=](auto *) {
    countKept(given, limitOf(given, percentage), into->base, offsets, total);
  });
}

Status keepByShare(void *handle, bool isKnown, Given given, float percentage, void *result,
                   void *values, const int *, int *indices, void *info, void *) {
  Description *into = allDescriptions().find(result);
  bool right = isKnown && isRight(given) && isShare(percentage) && into && allPrunings().find(info);
  return run(handle, right, {real64}, [=](auto *) {
    writeKept(given, limitOf(given, percentage), into->base, values, indices);
  });
}

} // namespace

#define CUFRT_TYPES(stem, From, step)                                                              \
  CUFRT_ROW("cusparseH" stem, (From<half, step>::call)),                                           \
      CUFRT_ROW("cusparseS" stem, (From<real32, step>::call)),                                     \
      CUFRT_ROW("cusparseD" stem, (From<real64, step>::call))
#define CUFRT_PRUNING(stem, From)                                                                  \
  CUFRT_TYPES(stem "_bufferSizeExt", From, sizeByLimit),                                           \
      CUFRT_TYPES(stem "Nnz", From, countByLimit), CUFRT_TYPES(stem, From, keepByLimit),           \
      CUFRT_TYPES(stem "ByPercentage_bufferSizeExt", From, sizeByShare),                           \
      CUFRT_TYPES(stem "NnzByPercentage", From, countByShare),                                     \
      CUFRT_TYPES(stem "ByPercentage", From, keepByShare)

std::span<const HostFunction> pruning() {
  static const HostFunction rows[] = {
      CUFRT_PRUNING("pruneCsr2csr", FromRows),
      CUFRT_PRUNING("pruneDense2csr", FromDense),
      CUFRT_ROW("cusparseCreatePruneInfo", createObject<allPrunings>),
      CUFRT_ROW("cusparseDestroyPruneInfo", destroyObject<allPrunings>),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
