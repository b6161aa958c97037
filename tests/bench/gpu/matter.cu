// Gauge fields, silicon, plasma, rigid bodies, smoothed particles, cloth, spins. Twin of
// matter.cuf.
#include "timing.h"
#include <cmath>
#include <cuComplex.h>

namespace {

struct Quaternion {
  float c[4];
};

struct Body {
  float x[3], v[3], w[3], inertia[3];
  Quaternion q;
  int state;
};

constexpr int springs = 12;
__constant__ int springI[springs], springJ[springs];

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ int neighbour(int site, int stride, int l) {
  return site + (site / stride % l == l - 1 ? stride * (1 - l) : stride);
}

using Matrix = cuFloatComplex[3][3];

__device__ void load(const cuFloatComplex *__restrict__ u, int site, int direction, int n,
                     Matrix &a) {
#pragma unroll
  for (int j = 0; j < 3; ++j)
#pragma unroll
    for (int i = 0; i < 3; ++i)
      a[i][j] = u[((direction * 3 + j) * 3 + i) * n + site];
}

__device__ void multiply(const Matrix &a, const Matrix &b, Matrix &c) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      cuFloatComplex s = cuCmulf(a[i][0], b[0][j]);
      s = cuCfmaf(a[i][1], b[1][j], s);
      c[i][j] = cuCfmaf(a[i][2], b[2][j], s);
    }
}

__global__ void plaquette(const cuFloatComplex *__restrict__ u, float *__restrict__ p, int l) {
  int site = self(), n = l * l * l * l;
  if (site >= n)
    return;
  float s = 0;
  int strides[4] = {1, l, l * l, l * l * l};
#pragma unroll
  for (int mu = 0; mu < 3; ++mu)
#pragma unroll
    for (int nu = mu + 1; nu < 4; ++nu) {
      int right = neighbour(site, strides[mu], l), up = neighbour(site, strides[nu], l);
      Matrix a, b, c, d, ab, dc;
      load(u, site, mu, n, a);
      load(u, right, nu, n, b);
      load(u, up, mu, n, c);
      load(u, site, nu, n, d);
      multiply(a, b, ab);
      multiply(d, c, dc);
#pragma unroll
      for (int i = 0; i < 3; ++i)
#pragma unroll
        for (int j = 0; j < 3; ++j)
          s += dc[i][j].x * ab[i][j].x + dc[i][j].y * ab[i][j].y;
    }
  p[site] = s / 18;
}

__global__ void silicon(const double *__restrict__ x, const int *__restrict__ list,
                        const int *__restrict__ count, double *__restrict__ energy, double edge,
                        int most, int atoms) {
  constexpr double a = 7.049556277, b = 0.6022245584, lambda = 21, gamma = 1.2, cut = 1.8;
  int i = self();
  if (i >= atoms)
    return;
  double me[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]}, pair = 0, triple = 0;
  int neighbours = count[i];
  for (int m = 0; m < neighbours; ++m) {
    int j = list[i * most + m];
    double dj[3], dk[3], s = 0;
#pragma unroll
    for (int q = 0; q < 3; ++q) {
      dj[q] = x[3 * j + q] - me[q];
      dj[q] -= edge * round(dj[q] / edge);
      s += dj[q] * dj[q];
    }
    double rj = sqrt(s);
    if (rj >= cut)
      continue;
    double r4 = rj * rj * rj * rj;
    pair += a * (b / r4 - 1) * exp(1 / (rj - cut));
    for (int n = m + 1; n < neighbours; ++n) {
      int k = list[i * most + n];
      double t = 0;
#pragma unroll
      for (int q = 0; q < 3; ++q) {
        dk[q] = x[3 * k + q] - me[q];
        dk[q] -= edge * round(dk[q] / edge);
        t += dk[q] * dk[q];
      }
      double rk = sqrt(t);
      if (rk >= cut)
        continue;
      double cosine = (dj[0] * dk[0] + dj[1] * dk[1] + dj[2] * dk[2]) / (rj * rk) + 1.0 / 3;
      triple += lambda * exp(gamma / (rj - cut) + gamma / (rk - cut)) * cosine * cosine;
    }
  }
  energy[i] = 0.5 * pair + triple;
}

__device__ void shape2(double x, double *w) {
  w[0] = 0.5 * (0.5 - x) * (0.5 - x);
  w[1] = 0.75 - x * x;
  w[2] = 0.5 * (0.5 + x) * (0.5 + x);
}

