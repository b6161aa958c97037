// Handles and descriptions of vectors and matrices.
#include "libraries/cusparse.h"
#include "libraries/cusparse/cusparse.h"

namespace cufrt::libraries::cusparse {

#define SET_OF(Object, name)                                                                       \
  LiveObjects<Object> &name() {                                                                    \
    static auto *instance = new LiveObjects<Object>;                                               \
    return *instance;                                                                              \
  }
SET_OF(Context, contexts)
SET_OF(SparseVector, sparseVectors)
SET_OF(DenseVector, denseVectors)
SET_OF(SparseMatrix, sparseMatrices)
SET_OF(DenseMatrix, denseMatrices)

namespace {

Status create(void **handle) {
  if (!handle)
    return invalidValue;
  *handle = contexts().create();
  return ok;
}

template <auto &objects, Status wrong>
Status destroy(void *handle) {
  return objects().destroy(handle) ? ok : wrong;
}

Status setStream(void *handle, void *stream) {
  Context *context = contexts().find(handle);
  if (!context)
    return notInitialized;
  if (!host::isStream(stream))
    return invalidValue;
  context->stream = stream;
  return ok;
}

Status getStream(void *handle, void **stream) {
  Context *context = contexts().find(handle);
  if (!context || !stream)
    return context ? invalidValue : notInitialized;
  *stream = context->stream;
  return ok;
}

Status setPointerMode(void *handle, int mode) {
  Context *context = contexts().find(handle);
  if (!context || mode < 0 || mode > 1)
    return context ? invalidValue : notInitialized;
  context->scalarsOnDevice = mode;
  return ok;
}

Status getPointerMode(void *handle, int *mode) {
  Context *context = contexts().find(handle);
  if (!context || !mode)
    return context ? invalidValue : notInitialized;
  *mode = context->scalarsOnDevice;
  return ok;
}

// Of the library that the interfaces describe.
constexpr int versionParts[] = {12, 6, 0};

Status getVersion(void *handle, int *version) {
  if (!contexts().find(handle) || !version)
    return version ? notInitialized : invalidValue;
  *version = versionParts[0] * 1000 + versionParts[1] * 100 + versionParts[2];
  return ok;
}

Status getProperty(int type, int *value) {
  if (type < 0 || type > 2 || !value)
    return invalidValue;
  *value = versionParts[type];
  return ok;
}

Status createSparseVector(void **made, int64_t size, int64_t count, void *indices, void *values,
                          int indexType, int base, int type) {
  bool right =
      size >= 0 && count >= 0 && count <= size && isIndexing(indexType, base) && isKnownData(type);
  return keep<SparseVector, sparseVectors>(
      made, right, {size, count, indices, values, IndexType(indexType), base, type});
}

Status createDenseVector(void **made, int64_t size, void *values, int type) {
  return keep<DenseVector, denseVectors>(made, size >= 0 && isKnownData(type),
                                         {size, values, type});
}

template <Format format>
Status createCompressed(void **made, int64_t rows, int64_t columns, int64_t count, void *offsets,
                        void *indices, void *values, int offsetType, int indexType, int base,
                        int type) {
  bool right = rows >= 0 && columns >= 0 && count >= 0 && isIndexing(offsetType, base) &&
               isIndexing(indexType, base) && isKnownData(type);
  return keep<SparseMatrix, sparseMatrices>(made, right,
                                            {format, rows, columns, count, offsets, indices, values,
                                             IndexType(offsetType), IndexType(indexType), base,
                                             type});
}

Status createCoo(void **made, int64_t rows, int64_t columns, int64_t count, void *rowIndices,
                 void *columnIndices, void *values, int indexType, int base, int type) {
  return createCompressed<Format::coo>(made, rows, columns, count, rowIndices, columnIndices,
                                       values, indexType, indexType, base, type);
}

Status createDense(void **made, int64_t rows, int64_t columns, int64_t leading, void *values,
                   int type, int order) {
  bool right = rows >= 0 && columns >= 0 && (order == 1 || order == 2) && isKnownData(type) &&
               leading >= (order == 1 ? rows : columns);
  return keep<DenseMatrix, denseMatrices>(made, right,
                                          {rows, columns, leading, values, type, Order(order)});
}

template <auto &objects>
Status getValues(void *description, void **values) {
  auto *object = objects().find(description);
  if (!object || !values)
    return invalidValue;
  *values = object->values;
  return ok;
}

template <auto &objects>
Status setValues(void *description, void *values) {
  auto *object = objects().find(description);
  if (!object)
    return invalidValue;
  object->values = values;
  return ok;
}

template <auto &objects>
Status getBase(void *description, int *base) {
  auto *object = objects().find(description);
  if (!object || !base)
    return invalidValue;
  *base = object->base;
  return ok;
}

Status sparseVectorGet(void *description, int64_t *size, int64_t *count, void **indices,
                       void **values, int *indexType, int *base, int *type) {
  SparseVector *vector = sparseVectors().find(description);
  if (!vector)
    return invalidValue;
  *size = vector->size;
  *count = vector->count;
  *indices = vector->indices;
  *values = vector->values;
  *indexType = int(vector->indexType);
  *base = vector->base;
  *type = vector->type;
  return ok;
}

Status denseVectorGet(void *description, int64_t *size, void **values, int *type) {
  DenseVector *vector = denseVectors().find(description);
  if (!vector)
    return invalidValue;
  *size = vector->size;
  *values = vector->values;
  *type = vector->type;
  return ok;
}

template <Format format>
Status compressedGet(void *description, int64_t *rows, int64_t *columns, int64_t *count,
                     void **offsets, void **indices, void **values, int *offsetType, int *indexType,
                     int *base, int *type) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || matrix->format != format)
    return invalidValue;
  *rows = matrix->rows;
  *columns = matrix->columns;
  *count = matrix->count;
  *offsets = matrix->offsets;
  *indices = matrix->indices;
  *values = matrix->values;
  *offsetType = int(matrix->offsetType);
  *indexType = int(matrix->indexType);
  *base = matrix->base;
  *type = matrix->type;
  return ok;
}

