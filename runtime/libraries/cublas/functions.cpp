// The tables of all files together.
#include "libraries/cublas/cublas.h"
#include "libraries/cublas_v2.h"

void *cufrt::cublas_v2::hostFunction(const char *name) {
  using namespace cufrt::libraries;
  return findFunction("cublas_v2", name,
                      {cublas::helpers(), cublas::level1(), cublas::level2(), cublas::level3(),
                       cublas::extensions(), cublas::batched(), cublas::mixed(),
                       cublas::mixedVectors()});
}
