// Colours of rows, products with a sparse vector or for some rows of blocks, on the host device.
#include "libraries/cusparse/blocks.h"

#include <numeric>

namespace cufrt::libraries::cusparse {
namespace {

// Settings of the colouring, of which there are none here.
struct Colouring {};
LiveObjects<Colouring> &allColourings() {
  static auto *instance = new LiveObjects<Colouring>;
  return *instance;
}

// Each row gets the first colour that none of its neighbours has, in either direction. (cuSPARSE
// finds another colouring, with more colours.)
std::vector<int> coloursOf(int m, const int *offsets, const int *columns, int base) {
  std::vector<std::vector<int>> neighbours(static_cast<size_t>(m));
  for (int i = 0; i < m; ++i)
    for (int k = offsets[i] - base; k < offsets[i + 1] - base; ++k)
      if (int j = columns[k] - base; j != i && j >= 0 && j < m) {
        neighbours[static_cast<size_t>(i)].push_back(j);
        neighbours[static_cast<size_t>(j)].push_back(i);
      }
  std::vector<int> colours(static_cast<size_t>(m), -1);
  std::vector<int> takenBy; // the last row that has a neighbour of a colour
  for (int i = 0; i < m; ++i) {
    for (int other : neighbours[static_cast<size_t>(i)])
      if (int colour = colours[static_cast<size_t>(other)]; colour >= 0)
        takenBy[static_cast<size_t>(colour)] = i;
    size_t colour = 0;
    while (colour < takenBy.size() && takenBy[colour] == i)
      ++colour;
    if (colour == takenBy.size())
      takenBy.push_back(-1);
    colours[static_cast<size_t>(i)] = static_cast<int>(colour);
  }
  return colours;
}

template <typename T>
Status colour(void *handle, int m, int count, void *description, const T *, const int *offsets,
              const int *columns, const Real<T> *part, int *colours, int *colouring,
              int *reordering, void *settings) {
  Description *known = allDescriptions().find(description);
  bool right = m >= 0 && count >= 0 && known && part && colours && allColourings().find(settings);
  return run(handle, right, {real64}, [=](auto *) {
    std::vector<int> found = coloursOf(m, offsets, columns, known->base);
    std::transform(found.begin(), found.end(), colouring,
                   [=](int colour) { return colour + known->base; });
    int most = found.empty() ? -1 : *std::max_element(found.begin(), found.end());
    *opened(colours) = most + 1;
    if (!reordering)
      return;
    std::vector<int> order(found.size()); // the row that comes at each place
    std::iota(order.begin(), order.end(), 0);
    sortByKey(order.begin(), order.end(), [&](int row) { return found[static_cast<size_t>(row)]; });
    std::transform(order.begin(), order.end(), reordering,
                   [=](int row) { return row + known->base; });
  });
}

template <typename T>
Status sparseVectorSize(void *handle, int operation, int m, int n, int count, int *bytes) {
  size_t size = 0;
  bool right = isOperation(operation) && m >= 0 && n >= 0 && count >= 0 && bytes;
  Status status = tellSize(handle, right, &size);
  if (status == ok)
    *bytes = static_cast<int>(size);
  return status;
}

template <typename T>
Status timesSparseVector(void *handle, int operation, int m, int n, const T *alpha, const T *a,
                         int lda, int count, const T *x, const int *indices, const T *beta, T *y,
                         int base, void *) {
  bool right = isOperation(operation) && m >= 0 && n >= 0 && count >= 0 && lda >= std::max(1, m) &&
               alpha && beta && (base == 0 || base == 1);
  Scalar<T> alphaAt(In<T>{alpha}), betaAt(In<T>{beta});
  return run(handle, right, {real64}, [=](auto *) {
    T factor = alphaAt.get(), before = betaAt.get();
    for (int64_t i = 0; i < (operation == plain ? m : n); ++i) {
      T sum = 0;
      for (int k = 0; k < count; ++k) {
        int64_t j = indices[k] - base;
        T element = operation == plain ? a[j * lda + i] : a[i * lda + j];
        sum += (operation == conjugated ? conjugate(element) : element) * x[k];
      }
      y[i] = factor * sum + (before == T(0) ? T(0) : before * y[i]);
    }
  });
}

// Rows of blocks begin and end where two arrays say; `mask` names those that are computed.
template <typename T>
Status timesVectorInRows(void *handle, int direction, int operation, int masked, int rows,
                         int columns, int count, const T *alpha, void *description, const T *values,
                         const int *mask, const int *begins, const int *ends, const int *indices,
                         int extent, const T *x, const T *beta, T *y) {
  Description *known = allDescriptions().find(description);
  bool right = isDirection(direction) && isOperation(operation) && masked >= 0 && rows >= masked &&
               columns >= 0 && count >= 0 && extent >= 1 && known && alpha && beta;
  if (right && (operation != plain || extent == 1))
    return contexts().find(handle) ? notSupported : notInitialized; // as on a GPU
  Scalar<T> alphaAt(In<T>{alpha}), betaAt(In<T>{beta});
  return run(handle, right, {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, begins, indices};
    T factor = alphaAt.get(), before = betaAt.get();
    for (int number = 0; number < masked; ++number) {
      int row = mask[number] - known->base;
      for (int i = 0; i < extent; ++i) {
        T sum = 0;
        for (int block = matrix.begin(row); block < ends[row] - known->base; ++block)
          for (int j = 0; j < extent; ++j)
            sum +=
                values[matrix.place(block, i, j)] * x[int64_t(matrix.column(block)) * extent + j];
        T &into = y[int64_t(row) * extent + i];
        into = factor * sum + (before == T(0) ? T(0) : before * into);
      }
    }
  });
}

} // namespace

std::span<const HostFunction> vectorsAndColours() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseCreateColorInfo", createObject<allColourings>),
      CUFRT_ROW("cusparseDestroyColorInfo", destroyObject<allColourings>),
      CUFRT_ALL("csrcolor", colour),
      CUFRT_ALL("gemvi_bufferSize", sparseVectorSize),
      CUFRT_ALL("gemvi", timesSparseVector),
      CUFRT_ALL("bsrxmv", timesVectorInRows),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
