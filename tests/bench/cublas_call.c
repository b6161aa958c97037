// See cublas_call.cuf.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <time.h>

enum { n = 64, calls = 20000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
  double *a, *b, *c, one = 1, zero = 0;
  cublasHandle_t handle;
  cudaMalloc((void **)&a, n * n * 8);
  cudaMalloc((void **)&b, n * n * 8);
  cudaMalloc((void **)&c, n * n * 8);
  cudaMemset(a, 0, n * n * 8);
  cudaMemset(b, 0, n * n * 8);
  cudaMemset(c, 0, n * n * 8);
  cublasCreate(&handle);
  for (int i = 0; i < calls; ++i)
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaDeviceSynchronize();
  double start = now();
  for (int i = 0; i < calls; ++i)
    cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
  cudaDeviceSynchronize();
  printf("%12.1f\n", (now() - start) / calls);
  return 0;
}
