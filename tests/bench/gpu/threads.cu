// Kernels whose threads work on little things of their own. Twin of threads.cuf.
#include "timing.h"
#include <cmath>

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
  double energy;
  int id, kind;
};

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void moveCopy(Particle *p, int n) {
  int i = self();
  if (i >= n)
    return;
  Particle q = p[i];
  q.x += 0.01f * q.vx;
  q.y += 0.01f * q.vy;
  q.z += 0.01f * q.vz;
  q.energy += 1;
  p[i] = q;
}

__global__ void moveComponents(Particle *p, int n) {
  int i = self();
  if (i >= n)
    return;
  p[i].x += 0.01f * p[i].vx;
  p[i].y += 0.01f * p[i].vy;
  p[i].z += 0.01f * p[i].vz;
}

__global__ void exchange(Particle *p, int n) {
  __shared__ Particle q[128];
  int t = threadIdx.x, i = self();
  q[t] = p[i];
  __syncthreads();
  p[i].x = q[127 - t].vx;
}

__global__ void sections(const float *__restrict__ p, float *__restrict__ o, int n) {
  __shared__ float s[128][3];
  int t = threadIdx.x, i = self();
  for (int c = 0; c < 3; ++c)
    s[t][c] = p[3 * i + c];
  __syncthreads();
  for (int c = 0; c < 3; ++c)
    o[3 * i + c] = s[127 - t][c] * 2 + p[3 * i + c];
}

__global__ void masked(const float *__restrict__ p, float *__restrict__ o, int n) {
  int i = self();
  if (i >= n)
    return;
  for (int c = 0; c < 3; ++c) {
    float a = p[3 * i + c], b = a > 0.5f ? a * 2 : -a;
    o[3 * i + c] = (a > b ? a : b) + (c + 1);
  }
}

__global__ void factors(const float *__restrict__ a, float *__restrict__ x, int n) {
  float l[8][8], y[8];
  int t = self();
  if (t >= n)
    return;
  for (int j = 0; j < 8; ++j) {
    for (int i = 0; i < 8; ++i)
      l[j][i] = a[(j * 8 + i) * n + t];
    l[j][j] += 8;
    y[j] = x[j * n + t];
  }
  for (int k = 0; k < 7; ++k)
    for (int i = k + 1; i < 8; ++i) {
      l[k][i] = l[k][i] / l[k][k];
      for (int j = k + 1; j < 8; ++j)
        l[j][i] = l[j][i] - l[k][i] * l[j][k];
    }
  for (int i = 1; i < 8; ++i)
    for (int j = 0; j < i; ++j)
      y[i] -= l[j][i] * y[j];
  for (int i = 7; i >= 0; --i) {
    for (int j = i + 1; j < 8; ++j)
      y[i] -= l[j][i] * y[j];
    y[i] /= l[i][i];
  }
  for (int j = 0; j < 8; ++j)
    x[j * n + t] = y[j];
}

__global__ void thomas(const double *__restrict__ a, double *__restrict__ x, int n, int m) {
  int i = self();
  if (i >= n)
    return;
  double c = 0;
  for (int k = 1; k < m; ++k) {
    c = 1 / (4 + a[(k - 1) * n + i] * c);
    x[k * n + i] = (x[k * n + i] - a[k * n + i] * x[(k - 1) * n + i]) * c;
  }
  for (int k = m - 2; k >= 0; --k)
    x[k * n + i] -= a[k * n + i] * x[(k + 1) * n + i] * 0.25;
}

__global__ void bodies(const float4 *__restrict__ p, float4 *__restrict__ f, int n) {
  __shared__ float4 s[128];
  int t = threadIdx.x, i = self();
  float x = p[i].x, y = p[i].y, z = p[i].z, ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; j += 128) {
    s[t] = p[j + t];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float dx = s[k].x - x, dy = s[k].y - y, dz = s[k].z - z;
      float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      r = r * r * r * s[k].w;
      ax += dx * r;
      ay += dy * r;
      az += dz * r;
    }
    __syncthreads();
  }
  f[i] = make_float4(ax, ay, az, 0);
}

