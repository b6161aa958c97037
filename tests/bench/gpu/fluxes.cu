// Fluxes between cells and elements, waves, fronts of crystals, cyclic reduction, refined blocks.
// Twin of fluxes.cuf.
#include "timing.h"
#include <cmath>

namespace {

struct Cell {
  double rho, v[3], b[3];
};

__constant__ float taps[5];

__device__ double minmod(double a, double b) {
  return a * b > 0 ? copysign(fmin(fabs(a), fabs(b)), a) : 0;
}

__device__ void physical(const double *w, double gamma, double *f) {
  double e = w[4] / (gamma - 1) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
  f[0] = w[0] * w[1];
  f[1] = w[0] * w[1] * w[1] + w[4];
  f[2] = w[0] * w[1] * w[2];
  f[3] = w[0] * w[1] * w[3];
  f[4] = (e + w[4]) * w[1];
}

__device__ void starFlux(const double *w, double s, double sm, double gamma, double *f) {
  physical(w, gamma, f);
  double e = w[4] / (gamma - 1) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
  double star = w[0] * (s - w[1]) / (s - sm);
  f[0] += s * (star - w[0]);
  f[1] += s * (star * sm - w[0] * w[1]);
  f[2] += s * (star * w[2] - w[0] * w[2]);
  f[3] += s * (star * w[3] - w[0] * w[3]);
  f[4] += s * (star * (e / w[0] + (sm - w[1]) * (sm + w[4] / (w[0] * (s - w[1])))) - e);
}

__device__ void hllc(const double *l, const double *r, double gamma, double *f) {
  double cl = sqrt(gamma * l[4] / l[0]), cr = sqrt(gamma * r[4] / r[0]);
  double sl = fmin(l[1] - cl, r[1] - cr), sr = fmax(l[1] + cl, r[1] + cr);
  if (sl >= 0) {
    physical(l, gamma, f);
  } else if (sr <= 0) {
    physical(r, gamma, f);
  } else {
    double sm = (r[4] - l[4] + l[0] * l[1] * (sl - l[1]) - r[0] * r[1] * (sr - r[1])) /
                (l[0] * (sl - l[1]) - r[0] * (sr - r[1]));
    if (sm >= 0)
      starFlux(l, sl, sm, gamma, f);
    else
      starFlux(r, sr, sm, gamma, f);
  }
}

__global__ void hllcX(const double *__restrict__ w, double *__restrict__ flux, double gamma, int nx,
                      int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z;
  if (i < 1 || i >= nx - 2 || j >= ny)
    return;
  int at = (k * ny + j) * nx + i, stride = nx * ny * nz;
  double l[5], r[5], f[5];
#pragma unroll
  for (int m = 0; m < 5; ++m) {
    const double *p = w + m * stride + at;
    double a = p[-1], b = p[0], c = p[1], d = p[2];
    l[m] = b + 0.5 * minmod(b - a, c - b);
    r[m] = c - 0.5 * minmod(c - b, d - c);
  }
  hllc(l, r, gamma, f);
#pragma unroll
  for (int m = 0; m < 5; ++m)
    flux[m * stride + at] = f[m];
}

__global__ void cornerField(const Cell *__restrict__ cells, double *__restrict__ e, double eta,
                            int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx - 1 || j >= ny - 1)
    return;
  const Cell *c = cells + j * nx + i;
  double v[3] = {}, b[3] = {}, rho = 0;
#pragma unroll
  for (int q = 0; q < 2; ++q)
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      const Cell &o = c[q * nx + p];
#pragma unroll
      for (int m = 0; m < 3; ++m) {
        v[m] += 0.25 * o.v[m];
        b[m] += 0.25 * o.b[m];
      }
      rho += 0.25 * o.rho;
    }
  double jz = c[1].b[1] - c[0].b[1] - c[nx].b[0] + c[0].b[0];
  double *out = e + 3 * (j * nx + i);
  out[0] = v[2] * b[1] - v[1] * b[2];
  out[1] = v[0] * b[2] - v[2] * b[0];
  out[2] = v[1] * b[0] - v[0] * b[1] + eta * jz / sqrt(rho);
}

