// Kernels whose threads work together: shared memory, shuffles, atomics, and stencils of more than
// one array. Twin of blocks.cuf.
#include "timing.h"
#include <numeric>

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int selfY() { return blockIdx.y * blockDim.y + threadIdx.y; }

__global__ void scanned(const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = x[self()];
  for (int d = 1; d < 256; d *= 2) {
    __syncthreads();
    float a = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += a;
  }
  y[self()] = s[t];
}

__global__ void histogram(const int *__restrict__ keys, int *counts, int n) {
  __shared__ int s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = self(); i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&s[keys[i] - 1], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
}

__global__ void bitonic(const float *__restrict__ x, float *__restrict__ y) {
  __shared__ float s[512];
  int t = threadIdx.x, base = blockIdx.x * 512;
  s[t] = x[base + t];
  for (int k = 2; k <= 512; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      int other = t ^ j;
      if (other > t) {
        float a = s[t], b = s[other];
        if (((t & k) == 0) == (a > b)) {
          s[t] = b;
          s[other] = a;
        }
      }
    }
  __syncthreads();
  y[base + t] = s[t];
}

__global__ void rowSums(const float *__restrict__ a, float *__restrict__ y, int m) {
  int row = self() / 32, lane = threadIdx.x & 31;
  float s = 0;
  for (int i = lane; i < m; i += 32)
    s += a[row * m + i];
  for (int i = 16; i > 0; i /= 2)
    s += __shfl_down_sync(~0u, s, i);
  if (lane == 0)
    y[row] = s;
}

__global__ void sparseWarps(const int *__restrict__ start, const int *__restrict__ column,
                            const double *__restrict__ a, const double *__restrict__ x,
                            double *__restrict__ y, int n) {
  int row = self() / 32, lane = threadIdx.x & 31;
  if (row >= n)
    return;
  double s = 0;
  for (int k = start[row] + lane; k < start[row + 1]; k += 32)
    s += a[k] * x[column[k]];
  for (int k = 16; k > 0; k /= 2)
    s += __shfl_xor_sync(~0u, s, k);
  if (lane == 0)
    y[row] = s;
}

__global__ void dots(const double *__restrict__ x, const double *__restrict__ y,
                     double *__restrict__ partial, int n) {
  __shared__ double part[256];
  int t = threadIdx.x;
  double s = 0;
  for (int i = self(); i < n; i += blockDim.x * gridDim.x)
    s += x[i] * y[i];
  part[t] = s;
  __syncthreads();
  for (int i = 128; i > 0; i /= 2) {
    if (t < i)
      part[t] += part[t + i];
    __syncthreads();
  }
  if (t == 0)
    partial[blockIdx.x] = part[0];
}

__global__ void wave(const float *__restrict__ u, const float *__restrict__ v,
                     float *__restrict__ w, int n) {
  int i = self(), j = selfY(), at = j * n + i;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1)
    w[at] = 2 * v[at] - u[at] + 0.1f * (v[at - 1] + v[at + 1] + v[at - n] + v[at + n] - 4 * v[at]);
}

