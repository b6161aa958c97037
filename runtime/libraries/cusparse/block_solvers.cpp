// Triangular systems with matrices of blocks, and their incomplete factors: as with the matrix of
// all elements of the blocks, by rows. Within the diagonal's blocks the triangle is that of
// elements.
#include "libraries/cusparse/blocks.h"
#include "libraries/cusparse/incomplete.h"
#include "libraries/cusparse/triangle.h"

namespace cufrt::libraries::cusparse {
namespace {

Status tellBytes(void *handle, bool isRight, int *bytes) {
  size_t size = 0;
  Status status = tellSize(handle, isRight && bytes, &size);
  if (status == ok)
    *bytes = static_cast<int>(size);
  return status;
}

bool isRight(int direction, int rows, int count, const Description *known, int extent,
             const Factors *state) {
  return isDirection(direction) && rows >= 0 && count >= 0 && known && extent >= 1 && state;
}

// The first row of blocks, from the first index on, whose diagonal lacks a number to divide by.
template <typename T>
int findZeroBlock(const Blocks &matrix, const T *values, bool ones) {
  for (int row = 0; row < matrix.rows; ++row) {
    bool isThere = false;
    for (int block = matrix.begin(row); block < matrix.end(row); ++block)
      if (matrix.column(block) == row) {
        isThere = true;
        for (int i = 0; i < matrix.height && !ones; ++i)
          isThere = isThere && values[matrix.place(block, i, i)] != T(0);
      }
    if (!isThere)
      return row + matrix.base;
  }
  return -1;
}

// --------------------------------------------------------------------------- triangular systems

template <typename T>
Status vectorSize(void *handle, int direction, int operation, int rows, int count,
                  void *description, T *, const int *, const int *, int extent, void *info,
                  int *bytes) {
  bool right =
      isOperation(operation) && isRight(direction, rows, count, allDescriptions().find(description),
                                        extent, allFactors().find(info));
  return tellBytes(handle, right, bytes);
}

template <typename T>
Status vectorAnalysis(void *handle, int direction, int operation, int rows, int count,
                      void *description, const T *values, const int *offsets, const int *indices,
                      int extent, void *info, int, void *) {
  Description *known = allDescriptions().find(description);
  Factors *state = allFactors().find(info);
  bool right = isOperation(operation) && isRight(direction, rows, count, known, extent, state);
  return run(handle, right, {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    state->zeroPivot = findZeroBlock(matrix, values, known->diagonal == 1);
  });
}

template <typename T>
Status solveVector(void *handle, int direction, int operation, int rows, int count, const T *alpha,
                   void *description, const T *values, const int *offsets, const int *indices,
                   int extent, void *info, const T *given, T *wanted, int, void *) {
  Description *known = allDescriptions().find(description);
  Factors *state = allFactors().find(info);
  bool right =
      alpha && isOperation(operation) && isRight(direction, rows, count, known, extent, state);
  Scalar<T> alphaAt(In<T>{alpha});
  return run(handle, right, {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    Expanded<T> all(matrix, values);
    state->zeroPivot = findZeroBlock(matrix, values, known->diagonal == 1);
    T factor = alphaAt.get();
    Triangle<T>(all.matrix(known->fill, known->diagonal), operation)
        .solve([&](int64_t i) { return factor * given[i]; },
               [&](int64_t i, T value) { wanted[i] = value; });
  });
}

template <typename T>
Status matrixSize(void *handle, int direction, int opA, int opX, int rows, int n, int count,
                  void *description, T *values, const int *offsets, const int *indices, int extent,
                  void *info, int *bytes) {
  if (contexts().find(handle) && (!isOperation(opX) || n < 0))
    return invalidValue;
  return vectorSize(handle, direction, opA, rows, count, description, values, offsets, indices,
                    extent, info, bytes);
}

template <typename T>
Status matrixAnalysis(void *handle, int direction, int opA, int opX, int rows, int n, int count,
                      void *description, const T *values, const int *offsets, const int *indices,
                      int extent, void *info, int policy, void *buffer) {
  if (contexts().find(handle) && (!isOperation(opX) || n < 0))
    return invalidValue;
  return vectorAnalysis(handle, direction, opA, rows, count, description, values, offsets, indices,
                        extent, info, policy, buffer);
}

template <typename T>
Status solveMatrix(void *handle, int direction, int opA, int opX, int rows, int n, int count,
                   const T *alpha, void *description, const T *values, const int *offsets,
                   const int *indices, int extent, void *info, const T *b, int ldb, T *x, int ldx,
                   int, void *) {
  Description *known = allDescriptions().find(description);
  Factors *state = allFactors().find(info);
  bool right = alpha && isOperation(opA) && isOperation(opX) && n >= 0 &&
               isRight(direction, rows, count, known, extent, state);
  int leading = opX == plain ? rows * extent : n;
  right = right && ldb >= leading && ldx >= leading;
  Scalar<T> alphaAt(In<T>{alpha});
  return run(handle, right, {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    Expanded<T> all(matrix, values);
    state->zeroPivot = findZeroBlock(matrix, values, known->diagonal == 1);
    T factor = alphaAt.get();
    Triangle<T> triangle(all.matrix(known->fill, known->diagonal), opA);
    int64_t down = opX == plain ? 1 : ldb, along = opX == plain ? ldb : 1;
    int64_t downX = opX == plain ? 1 : ldx, alongX = opX == plain ? ldx : 1;
    auto turned = [opX](T value) { return opX == conjugated ? conjugate(value) : value; };
    for (int64_t j = 0; j < n; ++j)
      triangle.solve([&](int64_t i) { return factor * turned(b[i * down + j * along]); },
                     [&](int64_t i, T value) { x[i * downX + j * alongX] = turned(value); });
  });
}

// --------------------------------------------------------------------------- incomplete factors

template <typename T>
Status factorSize(void *handle, int direction, int rows, int count, void *description, T *,
                  const int *, const int *, int extent, void *info, int *bytes) {
  bool right = isRight(direction, rows, count, allDescriptions().find(description), extent,
                       allFactors().find(info));
  return tellBytes(handle, right, bytes);
}

// A block that is not there is known before the factors are.
template <typename T>
Status factorAnalysis(void *handle, int direction, int rows, int count, void *description,
                      const T *values, const int *offsets, const int *indices, int extent,
                      void *info, int, void *) {
  Description *known = allDescriptions().find(description);
  Factors *state = allFactors().find(info);
  return run(handle, isRight(direction, rows, count, known, extent, state), {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    state->zeroPivot = findZeroBlock(matrix, values, true);
  });
}

template <typename T, auto method>
Status factor(void *handle, int direction, int rows, int count, void *description, T *values,
              const int *offsets, const int *indices, int extent, void *info, int, void *) {
  Description *known = allDescriptions().find(description);
  Factors *state = allFactors().find(info);
  return run(handle, isRight(direction, rows, count, known, extent, state), {real64}, [=](auto *) {
    Blocks matrix{direction, rows, extent, extent, known->base, offsets, indices};
    Expanded<T> all(matrix, values);
    int zero =
        method(Rows<T>{rows * extent, 0, all.values.data(), all.offsets.data(), all.columns.data()},
               *state);
    state->zeroPivot = zero < 0 ? -1 : zero / extent + known->base;
    all.writeBack(values);
  });
}
template <typename T>
constexpr auto luOfBlocks = factor<T, incompleteLu<T>>;
template <typename T>
constexpr auto choleskyOfBlocks = factor<T, incompleteCholesky<T>>;

} // namespace

#define CUFRT_STEPS(name)                                                                          \
  CUFRT_ROW("cusparseCreate" name "Info", createObject<allFactors>),                               \
      CUFRT_ROW("cusparseDestroy" name "Info", destroyObject<allFactors>)

std::span<const HostFunction> blockSolvers() {
  static const HostFunction rows[] = {
      CUFRT_STEPS("Bsrsv2"),
      CUFRT_ROW("cusparseXbsrsv2_zeroPivot", findZeroPivot),
      CUFRT_ALL("bsrsv2_bufferSize", vectorSize),
      CUFRT_ALL("bsrsv2_analysis", vectorAnalysis),
      CUFRT_ALL("bsrsv2_solve", solveVector),
      CUFRT_STEPS("Bsrsm2"),
      CUFRT_ROW("cusparseXbsrsm2_zeroPivot", findZeroPivot),
      CUFRT_ALL("bsrsm2_bufferSize", matrixSize),
      CUFRT_ALL("bsrsm2_analysis", matrixAnalysis),
      CUFRT_ALL("bsrsm2_solve", solveMatrix),
      CUFRT_STEPS("Bsric02"),
      CUFRT_ROW("cusparseXbsric02_zeroPivot", findZeroPivot),
      CUFRT_ALL("bsric02_bufferSize", factorSize),
      CUFRT_ALL("bsric02_analysis", factorAnalysis),
      CUFRT_ALL("bsric02", *choleskyOfBlocks),
      CUFRT_STEPS("Bsrilu02"),
      CUFRT_ROW("cusparseXbsrilu02_zeroPivot", findZeroPivot),
      CUFRT_ALL("bsrilu02_numericBoost", replacePivots),
      CUFRT_ALL("bsrilu02_bufferSize", factorSize),
      CUFRT_ALL("bsrilu02_analysis", factorAnalysis),
      CUFRT_ALL("bsrilu02", *luOfBlocks),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
