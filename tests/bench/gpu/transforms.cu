// Transforms, random numbers, scans, convolution, loops made kernels, histogram, transpose. Twin of
// transforms.cuf.
#include "timing.h"
#include <cmath>
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

__constant__ float weights[5][5];

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int selfY() { return blockIdx.y * blockDim.y + threadIdx.y; }

__device__ float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 operator*(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

__global__ void fft1024(const float2 *__restrict__ a, float2 *__restrict__ b,
                        const float2 *__restrict__ w) {
  constexpr int n = 1024, quarter = n / 4;
  __shared__ float2 z[n];
  int t = threadIdx.x, row = blockIdx.x * n;
#pragma unroll
  for (int r = 0; r < 4; ++r)
    z[t + r * quarter] = a[row + t + r * quarter];
#pragma unroll
  for (int span = 1; span < n; span *= 4) {
    __syncthreads();
    int at = t & (span - 1), step = at * (quarter / span);
    float2 v0 = z[t], v1 = z[t + quarter] * w[step], v2 = z[t + 2 * quarter] * w[2 * step],
           v3 = z[t + 3 * quarter] * w[3 * step];
    __syncthreads();
    float2 s0 = v0 + v2, s1 = v0 - v2, s2 = v1 + v3, s3 = v1 - v3;
    s3 = {s3.y, -s3.x};
    at = (t - at) * 4 + at;
    z[at] = s0 + s2;
    z[at + span] = s1 + s3;
    z[at + 2 * span] = s0 - s2;
    z[at + 3 * span] = s1 - s3;
  }
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 4; ++r)
    b[row + t + r * quarter] = z[t + r * quarter];
}

__device__ unsigned next(unsigned &state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

__global__ void monteCarlo(const int *__restrict__ seeds, int *__restrict__ hits, int trials,
                           int n) {
  int i = self();
  if (i >= n)
    return;
  unsigned state = seeds[i];
  int inside = 0;
  for (int k = 0; k < trials; ++k) {
    float x = int(next(state) >> 8) * 0x1p-24f;
    float y = int(next(state) >> 8) * 0x1p-24f;
    if (x * x + y * y < 1)
      ++inside;
  }
  hits[i] = inside;
}

__global__ void scan(const int *__restrict__ a, int *__restrict__ b) {
  __shared__ int totals[8];
  int i = self(), lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  int v = a[i];
#pragma unroll
  for (int step = 1; step < 32; step *= 2) {
    int w = __shfl_up_sync(0xffffffff, v, step);
    if (lane >= step)
      v += w;
  }
  if (lane == 31)
    totals[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int w = lane < 8 ? totals[lane] : 0;
#pragma unroll
    for (int step = 1; step < 8; step *= 2) {
      int other = __shfl_up_sync(0xffffffff, w, step);
      if (lane >= step)
        w += other;
    }
    if (lane < 8)
      totals[lane] = w;
  }
  __syncthreads();
  if (warp > 0)
    v += totals[warp - 1];
  b[i] = v;
}

__global__ void convolve(const float *__restrict__ a, float *__restrict__ b, int nx, int ny) {
  __shared__ float tile[12][36];
  int ti = threadIdx.x, tj = threadIdx.y, i = blockIdx.x * 32, j = blockIdx.y * 8;
  for (int y = tj; y < 12; y += 8)
    for (int x = ti; x < 36; x += 32)
      tile[y][x] = a[min(max(j + y - 2, 0), ny - 1) * nx + min(max(i + x - 2, 0), nx - 1)];
  __syncthreads();
  float s = 0;
#pragma unroll
  for (int dj = 0; dj < 5; ++dj)
#pragma unroll
    for (int di = 0; di < 5; ++di)
      s += weights[dj][di] * tile[tj + dj][ti + di];
  b[(j + tj) * nx + i + ti] = s;
}

__global__ void diffusion(const double *__restrict__ u, double *__restrict__ un, int nx, int ny) {
  int i = self() + 1, j = selfY() + 1, at = j * nx + i;
  if (i >= nx - 1 || j >= ny - 1)
    return;
  double c = u[at], east = u[at + 1] - c, west = u[at - 1] - c, north = u[at + nx] - c,
         south = u[at - nx] - c;
  un[at] = c + 0.2 * (east / (1 + 4 * (east * east)) + west / (1 + 4 * (west * west)) +
                      north / (1 + 4 * (north * north)) + south / (1 + 4 * (south * south)));
}

struct Term {
  const double *__restrict__ p, *__restrict__ q, *__restrict__ r;
  __host__ __device__ double operator()(int i) const {
    return sqrt(p[i] * p[i] + q[i] * q[i]) / (r[i] + 1);
  }
};

__global__ void histogram(const float *__restrict__ a, int *__restrict__ bins, int n) {
  __shared__ int counts[256];
  int t = threadIdx.x;
  counts[t] = 0;
  __syncthreads();
  for (int i = self(); i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&counts[min(max(int(a[i] * 256), 0), 255)], 1);
  __syncthreads();
  atomicAdd(&bins[t], counts[t]);
}

__global__ void transpose3(const float *__restrict__ a, float *__restrict__ b, int nx, int ny,
                           int nz) {
  __shared__ float tile[32][33];
  int ti = threadIdx.x, tk = threadIdx.y, i = blockIdx.x * 32, k = blockIdx.y * 32, j = blockIdx.z;
#pragma unroll
  for (int r = 0; r < 32; r += 8)
    tile[tk + r][ti] = a[((k + tk + r) * ny + j) * nx + i + ti];
  __syncthreads();
#pragma unroll
  for (int r = 0; r < 32; r += 8)
    b[(j * nx + i + tk + r) * nz + k + ti] = tile[ti][tk + r];
}

// Device memory with value(factor*i) for i = 1, 2, ...
template <class T>
T *multiples(int factor, size_t n) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = static_cast<T>(value(factor * static_cast<int>(i + 1)));
  return copyOf(host);
}

