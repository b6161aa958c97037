// Stencils, particles, small and sparse systems, reductions, chemistry, columns. Twin of
// fields.cuf.
#include "timing.h"
#include <cfloat>
#include <cmath>

struct alignas(16) Atom {
  float x, y, z;
  int kind;
};
struct Vector {
  float x, y, z;
};

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int selfY() { return blockIdx.y * blockDim.y + threadIdx.y; }
__device__ int selfZ() { return blockIdx.z * blockDim.z + threadIdx.z; }

__global__ void gradient6(const double *__restrict__ f, double *__restrict__ fx,
                          double *__restrict__ fy, double *__restrict__ fz, double hx, double hy,
                          double hz, int nx, int ny, int nz) {
  constexpr double c1 = 45.0 / 60, c2 = -9.0 / 60, c3 = 1.0 / 60;
  int i = self(), j = selfY(), k = selfZ(), plane = nx * ny, at = k * plane + j * nx + i;
  if (i < 3 || j < 3 || k < 3 || i >= nx - 3 || j >= ny - 3 || k >= nz - 3)
    return;
  fx[at] = hx * (c1 * (f[at + 1] - f[at - 1]) + c2 * (f[at + 2] - f[at - 2]) +
                 c3 * (f[at + 3] - f[at - 3]));
  fy[at] = hy * (c1 * (f[at + nx] - f[at - nx]) + c2 * (f[at + 2 * nx] - f[at - 2 * nx]) +
                 c3 * (f[at + 3 * nx] - f[at - 3 * nx]));
  fz[at] =
      hz * (c1 * (f[at + plane] - f[at - plane]) + c2 * (f[at + 2 * plane] - f[at - 2 * plane]) +
            c3 * (f[at + 3 * plane] - f[at - 3 * plane]));
}

__global__ void upwind(const double *__restrict__ q, const double *__restrict__ u,
                       const double *__restrict__ v, double *__restrict__ qn, double dt, int nx,
                       int ny) {
  int i = self(), j = selfY(), at = j * nx + i;
  if (i < 2 || j < 2 || i >= nx - 2 || j >= ny - 2)
    return;
  double dx, dy, c = q[at], a = u[at], b = v[at];
  if (a > 0)
    dx = 1.5 * c - 2 * q[at - 1] + 0.5 * q[at - 2];
  else
    dx = -1.5 * c + 2 * q[at + 1] - 0.5 * q[at + 2];
  if (b > 0)
    dy = 1.5 * c - 2 * q[at - nx] + 0.5 * q[at - 2 * nx];
  else
    dy = -1.5 * c + 2 * q[at + nx] - 0.5 * q[at + 2 * nx];
  qn[at] = c - dt * (a * dx + b * dy);
}

__global__ void lennardJones(const Atom *__restrict__ atoms, const int *__restrict__ list,
                             Vector *__restrict__ force, const float *__restrict__ epsilon,
                             float length, float cutoff2, int n, int neighbours) {
  int i = self();
  if (i >= n)
    return;
  Atom me = atoms[i];
  Vector f = {0, 0, 0};
  float half = length / 2;
  for (int k = 0; k < neighbours; ++k) {
    Atom other = atoms[list[k * n + i]];
    float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
    if (dx > half)
      dx -= length;
    if (dx < -half)
      dx += length;
    if (dy > half)
      dy -= length;
    if (dy < -half)
      dy += length;
    if (dz > half)
      dz -= length;
    if (dz < -half)
      dz += length;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < cutoff2) {
      float s2 = 1 / r2, s6 = s2 * s2 * s2;
      float w = 24 * epsilon[me.kind * 2 + other.kind] * s2 * s6 * (2 * s6 - 1);
      f.x += w * dx;
      f.y += w * dy;
      f.z += w * dz;
    }
  }
  force[i] = f;
}

__global__ void cholesky4(const double *__restrict__ a, double *__restrict__ l, int n) {
  int t = self();
  if (t >= n)
    return;
  double m[4][4] = {}; // m[column][row]
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    double s = a[(j * 4 + j) * n + t];
#pragma unroll
    for (int k = 0; k < j; ++k)
      s -= m[k][j] * m[k][j];
    m[j][j] = sqrt(s);
#pragma unroll
    for (int i = j + 1; i < 4; ++i) {
      s = a[(j * 4 + i) * n + t];
#pragma unroll
      for (int k = 0; k < j; ++k)
        s -= m[k][i] * m[k][j];
      m[j][i] = s / m[j][j];
    }
  }
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      l[(j * 4 + i) * n + t] = m[j][i];
}

__global__ void sweep(const int *__restrict__ first, const int *__restrict__ column,
                      const double *__restrict__ a, const double *__restrict__ b,
                      const double *__restrict__ x, double *__restrict__ y, int n) {
  int i = self();
  if (i >= n)
    return;
  double s = b[i], d = 4;
  for (int k = first[i], end = first[i + 1]; k < end; ++k) {
    int j = column[k];
    if (j == i)
      d += a[k];
    else
      s -= a[k] * x[j];
  }
  y[i] = s / d;
}