__global__ void currents(const double *__restrict__ old, const double *__restrict__ next,
                         const double *__restrict__ charge, double *__restrict__ jx,
                         double *__restrict__ jy, int nx, int ny, int particles) {
  int n = self();
  if (n >= particles)
    return;
  double x0 = old[n], y0 = old[particles + n], x1 = next[n], y1 = next[particles + n];
  double x = 0.5 * (x0 + x1), y = 0.5 * (y0 + y1), wx[3], wy[3];
  int i = int(lround(x)), j = int(lround(y));
  shape2(x - i, wx);
  shape2(y - j, wy);
  double fx = charge[n] * (x1 - x0), fy = charge[n] * (y1 - y0);
  auto wrap = [](int i, int n) {
    i %= n;
    return i < 0 ? i + n : i;
  };
#pragma unroll
  for (int q = 0; q < 3; ++q) {
    int jq = wrap(j + q - 1, ny);
#pragma unroll
    for (int p = 0; p < 3; ++p) {
      int at = jq * nx + wrap(i + p - 1, nx);
      atomicAdd(jx + at, fx * wx[p] * wy[q]);
      atomicAdd(jy + at, fy * wx[p] * wy[q]);
    }
  }
}

__device__ Quaternion hamilton(const Quaternion &p, const Quaternion &q) {
  return {{p.c[0] * q.c[0] - (p.c[1] * q.c[1] + p.c[2] * q.c[2] + p.c[3] * q.c[3]),
           p.c[0] * q.c[1] + p.c[1] * q.c[0] + p.c[2] * q.c[3] - p.c[3] * q.c[2],
           p.c[0] * q.c[2] + p.c[2] * q.c[0] + p.c[3] * q.c[1] - p.c[1] * q.c[3],
           p.c[0] * q.c[3] + p.c[3] * q.c[0] + p.c[1] * q.c[2] - p.c[2] * q.c[1]}};
}

__device__ Quaternion rotated(const Quaternion &q, float x, float y, float z) {
  return hamilton(hamilton(q, {{0, x, y, z}}), {{q.c[0], -q.c[1], -q.c[2], -q.c[3]}});
}

__global__ void tumble(const Body *__restrict__ old, Body *__restrict__ next, int n, float dt) {
  int i = self();
  if (i >= n)
    return;
  Body b = old[i];
  if (b.state & 1) {
#pragma unroll
    for (int s = 0; s < 4; ++s) {
      Quaternion torque = rotated(b.q, 0.1f, 0, -0.2f);
      float w0 = b.w[0], w1 = b.w[1], w2 = b.w[2];
      b.w[0] = w0 + dt * (torque.c[1] + (b.inertia[1] - b.inertia[2]) * w1 * w2) / b.inertia[0];
      b.w[1] = w1 + dt * (torque.c[2] + (b.inertia[2] - b.inertia[0]) * w2 * w0) / b.inertia[1];
      b.w[2] = w2 + dt * (torque.c[3] + (b.inertia[0] - b.inertia[1]) * w0 * w1) / b.inertia[2];
      Quaternion d = hamilton(b.q, {{0, b.w[0], b.w[1], b.w[2]}});
      float square = 0;
#pragma unroll
      for (int m = 0; m < 4; ++m) {
        b.q.c[m] += 0.5f * dt * d.c[m];
        square += b.q.c[m] * b.q.c[m];
      }
      float length = sqrtf(square);
#pragma unroll
      for (int m = 0; m < 4; ++m)
        b.q.c[m] /= length;
#pragma unroll
      for (int m = 0; m < 3; ++m)
        b.x[m] += dt * b.v[m];
    }
  }
  next[i] = b;
}

__device__ float spline(float q) {
  if (q < 0.5f)
    return 1 - 6 * q * q + 6 * q * q * q;
  if (q < 1)
    return 2 * (1 - q) * (1 - q) * (1 - q);
  return 0;
}

__global__ void sph(const float *__restrict__ x, const float *__restrict__ mass,
                    const int *__restrict__ first, float *__restrict__ density,
                    float *__restrict__ pressure, int cells, float h, int particles) {
  int n = self();
  if (n >= particles)
    return;
  float px = x[3 * n], py = x[3 * n + 1], pz = x[3 * n + 2], rho = 0;
  int mx = int(px), my = int(py), mz = int(pz);
  for (int k = max(mz - 1, 0), ke = min(mz + 1, cells - 1); k <= ke; ++k)
    for (int j = max(my - 1, 0), je = min(my + 1, cells - 1); j <= je; ++j)
      for (int i = max(mx - 1, 0), ie = min(mx + 1, cells - 1); i <= ie; ++i) {
        int cell = i + cells * (j + cells * k);
        for (int l = first[cell], end = first[cell + 1]; l < end; ++l) {
          float dx = x[3 * l] - px, dy = x[3 * l + 1] - py, dz = x[3 * l + 2] - pz;
          float r2 = dx * dx + dy * dy + dz * dz;
          if (r2 >= h * h)
            continue;
          rho += mass[l] * spline(sqrtf(r2) / h);
        }
      }
  rho = rho * 8 / (3.14159265f * h * h * h);
  density[n] = rho;
  float q = rho / 5, q3 = q * q * q;
  pressure[n] = 100 * (q3 * q3 * q - 1);
}

