// Kernels whose threads compute formulas: small systems, complex and 8-byte numbers, tables, random
// numbers. Twin of formulas.cuf.
#include "timing.h"
#include <cmath>
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void cholesky(double *a, int n) {
  double l[4][4];
  int t = self();
  if (t >= n)
    return;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      l[j][i] = a[(j * 4 + i) * n + t];
  for (int j = 0; j < 4; ++j) {
    double s = l[j][j] + 8;
    for (int k = 0; k < j; ++k)
      s -= l[k][j] * l[k][j];
    l[j][j] = sqrt(s);
    for (int i = j + 1; i < 4; ++i) {
      s = l[j][i];
      for (int k = 0; k < j; ++k)
        s -= l[k][i] * l[k][j];
      l[j][i] = s / l[j][j];
    }
  }
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      a[(j * 4 + i) * n + t] = l[j][i] * 0.25;
}

__global__ void complexUpdate(const double2 *__restrict__ a, const double2 *__restrict__ b,
                              double2 *__restrict__ c, int n) {
  int i = self();
  if (i >= n)
    return;
  double2 x = a[i], y = b[i], z = c[i];
  c[i] = make_double2(z.x * 0.5 - z.y * 0.1 + (x.x * y.x - x.y * y.y),
                      z.x * 0.1 + z.y * 0.5 + (x.x * y.y + x.y * y.x));
}

__global__ void complexMatrices(const float2 *__restrict__ a, const float2 *__restrict__ b,
                                float2 *__restrict__ c, int n) {
  int t = self();
  if (t >= n)
    return;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      float2 s = make_float2(0, 0);
      for (int k = 0; k < 3; ++k) {
        float2 x = a[(k * 3 + i) * n + t], y = b[(j * 3 + k) * n + t];
        s.x += x.x * y.x - x.y * y.y;
        s.y += x.x * y.y + x.y * y.x;
      }
      c[(j * 3 + i) * n + t] = s;
    }
}

__global__ void monteCarlo(int *inside, int n) {
  int i = self(), count = 0;
  if (i >= n)
    return;
  unsigned seed = i + 1;
  for (int k = 0; k < 256; ++k) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    float x = static_cast<int>(seed & 65535) / 65536.0f,
          y = static_cast<int>(seed >> 16) / 65536.0f;
    if (x * x + y * y < 1)
      ++count;
  }
  inside[i] = count;
}

__global__ void interpolated(const float *__restrict__ table, const float *__restrict__ x,
                             float *__restrict__ y, int m, int n) {
  int i = self();
  if (i >= n)
    return;
  float p = x[i] * (m - 1);
  int k = min(static_cast<int>(p), m - 2);
  y[i] = table[k] + (p - k) * (table[k + 1] - table[k]);
}

__global__ void searched(const double *__restrict__ table, const double *__restrict__ x,
                         int *__restrict__ y, int m, int n) {
  int i = self(), low = 1, high = m;
  if (i >= n)
    return;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    if (table[middle - 1] <= x[i])
      low = middle;
    else
      high = middle;
  }
  y[i] = low;
}

__global__ void gathered(const float *__restrict__ x, const int *__restrict__ index,
                         float *__restrict__ y, int n) {
  int i = self();
  if (i < n)
    y[i] = x[index[i] - 1];
}

__global__ void everySecond(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = self();
  if (i < n)
    y[i] = x[2 * i] + x[2 * i + 1];
}

__global__ void functions8(const double *__restrict__ x, double *__restrict__ y, int n) {
  int i = self();
  if (i < n)
    y[i] = exp(-x[i]) * sqrt(x[i] + 1) + log(x[i] + 2);
}

__global__ void functions4(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = self();
  if (i < n)
    y[i] = expf(-x[i]) * tanhf(x[i]) + atanf(x[i] + 2);
}

__global__ void horner(const double *__restrict__ x, double *__restrict__ y, int n) {
  int i = self();
  if (i >= n)
    return;
  double s = 0;
  for (int k = 1; k <= 32; ++k)
    s = s * x[i] + 1.0 / k;
  y[i] = s;
}

__global__ void flux(const double *__restrict__ rho, const double *__restrict__ mom,
                     const double *__restrict__ ene, double *__restrict__ f, int n) {
  int i = self();
  if (i >= n - 1)
    return;
  double ul = mom[i] / (rho[i] + 1), ur = mom[i + 1] / (rho[i + 1] + 1);
  double pl = 0.4 * (ene[i] + 2 - 0.5 * mom[i] * ul),
         pr = 0.4 * (ene[i + 1] + 2 - 0.5 * mom[i + 1] * ur);
  double s =
      fmax(fabs(ul) + sqrt(1.4 * pl / (rho[i] + 1)), fabs(ur) + sqrt(1.4 * pr / (rho[i + 1] + 1)));
  f[i] = 0.5 * (mom[i] + mom[i + 1] - s * (rho[i + 1] - rho[i]));
  f[n + i] = 0.5 * (mom[i] * ul + pl + mom[i + 1] * ur + pr - s * (mom[i + 1] - mom[i]));
  f[2 * n + i] = 0.5 * ((ene[i] + pl) * ul + (ene[i + 1] + pr) * ur - s * (ene[i + 1] - ene[i]));
}

__global__ void newton(const float *__restrict__ x, float *__restrict__ y, int n) {
  int i = self();
  if (i >= n)
    return;
  float a = 1;
  for (int k = 0; k < 50; ++k) {
    float d = (a * a * a - x[i] - 1) / (3 * a * a);
    a -= d;
    if (fabsf(d) < 1e-6f)
      break;
  }
  y[i] = a;
}