__global__ void statistics(const float *__restrict__ a, float *__restrict__ low,
                           float *__restrict__ high, float *__restrict__ mean,
                           float *__restrict__ variance) {
  constexpr int threads = 256, each = 16;
  __shared__ float lows[threads], highs[threads], sums[threads], squares[threads];
  int t = threadIdx.x, base = blockIdx.x * threads * each;
  float lo = FLT_MAX, hi = -FLT_MAX, s = 0, s2 = 0;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    float x = a[base + k * threads + t];
    lo = fminf(lo, x);
    hi = fmaxf(hi, x);
    s += x;
    s2 += x * x;
  }
  lows[t] = lo;
  highs[t] = hi;
  sums[t] = s;
  squares[t] = s2;
  __syncthreads();
  for (int step = threads / 2; step > 0; step /= 2) {
    if (t < step) {
      lows[t] = fminf(lows[t], lows[t + step]);
      highs[t] = fmaxf(highs[t], highs[t + step]);
      sums[t] += sums[t + step];
      squares[t] += squares[t + step];
    }
    __syncthreads();
  }
  if (t == 0) {
    s = sums[0] / (threads * each);
    low[blockIdx.x] = lows[0];
    high[blockIdx.x] = highs[0];
    mean[blockIdx.x] = s;
    variance[blockIdx.x] = squares[0] / (threads * each) - s * s;
  }
}

__global__ void arrhenius(const double *__restrict__ temperature,
                          const double *__restrict__ density, const double *__restrict__ factor,
                          const double *__restrict__ power, const double *__restrict__ energy,
                          double *__restrict__ rate, int n, int species) {
  int i = self();
  if (i >= n)
    return;
  double t = temperature[i], s = 0;
  for (int k = 0; k < species; ++k)
    s += factor[k] * pow(t / 300, power[k]) * exp(-energy[k] / t) * density[k * n + i];
  rate[i] = s;
}

__global__ void vertical(double *__restrict__ theta, const double *__restrict__ diffusivity,
                         const double *__restrict__ thickness, double *__restrict__ work, double dt,
                         int columns, int levels) {
  int i = self();
  if (i >= columns)
    return;
  double h = thickness[i], next = thickness[columns + i];
  double below = 2 * dt * diffusivity[i] / (h + next), b = h + below;
  double w = -below / b, x = h * theta[i] / b;
  work[i] = w;
  theta[i] = x;
  for (int k = 1; k < levels; ++k) {
    int at = k * columns + i;
    double above = below;
    h = next;
    below = 0;
    if (k < levels - 1) {
      next = thickness[at + columns];
      below = 2 * dt * diffusivity[at] / (h + next);
    }
    b = h + above + below + above * w;
    w = -below / b;
    x = (h * theta[at] + above * x) / b;
    work[at] = w;
    theta[at] = x;
  }
  for (int k = levels - 2; k >= 0; --k) {
    int at = k * columns + i;
    x = theta[at] - work[at] * x;
    theta[at] = x;
  }
}