__global__ void cloth(const float *__restrict__ x, const float *__restrict__ old,
                      float *__restrict__ next, int nx, int ny, float stiffness, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  int at = 3 * (j * nx + i);
  float me[3] = {x[at], x[at + 1], x[at + 2]}, force[3] = {0, -9.81f, 0};
#pragma unroll
  for (int s = 0; s < springs; ++s) {
    int si = springI[s], sj = springJ[s], p = i + si, q = j + sj;
    if (p < 0 || p >= nx || q < 0 || q >= ny)
      continue;
    const float *o = x + 3 * (q * nx + p);
    float dx = o[0] - me[0], dy = o[1] - me[1], dz = o[2] - me[2];
    float length = sqrtf(dx * dx + dy * dy + dz * dz), rest = sqrtf(float(si * si + sj * sj));
    float k = stiffness * (length - rest) / length;
    force[0] += k * dx;
    force[1] += k * dy;
    force[2] += k * dz;
  }
#pragma unroll
  for (int m = 0; m < 3; ++m)
    next[at + m] = j == 0 ? me[m] : me[m] + 0.99f * (me[m] - old[at + m]) + dt * dt * force[m];
}

__global__ void ising(signed char *__restrict__ spins, unsigned long long *__restrict__ random,
                      const float *__restrict__ chance, int n, int colour) {
  int h = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int i = 2 * h + ((j + colour) & 1);
  unsigned long long r = random[j * (n / 2) + h];
  r ^= r << 12;
  r ^= r >> 25;
  r ^= r << 27;
  random[j * (n / 2) + h] = r;
  int spin = spins[j * n + i];
  int field = spins[j * n + ((i + 1) & (n - 1))] + spins[j * n + ((i - 1) & (n - 1))] +
              spins[((j + 1) & (n - 1)) * n + i] + spins[((j - 1) & (n - 1)) * n + i];
  if (float(r >> 40) / 16777216 < chance[4 + spin * field])
    spins[j * n + i] = -spin;
}

template <class T, class F>
T *made(size_t n, F f) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = static_cast<T>(f(static_cast<int>(i + 1)));
  return copyOf(host);
}

template <class T>
std::vector<T> back(const T *device, size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

void said(const char *name, double total) { std::printf("SUM %s %22.14e\n", name, total); }

} // namespace

