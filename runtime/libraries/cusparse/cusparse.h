// cuSPARSE on the host device: descriptions of vectors and matrices, and loops over their elements.
// Each file has a table of what it implements, by the library's names.
#ifndef CUFRT_LIBRARIES_CUSPARSE_CUSPARSE_H
#define CUFRT_LIBRARIES_CUSPARSE_CUSPARSE_H

#include "libraries/fortran_library.h"
#include "libraries/host_function.h"
#include "libraries/numbers.h"
#include "libraries/stream_work.h"

#include <algorithm>
#include <span>
#include <vector>

namespace cufrt::libraries::cusparse {

// The values of cusparse.h.
enum Status : int {
  ok = 0,
  notInitialized = 1,
  invalidValue = 3,
  executionFailed = 6,
  zeroPivot = 9,
  notSupported = 10,
  insufficientResources = 11,
};
enum class Format : int { csr = 1, csc = 2, coo = 3, blockedEll = 5, bsr = 6, slicedEll = 7 };
enum class Order : int { column = 1, row = 2 };
enum class IndexType : int { bits32 = 2, bits64 = 3 };
enum Operation : int { plain = 0, transposed = 1, conjugated = 2 };

struct Context {
  void *stream = nullptr;
  int scalarsOnDevice = 0;
};

struct SparseVector {
  int64_t size, count;
  void *indices, *values;
  IndexType indexType;
  int base, type;
};

struct DenseVector {
  int64_t size;
  void *values;
  int type;
};

// How the elements of a matrix of blocks lie, and of one that has as many elements in each row.
struct BlockShape {
  int64_t height = 1, width = 1; // of a block; of a slice the rows
  int64_t stored = 0;            // columns that are stored of each row (blockedEll)
  bool byColumns = false;        // within a block
};

// `offsets` are those of rows, columns or slices, or the rows of all elements. `rows`, `columns`
// and `count` are of elements.
struct SparseMatrix {
  Format format;
  int64_t rows, columns, count;
  void *offsets, *indices, *values;
  IndexType offsetType, indexType;
  int base, type;
  int fill = 0, diagonal = 0; // lower, not unit
  int batches = 1;
  // From a matrix of the batch to the next, of offsets, indices and values.
  int64_t offsetStride = 0, elementStride = 0, valueStride = 0;
  BlockShape shape = {};
};

struct DenseMatrix {
  int64_t rows, columns, leading;
  void *values;
  int type;
  Order order;
  int batches = 1;
  int64_t stride = 0;
};

// A cusparseMatDescr of the older interface.
struct Description {
  int type = 0, fill = 0, diagonal = 0, base = 0;
};

LiveObjects<Context> &contexts();
LiveObjects<Description> &allDescriptions();
LiveObjects<SparseVector> &sparseVectors();
LiveObjects<DenseVector> &denseVectors();
LiveObjects<SparseMatrix> &sparseMatrices();
LiveObjects<DenseMatrix> &denseMatrices();

inline bool isOperation(int value) { return value >= 0 && value <= 2; }

inline int64_t indexAt(const void *indices, IndexType type, int64_t i) {
  return type == IndexType::bits64 ? static_cast<const int64_t *>(indices)[i]
                                   : static_cast<const int32_t *>(indices)[i];
}
inline void setIndex(void *indices, IndexType type, int64_t i, int64_t value) {
  if (type == IndexType::bits64)
    static_cast<int64_t *>(indices)[i] = value;
  else
    static_cast<int32_t *>(indices)[i] = static_cast<int32_t>(value);
}

inline void *indexPlace(void *indices, IndexType type, int64_t i) {
  return static_cast<char *>(indices) + i * (type == IndexType::bits64 ? 8 : 4);
}
// One matrix of a batch.
inline SparseMatrix oneOf(SparseMatrix batch, int64_t number) {
  batch.offsets = indexPlace(batch.offsets, batch.offsetType, number * batch.offsetStride);
  batch.indices = indexPlace(batch.indices, batch.indexType, number * batch.elementStride);
  batch.values = const_cast<void *>(shifted(batch.values, batch.type, number * batch.valueStride));
  return batch;
}
inline DenseMatrix oneOf(DenseMatrix batch, int64_t number) {
  batch.values = const_cast<void *>(shifted(batch.values, batch.type, number * batch.stride));
  return batch;
}
// Whether operands are as many matrices as the result, or one for all of them.
template <typename... Operands>
bool fitBatches(int results, const Operands &...operands) {
  return ((operands.batches == results || operands.batches == 1) && ...);
}

// Whether elements are stored by themselves, and not in blocks or with places that hold none.
inline bool isOfElements(const SparseMatrix &matrix) { return matrix.format <= Format::coo; }

template <typename Visit>
void eachElementOfBlocks(const SparseMatrix &matrix, const Visit &visit) {
  const BlockShape &shape = matrix.shape;
  for (int64_t row = 0; row * shape.height < matrix.rows; ++row) {
    int64_t last = indexAt(matrix.offsets, matrix.offsetType, row + 1) - matrix.base;
    for (int64_t block = indexAt(matrix.offsets, matrix.offsetType, row) - matrix.base;
         block < last; ++block) {
      int64_t column = indexAt(matrix.indices, matrix.indexType, block) - matrix.base;
      for (int64_t i = 0; i < shape.height; ++i)
        for (int64_t j = 0; j < shape.width; ++j)
          visit(row * shape.height + i, column * shape.width + j,
                block * shape.height * shape.width +
                    (shape.byColumns ? j * shape.height + i : i * shape.width + j));
    }
  }
}

// The values are a matrix of as many rows, by rows; each row of blocks says where its blocks
// belong.
template <typename Visit>
void eachElementOfBlockedEll(const SparseMatrix &matrix, const Visit &visit) {
  int64_t extent = matrix.shape.width, blocks = matrix.shape.stored / extent;
  for (int64_t i = 0; i < matrix.rows; ++i)
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t column = indexAt(matrix.indices, matrix.indexType, i / extent * blocks + block);
      for (int64_t j = 0; column >= matrix.base && j < extent; ++j)
        visit(i, (column - matrix.base) * extent + j, i * matrix.shape.stored + block * extent + j);
    }
}

