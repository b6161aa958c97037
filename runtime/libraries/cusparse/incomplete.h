// Incomplete factors of a matrix by rows, and what their steps share.
#ifndef CUFRT_LIBRARIES_CUSPARSE_INCOMPLETE_H
#define CUFRT_LIBRARIES_CUSPARSE_INCOMPLETE_H

#include "libraries/cusparse/cusparse.h"

#include <cmath>

namespace cufrt::libraries::cusparse {

// What an Info of the older interface stands for.
struct Factors {
  int zeroPivot = -1;
  bool replaces = false; // pivots whose absolute value is at most `smallest`, by `pivot`
  double smallest = 0;
  ComplexDouble pivot = 0;
};
LiveObjects<Factors> &allFactors();

// A matrix by rows with sorted columns, from 0.
template <typename T>
struct Rows {
  int m, base;
  T *values;
  const int *offsets, *columns;

  int first(int row) const { return offsets[row] - base; }
  int last(int row) const { return offsets[row + 1] - base; }
  int column(int k) const { return columns[k] - base; }
  T *find(int row, int wanted) const {
    for (int k = first(row); k < last(row); ++k)
      if (column(k) == wanted)
        return values + k;
    return nullptr;
  }
};

// Gauss's elimination that keeps what lies in the matrix's places (Saad, Iterative Methods, 10.3).
template <typename T>
int incompleteLu(const Rows<T> &a, const Factors &state) {
  for (int i = 0; i < a.m; ++i) {
    for (int k = a.first(i); k < a.last(i) && a.column(k) < i; ++k) {
      int row = a.column(k);
      T *pivot = a.find(row, row);
      if (!pivot || *pivot == T(0))
        return row;
      a.values[k] /= *pivot;
      for (int l = a.first(row); l < a.last(row); ++l)
        if (T *into = a.column(l) > row ? a.find(i, a.column(l)) : nullptr)
          *into -= a.values[k] * a.values[l];
    }
    T *diagonal = a.find(i, i);
    if (diagonal && state.replaces && std::abs(*diagonal) <= state.smallest)
      *diagonal = narrowed<T>(state.pivot);
    if (!diagonal || *diagonal == T(0))
      return i;
  }
  return -1;
}

template <typename T>
int incompleteCholesky(const Rows<T> &a, const Factors &) {
  for (int i = 0; i < a.m; ++i)
    for (int k = a.first(i); k < a.last(i) && a.column(k) <= i; ++k) {
      int j = a.column(k);
      T sum = a.values[k];
      for (int l = a.first(j); l < a.last(j) && a.column(l) < j; ++l)
        if (T *other = a.find(i, a.column(l)))
          sum -= *other * conjugate(a.values[l]);
      if (i != j) {
        T *pivot = a.find(j, j);
        a.values[k] = sum / *pivot;
        continue;
      }
      if (!(std::real(sum) > 0))
        return i;
      a.values[k] = std::sqrt(sum);
    }
  return -1;
}

template <typename T>
Status replacePivots(void *handle, void *factors, int enable, const double *smallest,
                     const T *pivot) {
  Factors *state = allFactors().find(factors);
  if (!contexts().find(handle))
    return notInitialized;
  if (!state || enable < 0 || enable > 1 || (enable && (!smallest || !pivot)))
    return invalidValue;
  state->replaces = enable;
  if (!enable)
    return ok;
  Scalar<double> limit(In<double>{smallest});
  Scalar<T> value(In<T>{pivot});
  state->smallest = limit.get();
  state->pivot = value.get();
  return ok;
}

inline Status findZeroPivot(void *handle, void *factors, int *position) {
  Factors *state = allFactors().find(factors);
  if (!contexts().find(handle) || !state || !position)
    return contexts().find(handle) ? invalidValue : notInitialized;
  *opened(position) = state->zeroPivot;
  return state->zeroPivot >= 0 ? zeroPivot : ok;
}

} // namespace cufrt::libraries::cusparse
#endif // CUFRT_LIBRARIES_CUSPARSE_INCOMPLETE_H
