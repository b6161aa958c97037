// Vector addition, timed with events. Twin of vadd.cuf: same algorithm, sizes and launch
// configuration.
#include "bench.h"

__global__ void vadd(const float *__restrict__ a, const float *__restrict__ b,
                     float *__restrict__ c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  const int threads = 256;
  int n = argc > 1 ? std::atoi(argv[1]) : 1 << 26;
  std::vector<float> a = randomVector(n, 1), b = randomVector(n, 2);
  float *da = toDevice(a), *db = toDevice(b), *dc = toDevice(std::vector<float>(n));
  float ms =
      medianTime(3, 20, [&] { vadd<<<(n + threads - 1) / threads, threads>>>(da, db, dc, n); });
  std::vector<float> c = toHost(dc, n);
  for (int i = 0; i < n; ++i)
    if (c[i] != a[i] + b[i]) {
      std::printf("FAIL vadd\n");
      return 1;
    }
  std::printf("RESULT vadd ms=%e gbs=%e\n", ms, 3.0 * 4.0 * n / (ms * 1e6));
}
