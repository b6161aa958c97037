// What newer libraries keep of cuSPARSE's older interface: descriptions of matrices, tridiagonal
// systems, incomplete factors. Indices have 32 bits.
#include "libraries/cusparse/incomplete.h"

#include <algorithm>
#include <cmath>

namespace cufrt::libraries::cusparse {

LiveObjects<Description> &allDescriptions() {
  static auto *instance = new LiveObjects<Description>;
  return *instance;
}
LiveObjects<Factors> &allFactors() {
  static auto *instance = new LiveObjects<Factors>;
  return *instance;
}

namespace {

template <auto member, int most>
Status set(void *object, int value) {
  Description *description = allDescriptions().find(object);
  if (!description || value < 0 || value > most)
    return invalidValue;
  description->*member = value;
  return ok;
}

template <auto member>
int get(void *object) {
  Description *description = allDescriptions().find(object);
  return description ? description->*member : 0;
}

// One tridiagonal system, by Gauss's elimination with exchanges of neighbours (LAPACK's gtsv) or
// without. The diagonals stay as they are.
template <typename T>
void solveTridiagonal(int m, int n, const T *lower, const T *diagonal, const T *upper, T *b,
                      int ldb, bool pivots) {
  std::vector<T> l(lower + 1, lower + m), d(diagonal, diagonal + m), u(upper, upper + m - 1);
  if (pivots) {
    int info = 0;
    call<T>("gtsv", m, n, l.data(), d.data(), u.data(), opened(b), ldb, &info);
    return;
  }
  for (size_t i = 1; i < d.size(); ++i) {
    T factor = l[i - 1] / d[i - 1];
    d[i] -= factor * u[i - 1];
    for (int64_t j = 0; j < n; ++j)
      b[j * ldb + int64_t(i)] -= factor * b[j * ldb + int64_t(i) - 1];
  }
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = m - 1; i >= 0; --i) {
      T known = i + 1 < m ? u[static_cast<size_t>(i)] * b[j * ldb + i + 1] : T(0);
      b[j * ldb + i] = (b[j * ldb + i] - known) / d[static_cast<size_t>(i)];
    }
}

// As on a GPU there are no systems of fewer than three equations.
constexpr int smallest = 3;

template <typename T>
Status tridiagonalSize(void *handle, int m, int n, const T *, const T *, const T *, const T *,
                       int ldb, size_t *size) {
  return tellSize(handle, m >= smallest && n >= 0 && ldb >= m, size);
}

template <typename T, bool pivots>
Status tridiagonal(void *handle, int m, int n, const T *lower, const T *diagonal, const T *upper,
                   T *b, int ldb, void *) {
  return run(handle, m >= smallest && n >= 0 && ldb >= m, {real64},
             [=](auto *) { solveTridiagonal(m, n, lower, diagonal, upper, b, ldb, pivots); });
}
template <typename T>
constexpr auto gtsv2 = tridiagonal<T, true>;
template <typename T>
constexpr auto gtsv2NoPivot = tridiagonal<T, false>;

template <typename T>
Status batchSize(void *handle, int m, const T *, const T *, const T *, const T *, int batches,
                 int stride, size_t *size) {
  return tellSize(handle, m >= smallest && batches >= 0 && stride >= m, size);
}

template <typename T>
Status batch(void *handle, int m, const T *lower, const T *diagonal, const T *upper, T *x,
             int batches, int stride, void *) {
  return run(handle, m >= smallest && batches >= 0 && stride >= m, {real64}, [=](auto *) {
    for (int64_t i = 0; i < batches; ++i)
      solveTridiagonal(m, 1, lower + i * stride, diagonal + i * stride, upper + i * stride,
                       x + i * stride, m, false);
  });
}

template <typename T>
Status factorSize(void *handle, int m, int count, void *description, T *, const int *, const int *,
                  void *factors, int *bytes) {
  if (!contexts().find(handle))
    return notInitialized;
  if (m < 0 || count < 0 || !bytes || !allDescriptions().find(description) ||
      !allFactors().find(factors))
    return invalidValue;
  *bytes = 16;
  return ok;
}

template <typename T>
Status analyse(void *handle, int m, int count, void *description, const T *, const int *,
               const int *, void *factors, int, void *) {
  bool right =
      m >= 0 && count >= 0 && allDescriptions().find(description) && allFactors().find(factors);
  return !contexts().find(handle) ? notInitialized : right ? ok : invalidValue;
}

template <typename T, auto method>
Status factor(void *handle, int m, int count, void *description, T *values, const int *offsets,
              const int *columns, void *factors, int, void *) {
  Description *known = allDescriptions().find(description);
  Factors *state = allFactors().find(factors);
  return run(handle, m >= 0 && count >= 0 && known && state, {real64}, [=](auto *) {
    int zero = method(Rows<T>{m, known->base, values, offsets, columns}, *state);
    state->zeroPivot = zero < 0 ? -1 : zero + known->base;
  });
}
template <typename T>
constexpr auto csrilu02 = factor<T, incompleteLu<T>>;
template <typename T>
constexpr auto csric02 = factor<T, incompleteCholesky<T>>;

} // namespace

std::span<const HostFunction> older() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseCreateMatDescr", createObject<allDescriptions>),
      CUFRT_ROW("cusparseDestroyMatDescr", destroyObject<allDescriptions>),
      CUFRT_ROW("cusparseSetMatType", (set<&Description::type, 3>)),
      CUFRT_ROW("cusparseGetMatType", get<&Description::type>),
      CUFRT_ROW("cusparseSetMatFillMode", (set<&Description::fill, 1>)),
      CUFRT_ROW("cusparseGetMatFillMode", get<&Description::fill>),
      CUFRT_ROW("cusparseSetMatDiagType", (set<&Description::diagonal, 1>)),
      CUFRT_ROW("cusparseGetMatDiagType", get<&Description::diagonal>),
      CUFRT_ROW("cusparseSetMatIndexBase", (set<&Description::base, 1>)),
      CUFRT_ROW("cusparseGetMatIndexBase", get<&Description::base>),
      CUFRT_ALL("gtsv2_bufferSizeExt", tridiagonalSize),
      CUFRT_ALL("gtsv2", *gtsv2),
      CUFRT_ALL("gtsv2_nopivot_bufferSizeExt", tridiagonalSize),
      CUFRT_ALL("gtsv2_nopivot", *gtsv2NoPivot),
      CUFRT_ALL("gtsv2StridedBatch_bufferSizeExt", batchSize),
      CUFRT_ALL("gtsv2StridedBatch", batch),
      CUFRT_ROW("cusparseCreateCsrilu02Info", createObject<allFactors>),
      CUFRT_ROW("cusparseDestroyCsrilu02Info", destroyObject<allFactors>),
      CUFRT_ROW("cusparseXcsrilu02_zeroPivot", findZeroPivot),
      CUFRT_ALL("csrilu02_bufferSize", factorSize),
      CUFRT_ALL("csrilu02_analysis", analyse),
      CUFRT_ALL("csrilu02_numericBoost", replacePivots),
      CUFRT_ALL("csrilu02", *csrilu02),
      CUFRT_ROW("cusparseCreateCsric02Info", createObject<allFactors>),
      CUFRT_ROW("cusparseDestroyCsric02Info", destroyObject<allFactors>),
      CUFRT_ROW("cusparseXcsric02_zeroPivot", findZeroPivot),
      CUFRT_ALL("csric02_bufferSize", factorSize),
      CUFRT_ALL("csric02_analysis", analyse),
      CUFRT_ALL("csric02", *csric02),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