__global__ void lattice(const float *__restrict__ f, float *__restrict__ g, int n) {
  constexpr int x[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, y[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  constexpr float w[9] = {16 / 36.0f, 4 / 36.0f, 4 / 36.0f, 4 / 36.0f, 4 / 36.0f,
                          1 / 36.0f,  1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
  int i = self(), j = selfY();
  if (i == 0 || j == 0 || i >= n - 1 || j >= n - 1)
    return;
  float q[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    q[k] = f[(k * n + j - y[k]) * n + i - x[k]];
    rho += q[k];
    ux += x[k] * q[k];
    uy += y[k] * q[k];
  }
  ux /= rho;
  uy /= rho;
  float uu = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    float cu = 3 * (x[k] * ux + y[k] * uy);
    g[(k * n + j) * n + i] = q[k] - 0.6f * (q[k] - w[k] * rho * (1 + cu + 0.5f * cu * cu - uu));
  }
}

__global__ void redBlack(double *a, int n, int colour) {
  int i = self(), j = selfY(), at = j * n + i;
  if (i == 0 || j == 0 || i >= n - 1 || j >= n - 1 || ((i + j) & 1) != colour)
    return;
  a[at] += 0.3 * ((a[at - 1] + a[at + 1] + a[at - n] + a[at + n]) * 0.25 - a[at]);
}

__global__ void halo(const double *__restrict__ a, double *__restrict__ b, int n) {
  __shared__ double s[10][34];
  int t = threadIdx.x + 1, u = threadIdx.y + 1, i = self(), j = selfY(), at = j * n + i;
  s[u][t] = a[at];
  if (t == 1 && i > 0)
    s[u][0] = a[at - 1];
  if (t == 32 && i < n - 1)
    s[u][33] = a[at + 1];
  if (u == 1 && j > 0)
    s[0][t] = a[at - n];
  if (u == 8 && j < n - 1)
    s[9][t] = a[at + n];
  __syncthreads();
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1)
    b[at] = (s[u][t - 1] + s[u][t + 1] + s[u - 1][t] + s[u + 1][t]) * 0.25;
}

__global__ void product(const double *__restrict__ a, const double *__restrict__ b,
                        double *__restrict__ c, int n) {
  __shared__ double x[16][16], y[16][16];
  int t = threadIdx.x, u = threadIdx.y, i = blockIdx.x * 16 + t, j = blockIdx.y * 16 + u;
  double s = 0;
  for (int k = 0; k < n; k += 16) {
    x[u][t] = a[(k + u) * n + i];
    y[u][t] = b[j * n + k + t];
    __syncthreads();
    for (int m = 0; m < 16; ++m)
      s += x[m][t] * y[u][m];
    __syncthreads();
  }
  c[j * n + i] = s;
}

__global__ void fourier(const float2 *__restrict__ x, float2 *__restrict__ y) {
  __shared__ float2 s[512];
  int t = threadIdx.x, base = blockIdx.x * 512;
  s[t] = x[base + t];
  s[t + 256] = x[base + t + 256];
  for (int half = 256; half > 0; half /= 2) {
    __syncthreads();
    int k = t % half, at = 2 * (t - k) + k;
    float angle = 3.14159265358979f * k / half, c = cosf(angle), d = -sinf(angle);
    float2 a = s[at], b = s[at + half];
    s[at] = make_float2(a.x + b.x, a.y + b.y);
    float2 e = make_float2(a.x - b.x, a.y - b.y);
    s[at + half] = make_float2(e.x * c - e.y * d, e.x * d + e.y * c);
  }
  __syncthreads();
  y[base + t] = s[t];
  y[base + t + 256] = s[t + 256];
}

__global__ void marching(const float *__restrict__ a, float *__restrict__ b, int n) {
  int i = self(), j = selfY();
  if (i == 0 || j == 0 || i >= n - 1 || j >= n - 1)
    return;
  float below = a[j * n + i], here = a[(n + j) * n + i];
  for (int k = 1; k < n - 1; ++k) {
    int at = (k * n + j) * n + i;
    float above = a[at + n * n];
    b[at] = (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + below + above) / 6;
    below = here;
    here = above;
  }
}

__global__ void life(const int *__restrict__ a, int *__restrict__ b, int n) {
  int i = self(), j = selfY(), at = j * n + i, c = 0;
  if (i == 0 || j == 0 || i >= n - 1 || j >= n - 1)
    return;
  for (int l = -1; l <= 1; ++l)
    for (int k = -1; k <= 1; ++k)
      c += a[at + l * n + k];
  b[at] = c == 3 || (c == 4 && a[at] == 1);
}

int main() {
  const int n = 4096, m = 256, l = n * n, rows = 1 << 18;
  float *x = values<float>(l), *y = values<float>(l), *u = values<float>(l), *v = values<float>(l),
        *w = values<float>(l), *f = values<float>(9 * 2048 * 2048),
        *g = values<float>(9 * 2048 * 2048), *p = values<float>(m * m * m),
        *q = values<float>(m * m * m);
  double *a = values<double>(l), *b = values<double>(l), *r = values<double>(l),
         *s = values<double>(l), *o = values<double>(l), *partial = values<double>(1056),
         *rs = values<double>(rows);
  std::vector<float2> numbers(l / 2);
  for (int i = 0; i < l / 2; ++i)
    numbers[i] = make_float2(static_cast<float>(value(i + 1)), 0.5f);
  std::vector<int> ints(l), first(rows + 1), columns(32 * rows), host(l);
  for (int i = 0; i < l; ++i) {
    ints[i] = 1 + 7 * ((i + 1) % 1009) % 256;
    host[i] = (i + 1) % 1009 * 7 > 4000;
  }
  for (int i = 0; i <= rows; ++i)
    first[i] = 32 * i;
  for (int i = 0; i < 32 * rows; ++i)
    columns[i] = ((i / 32 + 7 * (i % 32 - 16)) % rows + rows) % rows;
  auto onDevice = [](const auto &from) {
    void *memory;
    cudaMalloc(&memory, from.size() * sizeof from[0]);
    cudaMemcpy(memory, from.data(), from.size() * sizeof from[0], cudaMemcpyHostToDevice);
    return memory;
  };
  float2 *c = static_cast<float2 *>(onDevice(numbers)),
         *d = static_cast<float2 *>(onDevice(numbers));
  int *keys = static_cast<int *>(onDevice(ints)), *starts = static_cast<int *>(onDevice(first)),
      *column = static_cast<int *>(onDevice(columns)), *cells = static_cast<int *>(onDevice(host)),
      *born = static_cast<int *>(onDevice(host)), *counts;
  cudaMalloc(&counts, 1024);
  cudaMemset(counts, 0, 1024);
  const dim3 squares(n / 32, n / 8), square(32, 8);

  while (more("scanned"))
    scanned<<<l / 256, 256>>>(x, y);
  report("scanned", y, l);
  while (more("histogram"))
    histogram<<<528, 256>>>(keys, counts, l);
  report("histogram", counts + 2, 1);
  while (more("bitonic"))
    bitonic<<<l / 512, 512>>>(x, y);
  std::vector<float> sorted(l);
  cudaMemcpy(sorted.data(), y, l * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (int i = 0; i < l; i += 512)
    total += sorted[i];
  std::printf("SUM bitonic %22.14e\n", total);
  while (more("row_sums"))
    rowSums<<<n / 8, 256>>>(x, y, n);
  while (more("sparse_warps"))
    sparseWarps<<<rows / 8, 256>>>(starts, column, a, b, rs, rows);
  report("sparse_warps", rs, rows);
  while (more("dots"))
    dots<<<1056, 256>>>(a, b, partial, l);
  report("dots", partial, 1056);
  while (more("wave"))
    wave<<<squares, square>>>(u, v, w, n);
  report("wave", w, l);
  while (more("lattice"))
    lattice<<<dim3(64, 256), square>>>(f, g, 2048);
  while (more("red_black"))
    redBlack<<<squares, square>>>(r, n, 1);
  report("red_black", r, l);
  while (more("halo"))
    halo<<<squares, square>>>(s, o, n);
  report("halo", o, l);
  while (more("product_r8"))
    product<<<dim3(64, 64), dim3(16, 16)>>>(s, r, o, 1024);
  while (more("fourier"))
    fourier<<<l / 1024, 256>>>(c, d);
  while (more("marching"))
    marching<<<dim3(m / 32, m / 8), square>>>(p, q, m);
  report("marching", q, m * m * m);
  while (more("life"))
    life<<<squares, square>>>(cells, born, n);
  report("life", born, l);
}
