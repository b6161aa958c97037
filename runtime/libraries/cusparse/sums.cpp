// The sum of two sparse matrices by rows on the host device: `Nnz` says where the rows of the
// result begin, the sum itself fills them in the order of their columns.
#include "libraries/cusparse/cusparse.h"

#include <algorithm>

namespace cufrt::libraries::cusparse {
namespace {

struct Rows {
  int base;
  const int *offsets, *columns;

  int begin(int row) const { return offsets[row] - base; }
  int end(int row) const { return offsets[row + 1] - base; }
  int column(int k) const { return columns[k] - base; }
};

struct Described {
  Description *a, *b, *c;
  Described(void *a, void *b, void *c)
      : a(allDescriptions().find(a)), b(allDescriptions().find(b)), c(allDescriptions().find(c)) {}
  bool areKnown() const { return a && b && c; }
};

// The columns of a row of either matrix, from 0 and in order.
std::vector<int> columnsOf(const Rows &a, const Rows &b, int row) {
  std::vector<int> columns;
  for (const Rows &matrix : {a, b})
    for (int k = matrix.begin(row); k < matrix.end(row); ++k)
      columns.push_back(matrix.column(k));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

template <typename T>
Status sumSize(void *handle, int m, int n, const T *, void *a, int, const T *, const int *,
               const int *, const T *, void *b, int, const T *, const int *, const int *, void *c,
               const T *, const int *, const int *, size_t *size) {
  return tellSize(handle, m >= 0 && n >= 0 && Described(a, b, c).areKnown(), size);
}

Status sumCount(void *handle, int m, int n, void *a, int, const int *rowsA, const int *columnsA,
                void *b, int, const int *rowsB, const int *columnsB, void *c, int *rowsC,
                int *total, void *) {
  Described of(a, b, c);
  return run(handle, m >= 0 && n >= 0 && of.areKnown() && total, {real64}, [=](auto *) {
    Rows left{of.a->base, rowsA, columnsA}, right{of.b->base, rowsB, columnsB};
    rowsC[0] = of.c->base;
    for (int i = 0; i < m; ++i)
      rowsC[i + 1] = rowsC[i] + static_cast<int>(columnsOf(left, right, i).size());
    *opened(total) = rowsC[m] - of.c->base;
  });
}

template <typename T>
Status sum(void *handle, int m, int n, const T *alpha, void *a, int, const T *valuesA,
           const int *rowsA, const int *columnsA, const T *beta, void *b, int, const T *valuesB,
           const int *rowsB, const int *columnsB, void *c, T *valuesC, const int *rowsC,
           int *columnsC, void *) {
  Described of(a, b, c);
  bool right = m >= 0 && n >= 0 && of.areKnown() && alpha && beta;
  Scalar<T> alphaAt(In<T>{alpha}), betaAt(In<T>{beta});
  return run(handle, right, {real64}, [=](auto *) {
    Rows left{of.a->base, rowsA, columnsA}, other{of.b->base, rowsB, columnsB};
    T factorA = alphaAt.get(), factorB = betaAt.get();
    for (int i = 0; i < m; ++i) {
      std::vector<int> columns = columnsOf(left, other, i);
      int first = rowsC[i] - of.c->base;
      std::fill_n(valuesC + first, columns.size(), T(0));
      auto add = [&](const Rows &matrix, const T *values, T factor) {
        for (int k = matrix.begin(i); k < matrix.end(i); ++k) {
          auto at = std::lower_bound(columns.begin(), columns.end(), matrix.column(k));
          valuesC[first + (at - columns.begin())] += factor * values[k];
        }
      };
      add(left, valuesA, factorA);
      add(other, valuesB, factorB);
      for (size_t k = 0; k < columns.size(); ++k)
        columnsC[first + static_cast<int>(k)] = columns[k] + of.c->base;
    }
  });
}

} // namespace

std::span<const HostFunction> sums() {
  static const HostFunction rows[] = {
      CUFRT_ALL("csrgeam2_bufferSizeExt", sumSize),
      CUFRT_ROW("cusparseXcsrgeam2Nnz", sumCount),
      CUFRT_ALL("csrgeam2", sum),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
