// Kernels of solvers: high-order stencils, Maxwell, smoothers, sparse and small systems, lattice
// QCD, advection. Twin of solvers.cuf.
#include "timing.h"

struct alignas(16) Complex {
  double re, im;
};

__constant__ float taps[5];

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int selfY() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ int selfZ() { return blockIdx.z * blockDim.z + threadIdx.z; }

__global__ void stencil27(const float *__restrict__ a, float *__restrict__ b,
                          const float *__restrict__ w, int nx, int ny, int nz) {
  int i = self(), j = selfY(), k = selfZ();
  if (i == 0 || j == 0 || k == 0 || i >= nx - 1 || j >= ny - 1 || k >= nz - 1)
    return;
  float s = 0;
#pragma unroll
  for (int dk = -1; dk <= 1; ++dk)
#pragma unroll
    for (int dj = -1; dj <= 1; ++dj)
#pragma unroll
      for (int di = -1; di <= 1; ++di)
        s += w[abs(di) + abs(dj) + abs(dk)] * a[((k + dk) * ny + j + dj) * nx + i + di];
  b[(k * ny + j) * nx + i] = s;
}

__global__ void acoustic(const float *__restrict__ old, const float *__restrict__ now,
                         const float *__restrict__ speed, float *__restrict__ next, int nx, int ny,
                         int nz) {
  int i = self(), j = selfY(), k = selfZ(), row = nx, plane = nx * ny, at = k * plane + j * row + i;
  if (i < 4 || j < 4 || k < 4 || i >= nx - 4 || j >= ny - 4 || k >= nz - 4)
    return;
  float s = 3 * taps[0] * now[at];
#pragma unroll
  for (int r = 1; r <= 4; ++r)
    s += taps[r] * (now[at - r] + now[at + r] + now[at - r * row] + now[at + r * row] +
                    now[at - r * plane] + now[at + r * plane]);
  next[at] = 2 * now[at] - old[at] + 0.1f * speed[at] * s;
}

__global__ void maxwell(const float *__restrict__ ex, const float *__restrict__ ey,
                        const float *__restrict__ ez, float *__restrict__ hx,
                        float *__restrict__ hy, float *__restrict__ hz, float cx, float cy,
                        float cz, int nx, int ny, int nz) {
  int i = self(), j = selfY(), k = selfZ(), plane = nx * ny, at = k * plane + j * nx + i;
  if (i >= nx - 1 || j >= ny - 1 || k >= nz - 1)
    return;
  float x = ex[at], y = ey[at], z = ez[at];
  hx[at] = hx[at] - cy * (ez[at + nx] - z) + cz * (ey[at + plane] - y);
  hy[at] = hy[at] - cz * (ex[at + plane] - x) + cx * (ez[at + 1] - z);
  hz[at] = hz[at] - cx * (ey[at + 1] - y) + cy * (ex[at + nx] - x);
}

__global__ void gaussSeidel(double *__restrict__ u, const double *__restrict__ f, double h2,
                            int colour, int nx, int ny, int nz) {
  int i = self(), j = selfY(), plane = nx * ny;
  if (i == 0 || j == 0 || i >= nx - 1 || j >= ny - 1)
    return;
  for (int k = 1 + ((i + j + colour) & 1); k < nz - 1; k += 2) {
    int at = k * plane + j * nx + i;
    u[at] = (u[at - 1] + u[at + 1] + u[at - nx] + u[at + nx] + u[at - plane] + u[at + plane] +
             h2 * f[at]) /
            6;
  }
}

__global__ void residual(const float *__restrict__ a, const int *__restrict__ offsets,
                         int diagonals, const double *__restrict__ x, const double *__restrict__ b,
                         double *__restrict__ r, int n) {
  int i = self();
  if (i >= n)
    return;
  double s = b[i];
  for (int d = 0; d < diagonals; ++d) {
    int k = i + offsets[d];
    if (k >= 0 && k < n)
      s -= a[d * n + i] * x[k];
  }
  r[i] = s;
}

__global__ void chebyshev(const double *__restrict__ x, double *__restrict__ y,
                          const double *__restrict__ c, int degree, int nx, int ny) {
  int i = self(), j = selfY();
  if (i >= nx || j >= ny)
    return;
  double t = 2 * x[j * nx + i] - 1, b1 = 0, b2 = 0;
  for (int k = degree; k > 0; --k) {
    double b0 = c[k] + 2 * t * b1 - b2;
    b2 = b1;
    b1 = b0;
  }
  y[j * nx + i] = c[0] + t * b1 - b2;
}