Status cooGet(void *description, int64_t *rows, int64_t *columns, int64_t *count, void **rowIndices,
              void **columnIndices, void **values, int *indexType, int *base, int *type) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || matrix->format != Format::coo)
    return invalidValue;
  *rows = matrix->rows;
  *columns = matrix->columns;
  *count = matrix->count;
  *rowIndices = matrix->offsets;
  *columnIndices = matrix->indices;
  *values = matrix->values;
  *indexType = int(matrix->indexType);
  *base = matrix->base;
  *type = matrix->type;
  return ok;
}

template <Format format>
Status setPointers(void *description, void *offsets, void *indices, void *values) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || matrix->format != format)
    return invalidValue;
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return ok;
}

Status getSize(void *description, int64_t *rows, int64_t *columns, int64_t *count) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix)
    return invalidValue;
  *rows = matrix->rows;
  *columns = matrix->columns;
  *count = matrix->count;
  return ok;
}

Status getFormat(void *description, int *format) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix)
    return invalidValue;
  *format = int(matrix->format);
  return ok;
}

// cusparseSpMatAttribute_t: 0 is the triangle, 1 the diagonal.
Status getAttribute(void *description, int attribute, int *data, size_t size) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || !data || size != sizeof(int) || attribute < 0 || attribute > 1)
    return invalidValue;
  *data = attribute == 0 ? matrix->fill : matrix->diagonal;
  return ok;
}

Status setAttribute(void *description, int attribute, const int *data, size_t size) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || !data || size != sizeof(int) || attribute < 0 || attribute > 1 || *data < 0 ||
      *data > 1)
    return invalidValue;
  (attribute == 0 ? matrix->fill : matrix->diagonal) = *data;
  return ok;
}

Status denseGet(void *description, int64_t *rows, int64_t *columns, int64_t *leading, void **values,
                int *type, int *order) {
  DenseMatrix *matrix = denseMatrices().find(description);
  if (!matrix)
    return invalidValue;
  *rows = matrix->rows;
  *columns = matrix->columns;
  *leading = matrix->leading;
  *values = matrix->values;
  *type = matrix->type;
  *order = int(matrix->order);
  return ok;
}

// By status, from 0 on: the constant's name and what it means.
constexpr const char *statusTexts[][2] = {
    {"CUSPARSE_STATUS_SUCCESS", "success"},
    {"CUSPARSE_STATUS_NOT_INITIALIZED", "the handle was not created, or was destroyed"},
    {"CUSPARSE_STATUS_ALLOC_FAILED", "no memory for the library's own data"},
    {"CUSPARSE_STATUS_INVALID_VALUE", "an argument is out of its range"},
    {"CUSPARSE_STATUS_ARCH_MISMATCH", "the device lacks a feature that the routine needs"},
    {"CUSPARSE_STATUS_MAPPING_ERROR", "memory of the device could not be accessed"},
    {"CUSPARSE_STATUS_EXECUTION_FAILED", "work on the device failed"},
    {"CUSPARSE_STATUS_INTERNAL_ERROR", "an operation inside the library failed"},
    {"CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
     "the routine does not take matrices of this type"},
    {"CUSPARSE_STATUS_ZERO_PIVOT", "a pivot is zero"},
    {"CUSPARSE_STATUS_NOT_SUPPORTED", "the routine does not support these arguments"},
    {"CUSPARSE_STATUS_INSUFFICIENT_RESOURCES", "memory or another resource does not suffice"},
};

