// The plain small program whose compilation compile_time.sh measures; compile_vadd.cuf is the same
// in CUDA Fortran.
#include <cstdio>

__global__ void vadd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  const int n = 1000;
  static float a[n], b[n], c[n];
  float *da, *db, *dc;
  for (int i = 0; i < n; ++i) {
    a[i] = i + 1;
    b[i] = 2 * (i + 1);
  }
  cudaMalloc(&da, sizeof a);
  cudaMalloc(&db, sizeof b);
  cudaMalloc(&dc, sizeof c);
  cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
  vadd<<<(n + 255) / 256, 256>>>(da, db, dc, n);
  cudaMemcpy(c, dc, sizeof c, cudaMemcpyDeviceToHost);
  int errors = 0;
  for (int i = 0; i < n; ++i)
    errors += c[i] != a[i] + b[i];
  std::printf("errors: %d\n", errors);
}
