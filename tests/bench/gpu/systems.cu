// Linear algebra: small solves, QR, bands, sparse formats, powers, spectral elements, statistics.
// Twin of systems.cuf.
#include "timing.h"
#include <cfloat>
#include <cmath>

struct Complex {
  double re, im;
};

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void solve6(const double *__restrict__ a, const double *__restrict__ b,
                       double *__restrict__ x, int systems) {
  int n = self();
  if (n >= systems)
    return;
  double m[6][6], r[6];
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i)
      m[j][i] = a[36 * n + 6 * j + i];
  for (int i = 0; i < 6; ++i)
    r[i] = b[6 * n + i];
  for (int k = 0; k < 5; ++k) {
    int p = k;
    for (int i = k + 1; i < 6; ++i)
      if (fabs(m[k][i]) > fabs(m[k][p]))
        p = i;
    if (p != k) {
      for (int j = k; j < 6; ++j) {
        double t = m[j][k];
        m[j][k] = m[j][p];
        m[j][p] = t;
      }
      double t = r[k];
      r[k] = r[p];
      r[p] = t;
    }
    for (int i = k + 1; i < 6; ++i) {
      double factor = m[k][i] / m[k][k];
      for (int j = k + 1; j < 6; ++j)
        m[j][i] -= factor * m[j][k];
      r[i] -= factor * r[k];
    }
  }
  for (int k = 5; k >= 0; --k) {
    double s = 0;
    for (int j = k + 1; j < 6; ++j)
      s += m[j][k] * r[j];
    r[k] = (r[k] - s) / m[k][k];
  }
  for (int i = 0; i < 6; ++i)
    x[6 * n + i] = r[i];
}

__global__ void householder(const double *__restrict__ a, const double *__restrict__ b,
                            double *__restrict__ x, int n) {
  int at = self();
  if (at >= n)
    return;
  double q[4][8], r[8], v[8];
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int i = 0; i < 8; ++i)
      q[j][i] = a[(j * 8 + i) * n + at];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    r[i] = b[i * n + at];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    double s = 0, length = 0;
#pragma unroll
    for (int i = k; i < 8; ++i)
      s += q[k][i] * q[k][i];
    double alpha = -copysign(sqrt(s), q[k][k]);
#pragma unroll
    for (int i = k; i < 8; ++i) {
      v[i] = i == k ? q[k][k] - alpha : q[k][i];
      length += v[i] * v[i];
    }
    double beta = 2 / length;
    q[k][k] = alpha;
#pragma unroll
    for (int j = k + 1; j < 4; ++j) {
      s = 0;
#pragma unroll
      for (int i = k; i < 8; ++i)
        s += v[i] * q[j][i];
      s *= beta;
#pragma unroll
      for (int i = k; i < 8; ++i)
        q[j][i] -= s * v[i];
    }
    s = 0;
#pragma unroll
    for (int i = k; i < 8; ++i)
      s += v[i] * r[i];
    s *= beta;
#pragma unroll
    for (int i = k; i < 8; ++i)
      r[i] -= s * v[i];
  }
#pragma unroll
  for (int k = 3; k >= 0; --k) {
#pragma unroll
    for (int j = k + 1; j < 4; ++j)
      r[k] -= q[j][k] * r[j];
    r[k] /= q[k][k];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    x[k * n + at] = r[k];
}

__global__ void pentadiagonal(const double *__restrict__ e, const double *__restrict__ c,
                              const double *__restrict__ d, const double *__restrict__ a,
                              const double *__restrict__ b, const double *__restrict__ y,
                              double *__restrict__ alpha, double *__restrict__ beta,
                              double *__restrict__ x, int n, int m) {
  int i = self();
  if (i >= n)
    return;
  double a1 = 0, a2 = 0, b1 = 0, b2 = 0, z1 = 0, z2 = 0;
  for (int k = 0; k < m; ++k) {
    int at = k * n + i;
    double gamma = c[at] - a2 * e[at], mu = 6 + d[at] - b2 * e[at] - a1 * gamma,
           z = (y[at] - z2 * e[at] - z1 * gamma) / mu;
    a2 = a1;
    a1 = (a[at] - b1 * gamma) / mu;
    b2 = b1;
    b1 = b[at] / mu;
    z2 = z1;
    z1 = z;
    alpha[at] = a1;
    beta[at] = b1;
    x[at] = z;
  }
  x[(m - 2) * n + i] -= alpha[(m - 2) * n + i] * x[(m - 1) * n + i];
  for (int k = m - 3; k >= 0; --k) {
    int at = k * n + i;
    x[at] -= alpha[at] * x[at + n] + beta[at] * x[at + 2 * n];
  }
}