__global__ void seismic8(const float *__restrict__ p, const float *__restrict__ old,
                         const float *__restrict__ speed, float *__restrict__ next, int nx, int ny,
                         int planes) {
  __shared__ float tile[16][40];
  int tx = threadIdx.x + 4, ty = threadIdx.y + 4;
  int i = blockIdx.x * 32 + tx, j = blockIdx.y * 8 + ty, first = 4 + blockIdx.z * planes;
  int plane = nx * ny, at = first * plane + j * nx + i;
  float queue[9];
#pragma unroll
  for (int m = 1; m < 9; ++m)
    queue[m] = p[at + (m - 5) * plane];
  for (int k = 0; k < planes; ++k, at += plane) {
#pragma unroll
    for (int m = 0; m < 8; ++m)
      queue[m] = queue[m + 1];
    queue[8] = p[at + 4 * plane];
    __syncthreads();
    tile[ty][tx] = queue[4];
    if (tx < 8) {
      tile[ty][tx - 4] = p[at - 4];
      tile[ty][tx + 32] = p[at + 32];
    }
    if (ty < 8) {
      tile[ty - 4][tx] = p[at - 4 * nx];
      tile[ty + 8][tx] = p[at + 8 * nx];
    }
    __syncthreads();
    float lap = 3 * taps[0] * queue[4];
#pragma unroll
    for (int m = 1; m <= 4; ++m)
      lap += taps[m] * (tile[ty][tx - m] + tile[ty][tx + m] + tile[ty - m][tx] + tile[ty + m][tx] +
                        queue[4 - m] + queue[4 + m]);
    next[at] = 2 * queue[4] - old[at] + speed[at] * lap;
  }
}

__global__ void dgSurface(const double *__restrict__ u, double *__restrict__ out,
                          const double *__restrict__ lift, const int *__restrict__ inner,
                          const int *__restrict__ outer, const double *__restrict__ normal,
                          double ax, double ay) {
  __shared__ double jump[16][15];
  int node = threadIdx.x, slot = threadIdx.y, element = blockIdx.x * 16 + slot;
  if (node < 15) {
    int face = node / 5;
    double an = ax * normal[6 * element + 2 * face] + ay * normal[6 * element + 2 * face + 1];
    double um = u[inner[15 * element + node]], up = u[outer[15 * element + node]];
    jump[slot][node] = 0.5 * (an - fabs(an)) * (um - up);
  }
  __syncthreads();
  if (node < 15) {
    double s = 0;
#pragma unroll
    for (int m = 0; m < 15; ++m)
      s += lift[15 * m + node] * jump[slot][m];
    out[15 * element + node] = s;
  }
}

__global__ void dendrite(const float *__restrict__ phi, const float *__restrict__ heat,
                         float *__restrict__ phiNew, float *__restrict__ heatNew, int nx, int ny,
                         float dt) {
  constexpr float dx = 0.03f, tau = 3e-4f, epsilon = 0.01f, delta = 0.02f, folds = 6, theta0 = 0.2f,
                  alpha = 0.9f, gamma = 10, kappa = 1.8f, pi = 3.14159265f;
  __shared__ float tile[12][36], ex[10][34], ey[10][34];
  int me = threadIdx.y * 32 + threadIdx.x, i0 = blockIdx.x * 32, j0 = blockIdx.y * 8;
  auto wrap = [](int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; };
  for (int n = me; n < 36 * 12; n += 256) {
    int p = n % 36, q = n / 36;
    tile[q][p] = phi[wrap(j0 + q - 2, ny) * nx + wrap(i0 + p - 2, nx)];
  }
  __syncthreads();
  for (int n = me; n < 34 * 10; n += 256) {
    int p = n % 34, q = n / 34;
    float gx = (tile[q + 1][p + 2] - tile[q + 1][p]) / (2 * dx);
    float gy = (tile[q + 2][p + 1] - tile[q][p + 1]) / (2 * dx);
    float theta = folds * (atan2f(gy, gx) - theta0);
    float e = epsilon * (1 + delta * cosf(theta)), de = -epsilon * folds * delta * sinf(theta);
    ex[q][p] = e * (e * gx - de * gy);
    ey[q][p] = e * (e * gy + de * gx);
  }
  __syncthreads();
  int p = threadIdx.x + 1, q = threadIdx.y + 1, i = i0 + threadIdx.x, j = j0 + threadIdx.y;
  float div = (ex[q][p + 1] - ex[q][p - 1] + ey[q + 1][p] - ey[q - 1][p]) / (2 * dx);
  float here = heat[j * nx + i];
  float lap = (heat[j * nx + (i == 0 ? nx - 1 : i - 1)] + heat[j * nx + (i == nx - 1 ? 0 : i + 1)] +
               heat[(j == 0 ? ny - 1 : j - 1) * nx + i] + heat[(j == ny - 1 ? 0 : j + 1) * nx + i] -
               4 * here) /
              (dx * dx);
  float f = tile[q + 1][p + 1];
  float m = alpha / pi * atanf(gamma * (1 - here));
  float change = dt / tau * (div + f * (1 - f) * (f - 0.5f + m));
  phiNew[j * nx + i] = f + change;
  heatNew[j * nx + i] = here + dt * lap + kappa * change;
}