__global__ void hopping(const Complex *__restrict__ u, const Complex *__restrict__ v,
                        const int *__restrict__ up, const int *__restrict__ down,
                        Complex *__restrict__ w, int n) {
  int i = self();
  if (i >= n)
    return;
  Complex s[3] = {};
  for (int mu = 0; mu < 4; ++mu) {
    int k = up[4 * i + mu], l = down[4 * i + mu];
    const Complex *forward = u + (4 * i + mu) * 9, *backward = u + (4 * l + mu) * 9;
#pragma unroll
    for (int c = 0; c < 3; ++c)
#pragma unroll
      for (int d = 0; d < 3; ++d) {
        Complex a = forward[3 * d + c], x = v[3 * k + d], b = backward[3 * c + d], y = v[3 * l + d];
        s[c].re += a.re * x.re - a.im * x.im + (b.re * y.re + b.im * y.im);
        s[c].im += a.re * x.im + a.im * x.re + (b.re * y.im - b.im * y.re);
      }
  }
#pragma unroll
  for (int c = 0; c < 3; ++c)
    w[3 * i + c] = s[c];
}

__global__ void inverse4(const float4 *__restrict__ a, float4 *__restrict__ b, int n) {
  int i = self();
  if (i >= n)
    return;
  float m[4][4]; // [column][row]
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float4 c = a[4 * i + k];
    m[k][0] = c.x, m[k][1] = c.y, m[k][2] = c.z, m[k][3] = c.w;
    m[k][k] += 4;
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    float p = 1 / m[k][k];
    m[k][k] = 1;
#pragma unroll
    for (int c = 0; c < 4; ++c)
      m[c][k] *= p;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (j == k)
        continue;
      p = m[k][j];
      m[k][j] = 0;
#pragma unroll
      for (int c = 0; c < 4; ++c)
        m[c][j] -= p * m[c][k];
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    b[4 * i + k] = make_float4(m[k][0], m[k][1], m[k][2], m[k][3]);
}

__global__ void cyclicReduction(const float *__restrict__ lower, const float *__restrict__ diagonal,
                                const float *__restrict__ upper, const float *__restrict__ right,
                                float *__restrict__ x) {
  __shared__ float a[256], b[256], c[256], d[256];
  int t = threadIdx.x, at = blockIdx.x * 256 + t;
  float an, bn, cn, dn;
  a[t] = t == 0 ? 0 : lower[at];
  b[t] = diagonal[at] + 4;
  c[t] = t == 255 ? 0 : upper[at];
  d[t] = right[at];
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    int low = max(t - step, 0), high = min(t + step, 255);
    float p = a[t] / b[low], q = c[t] / b[high];
    an = -a[low] * p;
    bn = b[t] - c[low] * p - a[high] * q;
    cn = -c[high] * q;
    dn = d[t] - d[low] * p - d[high] * q;
    __syncthreads();
    a[t] = an;
    b[t] = bn;
    c[t] = cn;
    d[t] = dn;
  }
  x[at] = dn / bn;
}

__global__ void ellpack(const double *__restrict__ a, const int *__restrict__ column, int entries,
                        const double *__restrict__ x, double *__restrict__ y, int n) {
  int i = self();
  if (i >= n)
    return;
  double s = 0;
  for (int k = 0; k < entries; ++k) {
    int j = column[k * n + i];
    if (j < 0)
      break;
    s += a[k * n + i] * x[j];
  }
  y[i] = s;
}

__global__ void semiLagrangian(const float *__restrict__ f, const float *__restrict__ u,
                               const float *__restrict__ v, float *__restrict__ g, float dt, int nx,
                               int ny) {
  int i = self(), j = selfY(), at = j * nx + i;
  float x = fminf(fmaxf(i - dt * (u[at] - 0.5f), 0), nx - 1);
  float y = fminf(fmaxf(j - dt * (v[at] - 0.25f), 0), ny - 1);
  int k = min(static_cast<int>(x), nx - 2), l = min(static_cast<int>(y), ny - 2);
  const float *c = f + l * nx + k;
  float p = x - k, q = y - l;
  g[at] = (1 - q) * ((1 - p) * c[0] + p * c[1]) + q * ((1 - p) * c[nx] + p * c[nx + 1]);
}