__global__ void coordinate(const int *__restrict__ row, const int *__restrict__ column,
                           const double *__restrict__ a, const double *__restrict__ x, double *y,
                           long long n) {
  long long k = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < n)
    atomicAdd(&y[row[k] - 1], a[k] * x[column[k] - 1]);
}

__global__ void blockRows(const int *__restrict__ start, const int *__restrict__ column,
                          const double *__restrict__ a, const double *__restrict__ x,
                          double *__restrict__ y, int n) {
  int i = self() / 4, r = self() % 4;
  if (i >= n)
    return;
  double s = 0;
  for (int k = start[i] - 1; k < start[i + 1] - 1; ++k)
    for (int c = 0; c < 4; ++c)
      s += a[16 * k + 4 * c + r] * x[4 * (column[k] - 1) + c];
  y[4 * i + r] = s;
}

__global__ void triangular(const float *__restrict__ l, const float *__restrict__ b,
                           float *__restrict__ x) {
  int n = self() / 32, lane = threadIdx.x & 31;
  float mine = b[32 * n + lane];
  for (int k = 0; k < 32; ++k) {
    float here = l[1024 * n + 32 * k + lane];
    if (lane == k)
      mine /= here + 2;
    float xk = __shfl_sync(~0u, mine, k);
    if (lane > k)
      mine -= here * xk;
  }
  x[32 * n + lane] = mine;
}

__device__ void multiply(const Complex (&a)[4][4], const Complex (&b)[4][4], Complex (&c)[4][4]) {
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      Complex s{0, 0};
      for (int k = 0; k < 4; ++k) {
        s.re += a[k][i].re * b[j][k].re - a[k][i].im * b[j][k].im;
        s.im += a[k][i].re * b[j][k].im + a[k][i].im * b[j][k].re;
      }
      c[j][i] = s;
    }
}

__device__ void copy(const Complex (&from)[4][4], Complex (&to)[4][4]) {
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      to[j][i] = from[j][i];
}

__global__ void powers(const Complex *__restrict__ a, const int *__restrict__ exponent,
                       Complex *__restrict__ b, int count) {
  int n = self();
  if (n >= count)
    return;
  Complex base[4][4], p[4][4], t[4][4];
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i) {
      base[j][i] = a[16 * n + 4 * j + i];
      p[j][i] = {i == j ? 1.0 : 0.0, 0};
    }
  for (int e = exponent[n]; e > 0; e >>= 1) {
    if (e & 1) {
      multiply(p, base, t);
      copy(t, p);
    }
    multiply(base, base, t);
    copy(t, base);
  }
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 4; ++i)
      b[16 * n + 4 * j + i] = p[j][i];
}

__global__ void spectralElements(const double *__restrict__ u, const double *__restrict__ d,
                                 const double *__restrict__ g, double *__restrict__ out) {
  __shared__ double s[8][8][8], r1[8][8][8], r2[8][8][8], r3[8][8][8], sd[8][8];
  int i = threadIdx.x, j = threadIdx.y, k = threadIdx.z,
      at = ((blockIdx.x * 8 + k) * 8 + j) * 8 + i;
  s[k][j][i] = u[at];
  if (k == 0)
    sd[j][i] = d[8 * j + i];
  __syncthreads();
  double a = 0, b = 0, c = 0;
  for (int m = 0; m < 8; ++m) {
    a += sd[m][i] * s[k][j][m];
    b += sd[m][j] * s[k][m][i];
    c += sd[m][k] * s[m][j][i];
  }
  double metric = g[at];
  r1[k][j][i] = metric * a;
  r2[k][j][i] = metric * b;
  r3[k][j][i] = metric * c;
  __syncthreads();
  a = 0;
  for (int m = 0; m < 8; ++m)
    a += sd[i][m] * r1[k][j][m] + sd[j][m] * r2[k][m][i] + sd[k][m] * r3[m][j][i];
  out[at] = a;
}