__global__ void parallelReduction(const double *__restrict__ lower,
                                  const double *__restrict__ diagonal,
                                  const double *__restrict__ upper,
                                  const double *__restrict__ right, double *__restrict__ x, int n) {
  extern __shared__ double memory[];
  double *a = memory, *b = a + n, *c = b + n, *d = c + n;
  int i = threadIdx.x, at = blockIdx.x * n + i;
  a[i] = i == 0 ? 0 : lower[at];
  b[i] = diagonal[at];
  c[i] = i == n - 1 ? 0 : upper[at];
  d[i] = right[at];
  __syncthreads();
  for (int step = 1; step < n; step *= 2) {
    double an = 0, bn = b[i], cn = 0, dn = d[i];
    if (i >= step) {
      double f = -a[i] / b[i - step];
      an = f * a[i - step];
      bn += f * c[i - step];
      dn += f * d[i - step];
    }
    if (i + step < n) {
      double f = -c[i] / b[i + step];
      cn = f * c[i + step];
      bn += f * a[i + step];
      dn += f * d[i + step];
    }
    __syncthreads();
    a[i] = an;
    b[i] = bn;
    c[i] = cn;
    d[i] = dn;
    __syncthreads();
  }
  x[at] = d[i] / b[i];
}

__device__ double slope(const double *u, int stride) {
  return minmod(u[stride] - u[0], u[0] - u[-stride]);
}

__global__ void prolong(const double *__restrict__ coarse, const int *__restrict__ parent,
                        const signed char *__restrict__ octant, double *__restrict__ fine) {
  int b = blockIdx.x, p = parent[b], o = octant[b], i = threadIdx.x, j = threadIdx.y;
  int ci = 4 * (o & 1) + i / 2 + 1, cj = 4 * (o >> 1 & 1) + j / 2 + 1;
  for (int k = threadIdx.z; k < 8; k += blockDim.z) {
    int ck = 4 * (o >> 2) + k / 2 + 1;
    const double *c = coarse + 1000 * p + (ck * 10 + cj) * 10 + ci;
    fine[((b * 8 + k) * 8 + j) * 8 + i] = c[0] + (0.5 * (i % 2) - 0.25) * slope(c, 1) +
                                          (0.5 * (j % 2) - 0.25) * slope(c, 10) +
                                          (0.5 * (k % 2) - 0.25) * slope(c, 100);
  }
}

template <class T, class F>
T *made(size_t n, F f) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = static_cast<T>(f(static_cast<int>(i + 1)));
  return copyOf(host);
}

} // namespace

