// Models of climate: condensation, oceans, tracers, chemistry, optical depths, meshes of hexagons.
// Twin of climate.cuf.
#include "timing.h"
#include <cmath>

namespace {

constexpr int gases = 3, points = 16;

__device__ float saturation(float t, int phase) {
  switch (phase) {
  case 1:
    return 611.2f * expf(17.67f * (t - 273.15f) / (t - 29.65f));
  case 2:
    return 611.2f * expf(21.87f * (t - 273.15f) / (t - 7.66f));
  default:
    float w = (t - 253.15f) / 20;
    return 611.2f * (w * expf(17.67f * (t - 273.15f) / (t - 29.65f)) +
                     (1 - w) * expf(21.87f * (t - 273.15f) / (t - 7.66f)));
  }
}

__global__ void condensation(const float *__restrict__ t, const float *__restrict__ qv,
                             const float *__restrict__ qc, const float *__restrict__ pressure,
                             float *__restrict__ tn, float *__restrict__ qn, float *__restrict__ cn,
                             int columns, int levels, float dt, float *__restrict__ rain) {
  constexpr float cp = 1004.7f, rv = 461.5f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= columns)
    return;
  float fall = 0;
  for (int k = levels - 1; k >= 0; --k) {
    int at = k * columns + i;
    float temperature = t[at], q = qv[at], l = qc[at], p = pressure[at];
    int phase = temperature > 273.15f ? 1 : temperature < 253.15f ? 2 : 3;
    float latent = phase == 2 ? 2.834e6f : 2.501e6f;
    for (int tries = 0; tries < 6; ++tries) {
      float es = saturation(temperature, phase);
      float qs = 0.622f * es / (p - 0.378f * es);
      float dq = (q - qs) / (1 + latent * latent * qs / (cp * rv * temperature * temperature));
      dq = fmaxf(dq, -l);
      q -= dq;
      l += dq;
      temperature += latent / cp * dq;
      if (fabsf(dq) < 1e-6f)
        break;
    }
    tn[at] = temperature;
    qn[at] = q;
    float rate = 0;
    switch (phase) {
    case 1:
      rate = 1e-3f * fmaxf(l - 5e-4f, 0);
      break;
    case 2:
      rate = 1e-3f * expf(0.025f * (temperature - 273.15f)) * fmaxf(l - 1e-4f, 0);
      break;
    case 3:
      rate = 2e-3f * l;
      break;
    }
    rate = fminf(dt * rate, l);
    cn[at] = l - rate;
    if (l <= 0)
      continue;
    fall += rate * p / (287 * temperature);
  }
  rain[i] = fall;
}

__global__ void ocean(const double *__restrict__ temp, const double *__restrict__ salt,
                      const double *__restrict__ depth, const short *__restrict__ kmt,
                      double *__restrict__ pr, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || j >= ny)
    return;
  double above = 0, z = 0;
  for (int k = 0, bottom = kmt[j * nx + i]; k < bottom; ++k) {
    int at = (k * ny + j) * nx + i;
    double t = temp[at], s = salt[at], d = depth[k];
    double rho =
        999.842594 +
        t * (6.793952e-2 +
             t * (-9.095290e-3 + t * (1.001685e-4 + t * (-1.120083e-6 + t * 6.536332e-9)))) +
        s * (0.824493 + t * (-4.0899e-3 + t * (7.6438e-5 + t * (-8.2467e-7 + t * 5.3875e-9)))) +
        s * sqrt(s) * (-5.72466e-3 + t * (1.0227e-4 - t * 1.6546e-6)) + 4.8314e-4 * s * s;
    pr[at] = above + 9.81 * rho * 0.5 * (d - z);
    above += 9.81 * rho * (d - z);
    z = d;
  }
}

__global__ void tracersX(const double *__restrict__ c, const double *__restrict__ u,
                         double *__restrict__ out, double courant, int tracers, int nx, int ny,
                         int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z;
  if (i >= nx - 2 || j >= ny)
    return;
  int at = (k * ny + j) * nx + i, stride = nx * ny * nz;
  double v = u[at];
  for (int m = 0; m < tracers; ++m, at += stride) {
    double c0 = c[at], c1 = c[at + 1], dc1 = c1 - c0, dc0, fl;
    if (v > 0) {
      dc0 = c0 - c[at - 1];
      fl = c0;
    } else {
      dc0 = c[at + 2] - c1;
      fl = c1;
    }
    double r = dc0 / (dc1 + copysign(1e-12, dc1));
    double limiter = fmax(0.0, fmax(fmin(2 * r, 1.0), fmin(r, 2.0)));
    out[at] = v * fl + 0.5 * fabs(v) * (1 - courant * fabs(v)) * limiter * dc1;
  }
}