__global__ void statistics(const float *__restrict__ x, int n, float *__restrict__ low,
                           float *__restrict__ high, int *__restrict__ at,
                           double *__restrict__ mean, double *__restrict__ variance) {
  __shared__ float lows[256], highs[256];
  __shared__ double sums[256], squares[256];
  __shared__ int places[256];
  int t = threadIdx.x, where = 0;
  float a = FLT_MAX, b = -FLT_MAX;
  double s = 0, q = 0;
  for (int i = self(); i < n; i += blockDim.x * gridDim.x) {
    float here = x[i];
    a = fminf(a, here);
    if (here > b) {
      b = here;
      where = i + 1;
    }
    double v = here;
    s += v;
    q += v * v;
  }
  lows[t] = a;
  highs[t] = b;
  places[t] = where;
  sums[t] = s;
  squares[t] = q;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) {
      lows[t] = fminf(lows[t], lows[t + d]);
      if (highs[t + d] > highs[t] || (highs[t + d] == highs[t] && places[t + d] < places[t])) {
        highs[t] = highs[t + d];
        places[t] = places[t + d];
      }
      sums[t] += sums[t + d];
      squares[t] += squares[t + d];
    }
    __syncthreads();
  }
  if (t == 0) {
    low[blockIdx.x] = lows[0];
    high[blockIdx.x] = highs[0];
    at[blockIdx.x] = places[0];
    mean[blockIdx.x] = sums[0] / n;
    variance[blockIdx.x] = (squares[0] - sums[0] * sums[0] / n) / n;
  }
}

int wrapped(int i, int n) { return (i % n + n) % n; }

