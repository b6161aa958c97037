// Descriptions of matrices of blocks, and of those with as many elements in each row.
#include "libraries/cusparse/cusparse.h"

namespace cufrt::libraries::cusparse {
namespace {

Status createBlocks(void **made, int64_t rows, int64_t columns, int64_t count, int64_t height,
                    int64_t width, void *offsets, void *indices, void *values, int offsetType,
                    int indexType, int base, int type, int order) {
  bool right = rows >= 0 && columns >= 0 && count >= 0 && height >= 1 && width >= 1 &&
               isIndexing(offsetType, base) && isIndexing(indexType, base) && isKnownData(type) &&
               (order == 1 || order == 2);
  SparseMatrix matrix{
      Format::bsr, rows * height, columns * width,       count * height * width, offsets,
      indices,     values,        IndexType(offsetType), IndexType(indexType),   base,
      type};
  matrix.shape = {height, width, 0, order == 1};
  return keep<SparseMatrix, sparseMatrices>(made, right, matrix);
}

Status createBlockedEll(void **made, int64_t rows, int64_t columns, int64_t extent, int64_t stored,
                        void *indices, void *values, int indexType, int base, int type) {
  bool right = rows >= 0 && columns >= 0 && extent >= 1 && stored >= 0 && stored <= columns &&
               rows % extent == 0 && columns % extent == 0 && stored % extent == 0 &&
               isIndexing(indexType, base) && isKnownData(type);
  SparseMatrix matrix{Format::blockedEll,
                      rows,
                      columns,
                      rows * stored,
                      nullptr,
                      indices,
                      values,
                      IndexType(indexType),
                      IndexType(indexType),
                      base,
                      type};
  matrix.shape = {extent, extent, stored, false};
  return keep<SparseMatrix, sparseMatrices>(made, right, matrix);
}

Status createSlicedEll(void **made, int64_t rows, int64_t columns, int64_t count, int64_t places,
                       int64_t height, void *offsets, void *indices, void *values, int offsetType,
                       int indexType, int base, int type) {
  bool right = rows >= 0 && columns >= 0 && count >= 0 && places >= count && height >= 1 &&
               isIndexing(offsetType, base) && isIndexing(indexType, base) && isKnownData(type);
  SparseMatrix matrix{
      Format::slicedEll,    rows, columns, count, offsets, indices, values, IndexType(offsetType),
      IndexType(indexType), base, type};
  matrix.shape = {height, 1, 0, true};
  return keep<SparseMatrix, sparseMatrices>(made, right, matrix);
}

Status blockedEllGet(void *description, int64_t *rows, int64_t *columns, int64_t *extent,
                     int64_t *stored, void **indices, void **values, int *indexType, int *base,
                     int *type) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || matrix->format != Format::blockedEll)
    return invalidValue;
  *rows = matrix->rows;
  *columns = matrix->columns;
  *extent = matrix->shape.width;
  *stored = matrix->shape.stored;
  *indices = matrix->indices;
  *values = matrix->values;
  *indexType = int(matrix->indexType);
  *base = matrix->base;
  *type = matrix->type;
  return ok;
}

Status setBatchOfBlocks(void *description, int batches, int64_t offsetStride, int64_t indexStride,
                        int64_t valueStride) {
  SparseMatrix *matrix = sparseMatrices().find(description);
  if (!matrix || matrix->format != Format::bsr || batches < 1 || offsetStride < 0 ||
      indexStride < 0 || valueStride < 0)
    return invalidValue;
  matrix->batches = batches;
  matrix->offsetStride = offsetStride;
  matrix->elementStride = indexStride;
  matrix->valueStride = valueStride;
  return ok;
}

} // namespace

std::span<const HostFunction> blockDescriptions() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cusparseCreateBsr", createBlocks),
      CUFRT_ROW("cusparseCreateConstBsr", createBlocks),
      CUFRT_ROW("cusparseCreateBlockedEll", createBlockedEll),
      CUFRT_ROW("cusparseCreateConstBlockedEll", createBlockedEll),
      CUFRT_ROW("cusparseCreateSlicedEll", createSlicedEll),
      CUFRT_ROW("cusparseCreateConstSlicedEll", createSlicedEll),
      CUFRT_ROW("cusparseBlockedEllGet", blockedEllGet),
      CUFRT_ROW("cusparseConstBlockedEllGet", blockedEllGet),
      CUFRT_ROW("cusparseBsrSetStridedBatch", setBatchOfBlocks),
  };
  return rows;
}

} // namespace cufrt::libraries::cusparse
