// Kernels over grids, in column-major order. Twin of grids.cuf.
#include "timing.h"
#include <cub/cub.cuh>

#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define J (int)(blockIdx.y * blockDim.y + threadIdx.y)
#define K (int)(blockIdx.z * blockDim.z + threadIdx.z)

__global__ void triad(double *__restrict__ a, const double *__restrict__ b,
                      const double *__restrict__ c, int n) {
  int i = I;
  if (i < n)
    a[i] = b[i] + 3 * c[i];
}

__global__ void copy(double *__restrict__ a, const double *__restrict__ b, int n) {
  for (int i = I; i < n; i += blockDim.x * gridDim.x)
    a[i] = b[i];
}

__global__ void saxpyStrided(const float *__restrict__ x, float *__restrict__ y, int n) {
  for (int i = I; i < n; i += blockDim.x * gridDim.x)
    y[i] = y[i] + 0.5f * x[i];
}

__global__ void stencil7(const double *__restrict__ a, double *__restrict__ b, int n) {
  int i = I, j = J, k = K;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1 && k > 0 && k < n - 1) {
    int at = (k * n + j) * n + i;
    b[at] = (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] + a[at - n * n] + a[at + n * n]) / 6;
  }
}

__global__ void stencil5(const double *__restrict__ a, double *__restrict__ b, int n) {
  int i = I, j = J;
  if (i > 0 && i < n - 1 && j > 0 && j < n - 1) {
    int at = j * n + i;
    b[at] = (a[at - 1] + a[at + 1] + a[at - n] + a[at + n]) * 0.25;
  }
}

__global__ void convolution(const float *__restrict__ a, float *__restrict__ b,
                            const float *__restrict__ w, int n) {
  int i = I, j = J;
  if (i < 3 || j < 3 || i > n - 4 || j > n - 4)
    return;
  float s = 0;
  for (int l = 0; l < 7; ++l)
    for (int k = 0; k < 7; ++k)
      s += w[l * 7 + k] * a[(j + l - 3) * n + i + k - 3];
  b[j * n + i] = s;
}

__global__ void gemv(const float *__restrict__ a, const float *__restrict__ x,
                     float *__restrict__ y, int n) {
  int i = I;
  if (i < n) {
    y[i] = 0;
    for (int j = 0; j < n; ++j)
      y[i] += a[j * n + i] * x[j];
  }
}

__global__ void product(const float *__restrict__ a, const float *__restrict__ b,
                        float *__restrict__ c, int n) {
  int i = I, j = J;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[k * n + i] * b[j * n + k];
  c[j * n + i] = s;
}

__global__ void productTiled(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c, int n) {
  __shared__ float x[16][16], y[16][16];
  int t = threadIdx.x, u = threadIdx.y, i = blockIdx.x * 16 + t, j = blockIdx.y * 16 + u;
  float s = 0;
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

__global__ void transposed(const double *__restrict__ a, double *__restrict__ b, int n) {
  __shared__ double tile[32][33];
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = a[(j + k) * n + i];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(j + k) * n + i] = tile[threadIdx.x][threadIdx.y + k];
}

template <class T, class Call>
T reduced(Call call) {
  static T *result = nullptr;
  static void *memory = nullptr;
  static size_t bytes = 0;
  if (!memory) {
    cudaMalloc(&result, sizeof(T));
    call(nullptr, bytes, result);
    cudaMalloc(&memory, bytes);
  }
  call(memory, bytes, result);
  T host;
  cudaMemcpy(&host, result, sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

int main() {
  const int n = 4096, m = 320, l = n * n;
  double *a = values<double>(l), *b = values<double>(l), *p = values<double>(m * m * m),
         *q = values<double>(m * m * m);
  double *u = values<double>(l), *v = values<double>(l), *w = values<double>(l), total = 0;
  float *x = values<float>(l), *y = values<float>(l), *z = values<float>(l), *xs = values<float>(l),
        *ys = values<float>(l);
  float *weights = values<float>(49), largest = 0;
  cudaMemset(b, 0, l * sizeof(double));
  cudaMemset(q, 0, m * m * m * sizeof(double));
  const dim3 cubes(m / 32, m / 4, m), cube(32, 4, 1), squares(n / 32, n / 8), square(32, 8);
  auto add = [&](void *memory, size_t &bytes, double *result) {
    cub::DeviceReduce::Sum(memory, bytes, v, result, l);
  };
  auto most = [&](void *memory, size_t &bytes, float *result) {
    cub::DeviceReduce::Max(memory, bytes, xs, result, l);
  };

  while (more("triad"))
    triad<<<l / 256, 256>>>(u, v, w, l);
  report("triad", u, l);
  while (more("saxpy_strided"))
    saxpyStrided<<<1056, 256>>>(xs, ys, l);
  while (more("stencil7"))
    stencil7<<<cubes, cube>>>(p, q, m);
  report("stencil7", q, m * m * m);
  while (more("stencil7_shape"))
    stencil7<<<cubes, cube>>>(p, q, m);
  while (more("module5"))
    stencil5<<<squares, square>>>(a, b, n);
  while (more("convolution"))
    convolution<<<squares, square>>>(x, z, weights, n);
  while (more("gemv"))
    gemv<<<n / 32, 32>>>(x, xs, ys, n);
  while (more("product"))
    product<<<dim3(1024 / 32, 1024 / 8), square>>>(x, y, z, 1024);
  while (more("product_tiled"))
    productTiled<<<dim3(1024 / 16, 1024 / 16), dim3(16, 16)>>>(x, y, z, 1024);
  while (more("transposed"))
    transposed<<<dim3(n / 32, n / 32), square>>>(a, b, n);
  while (more("cuf_copy"))
    copy<<<1056, 256>>>(u, v, l);
  while (more("cuf_jacobi5"))
    stencil5<<<squares, square>>>(a, b, n);
  while (more("cuf_jacobi7"))
    stencil7<<<cubes, cube>>>(p, q, m);
  while (more("cuf_module5"))
    stencil5<<<squares, square>>>(a, b, n);
  while (more("cuf_sum"))
    total = reduced<double>(add);
  std::printf("SUM cuf_sum %22.14e\n", total);
  while (more("cuf_max"))
    largest = reduced<float>(most);
  while (more("sum"))
    total = reduced<double>(add);
  while (more("maxval"))
    largest = reduced<float>(most);
  return largest < 0;
}