int main() {
  const char *text = std::getenv("SMALL");
  const int small = text ? std::atoi(text) : 1, m5 = 64, per = 12, blocks = 1056;
  const int n6 = (1 << 18) / small, nq = (1 << 19) / small, n5 = (1 << 16) / small,
            nnz = (1 << 23) / small, rows = (1 << 20) / small, br = (1 << 16) / small,
            nt = (1 << 15) / small, np = (1 << 18) / small, ne = (1 << 13) / small,
            ns = (1 << 25) / small;
  {
    std::vector<double> h(36 * n6);
    for (int i = 1; i <= 36 * n6; ++i)
      h[i - 1] = (37 * i + i / 1009) % 1013 / 1013.0;
    for (int i = 0; i < n6; ++i)
      for (int k = 0; k < 6; ++k)
        h[36 * i + 7 * k] += 2;
    double *a = copyOf(h), *b = values<double>(6 * n6), *x = values<double>(6 * n6);
    while (more("solve6"))
      solve6<<<n6 / 128, 128>>>(a, b, x, n6);
    norm("solve6", x, 6 * n6);
    for (double *memory : {a, b, x})
      cudaFree(memory);
  }
  {
    std::vector<double> h(32 * nq);
    for (int i = 1; i <= 32 * nq; ++i)
      h[i - 1] = (37 * i + i / 1009) % 1013 / 1013.0;
    for (int k = 0; k < 4; ++k)
      for (int i = 0; i < nq; ++i)
        h[9 * k * nq + i] += 2;
    double *a = copyOf(h), *b = values<double>(8 * nq), *x = values<double>(4 * nq);
    while (more("householder"))
      householder<<<nq / 128, 128>>>(a, b, x, nq);
    norm("householder", x, 4 * nq);
    for (double *memory : {a, b, x})
      cudaFree(memory);
  }
  {
    double *p[6], *u[3];
    for (double *&memory : p)
      memory = values<double>(n5 * m5);
    for (double *&memory : u)
      memory = values<double>(n5 * m5);
    while (more("pentadiagonal"))
      pentadiagonal<<<n5 / 128, 128>>>(p[0], p[1], p[2], p[3], p[4], p[5], u[0], u[1], u[2], n5,
                                       m5);
    norm("pentadiagonal", u[2], n5 * m5);
    for (double *memory : p)
      cudaFree(memory);
    for (double *memory : u)
      cudaFree(memory);
  }
  {
    std::vector<int> r(nnz), c(nnz);
    for (int i = 0; i < nnz; ++i) {
      r[i] = 1 + i / 8;
      c[i] = 1 + wrapped(i / 8 + 97 * (i % 8 - 4), rows);
    }
    int *row = copyOf(r), *column = copyOf(c);
    double *v = values<double>(nnz), *x = values<double>(rows), *y = values<double>(rows);
    cudaMemset(y, 0, rows * sizeof(double));
    while (more("coordinate"))
      coordinate<<<nnz / 256, 256>>>(row, column, v, x, y, nnz);
    norm("coordinate", y, rows);
    cudaFree(row);
    cudaFree(column);
    for (double *memory : {v, x, y})
      cudaFree(memory);
  }
  {
    std::vector<int> s(br + 1), c(per * br);
    for (int i = 0; i <= br; ++i)
      s[i] = 1 + per * i;
    for (int i = 0; i < per * br; ++i)
      c[i] = 1 + wrapped(i / per + 41 * (i % per - 6), br);
    int *start = copyOf(s), *column = copyOf(c);
    double *a = values<double>(16 * per * br), *x = values<double>(4 * br),
           *y = values<double>(4 * br);
    while (more("block_rows"))
      blockRows<<<4 * br / 128, 128>>>(start, column, a, x, y, br);
    norm("block_rows", y, 4 * br);
    cudaFree(start);
    cudaFree(column);
    for (double *memory : {a, x, y})
      cudaFree(memory);
  }
  {
    std::vector<float> h(1024 * nt);
    for (int i = 0; i < 1024 * nt; ++i)
      h[i] = 0.2f * static_cast<float>(value(i + 1));
    float *l = copyOf(h), *b = values<float>(32 * nt), *x = values<float>(32 * nt);
    while (more("triangular"))
      triangular<<<nt / 8, 256>>>(l, b, x);
    norm("triangular", x, 32 * nt);
    for (float *memory : {l, b, x})
      cudaFree(memory);
  }
  {
    std::vector<Complex> z(16 * np);
    std::vector<int> e(np);
    for (int i = 0; i < 16 * np; ++i)
      z[i] = {0.3 * value(i + 1), 0.1};
    for (int i = 1; i <= np; ++i)
      e[i - 1] = 1 + i % 20;
    Complex *a = copyOf(z), *b = copyOf(z);
    int *exponent = copyOf(e);
    while (more("powers"))
      powers<<<np / 128, 128>>>(a, exponent, b, np);
    norm("powers", &b->re, 32 * np);
    cudaFree(a);
    cudaFree(b);
    cudaFree(exponent);
  }
  {
    std::vector<double> h(64);
    for (int i = 0; i < 64; ++i)
      h[i] = value(i + 1) - 0.03;
    double *u = values<double>(512 * ne), *g = values<double>(512 * ne),
           *o = values<double>(512 * ne), *d = copyOf(h);
    while (more("spectral_elements"))
      spectralElements<<<ne, dim3(8, 8, 8)>>>(u, d, g, o);
    norm("spectral_elements", o, 512 * ne);
    for (double *memory : {u, g, o, d})
      cudaFree(memory);
  }
  {
    float *sample = values<float>(ns), *low = values<float>(blocks), *high = values<float>(blocks);
    int *at = copyOf(std::vector<int>(blocks));
    double *mean = values<double>(blocks), *variance = values<double>(blocks);
    while (more("statistics"))
      statistics<<<blocks, 256>>>(sample, ns, low, high, at, mean, variance);
    report("low", low, blocks);
    report("high", high, blocks);
    report("place", at, blocks);
    report("mean", mean, blocks);
    report("variance", variance, blocks);
  }
}
