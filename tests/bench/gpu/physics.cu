// Chemistry, columns, radiation, transforms, elements, filters, optics, reductions. Twin of
// physics.cuf.
#include "timing.h"
#include <cfloat>
#include <cmath>

constexpr int reactions = 32, species = 8, radius = 8;
__constant__ double prefactor[reactions], beta[reactions], activation[reactions];
__constant__ int left[reactions][2], right[reactions][2];
__constant__ float weights[2 * radius + 1];

struct Tetrahedron {
  int node[4];
  double kappa;
};

struct Complex {
  double re, im;
};
__device__ Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__device__ Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
__device__ Complex operator*(Complex a, Complex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ Complex operator*(double a, Complex b) { return {a * b.re, a * b.im}; }
__device__ Complex operator/(Complex a, Complex b) {
  double d = 1 / (b.re * b.re + b.im * b.im);
  return {(a.re * b.re + a.im * b.im) * d, (a.im * b.re - a.re * b.im) * d};
}
__device__ float2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ float2 operator-(float2 a, float2 b) { return {a.x - b.x, a.y - b.y}; }
__device__ float2 operator*(float2 a, float2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void arrhenius(const double *__restrict__ t, const double *__restrict__ c,
                          double *__restrict__ wdot, int n) {
  int i = self();
  if (i >= n)
    return;
  double w[species] = {}, logT = log(t[i]), inverse = 1 / (8.314 * t[i]);
  for (int r = 0; r < reactions; ++r) {
    int a = left[r][0], b = left[r][1];
    double rate =
        exp(prefactor[r] + beta[r] * logT - activation[r] * inverse) * c[a * n + i] * c[b * n + i];
    w[a] -= rate;
    w[b] -= rate;
    w[right[r][0]] += rate;
    w[right[r][1]] += rate;
  }
  for (int k = 0; k < species; ++k)
    wdot[k * n + i] = w[k];
}

__global__ void twoStream(const double *__restrict__ tau, const double *__restrict__ omega,
                          const double *__restrict__ planck, double *__restrict__ up,
                          double *__restrict__ down, double surface, int n, int levels) {
  constexpr double diffusivity = 1.66;
  int i = self();
  if (i >= n)
    return;
  double albedo[64], source[64];
  albedo[levels] = surface;
  source[levels] = 1 - surface;
  for (int l = levels - 1; l >= 0; --l) {
    int at = l * n + i;
    double g1 = diffusivity * (1 - 0.55 * omega[at]), g2 = diffusivity * 0.45 * omega[at];
    double k = sqrt(fmax(g1 * g1 - g2 * g2, 1e-12)), e = exp(-k * tau[at]);
    double d = k + g1 + (k - g1) * e * e, r = g2 * (1 - e * e) / d, t = 2 * k * e / d,
           s = (1 - r - t) * planck[at];
    d = 1 / (1 - r * albedo[l + 1]);
    albedo[l] = r + t * t * albedo[l + 1] * d;
    source[l] = s + t * (source[l + 1] + albedo[l + 1] * s) * d;
    up[at] = r;
    down[at] = t;
  }
  double e = 0;
  for (int l = 0; l < levels; ++l) {
    int at = l * n + i;
    double r = up[at], t = down[at], s = (1 - r - t) * planck[at];
    e = (t * e + r * source[l + 1] + s) / (1 - r * albedo[l + 1]);
    down[at] = e;
    up[at] = albedo[l + 1] * e + source[l + 1];
  }
}

__global__ void sedimentation(const float *__restrict__ qc, float *__restrict__ qr,
                              const float *__restrict__ rho, float dz, float dt,
                              float *__restrict__ rain, int n, int levels) {
  int i = self();
  if (i >= n)
    return;
  float above = 0;
  for (int k = levels - 1; k >= 0; --k) {
    int at = k * n + i;
    float q = 0.001f * qr[at], density = rho[at] + 0.2f;
    float automatic = 0.001f * fmaxf(0.002f * qc[at] - 0.0005f, 0);
    float accretion = 2.2f * 0.002f * qc[at] * powf(q, 0.875f);
    q += dt * (automatic + accretion);
    float speed = 36.34f * powf(0.001f * rho[at] * q, 0.1364f) * sqrtf(1.2f / density);
    float flux = density * q * fminf(speed, dz / dt);
    q += dt * (above - flux) / (density * dz);
    above = flux;
    qr[at] = 1000 * fmaxf(q, 0);
  }
  rain[i] = above;
}

__global__ void radix4(const float2 *__restrict__ x, float2 *__restrict__ y,
                       const float2 *__restrict__ w) {
  __shared__ float2 s[1024];
  int t = threadIdx.x, base = blockIdx.x * 1024;
  float2 a = x[base + t], b = x[base + t + 256], c = x[base + t + 512], d = x[base + t + 768], e, f;
  for (int stride = 1;; stride *= 4) {
    int k = t & (stride - 1), step = 256 / stride;
    b = b * w[k * step];
    c = c * w[2 * k * step];
    d = d * w[3 * k * step];
    e = a + c;
    f = a - c;
    a = b + d;
    b = {b.y - d.y, d.x - b.x};
    k = 4 * (t - k) + k;
    if (stride == 256)
      break;
    __syncthreads();
    s[k] = e + a;
    s[k + stride] = f + b;
    s[k + 2 * stride] = e - a;
    s[k + 3 * stride] = f - b;
    __syncthreads();
    a = s[t];
    b = s[t + 256];
    c = s[t + 512];
    d = s[t + 768];
  }
  y[base + t] = e + a;
  y[base + t + 256] = f + b;
  y[base + t + 512] = e - a;
  y[base + t + 768] = f - b;
}

__global__ void elements(const Tetrahedron *__restrict__ mesh, const double *__restrict__ xyz,
                         const double *__restrict__ u, double *r, int n) {
  int m = self();
  if (m >= n)
    return;
  Tetrahedron cell = mesh[m];
  double e[3][3], g[4][3], grad[3] = {};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      e[i][k] = xyz[3 * cell.node[i + 1] + k] - xyz[3 * cell.node[0] + k];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const double *p = e[(i + 1) % 3], *q = e[(i + 2) % 3];
      g[i + 1][k] = p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3];
    }
  for (int k = 0; k < 3; ++k)
    g[0][k] = -g[1][k] - g[2][k] - g[3][k];
  double det = e[0][0] * g[1][0] + e[0][1] * g[1][1] + e[0][2] * g[1][2];
  for (int i = 0; i < 4; ++i) {
    double value = u[cell.node[i]];
    for (int k = 0; k < 3; ++k)
      grad[k] += value * g[i][k];
  }
  double scale = cell.kappa / (6 * fabs(det));
  for (int k = 0; k < 3; ++k)
    grad[k] *= scale;
  for (int i = 0; i < 4; ++i)
    atomicAdd(&r[cell.node[i]], g[i][0] * grad[0] + g[i][1] * grad[1] + g[i][2] * grad[2]);
}