int main(int argc, char **argv) {
  const int neighbours = 32, species = 8, levels = 64, nx = 256, ny = 256, mx = 2048;
  int part = argc > 1 ? std::atoi(argv[1]) : 1;

  {
    int nz = 64 / part;
    size_t l = size_t(nx) * ny * nz;
    double *f = values<double>(l), *fx = zeros<double>(l), *fy = zeros<double>(l),
           *fz = zeros<double>(l);
    while (more("gradient6"))
      gradient6<<<dim3(nx / 32, ny / 8, nz), dim3(32, 8)>>>(f, fx, fy, fz, 0.5, 0.25, 0.125, nx, ny,
                                                            nz);
    norm("gradient6_x", fx, l);
    norm("gradient6_y", fy, l);
    norm("gradient6_z", fz, l);
    cudaFree(f), cudaFree(fx), cudaFree(fy), cudaFree(fz);
  }
  {
    int my = 2048 / part;
    size_t l = size_t(mx) * my;
    std::vector<double> us(l), vs(l);
    for (size_t i = 0; i < l; ++i) {
      us[i] = value(i + 1) - 0.5;
      vs[i] = 0.25 - value(i + 1);
    }
    double *q = values<double>(l), *u = copyOf(us), *v = copyOf(vs), *qn = zeros<double>(l);
    while (more("upwind"))
      upwind<<<dim3(mx / 32, my / 8), dim3(32, 8)>>>(q, u, v, qn, 0.1, mx, my);
    norm("upwind", qn, l);
    cudaFree(q), cudaFree(u), cudaFree(v), cudaFree(qn);
  }
  {
    int edge = part == 1 ? 64 : 16, n = edge * edge * edge;
    auto wrap = [&](int x) { return (x + edge) % edge; };
    std::vector<Atom> host(n);
    std::vector<int> lists(size_t(n) * neighbours);
    for (int i = 0; i < n; ++i) {
      int x = i % edge, y = i / edge % edge, z = i / edge / edge, p = 0;
      host[i] = {float(x + 0.2 * value(i + 1)), float(y + 0.2 * value(3 * (i + 1))),
                 float(z + 0.2 * value(7 * (i + 1))), i % 2};
      for (int dk = -2; dk <= 2; ++dk)
        for (int dj = -2; dj <= 2; ++dj)
          for (int di = -2; di <= 2; ++di) {
            int r2 = di * di + dj * dj + dk * dk;
            if (r2 > 0 && r2 <= 4)
              lists[p++ * n + i] = wrap(x + di) + edge * (wrap(y + dj) + edge * wrap(z + dk));
          }
    }
    Atom *atoms = copyOf(host);
    int *list = copyOf(lists);
    Vector *force = zeros<Vector>(n);
    float *epsilon = copyOf(std::vector<float>{1, 0.5f, 0.5f, 0.75f});
    while (more("lennard_jones"))
      lennardJones<<<n / 128, 128>>>(atoms, list, force, epsilon, edge, 3.9f, n, neighbours);
    norm("lennard_jones", &force->x, 3 * size_t(n));
  }
  {
    int batch = 262144 / part;
    std::vector<double> host(16 * size_t(batch));
    for (size_t i = 0; i < host.size(); ++i)
      host[i] = value(i + 1) + (i / batch % 5 == 0 ? 4 : 0);
    double *a = copyOf(host), *l = zeros<double>(host.size());
    while (more("cholesky4"))
      cholesky4<<<batch / 128, 128>>>(a, l, batch);
    norm("cholesky4", l, host.size());
    cudaFree(a), cudaFree(l);
  }
  {
    int rows = 524288 / part;
    std::vector<int> firsts(rows + 1), columns;
    for (int i = 0; i < rows; ++i) {
      firsts[i + 1] = firsts[i] + 4 + 7 * (i + 1) % 9;
      for (int k = firsts[i]; k < firsts[i + 1]; ++k)
        columns.push_back((i + 1 + 53 * (k - firsts[i] - 4) + (k + 1) % 5 + rows) % rows);
    }
    int *first = copyOf(firsts), *column = copyOf(columns);
    double *a = values<double>(columns.size()), *x = values<double>(rows),
           *b = values<double>(rows), *y = zeros<double>(rows);
    while (more("sparse_sweep"))
      sweep<<<rows / 128, 128>>>(first, column, a, b, x, y, rows);
    norm("sparse_sweep", y, rows);
    cudaFree(a), cudaFree(column);
  }
  {
    int items = 16777216 / part, blocks = items / (256 * 16);
    std::vector<float> host(items);
    for (int i = 0; i < items; ++i)
      host[i] = float(value(i + 1) * (1 + 1e-6 * (i + 1)) + 1e-6 * (i + 1));
    float *sample = copyOf(host), *low = zeros<float>(blocks), *high = zeros<float>(blocks),
          *mean = zeros<float>(blocks), *variance = zeros<float>(blocks);
    while (more("block_statistics"))
      statistics<<<blocks, 256>>>(sample, low, high, mean, variance);
    report("statistics_low", low, blocks);
    report("statistics_high", high, blocks);
    report("statistics_mean", mean, blocks);
    report("statistics_variance", variance, blocks);
    cudaFree(sample);
  }
  {
    int cells = 524288 / part;
    std::vector<double> temperatures(cells), factors, powers, energies;
    for (int i = 0; i < cells; ++i)
      temperatures[i] = 300 + 1500 * value(i + 1);
    for (int k = 1; k <= species; ++k) {
      factors.push_back(1 + 0.25 * k);
      powers.push_back(0.3 * k - 1);
      energies.push_back(500.0 * k);
    }
    double *temperature = copyOf(temperatures), *factor = copyOf(factors), *power = copyOf(powers),
           *energy = copyOf(energies), *density = values<double>(size_t(cells) * species),
           *rate = zeros<double>(cells);
    while (more("reactions"))
      arrhenius<<<cells / 128, 128>>>(temperature, density, factor, power, energy, rate, cells,
                                      species);
    norm("reactions", rate, cells);
    cudaFree(density);
  }
  {
    int columns = 65536 / part;
    size_t l = size_t(columns) * levels;
    std::vector<double> t(l), d(l), h(l);
    for (size_t i = 0; i < l; ++i) {
      t[i] = 280 + 20 * value(i + 1);
      d[i] = 0.1 + value(i + 1);
      h[i] = 1.5 - value(i + 1);
    }
    double *theta = copyOf(t), *diffusivity = copyOf(d), *thickness = copyOf(h),
           *work = zeros<double>(l);
    while (more("vertical"))
      vertical<<<columns / 64, 64>>>(theta, diffusivity, thickness, work, 0.01, columns, levels);
    norm("vertical", theta, l);
  }
}