__device__ void rates(const double *y, const double *k, double *dy) {
  dy[0] = -k[0] * y[0] + k[2] * y[1] * y[2];
  dy[2] = k[1] * y[1] * y[1];
  dy[1] = -dy[0] - dy[2];
}

__device__ void factor3(double (&a)[3][3]) {
#pragma unroll
  for (int k = 0; k < 2; ++k)
#pragma unroll
    for (int i = k + 1; i < 3; ++i) {
      a[i][k] /= a[k][k];
#pragma unroll
      for (int j = k + 1; j < 3; ++j)
        a[i][j] -= a[i][k] * a[k][j];
    }
}

__device__ void solve3(const double (&a)[3][3], double *x) {
#pragma unroll
  for (int i = 1; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < i; ++j)
      x[i] -= a[i][j] * x[j];
#pragma unroll
  for (int i = 2; i >= 0; --i) {
#pragma unroll
    for (int j = i + 1; j < 3; ++j)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

__global__ void robertson(const double *__restrict__ y0, const double *__restrict__ k1,
                          double finish, double *__restrict__ y, int *__restrict__ steps, int n) {
  const double g = 1 - 0.70710678118654752;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double s[3] = {y0[i], y0[n + i], y0[2 * n + i]}, k[3] = {k1[i], 3e3, 1e2}, now = 0, h = 1e-3;
  int count = 0;
  while (now < finish && count < 200) {
    ++count;
    h = fmin(h, finish - now);
    double f[3], u[3], v[3], a[3][3], z[3];
    rates(s, k, f);
    double j0[3] = {-k[0], k[2] * s[2], k[2] * s[1]}, j2[3] = {0, 2 * k[1] * s[1], 0};
#pragma unroll
    for (int m = 0; m < 3; ++m) {
      a[0][m] = -g * h * j0[m] + (m == 0);
      a[1][m] = g * h * (j0[m] + j2[m]) + (m == 1);
      a[2][m] = -g * h * j2[m] + (m == 2);
    }
    factor3(a);
#pragma unroll
    for (int m = 0; m < 3; ++m)
      u[m] = f[m];
    solve3(a, u);
#pragma unroll
    for (int m = 0; m < 3; ++m)
      z[m] = s[m] + h * u[m];
    rates(z, k, f);
#pragma unroll
    for (int m = 0; m < 3; ++m)
      v[m] = f[m] - 2 * u[m];
    solve3(a, v);
    double error = 0;
#pragma unroll
    for (int m = 0; m < 3; ++m)
      error = fmax(error, fabs(0.5 * h * (u[m] + v[m])) / (1e-6 + 1e-3 * fabs(s[m])));
    if (error > 1) {
      h *= fmax(0.2, 0.9 / sqrt(error));
      continue;
    }
#pragma unroll
    for (int m = 0; m < 3; ++m)
      s[m] += h * (1.5 * u[m] + 0.5 * v[m]);
    now += h;
    h *= fmin(4.0, 0.9 / sqrt(fmax(error, 1e-3)));
  }
#pragma unroll
  for (int m = 0; m < 3; ++m)
    y[m * n + i] = s[m];
  steps[i] = count;
}

__global__ void depths(const float *__restrict__ table, const float *__restrict__ amount,
                       const float *__restrict__ temperature, const float *__restrict__ pressure,
                       float *__restrict__ tau, int cells, int nt, int np) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += blockDim.x * gridDim.x) {
    float x = (temperature[i] - 180) / 10;
    int it = max(0, min(int(x), nt - 2));
    float ft = x - it;
    x = logf(pressure[i]) * 2;
    int ip = max(0, min(int(x), np - 2));
    float fp = x - ip;
    float w00 = (1 - ft) * (1 - fp), w10 = ft * (1 - fp), w01 = (1 - ft) * fp, w11 = ft * fp;
    float sums[points] = {};
#pragma unroll
    for (int n = 0; n < gases; ++n) {
      float a = amount[n * cells + i];
      const float *at = table + ((n * np + ip) * nt + it) * points;
#pragma unroll
      for (int g = 0; g < points; ++g)
        sums[g] += a * (w00 * at[g] + w10 * at[points + g] + w01 * at[nt * points + g] +
                        w11 * at[(nt + 1) * points + g]);
    }
#pragma unroll
    for (int g = 0; g < points; ++g)
      tau[g * cells + i] = sums[g];
  }
}