__global__ void advected(const float *__restrict__ c, const float *__restrict__ u,
                         const float *__restrict__ v, float *__restrict__ d, int n) {
  int i = self(), j = blockIdx.y * blockDim.y + threadIdx.y, at = j * n + i;
  if (i == 0 || j == 0 || i >= n - 1 || j >= n - 1)
    return;
  float dx = u[at] > 0.5f ? c[at] - c[at - 1] : c[at + 1] - c[at],
        dy = v[at] > 0.5f ? c[at] - c[at - n] : c[at + n] - c[at];
  d[at] = c[at] - 0.1f * ((u[at] - 0.5f) * dx + (v[at] - 0.5f) * dy);
}

__global__ void axpy(const float *__restrict__ x, float *__restrict__ y, int n) {
  for (int i = self(); i < n; i += blockDim.x * gridDim.x)
    y[i] = y[i] * 0.5f + x[i];
}

__global__ void heat(const float *__restrict__ p, float *__restrict__ q, int n) {
  int i = self(), j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z, at = (k * n + j) * n + i;
  if (i == 0 || j == 0 || k == 0 || i >= n - 1 || j >= n - 1 || k >= n - 1)
    return;
  q[at] = p[at] + 0.1f * (p[at - 1] + p[at + 1] + p[at - n] + p[at + n] + p[at - n * n] +
                          p[at + n * n] - 6 * p[at]);
}

struct Product {
  const double *x, *y;
  __device__ double operator()(int i) const { return x[i] * y[i]; }
};

int main() {
  const int n = 1 << 20, l = 1 << 24, g = 4096, m = 256;
  float *x = values<float>(l), *y = values<float>(l), *u = values<float>(l), *v = values<float>(l),
        *w = values<float>(l), *z = values<float>(l), *p = values<float>(m * m * m),
        *q = values<float>(m * m * m);
  double *a = values<double>(16 * n), *d = values<double>(l), *e = values<double>(l),
         *f = values<double>(l), *h3 = values<double>(3 * l), *result, total = 0;
  std::vector<double2> wide(l / 2);
  std::vector<float2> narrow(9 * n);
  std::vector<int> ints(l);
  for (int i = 0; i < l / 2; ++i)
    wide[i] = make_double2(value(i + 1), 0.5);
  for (int i = 0; i < 9 * n; ++i)
    narrow[i] = make_float2(static_cast<float>(value(i + 1)), 0.5f);
  for (int i = 1; i <= l; ++i)
    ints[i - 1] = 1 + (97 * (i % 65536) + i / 256) % l;
  double2 *c1 = copyOf(wide), *c2 = copyOf(wide), *c3 = copyOf(wide);
  float2 *m1 = copyOf(narrow), *m2 = copyOf(narrow), *m3 = copyOf(narrow);
  int *counts = copyOf(ints), *index = copyOf(ints);
  cudaMalloc(&result, sizeof(double));
  const dim3 square(32, 8);

  while (more("cholesky"))
    cholesky<<<n / 128, 128>>>(a, n);
  while (more("complex_update"))
    complexUpdate<<<l / 512, 256>>>(c1, c2, c3, l / 2);
  while (more("complex_matrices"))
    complexMatrices<<<n / 128, 128>>>(m1, m2, m3, n);
  while (more("monte_carlo"))
    monteCarlo<<<n / 256, 256>>>(counts, n);
  report("monte_carlo", counts, n);
  while (more("interpolated"))
    interpolated<<<l / 256, 256>>>(x, x, y, 1009, l);
  report("interpolated", y, l);
  while (more("searched"))
    searched<<<n / 256, 256>>>(d, e, counts, 1008, n);
  report("searched", counts, n);
  while (more("gathered"))
    gathered<<<l / 256, 256>>>(x, index, y, l);
  report("gathered", y, l);
  while (more("every_second"))
    everySecond<<<l / 512, 256>>>(x, y, l / 2);
  report("every_second", y, l);
  while (more("functions_r8"))
    functions8<<<n / 256, 256>>>(d, e, n);
  report("functions_r8", e, n);
  while (more("functions_r4"))
    functions4<<<l / 256, 256>>>(x, y, l);
  report("functions_r4", y, l);
  while (more("horner"))
    horner<<<l / 256, 256>>>(d, e, l);
  report("horner", e, l);
  while (more("flux"))
    flux<<<l / 256, 256>>>(d, f, f, h3, l);
  while (more("newton"))
    newton<<<l / 256, 256>>>(x, y, l);
  report("newton", y, l);
  while (more("advected"))
    advected<<<dim3(g / 32, g / 8), square>>>(u, v, w, z, g);
  report("advected", z, l);
  while (more("cuf_axpy"))
    axpy<<<1056, 256>>>(x, y, l);
  report("cuf_axpy", y, l);
  while (more("cuf_heat"))
    heat<<<dim3(m / 32, m / 4, m), dim3(32, 4)>>>(p, q, m);
  auto products = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), Product{d, e});
  void *memory = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(memory, bytes, products, result, l);
  cudaMalloc(&memory, bytes);
  while (more("cuf_dot")) {
    cub::DeviceReduce::Sum(memory, bytes, products, result, l);
    cudaMemcpy(&total, result, sizeof total, cudaMemcpyDeviceToHost);
  }
  std::printf("SUM cuf_dot %22.14e\n", total);
}