__device__ double square(double x) { return x * x; }

__global__ void weno5(const double *__restrict__ f, double *__restrict__ g, int nx) {
  int i = self(), j = selfY(), at = j * nx + i;
  if (i < 2 || i >= nx - 2)
    return;
  double a = f[at - 2], b = f[at - 1], c = f[at], d = f[at + 1], e = f[at + 2];
  double beta0 = 13 / 12.0 * square(a - 2 * b + c) + 0.25 * square(a - 4 * b + 3 * c);
  double beta1 = 13 / 12.0 * square(b - 2 * c + d) + 0.25 * square(b - d);
  double beta2 = 13 / 12.0 * square(c - 2 * d + e) + 0.25 * square(3 * c - 4 * d + e);
  double q0 = (2 * a - 7 * b + 11 * c) / 6, q1 = (-b + 5 * c + 2 * d) / 6,
         q2 = (2 * c + 5 * d - e) / 6;
  double w0 = 0.1 / square(beta0 + 1e-6), w1 = 0.6 / square(beta1 + 1e-6),
         w2 = 0.3 / square(beta2 + 1e-6);
  g[at] = (w0 * q0 + w1 * q1 + w2 * q2) / (w0 + w1 + w2);
}

__global__ void shallowWater(const double *__restrict__ h, const double *__restrict__ hu,
                             const double *__restrict__ hv, double *__restrict__ hn,
                             double *__restrict__ hun, double *__restrict__ hvn, double c, double g,
                             int nx, int ny) {
  int i = self(), j = selfY();
  if (i == 0 || j == 0 || i >= nx - 1 || j >= ny - 1)
    return;
  int at = j * nx + i, w = at - 1, e = at + 1, s = at - nx, n = at + nx;
  hn[at] = 0.25 * (h[w] + h[e] + h[s] + h[n]) - c * (hu[e] - hu[w] + hv[n] - hv[s]);
  hun[at] = 0.25 * (hu[w] + hu[e] + hu[s] + hu[n]) -
            c * (square(hu[e]) / h[e] + g * square(h[e]) - square(hu[w]) / h[w] - g * square(h[w]) +
                 hu[n] * hv[n] / h[n] - hu[s] * hv[s] / h[s]);
  hvn[at] = 0.25 * (hv[w] + hv[e] + hv[s] + hv[n]) -
            c * (hu[e] * hv[e] / h[e] - hu[w] * hv[w] / h[w] + square(hv[n]) / h[n] +
                 g * square(h[n]) - square(hv[s]) / h[s] - g * square(h[s]));
}

