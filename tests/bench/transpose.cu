// Transposition through padded shared memory, timed with events. Twin of transpose.cuf.
#include "bench.h"

constexpr int tile = 32, rows = 8;

__global__ void turn(float *__restrict__ output, const float *__restrict__ input, int nx, int ny) {
  __shared__ float s[tile][tile + 1];
  int x = blockIdx.x * tile + threadIdx.x;
  int y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    s[threadIdx.y + j][threadIdx.x] = input[(y + j) * nx + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows)
    output[(y + j) * ny + x] = s[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv) {
  int n = std::max((argc > 1 ? std::atoi(argv[1]) : 8192) / tile, 1) * tile;
  size_t size = size_t(n) * n;
  std::vector<float> a = randomVector(size, 1);
  float *da = toDevice(a), *db = toDevice(std::vector<float>(size));
  dim3 grid(n / tile, n / tile), threads(tile, rows);
  float ms = medianTime(3, 20, [&] { turn<<<grid, threads>>>(db, da, n, n); });
  std::vector<float> b = toHost(db, size);
  for (size_t j = 0; j < size_t(n); ++j)
    for (size_t i = 0; i < size_t(n); ++i)
      if (b[j * n + i] != a[i * n + j]) {
        std::printf("FAIL transpose\n");
        return 1;
      }
  std::printf("RESULT transpose ms=%e gbs=%e\n", ms, 2.0 * 4.0 * n * n / (ms * 1e6));
}