// A slice of rows is stored by columns.
template <typename Visit>
void eachElementOfSlices(const SparseMatrix &matrix, const Visit &visit) {
  int64_t height = matrix.shape.height;
  for (int64_t i = 0; i < matrix.rows; ++i) {
    int64_t last = indexAt(matrix.offsets, matrix.offsetType, i / height + 1) - matrix.base;
    int64_t k = indexAt(matrix.offsets, matrix.offsetType, i / height) - matrix.base + i % height;
    for (; k < last; k += height)
      if (int64_t column = indexAt(matrix.indices, matrix.indexType, k); column >= matrix.base)
        visit(i, column - matrix.base, k);
  }
}

// Calls `visit(row, column, place)` for each stored element, rows and columns from 0.
template <typename Visit>
void eachElement(const SparseMatrix &matrix, const Visit &visit) {
  if (matrix.format == Format::bsr)
    return eachElementOfBlocks(matrix, visit);
  if (matrix.format == Format::blockedEll)
    return eachElementOfBlockedEll(matrix, visit);
  if (matrix.format == Format::slicedEll)
    return eachElementOfSlices(matrix, visit);
  if (matrix.format == Format::coo) {
    for (int64_t k = 0; k < matrix.count; ++k)
      visit(indexAt(matrix.offsets, matrix.offsetType, k) - matrix.base,
            indexAt(matrix.indices, matrix.indexType, k) - matrix.base, k);
    return;
  }
  bool byRows = matrix.format == Format::csr;
  for (int64_t i = 0; i < (byRows ? matrix.rows : matrix.columns); ++i) {
    int64_t last = indexAt(matrix.offsets, matrix.offsetType, i + 1) - matrix.base;
    for (int64_t k = indexAt(matrix.offsets, matrix.offsetType, i) - matrix.base; k < last; ++k) {
      int64_t other = indexAt(matrix.indices, matrix.indexType, k) - matrix.base;
      visit(byRows ? i : other, byRows ? other : i, k);
    }
  }
}