int main(int argc, char **argv) {
  int part = argc > 1 ? std::atoi(argv[1]) : 1;

  {
    int l = part == 1 ? 20 : 8, n = l * l * l * l;
    std::vector<cuFloatComplex> host(36 * n);
    for (int i = 1; i <= 36 * n; ++i)
      host[i - 1] = {float(value(i) - 0.5), float(value(3 * i) - 0.25)};
    cuFloatComplex *u = copyOf(host);
    float *p = zeros<float>(n);
    while (more("plaquette"))
      plaquette<<<n / 128, 128>>>(u, p, l);
    norm("plaquette", p, n);
    cudaFree(u);
  }
  {
    int l = part == 1 ? 40 : 16, n = l * l * l;
    std::vector<double> xs(3 * n);
    std::vector<int> lists(18 * n);
    for (int i = 0; i < n; ++i) {
      int c[3] = {i % l, i / l % l, i / l / l}, factor[3] = {1, 3, 7}, p = 0;
      for (int m = 0; m < 3; ++m)
        xs[3 * i + m] = 1.25 * c[m] + 0.2 * value(factor[m] * (i + 1));
      for (int dk = -1; dk <= 1; ++dk)
        for (int dj = -1; dj <= 1; ++dj)
          for (int di = -1; di <= 1; ++di) {
            int r2 = di * di + dj * dj + dk * dk;
            if (r2 > 0 && r2 <= 2)
              lists[18 * i + p++] =
                  (c[0] + di + l) % l + l * ((c[1] + dj + l) % l) + l * l * ((c[2] + dk + l) % l);
          }
    }
    double *x = copyOf(xs), *energy = zeros<double>(n);
    int *list = copyOf(lists), *count = made<int>(n, [](int i) { return 16 + i % 3; });
    while (more("silicon"))
      silicon<<<(n + 127) / 128, 128>>>(x, list, count, energy, 1.25 * l, 18, n);
    norm("silicon", energy, n);
    cudaFree(x), cudaFree(list), cudaFree(energy);
  }
  {
    int n = 262144 / part, m = 512;
    std::vector<double> host(2 * n);
    for (int i = 1; i <= n; ++i) {
      host[i - 1] = fmod(0.37 * i + value(i), m);
      host[n + i - 1] = fmod(1.31 * (i / 600) + value(3 * i), m);
    }
    double *old = copyOf(host);
    for (int i = 1; i <= n; ++i) {
      host[i - 1] += 0.5 * value(7 * i) - 0.2;
      host[n + i - 1] += 0.5 * value(11 * i) - 0.2;
    }
    double *next = copyOf(host), *charge = made<double>(n, [](int i) { return value(13 * i); }),
           *jx = zeros<double>(m * m), *jy = zeros<double>(m * m);
    while (more("currents"))
      currents<<<n / 128, 128>>>(old, next, charge, jx, jy, m, m, n);
    norm("currents_x", jx, m * m);
    norm("currents_y", jy, m * m);
    cudaFree(old), cudaFree(next), cudaFree(charge), cudaFree(jx), cudaFree(jy);
  }
  {
    int n = 524288 / part;
    std::vector<Body> host(n);
    for (int i = 1; i <= n; ++i)
      host[i - 1] = {{float(value(i)), 1, 2},
                     {1, float(value(3 * i)), 0},
                     {float(value(5 * i)), 0.5f, -0.25f},
                     {1, 1.5f, 1 + float(value(7 * i))},
                     {{1, float(value(11 * i)), 0, 0.25f}},
                     i % 16 == 0 ? 2 : 1};
    Body *old = copyOf(host), *next = zeros<Body>(n);
    while (more("tumble"))
      tumble<<<n / 128, 128>>>(old, next, n, 0.01f);
    double total = 0;
    for (const Body &b : back(next, n)) {
      for (int m = 0; m < 4; ++m)
        total += (m + 1) * double(b.q.c[m]);
      for (int m = 0; m < 3; ++m)
        total += double(b.w[m]) + b.x[m];
    }
    said("tumble", total);
    cudaFree(old), cudaFree(next);
  }
  {
    int l = part == 1 ? 32 : 16, n = 4 * l * l * l;
    std::vector<float> host(3 * n);
    for (int i = 1; i <= n; ++i) {
      int k = (i - 1) / 4;
      host[3 * i - 3] = float(k % l + 0.999 * value(7 * i));
      host[3 * i - 2] = float(k / l % l + 0.999 * value(11 * i));
      host[3 * i - 1] = float(k / l / l + 0.999 * value(13 * i));
    }
    float *x = copyOf(host), *mass = made<float>(n, [](int i) { return 1 + float(value(i)); }),
          *density = zeros<float>(n), *pressure = zeros<float>(n);
    int *first = made<int>(l * l * l + 1, [](int i) { return 4 * (i - 1); });
    while (more("sph"))
      sph<<<n / 128, 128>>>(x, mass, first, density, pressure, l, 1, n);
    norm("sph_density", density, n);
    report("sph_pressure", pressure, n);
    cudaFree(x), cudaFree(density), cudaFree(pressure);
  }
  {
    int n = 1024, m = 1024 / part;
    std::vector<float> host(3 * n * m);
    for (int j = 1; j <= m; ++j)
      for (int i = 1; i <= n; ++i) {
        float *p = &host[3 * ((j - 1) * n + i - 1)];
        p[0] = float(i + 0.25 * value(i + n * j));
        p[1] = float(j + 0.25 * value(3 * i + n * j));
        p[2] = float(value(7 * i + n * j));
      }
    float *x = copyOf(host), *old = copyOf(host), *next = zeros<float>(3 * n * m);
    int is[springs] = {1, -1, 0, 0, 1, 1, -1, -1, 2, -2, 0, 0},
        js[springs] = {0, 0, 1, -1, 1, -1, 1, -1, 0, 0, 2, -2};
    cudaMemcpyToSymbol(springI, is, sizeof is);
    cudaMemcpyToSymbol(springJ, js, sizeof js);
    while (more("cloth"))
      cloth<<<dim3(n / 32, m / 8), dim3(32, 8)>>>(x, old, next, n, m, 50, 0.02f);
    norm("cloth", next, 3 * n * m);
    cudaFree(x), cudaFree(old), cudaFree(next);
  }
  {
    int n = part == 1 ? 4096 : 512, colour = 0;
    std::vector<signed char> host(n * n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        host[j * n + i] = value(7 * (i + 1) + 13 * (j + 1)) > 0.4 ? 1 : -1;
    signed char *spins = copyOf(host);
    auto *random = made<unsigned long long>(
        n * n / 2, [](int i) { return 88172645463325252ull + 7364136223846793ull * i; });
    float *chance = made<float>(9, [](int i) { return exp(-0.8 * (i - 5)); });
    while (more("ising")) {
      ising<<<dim3(n / 64, n / 8), dim3(32, 8)>>>(spins, random, chance, n, colour);
      colour = 1 - colour;
    }
    report("ising", spins, n * n);
    cudaFree(spins), cudaFree(random);
  }
}
