// What is counted and left out of a matrix on the host device: elements that are zero or small; and
// rows whose elements have no order.
#include "libraries/cusparse/cusparse.h"

#include <algorithm>
#include <numeric>

namespace cufrt::libraries::cusparse {
namespace {

// ------------------------------------------------------------------------- elements that count

template <typename T>
Status countNonzeros(void *handle, int direction, int m, int n, void *description, const T *a,
                     int lda, int *counts, int *total) {
  bool byRows = direction == 0;
  bool right = (byRows || direction == 1) && m >= 0 && n >= 0 && lda >= std::max(1, m) && total &&
               allDescriptions().find(description);
  return run(handle, right, {real64}, [=](auto *) {
    std::fill_n(counts, byRows ? m : n, 0);
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < m; ++i)
        if (a[j * lda + i] != T(0))
          ++counts[byRows ? i : j];
    *opened(total) = std::accumulate(counts, counts + (byRows ? m : n), 0);
  });
}

template <typename T>
bool isLarger(T value, T limit) {
  return std::abs(value) > std::real(limit);
}

template <typename T>
Status countLarger(void *handle, int m, void *description, const T *values, const int *offsets,
                   int *counts, int *total, T limit) {
  Description *known = allDescriptions().find(description);
  bool right = m >= 0 && known && total && !(std::real(limit) < 0);
  return run(handle, right, {real64}, [=](auto *) {
    int sum = 0;
    for (int i = 0; i < m; ++i) {
      auto isKept = [=](T value) { return isLarger(value, limit); };
      const T *begin = values + offsets[i] - known->base,
              *end = values + offsets[i + 1] - known->base;
      sum += counts[i] = static_cast<int>(std::count_if(begin, end, isKept));
    }
    *opened(total) = sum;
  });
}

template <typename T>
Status keepLarger(void *handle, int m, int n, void *description, const T *values,
                  const int *columns, const int *offsets, int count, const int *counts,
                  T *newValues, int *newColumns, int *newOffsets, T limit) {
  Description *known = allDescriptions().find(description);
  bool right = m >= 0 && n >= 0 && count >= 0 && known && !(std::real(limit) < 0);
  return run(handle, right, {real64}, [=](auto *) {
    int base = known->base, next = 0;
    for (int i = 0; i < m; ++i) {
      newOffsets[i] = next + base;
      for (int k = offsets[i] - base, left = counts[i]; k < offsets[i + 1] - base && left > 0; ++k)
        if (isLarger(values[k], limit)) {
          newValues[next] = values[k];
          newColumns[next++] = columns[k];
          --left;
        }
    }
    newOffsets[m] = next + base;
  });
}

// ------------------------------------------------------------------- rows without an order

// Where each element was before its row was sorted.
struct Order {
  std::vector<int> places;
};
LiveObjects<Order> &allOrders() {
  static auto *instance = new LiveObjects<Order>;
  return *instance;
}

template <typename T>
Status orderSize(void *handle, int m, int n, int count, T *, const int *, int *, void *order,
                 size_t *size) {
  return tellSize(handle, m >= 0 && n >= 0 && count >= 0 && allOrders().find(order), size);
}

// Element k of the result is element `places[k]` of what is there, or the other way round.
template <typename T>
void permute(const std::vector<int> &places, bool back, T *values) {
  std::vector<T> before(values, values + places.size());
  for (size_t k = 0; k < places.size(); ++k) {
    auto other = static_cast<size_t>(places[k]);
    values[back ? other : k] = before[back ? k : other];
  }
}

template <typename T>
Status sortRows(void *handle, int m, int n, int count, void *description, T *values,
                const int *offsets, int *columns, void *order, void *) {
  Description *known = allDescriptions().find(description);
  Order *state = allOrders().find(order);
  return run(handle, m >= 0 && n >= 0 && count >= 0 && known && state, {real64}, [=](auto *) {
    std::vector<int> places(static_cast<size_t>(count));
    std::iota(places.begin(), places.end(), 0);
    for (int i = 0; i < m; ++i)
      sortByKey(places.begin() + offsets[i] - known->base,
                places.begin() + offsets[i + 1] - known->base, [=](int k) { return columns[k]; });
    permute(places, false, values);
    permute(places, false, columns);
    state->places = std::move(places);
  });
}

template <typename T>
Status unsortRows(void *handle, int m, int n, int count, void *description, T *values, const int *,
                  int *columns, void *order, void *) {
  Order *state = allOrders().find(order);
  bool right = m >= 0 && n >= 0 && count >= 0 && allDescriptions().find(description) && state;
  return run(handle, right, {real64}, [=](auto *) {
    if (state->places.size() != static_cast<size_t>(count))
      return; // csru2csr has not run
    permute(state->places, true, values);
    permute(state->places, true, columns);
  });
}

Status sortColumns(void *handle, int m, int n, int count, void *, const int *offsets, int *rows,
                   int *permutation, void *) {
  return run(handle, m >= 0 && n >= 0 && count >= 0, {real64}, [=](auto *) {
    std::vector<int> places(static_cast<size_t>(count));
    std::iota(places.begin(), places.end(), 0);
    for (int j = 0; j < n; ++j)
      sortByKey(places.begin() + offsets[j] - offsets[0],
                places.begin() + offsets[j + 1] - offsets[0], [=](int k) { return rows[k]; });
    permute(places, false, rows);
    if (permutation)
      permute(places, false, permutation);
  });
}

Status sortColumnsSize(void *handle, int m, int n, int count, const int *, const int *,
                       size_t *size) {
  return tellSize(handle, m >= 0 && n >= 0 && count >= 0, size);
}

} // namespace

std::span<const HostFunction> compression() {
  static const HostFunction rows[] = {
      CUFRT_ALL("nnz", countNonzeros),
      CUFRT_ALL("nnz_compress", countLarger),
      CUFRT_ALL("csr2csr_compress", keepLarger),
      CUFRT_ROW("cusparseCreateCsru2csrInfo", createObject<allOrders>),
      CUFRT_ROW("cusparseDestroyCsru2csrInfo", destroyObject<allOrders>),
      CUFRT_ALL("csru2csr_bufferSizeExt", orderSize),
      CUFRT_ALL("csru2csr", sortRows),
      CUFRT_ALL("csr2csru", unsortRows),
      CUFRT_ROW("cusparseXcscsort_bufferSizeExt", sortColumnsSize),
      CUFRT_ROW("cusparseXcscsort", sortColumns),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
