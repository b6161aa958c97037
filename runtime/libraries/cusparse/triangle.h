// Triangular systems with a sparse matrix: rows are solved one after the other.
#ifndef CUFRT_LIBRARIES_CUSPARSE_TRIANGLE_H
#define CUFRT_LIBRARIES_CUSPARSE_TRIANGLE_H

#include "libraries/cusparse/cusparse.h"

namespace cufrt::libraries::cusparse {

// op(A) by rows: the elements beside the diagonal of the triangle that is meant, and the diagonal.
template <typename T>
struct Triangle {
  struct Element {
    int64_t column;
    T value;
  };
  std::vector<std::vector<Element>> rows;
  std::vector<T> diagonal;
  bool isLower;

  Triangle(const SparseMatrix &matrix, int operation)
      : rows(static_cast<size_t>(matrix.rows)), diagonal(static_cast<size_t>(matrix.rows), T(0)),
        isLower((matrix.fill == 0) == (operation == plain)) {
    eachOf<T>(matrix, operation, [&](int64_t row, int64_t column, T value) {
      if (row == column)
        diagonal[static_cast<size_t>(row)] = value;
      else if ((column < row) == isLower)
        rows[static_cast<size_t>(row)].push_back({column, value});
    });
    if (matrix.diagonal == 1)
      diagonal.assign(diagonal.size(), T(1));
  }

  template <typename Get, typename Put>
  void solve(const Get &get, const Put &put) const {
    int64_t count = static_cast<int64_t>(rows.size());
    std::vector<T> solution(rows.size());
    for (int64_t step = 0; step < count; ++step) {
      auto row = static_cast<size_t>(isLower ? step : count - 1 - step);
      T sum = get(static_cast<int64_t>(row));
      for (const Element &element : rows[row])
        sum -= element.value * solution[static_cast<size_t>(element.column)];
      solution[row] = sum / diagonal[row];
    }
    for (int64_t row = 0; row < count; ++row)
      put(row, solution[static_cast<size_t>(row)]);
  }
};

} // namespace cufrt::libraries::cusparse
#endif // CUFRT_LIBRARIES_CUSPARSE_TRIANGLE_H
