// Sparse matrices in other forms on the host device. Indices of these routines that are no part of
// a description have 32 bits.
#include "libraries/cusparse/cusparse.h"

#include <algorithm>
#include <numeric>

namespace cufrt::libraries::cusparse {
namespace {

Status toDenseSize(void *handle, void *a, void *b, int, size_t *size) {
  return tellSize(handle, sparseMatrices().find(a) && denseMatrices().find(b), size);
}

Status toDense(void *handle, void *a, void *b, int, void *) {
  SparseMatrix *from = sparseMatrices().find(a);
  DenseMatrix *to = denseMatrices().find(b);
  if (!from || !to || from->rows != to->rows || from->columns != to->columns)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, {from->type, to->type}, [from = *from, to = *to](auto *null) {
    using T = ElementOf<decltype(null)>;
    DenseView<T> dense(to);
    for (int64_t j = 0; j < to.columns; ++j)
      for (int64_t i = 0; i < to.rows; ++i)
        dense(i, j) = T(0);
    eachOf<T>(from, plain,
              [&](int64_t row, int64_t column, T value) { dense(row, column) = value; });
  });
}

Status toSparseSize(void *handle, void *a, void *b, int, size_t *size) {
  return tellSize(handle, denseMatrices().find(a) && sparseMatrices().find(b), size);
}

// Calls `visit(row, column, value)` for the elements that are not zero, in the order of the format.
template <typename T, typename Visit>
void eachNonzero(const DenseMatrix &matrix, Format format, const Visit &visit) {
  DenseView<T> dense(matrix);
  bool byRows = format != Format::csc;
  for (int64_t outer = 0; outer < (byRows ? matrix.rows : matrix.columns); ++outer)
    for (int64_t inner = 0; inner < (byRows ? matrix.columns : matrix.rows); ++inner) {
      int64_t row = byRows ? outer : inner, column = byRows ? inner : outer;
      if (dense(row, column) != T(0))
        visit(row, column, dense(row, column));
    }
}

Status toSparseAnalysis(void *handle, void *a, void *b, int, void *) {
  DenseMatrix *from = denseMatrices().find(a);
  SparseMatrix *to = sparseMatrices().find(b);
  if (!from || !to || from->rows != to->rows || from->columns != to->columns)
    return contexts().find(handle) ? invalidValue : notInitialized;
  if (to->format == Format::blockedEll) // its structure is there already
    return run(handle, true, {from->type, to->type}, [](auto *) {});
  if (!isOfElements(*to))
    return contexts().find(handle) ? notSupported : notInitialized;
  return run(handle, true, {from->type, to->type}, [from = *from, to](auto *null) {
    using T = ElementOf<decltype(null)>;
    bool byRows = to->format != Format::csc;
    std::vector<int64_t> lengths(static_cast<size_t>(byRows ? from.rows : from.columns), 0);
    eachNonzero<T>(from, to->format, [&](int64_t row, int64_t column, T) {
      ++lengths[static_cast<size_t>(byRows ? row : column)];
    });
    to->count = std::accumulate(lengths.begin(), lengths.end(), int64_t(0));
    if (to->format == Format::coo)
      return;
    int64_t offset = to->base;
    setIndex(to->offsets, to->offsetType, 0, offset);
    for (size_t i = 0; i < lengths.size(); ++i)
      setIndex(to->offsets, to->offsetType, static_cast<int64_t>(i) + 1, offset += lengths[i]);
  });
}

Status toSparse(void *handle, void *a, void *b, int, void *) {
  DenseMatrix *from = denseMatrices().find(a);
  SparseMatrix *to = sparseMatrices().find(b);
  if (!from || !to)
    return contexts().find(handle) ? invalidValue : notInitialized;
  if (!isOfElements(*to) && to->format != Format::blockedEll)
    return contexts().find(handle) ? notSupported : notInitialized;
  return run(handle, true, {from->type, to->type}, [from = *from, to = *to](auto *null) {
    using T = ElementOf<decltype(null)>;
    if (to.format == Format::blockedEll) {
      DenseView<T> dense(from);
      eachElement(to, [&](int64_t row, int64_t column, int64_t k) {
        static_cast<T *>(to.values)[k] = dense(row, column);
      });
      return;
    }
    int64_t k = 0;
    eachNonzero<T>(from, to.format, [&](int64_t row, int64_t column, T value) {
      if (to.format == Format::coo)
        setIndex(to.offsets, to.offsetType, k, row + to.base);
      setIndex(to.indices, to.indexType, k, (to.format == Format::csc ? row : column) + to.base);
      static_cast<T *>(to.values)[k++] = value;
    });
  });
}

Status transposeSize(void *handle, int m, int n, int count, const void *, const int *, const int *,
                     void *, int *, int *, int, int, int, int, size_t *size) {
  return tellSize(handle, m >= 0 && n >= 0 && count >= 0, size);
}

Status transpose(void *handle, int m, int n, int count, const void *values, const int *offsets,
                 const int *columns, void *newValues, int *newOffsets, int *newRows, int type,
                 int action, int base, int, void *) {
  return run(handle, m >= 0 && n >= 0 && count >= 0 && (base == 0 || base == 1), {type},
             [=](auto *null) {
               using T = ElementOf<decltype(null)>;
               std::fill(newOffsets, newOffsets + n + 1, 0);
               for (int k = 0; k < count; ++k)
                 ++newOffsets[columns[k] - base + 1];
               std::partial_sum(newOffsets, newOffsets + n + 1, newOffsets);
               std::vector<int> next(newOffsets, newOffsets + n);
               for (int i = 0; i < m; ++i)
                 for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k) {
                   int place = next[static_cast<size_t>(columns[k] - base)]++;
                   newRows[place] = i + base;
                   if (action == 1)
                     static_cast<T *>(newValues)[place] = static_cast<const T *>(values)[k];
                 }
               for (int j = 0; j <= n; ++j)
                 newOffsets[j] += base;
             });
}