int main() {
  const int nx = 256, ny = 256, nz = 128, l = nx * ny * nz, mx = 4096, my = 2048, n = 1 << 21,
            rows = 1 << 19;
  const int sites = 1 << 17, edge[4] = {32, 16, 16, 16}, systems = 1 << 14, entries = 20;
  const dim3 cubes(nx / 32, ny / 4, nz / 2), cube(32, 4, 2), squares(mx / 32, my / 8),
      square(32, 8);
  float *ex = values<float>(l), *ey = values<float>(l), *ez = values<float>(l),
        *hx = values<float>(l), *hy = values<float>(l), *hz = values<float>(l),
        *p = values<float>(l), *diagonals = values<float>(7 * n), *f = values<float>(l),
        *u = values<float>(l), *v = values<float>(l), *g = values<float>(l),
        *m4 = values<float>(2 * l), *i4 = values<float>(2 * l);
  float *lower = values<float>(256 * systems), *diagonal = values<float>(256 * systems),
        *upper = values<float>(256 * systems), *right = values<float>(256 * systems),
        *solution = values<float>(256 * systems);
  double *q = values<double>(l), *fq = values<double>(l), *x = values<double>(n),
         *b = values<double>(n), *r = values<double>(n), *c2 = values<double>(l),
         *d2 = values<double>(l), *ell = values<double>(rows * entries), *y = values<double>(rows),
         *hu = values<double>(l), *hv = values<double>(l),
         *next[3] = {values<double>(l), values<double>(l), values<double>(l)};
  float *weights = copyOf<float>({0.4f, 0.05f, 0.02f, 0.0075f});
  const float stencil[5] = {-2.84722f, 1.6f, -0.2f, 0.025397f, -0.001786f};
  cudaMemcpyToSymbol(taps, stencil, sizeof taps);
  int *offsets = copyOf<int>({-16384, -128, -1, 0, 1, 128, 16384});
  for (double *zero : {d2, next[0], next[1], next[2]})
    cudaMemset(zero, 0, l * sizeof(double));
  std::vector<double> series(33), depth(l);
  for (int k = 0; k <= 32; ++k)
    series[k] = 1 / ((k + 1.0) * (k + 1.0));
  for (int i = 0; i < l; ++i)
    depth[i] = 1 + value(i + 1);
  std::vector<Complex> numbers(36 * sites);
  for (int i = 0; i < 36 * sites; ++i)
    numbers[i] = {value(i + 1), 0.5};
  std::vector<int> plus(4 * sites), minus(4 * sites), columns(rows * entries);
  for (int i = 0; i < sites; ++i)
    for (int k = 0, stride = 1; k < 4; stride *= edge[k++]) {
      int at = i / stride % edge[k];
      plus[4 * i + k] = i + stride * ((at + 1) % edge[k] - at);
      minus[4 * i + k] = i + stride * ((at + edge[k] - 1) % edge[k] - at);
    }
  for (int k = 0; k < entries; ++k)
    for (int i = 0; i < rows; ++i)
      columns[k * rows + i] = k >= 12 + i % 9 ? -1 : (i + 37 * (k - 9) + rows) % rows;
  double *c = copyOf(series), *h = copyOf(depth);
  Complex *links = copyOf(numbers), *spinors = copyOf(numbers), *hopped = copyOf(numbers);
  int *up = copyOf(plus), *down = copyOf(minus), *column = copyOf(columns);

  while (more("stencil27"))
    stencil27<<<cubes, cube>>>(ex, p, weights, nx, ny, nz);
  norm("stencil27", p, l);
  while (more("acoustic"))
    acoustic<<<cubes, cube>>>(ey, ex, ez, p, nx, ny, nz);
  norm("acoustic", p, l);
  while (more("maxwell"))
    maxwell<<<cubes, cube>>>(ex, ey, ez, hx, hy, hz, 0.02f, 0.01f, 0.03f, nx, ny, nz);
  norm("maxwell_x", hx, l);
  norm("maxwell_z", hz, l);
  while (more("gauss_seidel"))
    gaussSeidel<<<dim3(nx / 32, ny / 4), dim3(32, 4)>>>(q, fq, 0.1, 1, nx, ny, nz);
  norm("gauss_seidel", q, l);
  while (more("residual"))
    residual<<<n / 256, 256>>>(diagonals, offsets, 7, x, b, r, n);
  norm("residual", r, n);
  while (more("chebyshev"))
    chebyshev<<<squares, square>>>(c2, d2, c, 32, mx, my);
  report("chebyshev", d2, l);
  while (more("hopping"))
    hopping<<<sites / 128, 128>>>(links, spinors, up, down, hopped, sites);
  norm("hopping", &hopped->re, 6 * sites);
  while (more("inverse4"))
    inverse4<<<2 * l / 16 / 128, 128>>>(reinterpret_cast<float4 *>(m4),
                                        reinterpret_cast<float4 *>(i4), 2 * l / 16);
  norm("inverse4", i4, 2 * l);
  while (more("cyclic_reduction"))
    cyclicReduction<<<systems, 256>>>(lower, diagonal, upper, right, solution);
  norm("cyclic_reduction", solution, 256 * systems);
  while (more("ellpack"))
    ellpack<<<rows / 256, 256>>>(ell, column, entries, x, y, rows);
  report("ellpack", y, rows);
  while (more("semi_lagrangian"))
    semiLagrangian<<<squares, square>>>(f, u, v, g, 4, mx, my);
  norm("semi_lagrangian", g, l);
  while (more("weno5"))
    weno5<<<squares, square>>>(c2, d2, mx);
  norm("weno5", d2, l);
  while (more("shallow_water"))
    shallowWater<<<squares, square>>>(h, hu, hv, next[0], next[1], next[2], 0.01, 4.9, mx, my);
  norm("water_4", next[0], l);
  norm("water_5", next[1], l);
  norm("water_6", next[2], l);
}
