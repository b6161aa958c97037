// Matrices of blocks on the host device: products, and conversions to blocks of other extents. A
// matrix stored by rows is one whose blocks have one element.
#include "libraries/cusparse/blocks.h"

#include <algorithm>

namespace cufrt::libraries::cusparse {
namespace {

// -------------------------------------------------------------------------------------- products

template <typename T>
Status timesVector(void *handle, int direction, int operation, int rows, int columns, int count,
                   const T *alpha, void *description, const T *values, const int *offsets,
                   const int *indices, int extent, const T *x, const T *beta, T *y) {
  Description *known = allDescriptions().find(description);
  bool right = isDirection(direction) && isOperation(operation) && rows >= 0 && columns >= 0 &&
               count >= 0 && extent >= 1 && known && alpha && beta;
  if (right && operation != plain)
    return contexts().find(handle) ? notSupported : notInitialized; // as on a GPU
  Scalar<T> alphaAt(In<T>{alpha}), betaAt(In<T>{beta});
  return run(handle, right, {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    T factor = alphaAt.get(), before = betaAt.get();
    for (int64_t i = 0; i < int64_t(rows) * extent; ++i)
      y[i] = before == T(0) ? T(0) : before * y[i];
    for (int row = 0; row < rows; ++row)
      eachElement(matrix, row,
                  [&](int i, int j, int64_t place) { y[i] += factor * values[place] * x[j]; });
  });
}

template <typename T>
Status timesMatrix(void *handle, int direction, int opA, int opB, int rows, int n, int columns,
                   int count, const T *alpha, void *description, const T *values,
                   const int *offsets, const int *indices, int extent, const T *b, int ldb,
                   const T *beta, T *c, int ldc) {
  Description *known = allDescriptions().find(description);
  bool right = isDirection(direction) && isOperation(opA) && isOperation(opB) && rows >= 0 &&
               n >= 0 && columns >= 0 && count >= 0 && extent >= 1 && known && alpha && beta &&
               ldb >= (opB == plain ? columns * extent : n) && ldc >= rows * extent;
  if (right && (opA != plain || opB == conjugated))
    return contexts().find(handle) ? notSupported : notInitialized; // as on a GPU
  Scalar<T> alphaAt(In<T>{alpha}), betaAt(In<T>{beta});
  return run(handle, right, {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    T factor = alphaAt.get(), before = betaAt.get();
    int64_t down = opB == plain ? 1 : ldb, along = opB == plain ? ldb : 1;
    for (int64_t j = 0; j < n; ++j) {
      T *column = c + j * ldc;
      for (int64_t i = 0; i < int64_t(rows) * extent; ++i)
        column[i] = before == T(0) ? T(0) : before * column[i];
      for (int row = 0; row < rows; ++row)
        eachElement(matrix, row, [&](int i, int k, int64_t place) {
          column[i] += factor * values[place] * b[k * down + j * along];
        });
    }
  });
}

// ----------------------------------------------------------------------------------- conversions

// The columns of the blocks that a row of blocks of the result has: those of `from` that reach
// into it.
std::vector<int> columnsOf(const Blocks &from, const Blocks &to, int row) {
  std::vector<int> columns;
  int first = row * to.height / from.height;
  int last = std::min(from.rows - 1, ((row + 1) * to.height - 1) / from.height);
  for (int other = first; other <= last; ++other)
    for (int block = from.begin(other); block < from.end(other); ++block) {
      int left = from.column(block) * from.width;
      for (int column = left / to.width; column <= (left + from.width - 1) / to.width; ++column)
        columns.push_back(column);
    }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

int blocksFor(int elements, int extent) { return (elements + extent - 1) / extent; }

void countBlocks(const Blocks &from, const Blocks &to, int *offsets, int *total) {
  offsets[0] = to.base;
  for (int row = 0; row < to.rows; ++row)
    offsets[row + 1] = offsets[row] + static_cast<int>(columnsOf(from, to, row).size());
  if (total)
    *opened(total) = offsets[to.rows] - to.base;
}

// The offsets of `to` are there.
template <typename T>
void convert(const Blocks &from, const T *values, const Blocks &to, T *newValues, int *indices) {
  for (int row = 0; row < to.rows; ++row) {
    std::vector<int> columns = columnsOf(from, to, row);
    int start = to.begin(row);
    for (size_t k = 0; k < columns.size(); ++k)
      indices[start + static_cast<int>(k)] = columns[k] + to.base;
    std::fill_n(newValues + int64_t(start) * to.height * to.width,
                static_cast<int64_t>(columns.size()) * to.height * to.width, T(0));
    int first = row * to.height / from.height;
    int last = std::min(from.rows - 1, ((row + 1) * to.height - 1) / from.height);
    for (int other = first; other <= last; ++other)
      eachElement(from, other, [&](int i, int j, int64_t place) {
        if (i / to.height != row)
          return;
        auto at = std::lower_bound(columns.begin(), columns.end(), j / to.width);
        int64_t block = start + (at - columns.begin());
        newValues[to.place(block, i % to.height, j % to.width)] = values[place];
      });
  }
}

// The blocks of both sides, if they can be; `offsets` are those of the result.
struct Conversion {
  Blocks from{}, to{};
  bool isRight;

  Conversion(int direction, int rows, int columns, void *a, const int *rowsA, const int *columnsA,
             int heightA, int widthA, void *c, const int *offsets, int heightC, int widthC) {
    Description *left = allDescriptions().find(a), *right = allDescriptions().find(c);
    isRight = isDirection(direction) && rows >= 0 && columns >= 0 && left && right &&
              heightA >= 1 && widthA >= 1 && heightC >= 1 && widthC >= 1;
    if (!isRight)
      return;
    from = {direction, rows, heightA, widthA, left->base, rowsA, columnsA};
    to = {direction, blocksFor(rows * heightA, heightC), heightC, widthC, right->base, offsets,
          nullptr};
  }
};

Status toBlocksCount(void *handle, int direction, int m, int n, void *a, const int *rowsA,
                     const int *columnsA, void *c, int *offsets, int height, int width, int *total,
                     void *) {
  Conversion of(direction, m, n, a, rowsA, columnsA, 1, 1, c, offsets, height, width);
  return run(handle, of.isRight && total, {real64},
             [=](auto *) { countBlocks(of.from, of.to, offsets, total); });
}

Status toSquaresCount(void *handle, int direction, int m, int n, void *a, const int *rowsA,
                      const int *columnsA, int extent, void *c, int *offsets, int *total) {
  return toBlocksCount(handle, direction, m, n, a, rowsA, columnsA, c, offsets, extent, extent,
                       total, nullptr);
}

template <typename T>
Status toBlocksSize(void *handle, int direction, int m, int n, void *a, const T *, const int *,
                    const int *, int height, int width, int *bytes) {
  Conversion of(direction, m, n, a, nullptr, nullptr, 1, 1, a, nullptr, height, width);
  size_t size = 0;
  Status status = tellSize(handle, of.isRight && bytes, &size);
  if (status == ok)
    *bytes = static_cast<int>(size);
  return status;
}

template <typename T>
Status toBlocks(void *handle, int direction, int m, int n, void *a, const T *values,
                const int *rowsA, const int *columnsA, void *c, T *newValues, const int *offsets,
                int *indices, int height, int width, void *) {
  Conversion of(direction, m, n, a, rowsA, columnsA, 1, 1, c, offsets, height, width);
  return run(handle, of.isRight, {real64},
             [=](auto *) { convert(of.from, values, of.to, newValues, indices); });
}

template <typename T>
Status toSquares(void *handle, int direction, int m, int n, void *a, const T *values,
                 const int *rowsA, const int *columnsA, int extent, void *c, T *newValues,
                 const int *offsets, int *indices) {
  return toBlocks(handle, direction, m, n, a, values, rowsA, columnsA, c, newValues, offsets,
                  indices, extent, extent, nullptr);
}

// By rows the offsets are made, too.
template <typename T>
Status fromBlocks(void *handle, int direction, int rows, int columns, void *a, const T *values,
                  const int *rowsA, const int *columnsA, int height, int width, void *c,
                  T *newValues, int *offsets, int *indices) {
  Conversion of(direction, rows, columns, a, rowsA, columnsA, height, width, c, offsets, 1, 1);
  return run(handle, of.isRight, {real64}, [=](auto *) {
    countBlocks(of.from, of.to, offsets, nullptr);
    convert(of.from, values, of.to, newValues, indices);
  });
}

template <typename T>
Status fromSquares(void *handle, int direction, int rows, int columns, void *a, const T *values,
                   const int *rowsA, const int *columnsA, int extent, void *c, T *newValues,
                   int *offsets, int *indices) {
  return fromBlocks(handle, direction, rows, columns, a, values, rowsA, columnsA, extent, extent, c,
                    newValues, offsets, indices);
}

Status otherBlocksCount(void *handle, int direction, int rows, int columns, int, void *a,
                        const int *rowsA, const int *columnsA, int heightA, int widthA, void *c,
                        int *offsets, int heightC, int widthC, int *total, void *) {
  Conversion of(direction, rows, columns, a, rowsA, columnsA, heightA, widthA, c, offsets, heightC,
                widthC);
  return run(handle, of.isRight && total, {real64},
             [=](auto *) { countBlocks(of.from, of.to, offsets, total); });
}

template <typename T>
Status otherBlocksSize(void *handle, int direction, int rows, int columns, int, void *a, const T *,
                       const int *, const int *, int heightA, int widthA, int heightC, int widthC,
                       int *bytes) {
  Conversion of(direction, rows, columns, a, nullptr, nullptr, heightA, widthA, a, nullptr, heightC,
                widthC);
  size_t size = 0;
  Status status = tellSize(handle, of.isRight && bytes, &size);
  if (status == ok)
    *bytes = static_cast<int>(size);
  return status;
}

template <typename T>
Status otherBlocks(void *handle, int direction, int rows, int columns, int, void *a,
                   const T *values, const int *rowsA, const int *columnsA, int heightA, int widthA,
                   void *c, T *newValues, int *offsets, int *indices, int heightC, int widthC,
                   void *) {
  Conversion of(direction, rows, columns, a, rowsA, columnsA, heightA, widthA, c, offsets, heightC,
                widthC);
  return run(handle, of.isRight, {real64},
             [=](auto *) { convert(of.from, values, of.to, newValues, indices); });
}

template <typename T>
Status byColumnsSize(void *handle, int rows, int columns, int count, const T *, const int *,
                     const int *, int height, int width, int *bytes) {
  size_t size = 0;
  bool right = rows >= 0 && columns >= 0 && count >= 0 && height >= 1 && width >= 1 && bytes;
  Status status = tellSize(handle, right, &size);
  if (status == ok)
    *bytes = static_cast<int>(size);
  return status;
}

// Blocks by columns.
template <typename T>
Status byColumns(void *handle, int rows, int columns, int count, const T *values,
                 const int *offsets, const int *indices, int height, int width, T *newValues,
                 int *newRows, int *newOffsets, int action, int base, void *) {
  bool right = rows >= 0 && columns >= 0 && count >= 0 && height >= 1 && width >= 1 &&
               (base == 0 || base == 1);
  return run(handle, right, {real64}, [=](auto *) {
    std::vector<int> next(static_cast<size_t>(columns) + 1, 0);
    for (int block = 0; block < count; ++block)
      ++next[static_cast<size_t>(indices[block] - base) + 1];
    for (size_t j = 1; j < next.size(); ++j)
      next[j] += next[j - 1];
    for (int j = 0; j <= columns; ++j)
      newOffsets[j] = next[static_cast<size_t>(j)] + base;
    int64_t extent = int64_t(height) * width;
    for (int i = 0; i < rows; ++i)
      for (int block = offsets[i] - base; block < offsets[i + 1] - base; ++block) {
        int to = next[static_cast<size_t>(indices[block] - base)]++;
        newRows[to] = i + base;
        if (action == 1) // CUSPARSE_ACTION_NUMERIC
          std::copy_n(values + block * extent, extent, newValues + to * extent);
      }
  });
}

} // namespace

std::span<const HostFunction> blocks() {
  static const HostFunction rows[] = {
      CUFRT_ALL("bsrmv", timesVector),
      CUFRT_ALL("bsrmm", timesMatrix),
      CUFRT_ROW("cusparseXcsr2bsrNnz", toSquaresCount),
      CUFRT_ALL("csr2bsr", toSquares),
      CUFRT_ALL("bsr2csr", fromSquares),
      CUFRT_ALL("csr2gebsr_bufferSize", toBlocksSize),
      CUFRT_ROW("cusparseXcsr2gebsrNnz", toBlocksCount),
      CUFRT_ALL("csr2gebsr", toBlocks),
      CUFRT_ALL("gebsr2csr", fromBlocks),
      CUFRT_ALL("gebsr2gebsr_bufferSize", otherBlocksSize),
      CUFRT_ROW("cusparseXgebsr2gebsrNnz", otherBlocksCount),
      CUFRT_ALL("gebsr2gebsr", otherBlocks),
      CUFRT_ALL("gebsr2gebsc_bufferSize", byColumnsSize),
      CUFRT_ALL("gebsr2gebsc", byColumns),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