template <class T>
std::vector<T> back(const T *device, size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

int main(int argc, char **argv) {
  const int n = 1024, mx = 4096, gx = 2048, tx = 256, tz = 256;
  int part = argc > 1 ? std::atoi(argv[1]) : 1;

  {
    int rows = 4096 / part;
    std::vector<float2> z(size_t(n) * rows), ws(n);
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < n; ++i)
        z[j * n + i] = {float(value(j * n + i + 1) - 0.5), float(0.5 * value(3 * i + j + 1))};
    for (int i = 0; i < n; ++i)
      ws[i] = {float(cos(2 * acos(-1.0) * i / n)), float(-sin(2 * acos(-1.0) * i / n))};
    float2 *a = copyOf(z), *b = zeros<float2>(z.size()), *w = copyOf(ws);
    while (more("fft1024"))
      fft1024<<<rows, n / 4>>>(a, b, w);
    norm("fft1024", &b->x, 2 * z.size());
    z = back(b, z.size());
    double low = 0;
    for (int j = 0; j < rows; ++j)
      for (int i = 0; i < 10; ++i)
        low += double(z[j * n + i].x) + 2 * double(z[j * n + i].y);
    std::printf("SUM fft1024_low %22.14e\n", low);
    cudaFree(a), cudaFree(b);
  }
  {
    int walkers = 524288 / part;
    std::vector<int> host(walkers);
    for (int i = 0; i < walkers; ++i)
      host[i] = 1 + 4001 * (i + 1);
    int *seeds = copyOf(host), *hits = zeros<int>(walkers);
    while (more("circle"))
      monteCarlo<<<walkers / 256, 256>>>(seeds, hits, 200, walkers);
    norm("circle", hits, walkers);
  }
  {
    int items = 8388608 / part;
    std::vector<int> host(items);
    for (int i = 0; i < items; ++i)
      host[i] = (i + 1) % 1009;
    int *numbers = copyOf(host), *sums = zeros<int>(items);
    while (more("scan"))
      scan<<<items / 256, 256>>>(numbers, sums);
    norm("scan", sums, items);
    cudaFree(numbers), cudaFree(sums);
  }
  {
    int my = 2048 / part;
    size_t l = size_t(mx) * my;
    float *picture = values<float>(l), *blurred = zeros<float>(l), host[25];
    for (int i = 0; i < 25; ++i)
      host[i] = (i + 1) * 0.01f;
    cudaMemcpyToSymbol(weights, host, sizeof host);
    while (more("convolve"))
      convolve<<<dim3(mx / 32, my / 8), dim3(32, 8)>>>(picture, blurred, mx, my);
    norm("convolve", blurred, l);
    cudaFree(picture), cudaFree(blurred);
  }
  {
    int gy = 2048 / part;
    size_t l = size_t(gx) * gy;
    double *u = values<double>(l), *un = values<double>(l);
    while (more("cuf_diffusion"))
      diffusion<<<dim3((gx - 2 + 31) / 32, (gy - 2 + 7) / 8), dim3(32, 8)>>>(u, un, gx, gy);
    norm("cuf_diffusion", un, l);
    cudaFree(u), cudaFree(un);
  }
  {
    int l = 4194304 / part;
    double *p = values<double>(l), *q = multiples<double>(7, l), *r = multiples<double>(3, l),
           *result = zeros<double>(1), total = 0;
    auto terms = thrust::make_transform_iterator(thrust::make_counting_iterator(0), Term{p, q, r});
    void *memory = nullptr;
    size_t bytes = 0;
    cub::DeviceReduce::Sum(memory, bytes, terms, result, l);
    cudaMalloc(&memory, bytes);
    while (more("cuf_norm")) {
      cub::DeviceReduce::Sum(memory, bytes, terms, result, l);
      cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
    }
    std::printf("SUM cuf_norm %22.14e\n", total);
    cudaFree(p), cudaFree(q), cudaFree(r);
  }
  {
    int items = 16777216 / part;
    float *sample = values<float>(items);
    int *bins = zeros<int>(256);
    while (more("bins"))
      histogram<<<1024, 256>>>(sample, bins, items);
    std::vector<int> host = back(bins, 256);
    double total = 0;
    for (int i = 0; i < 256; ++i)
      total += double(i + 1) * host[i];
    std::printf("SUM bins %22.14e\n", total);
    cudaFree(sample);
  }
  {
    int ty = 128 / part;
    size_t l = size_t(tx) * ty * tz;
    float *block = values<float>(l), *turned = zeros<float>(l);
    while (more("transpose3"))
      transpose3<<<dim3(tx / 32, tz / 32, ty), dim3(32, 8)>>>(block, turned, tx, ty, tz);
    std::vector<float> host = back(turned, l);
    double total = 0;
    for (size_t i = 0; i < l; ++i)
      total += host[i] * double(i + 1);
    std::printf("SUM transpose3 %22.14e\n", total);
  }
}