__device__ float normal(float d) {
  float k = 1 / (1 + 0.2316419f * fabsf(d));
  float t = 0.39894228f * expf(-0.5f * d * d) * k *
            (0.31938153f +
             k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1 - t : t;
}

__global__ void blackScholes(const float *__restrict__ s, const float *__restrict__ k,
                             const float *__restrict__ t, float *__restrict__ c,
                             float *__restrict__ p, int n) {
  for (int i = self(); i < n; i += blockDim.x * gridDim.x) {
    float root = sqrtf(t[i] + 0.25f);
    float d1 = (logf((s[i] + 1) / (k[i] + 1)) + (0.02f + 0.5f * 0.3f * 0.3f) * (t[i] + 0.25f)) /
               (0.3f * root);
    float d2 = d1 - 0.3f * root, e = (k[i] + 1) * expf(-0.02f * (t[i] + 0.25f));
    c[i] = (s[i] + 1) * normal(d1) - e * normal(d2);
    p[i] = e * (1 - normal(d2)) - (s[i] + 1) * (1 - normal(d1));
  }
}

__global__ void mandelbrot(int *count, int n) {
  int i = self(), j = blockIdx.y * blockDim.y + threadIdx.y, k;
  float x = 0, y = 0, a = -2 + 3.0f * i / n, b = -1.5f + 3.0f * j / n;
  for (k = 1; k <= 256; ++k) {
    if (x * x + y * y > 4)
      break;
    float t = x * x - y * y + a;
    y = 2 * x * y + b;
    x = t;
  }
  count[j * n + i] = k;
}

__global__ void sparse(const int *__restrict__ start, const int *__restrict__ column,
                       const double *__restrict__ a, const double *__restrict__ x,
                       double *__restrict__ y, int n) {
  int i = self();
  if (i >= n)
    return;
  double s = 0;
  for (int k = start[i]; k < start[i + 1]; ++k)
    s += a[k] * x[column[k]];
  y[i] = s;
}

__global__ void matrices(const float *__restrict__ a, const float *__restrict__ b,
                         float *__restrict__ c, int n) {
  float x[3][3], y[3][3];
  int i = self();
  if (i >= n)
    return;
  for (int k = 0; k < 9; ++k) {
    x[k / 3][k % 3] = a[k * n + i];
    y[k / 3][k % 3] = b[k * n + i];
  }
  for (int k = 0; k < 3; ++k)
    for (int j = 0; j < 3; ++j) {
      float s = 0;
      for (int m = 0; m < 3; ++m)
        s += x[m][j] * y[k][m];
      c[(k * 3 + j) * n + i] = s;
    }
}

__global__ void orbits(double *state, int n) {
  const double part[4] = {0.5, 0.5, 1, 0}, weight[4] = {1, 2, 2, 1};
  double y[4], k[4], total[4], z[4];
  int i = self();
  if (i >= n)
    return;
  for (int c = 0; c < 4; ++c)
    y[c] = state[c * n + i];
  for (int s = 0; s < 10; ++s) {
    for (int c = 0; c < 4; ++c)
      z[c] = y[c], total[c] = 0;
    for (int stage = 0; stage < 4; ++stage) {
      k[0] = z[2], k[1] = z[3], k[2] = -z[0], k[3] = -z[1];
      for (int c = 0; c < 4; ++c) {
        total[c] += weight[stage] * k[c];
        z[c] = y[c] + 0.01 * part[stage] * k[c];
      }
    }
    for (int c = 0; c < 4; ++c)
      y[c] += 0.01 / 6 * total[c];
  }
  for (int c = 0; c < 4; ++c)
    state[c * n + i] = y[c];
}

int main() {
  const int n = 1 << 20, m = 128;
  std::vector<Particle> host(n);
  for (int i = 0; i < n; ++i) {
    float h = static_cast<float>(value(i + 1));
    host[i] = {h, 0, 0, h, 1, 1, 1, 1, 0, i + 1, 0};
  }
  Particle *p;
  cudaMalloc(&p, n * sizeof(Particle));
  cudaMemcpy(p, host.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
  float *v = values<float>(3 * n), *o = values<float>(3 * n), *a = values<float>(16 * n),
        *x = values<float>(2 * n);
  float *s = values<float>(n), *c = values<float>(n), *e = values<float>(n),
        *f = values<float>(n / 16);
  float *g = values<float>(n / 16), *a3 = values<float>(9 * n), *b3 = values<float>(9 * n),
        *c3 = values<float>(9 * n);
  double *ta = values<double>(8 * n), *tx = values<double>(8 * n), *sa = values<double>(16 * n),
         *sx = values<double>(n);
  double *sy = values<double>(n), *state = values<double>(4 * n);
  std::vector<int> first(n + 1), column(16 * n);
  for (int i = 0; i <= n; ++i)
    first[i] = 16 * i;
  for (int i = 0; i < 16 * n; ++i)
    column[i] = ((i / 16 + 7 * (i % 16 - 8)) % n + n) % n;
  int *counts, *starts, *columns;
  cudaMalloc(&counts, 2048 * 2048 * sizeof(int));
  cudaMalloc(&starts, first.size() * sizeof(int));
  cudaMalloc(&columns, column.size() * sizeof(int));
  cudaMemcpy(starts, first.data(), first.size() * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(columns, column.data(), column.size() * sizeof(int), cudaMemcpyHostToDevice);

  while (more("move_copy"))
    moveCopy<<<n / 256, 256>>>(p, n);
  while (more("move_components"))
    moveComponents<<<n / 256, 256>>>(p, n);
  cudaMemcpy(host.data(), p, n * sizeof(Particle), cudaMemcpyDeviceToHost);
  double total = 0;
  for (const Particle &q : host)
    total += q.x;
  std::printf("SUM move %22.14e\n", total);
  while (more("exchange"))
    exchange<<<n / 128, 128>>>(p, n);
  while (more("sections"))
    sections<<<n / 128, 128>>>(v, o, n);
  report("sections", o, 3 * n);
  while (more("masked"))
    masked<<<n / 256, 256>>>(v, o, n);
  report("masked", o, 3 * n);
  while (more("factors"))
    factors<<<n / 4 / 128, 128>>>(a, x, n / 4);
  while (more("thomas"))
    thomas<<<n / 16 / 128, 128>>>(ta, tx, n / 16, m);
  while (more("bodies"))
    bodies<<<n / 64 / 128, 128>>>(reinterpret_cast<float4 *>(f), reinterpret_cast<float4 *>(g),
                                  n / 64);
  while (more("black_scholes"))
    blackScholes<<<528, 256>>>(s, s, s, c, e, n);
  report("black_scholes", c, n);
  while (more("mandelbrot"))
    mandelbrot<<<dim3(64, 256), dim3(32, 8)>>>(counts, 2048);
  while (more("sparse"))
    sparse<<<n / 256, 256>>>(starts, columns, sa, sx, sy, n);
  report("sparse", sy, n);
  while (more("matrices"))
    matrices<<<n / 256, 256>>>(a3, b3, c3, n);
  report("matrices", c3, 9 * n);
  while (more("orbits"))
    orbits<<<n / 256, 256>>>(state, n);
  report("orbits", state, 4 * n);
}