// op(A) of an element: (row, column, value) of the matrix as the operation leaves it.
template <typename T, typename Visit>
void eachOf(const SparseMatrix &matrix, int operation, const Visit &visit) {
  const T *values = static_cast<const T *>(matrix.values);
  eachElement(matrix, [&](int64_t row, int64_t column, int64_t k) {
    T value = operation == conjugated ? conjugate(values[k]) : values[k];
    visit(operation == plain ? row : column, operation == plain ? column : row, value);
  });
}

template <typename T>
struct DenseView {
  T *values;
  int64_t leading;
  bool byColumns;
  explicit DenseView(const DenseMatrix &matrix)
      : values(static_cast<T *>(matrix.values)), leading(matrix.leading),
        byColumns(matrix.order == Order::column) {}
  T &operator()(int64_t i, int64_t j) const {
    return byColumns ? values[j * leading + i] : values[i * leading + j];
  }
  T get(int operation, int64_t i, int64_t j) const {
    if (operation == plain)
      return (*this)(i, j);
    return operation == conjugated ? conjugate((*this)(j, i)) : (*this)(j, i);
  }
};

template <typename T>
T narrowed(ComplexDouble value) {
  if constexpr (isComplex<T>)
    return T(static_cast<Real<T>>(value.real()), static_cast<Real<T>>(value.imag()));
  else
    return static_cast<T>(value.real());
}

// Sorts numbers by what `key` has for them; those with the same key by themselves.
template <typename Iterator, typename Key>
void sortByKey(Iterator begin, Iterator end, const Key &key) {
  std::sort(begin, end, [&](int a, int b) { return key(a) != key(b) ? key(a) < key(b) : a < b; });
}

// Runs `body` with a null pointer to elements of `type` in the handle's stream. The library's mixed
// types are not supported: all of `types` must be the same.
template <typename Body>
Status run(void *handle, bool isRight, std::initializer_list<int> types, const Body &body) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!isRight)
    return invalidValue;
  int type = *types.begin();
  for (int other : types)
    if (other != type)
      return notSupported;
  if (!isNumber(type))
    return notSupported;
  Error error =
      runInStream(context->stream, [=] { withNumber(type, [&](auto *null) { body(null); }); });
  return error == success ? ok : executionFailed;
}

template <typename Pointer>
using ElementOf = std::remove_pointer_t<Pointer>;

// No routine uses its workspace, but programs allocate what they are told.
inline Status tellSize(void *handle, bool isRight, size_t *size) {
  if (!contexts().find(handle))
    return notInitialized;
  if (!isRight || !size)
    return invalidValue;
  *size = 16;
  return ok;
}

template <auto &objects>
Status createObject(void **made) {
  if (!made)
    return invalidValue;
  *made = objects().create();
  return ok;
}

template <auto &objects>
Status destroyObject(void *object) {
  return objects().destroy(object) ? ok : invalidValue;
}

template <typename Object, auto &objects>
Status keep(void **description, bool isRight, const Object &object) {
  if (!description || !isRight)
    return invalidValue;
  *description = objects().create();
  *objects().find(*description) = object;
  return ok;
}

inline bool isIndexing(int type, int base) {
  return (type == 2 || type == 3) && (base == 0 || base == 1);
}

std::span<const HostFunction> descriptions();
std::span<const HostFunction> blockDescriptions();
std::span<const HostFunction> products();
std::span<const HostFunction> sparseProducts();
std::span<const HostFunction> solvers();
std::span<const HostFunction> conversions();
std::span<const HostFunction> older();
std::span<const HostFunction> interleaved();
std::span<const HostFunction> sums();
std::span<const HostFunction> blocks();
std::span<const HostFunction> reusedProducts();
std::span<const HostFunction> blockSolvers();
std::span<const HostFunction> compression();
std::span<const HostFunction> pruning();
std::span<const HostFunction> vectorsAndColours();

#define CUFRT_ROW(name, function) {name, reinterpret_cast<void *>(&function)}
#define CUFRT_ALL(stem, function)                                                                  \
  CUFRT_ROW("cusparseS" stem, (function<float>)), CUFRT_ROW("cusparseD" stem, (function<double>)), \
      CUFRT_ROW("cusparseC" stem, (function<ComplexFloat>)),                                       \
      CUFRT_ROW("cusparseZ" stem, (function<ComplexDouble>))

} // namespace cufrt::libraries::cusparse
#endif // CUFRT_LIBRARIES_CUSPARSE_CUSPARSE_H