template <int column>
const char *statusText(int status) {
  bool isKnown = status >= 0 && status < static_cast<int>(std::size(statusTexts));
  return isKnown ? statusTexts[status][column] : "unknown status";
}

Status setBatchOfRows(void *descriptor, int batches, int64_t offsetStride, int64_t elementStride) {
  SparseMatrix *matrix = sparseMatrices().find(descriptor);
  if (!matrix || matrix->format != Format::csr || batches < 1 || offsetStride < 0 ||
      elementStride < 0)
    return invalidValue;
  matrix->batches = batches;
  matrix->offsetStride = offsetStride;
  matrix->elementStride = matrix->valueStride = elementStride;
  return ok;
}

Status setBatchOfElements(void *descriptor, int batches, int64_t stride) {
  SparseMatrix *matrix = sparseMatrices().find(descriptor);
  if (!matrix || matrix->format != Format::coo || batches < 1 || stride < 0)
    return invalidValue;
  matrix->batches = batches;
  matrix->offsetStride = matrix->elementStride = matrix->valueStride = stride;
  return ok;
}

Status getSparseBatch(void *descriptor, int *batches) {
  SparseMatrix *matrix = sparseMatrices().find(descriptor);
  if (!matrix || !batches)
    return invalidValue;
  *batches = matrix->batches;
  return ok;
}

Status setDenseBatch(void *descriptor, int batches, int64_t stride) {
  DenseMatrix *matrix = denseMatrices().find(descriptor);
  if (!matrix || batches < 1 || stride < 0)
    return invalidValue;
  matrix->batches = batches;
  matrix->stride = stride;
  return ok;
}

Status getDenseBatch(void *descriptor, int *batches, int64_t *stride) {
  DenseMatrix *matrix = denseMatrices().find(descriptor);
  if (!matrix || !batches || !stride)
    return invalidValue;
  *batches = matrix->batches;
  *stride = matrix->stride;
  return ok;
}

// The library of the host device tells nothing of itself.
Status setLogLevel(int level) { return level >= 0 && level <= 5 ? ok : invalidValue; }
Status setLogMask(int) { return ok; }
Status openLog(const char *name) { return name && *name ? ok : invalidValue; }
Status disableLog() { return ok; }

std::span<const HostFunction> handles() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseCreate", create),
      CUFRT_ROW("cusparseDestroy", (destroy<contexts, notInitialized>)),
      CUFRT_ROW("cusparseGetVersion", getVersion),
      CUFRT_ROW("cusparseGetProperty", getProperty),
      CUFRT_ROW("cusparseLoggerSetLevel", setLogLevel),
      CUFRT_ROW("cusparseLoggerSetMask", setLogMask),
      CUFRT_ROW("cusparseLoggerOpenFile", openLog),
      CUFRT_ROW("cusparseLoggerForceDisable", disableLog),
      CUFRT_ROW("cusparseGetErrorName", statusText<0>),
      CUFRT_ROW("cusparseGetErrorString", statusText<1>),
      CUFRT_ROW("cusparseSetStream", setStream),
      CUFRT_ROW("cusparseGetStream", getStream),
      CUFRT_ROW("cusparseSetPointerMode", setPointerMode),
      CUFRT_ROW("cusparseGetPointerMode", getPointerMode),
  };
  return rows;
}

} // namespace