int main(int argc, char **argv) {
  int part = argc > 1 ? std::atoi(argv[1]) : 1;

  {
    int nx = 256, ny = 64, nz = 64 / part;
    size_t n = size_t(nx) * ny * nz;
    std::vector<double> host(5 * n);
    for (size_t i = 0; i < 5 * n; ++i) {
      double v = value(int(i + 1));
      size_t m = i / n;
      host[i] = m == 0 ? v + 1 : m == 1 ? 4 * v - 2 : m == 4 ? v + 0.5 : v;
    }
    double *w = copyOf(host), *f = zeros<double>(5 * n);
    while (more("hllc_x"))
      hllcX<<<dim3(nx / 64, ny / 2, nz), dim3(64, 2)>>>(w, f, 1.4, nx, ny, nz);
    norm("hllc_x", f, 5 * n);
    cudaFree(w), cudaFree(f);
  }
  {
    int nx = 1024, ny = 1024 / part;
    std::vector<Cell> host(nx * ny);
    for (int i = 0; i < nx * ny; ++i) {
      int k = 7 * (i + 1);
      host[i] = {1 + value(k),
                 {value(k + 1), value(k + 2), value(k + 3)},
                 {value(k + 4), value(k + 5), value(k + 6)}};
    }
    Cell *cells = copyOf(host);
    double *e = zeros<double>(3 * nx * ny);
    while (more("corner_field"))
      cornerField<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(cells, e, 0.1, nx, ny);
    norm("corner_field", e, 3 * nx * ny);
    cudaFree(cells), cudaFree(e);
  }
  {
    int nx = 264, ny = 264, nz = 128 / part + 8, n = nx * ny * nz;
    float *p = values<float>(n), *old = made<float>(n, [](int i) { return value(3 * i); }),
          *speed = made<float>(n, [](int i) { return 0.1 * value(5 * i); }),
          *next = zeros<float>(n);
    float host[5] = {-205.f / 72, 8.f / 5, -1.f / 5, 8.f / 315, -1.f / 560};
    cudaMemcpyToSymbol(taps, host, sizeof host);
    while (more("seismic8"))
      seismic8<<<dim3(8, 32, 4), dim3(32, 8)>>>(p, old, speed, next, nx, ny, (nz - 8) / 4);
    norm("seismic8", next, n);
    cudaFree(p), cudaFree(old), cudaFree(speed), cudaFree(next);
  }
  {
    int n = 131072 / part;
    double *u = values<double>(15 * n), *out = zeros<double>(15 * n), *lift = values<double>(225),
           *normal = made<double>(6 * n, [](int i) { return 2 * value(7 * i) - 1; });
    std::vector<int> in(15 * n), ex(15 * n);
    for (int i = 0; i < n; ++i)
      for (int m = 1; m <= 15; ++m) {
        in[15 * i + m - 1] = 15 * i + 4 * m % 15;
        ex[15 * i + m - 1] =
            15 * ((i + ((m - 1) / 5 - 1) * (m > 10 ? 1 : 301) + n) % n) + 7 * m % 15;
      }
    int *inner = copyOf(in), *outer = copyOf(ex);
    while (more("dg_surface"))
      dgSurface<<<n / 16, dim3(16, 16)>>>(u, out, lift, inner, outer, normal, 0.75, -0.25);
    norm("dg_surface", out, 15 * n);
    cudaFree(u), cudaFree(out), cudaFree(normal), cudaFree(inner), cudaFree(outer);
  }
  {
    int nx = 2048, ny = 2048 / part, n = nx * ny;
    float *phi = values<float>(n), *heat = made<float>(n, [](int i) { return 0.5 * value(3 * i); }),
          *phiNew = zeros<float>(n), *heatNew = zeros<float>(n);
    while (more("dendrite"))
      dendrite<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(phi, heat, phiNew, heatNew, nx, ny, 1e-4f);
    norm("dendrite_phi", phiNew, n);
    norm("dendrite_heat", heatNew, n);
    cudaFree(phi), cudaFree(heat), cudaFree(phiNew), cudaFree(heatNew);
  }
  {
    int n = 8192 / part, m = 256;
    double *a = made<double>(m * n, [](int i) { return -value(i); }),
           *b = made<double>(m * n, [](int i) { return 2.5 + value(3 * i); }),
           *c = made<double>(m * n, [](int i) { return -value(7 * i); }),
           *r = made<double>(m * n, [](int i) { return value(11 * i); }), *x = zeros<double>(m * n);
    while (more("parallel_reduction"))
      parallelReduction<<<n, m, 4 * 8 * m>>>(a, b, c, r, x, m);
    norm("parallel_reduction", x, m * n);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(r), cudaFree(x);
  }
  {
    int n = 4096 / part, children = 4 * n;
    double *coarse = made<double>(1000 * n, [](int i) { return value(7 * i); }),
           *fine = zeros<double>(512 * children);
    int *parent = made<int>(children, [](int i) { return (i - 1) / 4; });
    signed char *octant = made<signed char>(children, [](int i) { return 3 * i % 8; });
    while (more("prolong"))
      prolong<<<children, dim3(8, 8, 4)>>>(coarse, parent, octant, fine);
    norm("prolong", fine, 512 * children);
    cudaFree(coarse), cudaFree(fine);
  }
}