__global__ void blurred(const float *__restrict__ a, float *__restrict__ b, int n) {
  __shared__ float s[256 + 2 * radius];
  int t = threadIdx.x, i = self(), row = blockIdx.y * n;
  s[t + radius] = a[row + i];
  if (t < radius) {
    s[t] = a[row + max(i - radius, 0)];
    s[t + 256 + radius] = a[row + min(i + 256, n - 1)];
  }
  __syncthreads();
  float total = 0;
#pragma unroll
  for (int k = -radius; k <= radius; ++k)
    total += weights[k + radius] * s[t + radius + k];
  b[row + i] = total;
}

__global__ void thinFilm(const double *__restrict__ wavelength, const Complex *__restrict__ index,
                         const double *__restrict__ thickness, double *__restrict__ reflected,
                         int layers, int n) {
  int i = self();
  if (i >= n)
    return;
  const Complex i1{0, 1};
  Complex m11{1, 0}, m12{0, 0}, m21{0, 0}, m22{1, 0};
  for (int l = 0; l < layers; ++l) {
    Complex eta = index[l], delta = 6.283185307179586 * thickness[l] / wavelength[i] * eta;
    double sine, cosine, grow = cosh(delta.im), other = sinh(delta.im);
    sincos(delta.re, &sine, &cosine);
    Complex c{cosine * grow, -sine * other}, s = i1 * Complex{sine * grow, cosine * other};
    Complex p = eta * s, q = s / eta;
    Complex a = m11 * c + m12 * p, b = m11 * q + m12 * c;
    m11 = a;
    m12 = b;
    a = m21 * c + m22 * p;
    b = m21 * q + m22 * c;
    m21 = a;
    m22 = b;
  }
  Complex a = m11 + 1.5 * m12, b = m21 + 1.5 * m22, ratio = (a - b) / (a + b);
  reflected[i] = ratio.re * ratio.re + ratio.im * ratio.im;
}