__global__ void hexagons(const double *__restrict__ u, const int *__restrict__ edges,
                         const signed char *__restrict__ outward, const int *__restrict__ count,
                         const double *__restrict__ dv, const double *__restrict__ dc,
                         const double *__restrict__ area, double *__restrict__ div,
                         double *__restrict__ energy, int levels, int cells) {
  int cell = blockIdx.x * blockDim.y + threadIdx.y;
  if (cell >= cells)
    return;
  int sides = count[cell];
  double whole = area[cell];
  for (int k = threadIdx.x; k < levels; k += blockDim.x) {
    double d = 0, e = 0;
    for (int m = 0; m < sides; ++m) {
      int edge = edges[6 * cell + m];
      double w = u[edge * levels + k], v = dv[edge];
      d += outward[6 * cell + m] * v * w;
      e += 0.25 * dc[edge] * v * w * w;
    }
    div[cell * levels + k] = d / whole;
    energy[cell * levels + k] = e / whole;
  }
}

struct Courant {
  double total, fastest;
  int wet;
};

__global__ void courant(const double *__restrict__ p, const double *__restrict__ q,
                        const double *__restrict__ r, const int *__restrict__ wet, Courant *result,
                        int n) {
  double total = 0, fastest = 0;
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    if (wet[i]) {
      double a = p[i], b = q[i], c = r[i];
      total += 0.5 * c * (a * a + b * b);
      fastest = fmax(fastest, fabs(a) + fabs(b) + sqrt(9.81 * c));
      ++count;
    }
  __shared__ double totals[8], speeds[8];
  __shared__ int counts[8];
  for (int s = 16; s > 0; s /= 2) {
    total += __shfl_down_sync(~0u, total, s);
    fastest = fmax(fastest, __shfl_down_sync(~0u, fastest, s));
    count += __shfl_down_sync(~0u, count, s);
  }
  if (threadIdx.x % 32 == 0) {
    totals[threadIdx.x / 32] = total;
    speeds[threadIdx.x / 32] = fastest;
    counts[threadIdx.x / 32] = count;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; ++w) {
      total += totals[w];
      fastest = fmax(fastest, speeds[w]);
      count += counts[w];
    }
    atomicAdd(&result->total, total);
    atomicMax(reinterpret_cast<unsigned long long *>(&result->fastest),
              __double_as_longlong(fastest)); // it isn't negative
    atomicAdd(&result->wet, count);
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
    int n = 65536 / part, levels = 48, l = n * levels;
    float *t = made<float>(l, [](int i) { return 235 + 55 * value(i); }),
          *qv = made<float>(l, [](int i) { return 0.012 * value(3 * i); }),
          *qc = made<float>(l, [](int i) { return 0.002 * std::max(value(7 * i) - 0.5, 0.0); }),
          *p = made<float>(l, [](int i) { return 30000 + 70000 * value(11 * i); }),
          *tn = zeros<float>(l), *qn = zeros<float>(l), *cn = zeros<float>(l),
          *rain = zeros<float>(n);
    while (more("condensation"))
      condensation<<<n / 64, 64>>>(t, qv, qc, p, tn, qn, cn, n, levels, 20, rain);
    report("condensation_t", tn, l);
    report("condensation_q", qn, l);
    report("condensation_c", cn, l);
    report("condensation_rain", rain, n);
    cudaFree(t), cudaFree(qv), cudaFree(qc), cudaFree(p), cudaFree(tn), cudaFree(qn), cudaFree(cn);
  }
  {
    int nx = 512, ny = 512 / part, nz = 32, n = nx * ny * nz;
    double *temp = made<double>(n, [](int i) { return 30 * value(i); }),
           *salt = made<double>(n, [](int i) { return 33 + 4 * value(3 * i); }),
           *depth = made<double>(nz, [](int k) { return 10.0 * k; }), *pr = zeros<double>(n);
    short *kmt = made<short>(nx * ny, [&](int i) { return 8 + i % (nz - 7); });
    while (more("cuf_ocean"))
      ocean<<<dim3(nx / 32, ny / 4), dim3(32, 4)>>>(temp, salt, depth, kmt, pr, nx, ny);
    norm("cuf_ocean", pr, n);
    cudaFree(temp), cudaFree(salt), cudaFree(pr);
  }
  {
    int nx = 256, ny = 128, nz = 64 / part, tracers = 2, n = nx * ny * nz;
    double *c = values<double>(n * tracers),
           *u = made<double>(n, [](int i) { return value(3 * i) - 0.5; }),
           *out = zeros<double>(n * tracers);
    while (more("cuf_tracers"))
      tracersX<<<dim3(2, ny / 2, nz), dim3(128, 2)>>>(c, u, out, 0.4, tracers, nx, ny, nz);
    norm("cuf_tracers", out, n * tracers);
    cudaFree(c), cudaFree(u), cudaFree(out);
  }
  {
    int n = 65536 / part;
    std::vector<double> host(3 * n);
    for (int i = 0; i < n; ++i) {
      host[i] = 0.5 + 0.5 * value(i + 1);
      host[2 * n + i] = 1 - host[i];
    }
    double *y0 = copyOf(host), *y = zeros<double>(3 * n),
           *k1 = made<double>(n, [](int i) { return 0.04 + value(7 * i); });
    int *steps = zeros<int>(n);
    while (more("robertson"))
      robertson<<<n / 128, 128>>>(y0, k1, 0.2, y, steps, n);
    norm("robertson", y, 3 * n);
    report("robertson_steps", steps, n);
    cudaFree(y0), cudaFree(y);
  }
  {
    int n = 524288 / part, nt = 16, np = 24;
    float *table = values<float>(points * nt * np * gases),
          *amount = made<float>(n * gases, [](int i) { return value(3 * i); }),
          *temperature = made<float>(n, [](int i) { return 200 + 100 * value(i / 8); }),
          *pressure = made<float>(n, [](int i) { return 10 + 90000 * value(i / 16); }),
          *tau = zeros<float>(n * points);
    while (more("depths"))
      depths<<<1024, 128>>>(table, amount, temperature, pressure, tau, n, nt, np);
    norm("depths", tau, n * points);
    cudaFree(amount), cudaFree(tau);
  }
  {
    int n = 40960 / part, levels = 64;
    double *u = made<double>(3 * n * levels, [](int i) { return value(i) - 0.25; }),
           *dv = made<double>(3 * n, [](int i) { return 1 + value(i); }),
           *dc = made<double>(3 * n, [](int i) { return 2 - value(3 * i); }),
           *area = made<double>(n, [](int i) { return 1 + value(7 * i); }),
           *div = zeros<double>(n * levels), *energy = zeros<double>(n * levels);
    int *count = made<int>(n, [](int i) { return i % 50 == 0 ? 5 : 6; });
    int *edges = made<int>(6 * n, [&](int at) {
      int i = (at - 1) / 6, m = (at - 1) % 6 + 1;
      int k = m <= 3 ? i : (i + (m == 4 ? 1 : 195 + m)) % n;
      return 3 * k + (m - 1) % 3;
    });
    signed char *outward =
        made<signed char>(6 * n, [](int at) { return (at - 1) % 6 < 3 ? 1 : -1; });
    while (more("hexagons"))
      hexagons<<<n / 8, dim3(32, 8)>>>(u, edges, outward, count, dv, dc, area, div, energy, levels,
                                       n);
    norm("hexagons_div", div, n * levels);
    report("hexagons_energy", energy, n * levels);
    cudaFree(u), cudaFree(div), cudaFree(energy);
  }
  {
    int nx = 256, ny = 128, nz = 128 / part, n = nx * ny * nz;
    double *p = made<double>(n, [](int i) { return value(i) - 0.5; }),
           *q = made<double>(n, [](int i) { return value(3 * i) - 0.5; }),
           *r = made<double>(n, [](int i) { return 1 + value(7 * i); });
    int *wet = made<int>(n, [](int i) { return i % 7 > 1; });
    Courant *result = zeros<Courant>(1), host;
    while (more("cuf_courant")) {
      cudaMemsetAsync(result, 0, sizeof host);
      courant<<<132 * 8, 256>>>(p, q, r, wet, result, n);
      cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    }
    std::printf("SUM courant_total %22.14e\n", host.total);
    std::printf("SUM courant_fastest %22.14e\n", host.fastest);
    std::printf("SUM courant_wet %22.14e\n", double(host.wet));
  }
}