std::span<const HostFunction> descriptions() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseCreateSpVec", createSparseVector),
      CUFRT_ROW("cusparseCreateConstSpVec", createSparseVector),
      CUFRT_ROW("cusparseDestroySpVec", (destroy<sparseVectors, invalidValue>)),
      CUFRT_ROW("cusparseSpVecGet", sparseVectorGet),
      CUFRT_ROW("cusparseConstSpVecGet", sparseVectorGet),
      CUFRT_ROW("cusparseSpVecGetIndexBase", getBase<sparseVectors>),
      CUFRT_ROW("cusparseSpVecGetValues", getValues<sparseVectors>),
      CUFRT_ROW("cusparseConstSpVecGetValues", getValues<sparseVectors>),
      CUFRT_ROW("cusparseSpVecSetValues", setValues<sparseVectors>),
      CUFRT_ROW("cusparseCreateDnVec", createDenseVector),
      CUFRT_ROW("cusparseCreateConstDnVec", createDenseVector),
      CUFRT_ROW("cusparseDestroyDnVec", (destroy<denseVectors, invalidValue>)),
      CUFRT_ROW("cusparseDnVecGet", denseVectorGet),
      CUFRT_ROW("cusparseConstDnVecGet", denseVectorGet),
      CUFRT_ROW("cusparseDnVecGetValues", getValues<denseVectors>),
      CUFRT_ROW("cusparseConstDnVecGetValues", getValues<denseVectors>),
      CUFRT_ROW("cusparseDnVecSetValues", setValues<denseVectors>),
      CUFRT_ROW("cusparseCreateCsr", createCompressed<Format::csr>),
      CUFRT_ROW("cusparseCreateConstCsr", createCompressed<Format::csr>),
      CUFRT_ROW("cusparseCreateCsc", createCompressed<Format::csc>),
      CUFRT_ROW("cusparseCreateConstCsc", createCompressed<Format::csc>),
      CUFRT_ROW("cusparseCreateCoo", createCoo),
      CUFRT_ROW("cusparseCreateConstCoo", createCoo),
      CUFRT_ROW("cusparseDestroySpMat", (destroy<sparseMatrices, invalidValue>)),
      CUFRT_ROW("cusparseCsrGet", compressedGet<Format::csr>),
      CUFRT_ROW("cusparseConstCsrGet", compressedGet<Format::csr>),
      CUFRT_ROW("cusparseCscGet", compressedGet<Format::csc>),
      CUFRT_ROW("cusparseConstCscGet", compressedGet<Format::csc>),
      CUFRT_ROW("cusparseCooGet", cooGet),
      CUFRT_ROW("cusparseConstCooGet", cooGet),
      CUFRT_ROW("cusparseCsrSetPointers", setPointers<Format::csr>),
      CUFRT_ROW("cusparseCscSetPointers", setPointers<Format::csc>),
      CUFRT_ROW("cusparseCooSetPointers", setPointers<Format::coo>),
      CUFRT_ROW("cusparseSpMatGetSize", getSize),
      CUFRT_ROW("cusparseSpMatGetFormat", getFormat),
      CUFRT_ROW("cusparseSpMatGetIndexBase", getBase<sparseMatrices>),
      CUFRT_ROW("cusparseSpMatGetValues", getValues<sparseMatrices>),
      CUFRT_ROW("cusparseConstSpMatGetValues", getValues<sparseMatrices>),
      CUFRT_ROW("cusparseSpMatSetValues", setValues<sparseMatrices>),
      CUFRT_ROW("cusparseSpMatGetAttribute", getAttribute),
      CUFRT_ROW("cusparseSpMatSetAttribute", setAttribute),
      CUFRT_ROW("cusparseCreateDnMat", createDense),
      CUFRT_ROW("cusparseCreateConstDnMat", createDense),
      CUFRT_ROW("cusparseDestroyDnMat", (destroy<denseMatrices, invalidValue>)),
      CUFRT_ROW("cusparseCsrSetStridedBatch", setBatchOfRows),
      CUFRT_ROW("cusparseCooSetStridedBatch", setBatchOfElements),
      CUFRT_ROW("cusparseSpMatGetStridedBatch", getSparseBatch),
      CUFRT_ROW("cusparseDnMatSetStridedBatch", setDenseBatch),
      CUFRT_ROW("cusparseDnMatGetStridedBatch", getDenseBatch),
      CUFRT_ROW("cusparseDnMatGet", denseGet),
      CUFRT_ROW("cusparseConstDnMatGet", denseGet),
      CUFRT_ROW("cusparseDnMatGetValues", getValues<denseMatrices>),
      CUFRT_ROW("cusparseConstDnMatGetValues", getValues<denseMatrices>),
      CUFRT_ROW("cusparseDnMatSetValues", setValues<denseMatrices>),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse

void *cufrt::cusparse::hostFunction(const char *name) {
  using namespace cufrt::libraries;
  return findFunction("cusparse", name,
                      {libraries::cusparse::handles(), libraries::cusparse::descriptions(),
                       libraries::cusparse::products(), libraries::cusparse::sparseProducts(),
                       libraries::cusparse::solvers(), libraries::cusparse::conversions(),
                       libraries::cusparse::older(), libraries::cusparse::interleaved(),
                       libraries::cusparse::sums(), libraries::cusparse::blocks(),
                       libraries::cusparse::reusedProducts(), libraries::cusparse::blockSolvers(),
                       libraries::cusparse::compression(), libraries::cusparse::pruning(),
                       libraries::cusparse::vectorsAndColours(),
                       libraries::cusparse::blockDescriptions()});
}