struct Moments {
  double total, squares, low, high;
};

__device__ Moments joined(Moments a, Moments b) {
  return {a.total + b.total, a.squares + b.squares, fmin(a.low, b.low), fmax(a.high, b.high)};
}

// The moments of a block's part, and in the last block to finish those of all.
__global__ void moments(const double *__restrict__ x, long long n, Moments *parts,
                        unsigned *finished) {
  __shared__ Moments warps[8];
  __shared__ bool last;
  auto blockwise = [&](Moments m) {
    for (int d = 16; d > 0; d /= 2)
      m = joined(m, {__shfl_down_sync(~0u, m.total, d), __shfl_down_sync(~0u, m.squares, d),
                     __shfl_down_sync(~0u, m.low, d), __shfl_down_sync(~0u, m.high, d)});
    if (threadIdx.x % 32 == 0)
      warps[threadIdx.x / 32] = m;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int k = 1; k < 8; ++k)
        m = joined(m, warps[k]);
    return m;
  };
  const Moments none{0, 0, DBL_MAX, -DBL_MAX};
  Moments m = none;
  for (long long i = self(); i < n; i += blockDim.x * gridDim.x) {
    double here = x[i];
    m = joined(m, {here, here * here, here, here});
  }
  m = blockwise(m);
  if (threadIdx.x == 0) {
    parts[blockIdx.x + 1] = m;
    __threadfence();
    last = atomicInc(finished, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  m = none;
  for (int k = threadIdx.x; k < gridDim.x; k += blockDim.x) {
    const volatile Moments &part = parts[k + 1];
    m = joined(m, {part.total, part.squares, part.low, part.high});
  }
  m = blockwise(m);
  if (threadIdx.x == 0)
    parts[0] = m;
}

__global__ void masked(const int *__restrict__ mask, const float *__restrict__ a,
                       float *__restrict__ b, int n, int m) {
  int i = self(), j = blockIdx.y * blockDim.y + threadIdx.y, at = j * n + i;
  if (i >= n || j >= m)
    return;
  if (mask[at])
    b[at] = sqrtf(a[at]) + 0.5f * a[at];
  else if (a[at] > 0.1f)
    b[at] = -a[at];
}

int main() {
  const char *text = std::getenv("SMALL");
  const int small = text ? std::atoi(text) : 1, levels = 60, layers = 12;
  const int cells = (1 << 18) / small, columns = (1 << 16) / small, transforms = (1 << 14) / small,
            mx = 4096, my = 4096 / small, colours = (1 << 18) / small, edge = small == 1 ? 65 : 17,
            nodes = edge * edge * edge, tets = 6 * (edge - 1) * (edge - 1) * (edge - 1),
            l = mx * my;
  const long long n = (1ll << 25) / small;
  {
    std::vector<double> h(cells);
    for (int i = 0; i < cells; ++i)
      h[i] = 800 + 1200 * value(i + 1);
    double *t = copyOf(h), *c = values<double>(cells * species),
           *wdot = values<double>(cells * species), p[reactions], b[reactions], a[reactions];
    int from[reactions][2], to[reactions][2];
    for (int i = 1; i <= reactions; ++i) {
      p[i - 1] = 2 + 0.1 * i;
      b[i - 1] = 0.05 * (i % 7) - 0.1;
      a[i - 1] = 8000 + 1500.0 * (i % 11);
      from[i - 1][0] = 3 * i % species;
      from[i - 1][1] = (5 * i + 1) % species;
      to[i - 1][0] = (7 * i + 2) % species;
      to[i - 1][1] = (i + i / 8) % species;
    }
    cudaMemcpyToSymbol(prefactor, p, sizeof p);
    cudaMemcpyToSymbol(beta, b, sizeof b);
    cudaMemcpyToSymbol(activation, a, sizeof a);
    cudaMemcpyToSymbol(left, from, sizeof from);
    cudaMemcpyToSymbol(right, to, sizeof to);
    while (more("arrhenius"))
      arrhenius<<<cells / 128, 128>>>(t, c, wdot, cells);
    norm("arrhenius", wdot, cells * species);
    for (double *memory : {t, c, wdot})
      cudaFree(memory);
  }
  {
    std::vector<double> o(columns * levels), p(columns * levels);
    for (int i = 0; i < columns * levels; ++i) {
      o[i] = 0.9 * value(i + 1);
      p[i] = 1 + value(i + 1);
    }
    double *tau = values<double>(columns * levels), *omega = copyOf(o), *planck = copyOf(p),
           *up = values<double>(columns * levels), *down = values<double>(columns * levels);
    while (more("two_stream"))
      twoStream<<<columns / 128, 128>>>(tau, omega, planck, up, down, 0.3, columns, levels);
    report("stream_up", up, columns * levels);
    report("stream_down", down, columns * levels);
    for (double *memory : {tau, omega, planck, up, down})
      cudaFree(memory);
  }
  {
    float *qc = values<float>(columns * 64), *qr = values<float>(columns * 64),
          *rho = values<float>(columns * 64), *rain = values<float>(columns);
    while (more("sedimentation"))
      sedimentation<<<columns / 128, 128>>>(qc, qr, rho, 200, 5, rain, columns, 64);
    report("sedimentation", qr, columns * 64);
    report("sediment", rain, columns);
    for (float *memory : {qc, qr, rho, rain})
      cudaFree(memory);
  }
  {
    std::vector<float2> h(1024 * transforms), t(1024);
    for (int i = 0; i < 1024 * transforms; ++i)
      h[i] = {static_cast<float>(value(i + 1)), 0.5f};
    for (int i = 0; i < 1024; ++i)
      t[i] = {static_cast<float>(std::cos(6.283185307179586 * i / 1024)),
              static_cast<float>(-std::sin(6.283185307179586 * i / 1024))};
    float2 *z = copyOf(h), *y = copyOf(h), *w = copyOf(t);
    while (more("radix4"))
      radix4<<<transforms, 256>>>(z, y, w);
    norm("radix4", &y->x, 2048 * static_cast<size_t>(transforms));
    cudaMemcpy(h.data(), y, h.size() * sizeof(float2), cudaMemcpyDeviceToHost);
    double total = 0;
    for (int j = 0; j < transforms; ++j)
      for (int i = 1; i < 9; ++i)
        total += static_cast<double>(h[1024 * j + i].x) * h[1024 * j + i].x;
    std::printf("SUM radix4_some %22.14e\n", total);
    cudaFree(z);
    cudaFree(y);
    cudaFree(w);
  }
  {
    constexpr int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    std::vector<Tetrahedron> h;
    std::vector<double> x(3 * nodes);
    for (int p = 0; p < nodes; ++p) {
      x[3 * p] = p % edge + 0.2 * value(p + 1);
      x[3 * p + 1] = p / edge % edge + 0.2 * value(p + 12);
      x[3 * p + 2] = p / (edge * edge) + 0.2 * value(p + 30);
    }
    for (int k = 0; k < edge - 1; ++k)
      for (int j = 0; j < edge - 1; ++j)
        for (int i = 0; i < edge - 1; ++i)
          for (const auto &axes : order) {
            int at[3] = {i, j, k};
            Tetrahedron cell;
            cell.node[0] = i + edge * (j + edge * k);
            for (int m = 0; m < 3; ++m) {
              ++at[axes[m]];
              cell.node[m + 1] = at[0] + edge * (at[1] + edge * at[2]);
            }
            cell.kappa = 1 + (h.size() + 1) % 3;
            h.push_back(cell);
          }
    Tetrahedron *mesh = copyOf(h);
    double *xyz = copyOf(x), *u = values<double>(nodes), *r = values<double>(nodes);
    cudaMemset(r, 0, nodes * sizeof(double));
    while (more("elements"))
      elements<<<tets / 128, 128>>>(mesh, xyz, u, r, tets);
    norm("elements", r, nodes);
    cudaFree(mesh);
    for (double *memory : {xyz, u, r})
      cudaFree(memory);
  }
  float *a = values<float>(l), *b = values<float>(l);
  {
    float w[2 * radius + 1];
    for (int i = -radius; i <= radius; ++i)
      w[i + radius] = std::exp(-static_cast<float>(i * i) / 16) / 7;
    cudaMemcpyToSymbol(weights, w, sizeof w);
    while (more("blurred"))
      blurred<<<dim3(mx / 256, my), 256>>>(a, b, mx);
    norm("blurred", b, l);
  }
  {
    std::vector<double> lambda(colours), d(layers);
    std::vector<Complex> e(layers);
    for (int i = 0; i < colours; ++i)
      lambda[i] = 0.4 + 0.4 * value(i + 1);
    for (int i = 1; i <= layers; ++i) {
      d[i - 1] = 0.05 + 0.01 * i;
      e[i - 1] = {1.4 + 0.6 * (i % 2), -0.01 * (i % 3)};
    }
    double *wavelength = copyOf(lambda), *thickness = copyOf(d), *reflected = copyOf(lambda);
    Complex *index = copyOf(e);
    while (more("thin_film"))
      thinFilm<<<colours / 128, 128>>>(wavelength, index, thickness, reflected, layers, colours);
    report("thin_film", reflected, colours);
    cudaFree(index);
    for (double *memory : {wavelength, thickness, reflected})
      cudaFree(memory);
  }
  {
    constexpr int blocks = 1056;
    double *x = values<double>(n);
    Moments *parts, m;
    unsigned *finished;
    cudaMalloc(&parts, (blocks + 1) * sizeof(Moments));
    cudaMalloc(&finished, sizeof(unsigned));
    cudaMemset(finished, 0, sizeof(unsigned));
    while (more("cuf_moments")) {
      moments<<<blocks, 256>>>(x, n, parts, finished);
      cudaMemcpy(&m, parts, sizeof m, cudaMemcpyDeviceToHost);
    }
    std::printf("SUM cuf_total %22.14e\nSUM cuf_squares %22.14e\nSUM cuf_low %22.14e\nSUM cuf_high "
                "%22.14e\n",
                m.total, m.squares, m.low + 1, m.high);
    cudaFree(x);
  }
  {
    std::vector<int> h(l);
    for (int i = 0; i < l; ++i)
      h[i] = static_cast<float>(value(i + 1)) > 0.3f;
    int *mask = copyOf(h);
    cudaMemset(b, 0, l * sizeof(float));
    while (more("cuf_masked"))
      masked<<<dim3(mx / 32, my / 8), dim3(32, 8)>>>(mask, a, b, mx, my);
    report("cuf_masked", b, l);
  }
}
