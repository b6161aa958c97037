// See cufft_call.cuf.
#include <cuda_runtime.h>
#include <cufft.h>
#include <stdio.h>
#include <time.h>

enum { n = 4096, calls = 20000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
  cufftDoubleComplex *x, *y;
  cufftHandle plan;
  cudaMalloc((void **)&x, n * 16);
  cudaMalloc((void **)&y, n * 16);
  cudaMemset(x, 0, n * 16);
  cudaMemset(y, 0, n * 16);
  cufftPlan1d(&plan, n, CUFFT_Z2Z, 1);
  for (int i = 0; i < calls; ++i)
    cufftExecZ2Z(plan, x, y, CUFFT_FORWARD);
  cudaDeviceSynchronize();
  double start = now();
  for (int i = 0; i < calls; ++i)
    cufftExecZ2Z(plan, x, y, CUFFT_FORWARD);
  cudaDeviceSynchronize();
  printf("%12.1f\n", (now() - start) / calls);
  return 0;
}