// For routines without types of values.
template <typename Body>
Status onIndices(void *handle, bool isRight, const Body &body) {
  return run(handle, isRight, {real64}, [body](auto *) { body(); });
}

Status cooToCsr(void *handle, const int *rows, int count, int m, int *offsets, int base) {
  return onIndices(handle, count >= 0 && m >= 0, [=] {
    std::fill(offsets, offsets + m + 1, 0);
    for (int k = 0; k < count; ++k)
      ++offsets[rows[k] - base + 1];
    std::partial_sum(offsets, offsets + m + 1, offsets);
    for (int i = 0; i <= m; ++i)
      offsets[i] += base;
  });
}

Status csrToCoo(void *handle, const int *offsets, int count, int m, int *rows, int base) {
  return onIndices(handle, count >= 0 && m >= 0, [=] {
    for (int i = 0; i < m; ++i)
      std::fill(rows + offsets[i] - base, rows + offsets[i + 1] - base, i + base);
  });
}

Status identity(void *handle, int n, int *permutation) {
  return onIndices(handle, n >= 0, [=] { std::iota(permutation, permutation + n, 0); });
}

Status sortSize(void *handle, int, int, int count, const int *, const int *, size_t *size) {
  return tellSize(handle, count >= 0, size);
}

// Sorts the elements from `first` to `last` by `before`, and the permutation, which may be null,
// with them.
template <typename Before>
void sortElements(int first, int last, int *rows, int *columns, int *permutation,
                  const Before &before) {
  std::vector<int> order(static_cast<size_t>(last - first));
  std::iota(order.begin(), order.end(), first);
  // Equal elements keep their order.
  std::sort(order.begin(), order.end(),
            [&](int a, int b) { return before(a, b) || (!before(b, a) && a < b); });
  auto apply = [&](int *values) {
    if (!values)
      return;
    std::vector<int> sorted;
    for (int place : order)
      sorted.push_back(values[place]);
    std::copy(sorted.begin(), sorted.end(), values + first);
  };
  apply(rows);
  apply(columns);
  apply(permutation);
}

template <bool byRows>
Status sortCoo(void *handle, int, int, int count, int *rows, int *columns, int *permutation,
               void *) {
  return onIndices(handle, count >= 0, [=] {
    const int *first = byRows ? rows : columns, *second = byRows ? columns : rows;
    std::vector<int> one(first, first + count), two(second, second + count);
    sortElements(0, count, rows, columns, permutation, [&](int a, int b) {
      auto i = static_cast<size_t>(a), j = static_cast<size_t>(b);
      return one[i] != one[j] ? one[i] < one[j] : two[i] < two[j];
    });
  });
}

Status sortCsr(void *handle, int m, int, int, void *, const int *offsets, int *columns,
               int *permutation, void *) {
  return onIndices(handle, m >= 0, [=] {
    for (int i = 0; i < m; ++i) {
      int base = offsets[0];
      sortElements(offsets[i] - base, offsets[i + 1] - base, nullptr, columns, permutation,
                   [=](int a, int b) { return columns[a] < columns[b]; });
    }
  });
}

} // namespace

std::span<const HostFunction> conversions() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseSparseToDense_bufferSize", toDenseSize),
      CUFRT_ROW("cusparseSparseToDense", toDense),
      CUFRT_ROW("cusparseDenseToSparse_bufferSize", toSparseSize),
      CUFRT_ROW("cusparseDenseToSparse_analysis", toSparseAnalysis),
      CUFRT_ROW("cusparseDenseToSparse_convert", toSparse),
      CUFRT_ROW("cusparseCsr2cscEx2_bufferSize", transposeSize),
      CUFRT_ROW("cusparseCsr2cscEx2", transpose),
      CUFRT_ROW("cusparseXcoo2csr", cooToCsr),
      CUFRT_ROW("cusparseXcsr2coo", csrToCoo),
      CUFRT_ROW("cusparseCreateIdentityPermutation", identity),
      CUFRT_ROW("cusparseXcoosort_bufferSizeExt", sortSize),
      CUFRT_ROW("cusparseXcoosortByRow", sortCoo<true>),
      CUFRT_ROW("cusparseXcoosortByColumn", sortCoo<false>),
      CUFRT_ROW("cusparseXcsrsort_bufferSizeExt", sortSize),
      CUFRT_ROW("cusparseXcsrsort", sortCsr),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
