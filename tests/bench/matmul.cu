// Matrix product with 16 x 16 tiles, column-major as in Fortran, timed with events. Twin of
// matmul.cuf.
#include "bench.h"
#include <cmath>

constexpr int tile = 16;

__global__ void multiply(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, int n, int m, int l) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y;
  int i = blockIdx.x * tile + tx, j = blockIdx.y * tile + ty;
  float cij = 0;
  for (int kb = 0; kb < m; kb += tile) {
    as[ty][tx] = a[(kb + ty) * n + i];
    bs[ty][tx] = b[j * m + kb + tx];
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      cij += as[k][tx] * bs[ty][k];
    __syncthreads();
  }
  c[j * n + i] = cij;
}

int main(int argc, char **argv) {
  int n = std::max((argc > 1 ? std::atoi(argv[1]) : 2048) / tile, 1) * tile;
  size_t size = size_t(n) * n;
  std::vector<float> a = randomVector(size, 1), b = randomVector(size, 2);
  float *da = toDevice(a), *db = toDevice(b), *dc = toDevice(std::vector<float>(size));
  dim3 grid(n / tile, n / tile), threads(tile, tile);
  float ms = medianTime(2, 3, [&] { multiply<<<grid, threads>>>(da, db, dc, n, n, n); });
  std::vector<float> c = toHost(dc, size);
  double worst = 0;
  for (int i = 0; i < n; i += std::max(n / 37, 1))
    for (int j = 0; j < n; j += std::max(n / 29, 1)) {
      double want = 0;
      for (int k = 0; k < n; ++k)
        want += double(a[size_t(k) * n + i]) * b[size_t(j) * n + k];
      worst = std::max(worst, std::fabs(c[size_t(j) * n + i] - want) / want);
    }
  if (!(worst < 1e-4)) {
    std::printf("FAIL matmul\n");
    return 1;
  }
  std::printf("RESULT matmul ms=%e gbs=%e gflops=%e\n", ms, 3.0 * 4.0 * n * n / (ms * 1e6),
              2.0 * double(n) * n * n / (ms * 1e6));
}
