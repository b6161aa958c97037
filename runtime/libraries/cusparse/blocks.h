// Matrices of blocks as the routines of the older interface get them, and as matrices of elements.
#ifndef CUFRT_LIBRARIES_CUSPARSE_BLOCKS_H
#define CUFRT_LIBRARIES_CUSPARSE_BLOCKS_H

#include "libraries/cusparse/cusparse.h"

#include <algorithm>

namespace cufrt::libraries::cusparse {

// Blocks by rows. Rows and columns are counted from 0, in blocks or in elements.
struct Blocks {
  int direction; // of the elements in a block: 0 by rows, 1 by columns
  int rows;      // of blocks
  int height, width, base;
  const int *offsets, *indices;

  int begin(int row) const { return offsets[row] - base; }
  int end(int row) const { return offsets[row + 1] - base; }
  int column(int block) const { return indices[block] - base; }
  int64_t place(int64_t block, int i, int j) const {
    return block * height * width + (direction == 0 ? i * width + j : j * height + i);
  }
};

inline bool isDirection(int direction) { return direction == 0 || direction == 1; }

// Calls `visit(row, column, place)` for each element of a row of blocks.
template <typename Visit>
void eachElement(const Blocks &matrix, int row, const Visit &visit) {
  for (int block = matrix.begin(row); block < matrix.end(row); ++block)
    for (int i = 0; i < matrix.height; ++i)
      for (int j = 0; j < matrix.width; ++j)
        visit(row * matrix.height + i, matrix.column(block) * matrix.width + j,
              matrix.place(block, i, j));
}

// All elements of a matrix of blocks, sorted by rows and columns, and where each lies in the
// blocks.
template <typename T>
struct Expanded {
  std::vector<int> offsets{0}, columns;
  std::vector<int64_t> places;
  std::vector<T> values;

  Expanded(const Blocks &matrix, const T *blocks) {
    for (int row = 0; row < matrix.rows; ++row) {
      std::vector<int> order;
      for (int block = matrix.begin(row); block < matrix.end(row); ++block)
        order.push_back(block);
      std::sort(order.begin(), order.end(),
                [&](int a, int b) { return matrix.column(a) < matrix.column(b); });
      for (int i = 0; i < matrix.height; ++i)
        addRow(matrix, blocks, order, i);
    }
  }

  void writeBack(T *blocks) const {
    for (size_t k = 0; k < places.size(); ++k)
      blocks[places[k]] = values[k];
  }

  // As the generic interface describes it.
  SparseMatrix matrix(int fill, int diagonal) {
    auto rows = static_cast<int64_t>(offsets.size()) - 1;
    return {Format::csr,
            rows,
            rows,
            static_cast<int64_t>(places.size()),
            offsets.data(),
            columns.data(),
            values.data(),
            IndexType::bits32,
            IndexType::bits32,
            0,
            0,
            fill,
            diagonal};
  }

private:
  void addRow(const Blocks &matrix, const T *blocks, const std::vector<int> &order, int i) {
    for (int block : order)
      for (int j = 0; j < matrix.width; ++j) {
        columns.push_back(matrix.column(block) * matrix.width + j);
        places.push_back(matrix.place(block, i, j));
        values.push_back(blocks[places.back()]);
      }
    offsets.push_back(static_cast<int>(columns.size()));
  }
};

} // namespace cufrt::libraries::cusparse
#endif // CUFRT_LIBRARIES_CUSPARSE_BLOCKS_H
