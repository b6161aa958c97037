// Finite differences: curvilinear, staggered, upwind, curls, reactions, plates, turbulence. Twin of
// differences.cuf.
#include "timing.h"
#include <cmath>

#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define J (int)(blockIdx.y * blockDim.y + threadIdx.y)
#define K (int)(blockIdx.z * blockDim.z + threadIdx.z)

__global__ void curvilinear(const double *__restrict__ x, const double *__restrict__ y,
                            const double *__restrict__ f, const double *__restrict__ u,
                            const double *__restrict__ v, double *__restrict__ g, int n, int m) {
  int i = I, j = J, a = j * n + i;
  if (i < 2 || j < 2 || i >= n - 2 || j >= m - 2)
    return;
  double x1 = (8 * (x[a + 1] - x[a - 1]) - x[a + 2] + x[a - 2]) / 12;
  double x2 = (8 * (x[a + n] - x[a - n]) - x[a + 2 * n] + x[a - 2 * n]) / 12;
  double y1 = (8 * (y[a + 1] - y[a - 1]) - y[a + 2] + y[a - 2]) / 12;
  double y2 = (8 * (y[a + n] - y[a - n]) - y[a + 2 * n] + y[a - 2 * n]) / 12;
  double f1 = (8 * (f[a + 1] - f[a - 1]) - f[a + 2] + f[a - 2]) / 12;
  double f2 = (8 * (f[a + n] - f[a - n]) - f[a + 2 * n] + f[a - 2 * n]) / 12;
  double jacobian = x1 * y2 - x2 * y1;
  g[a] = (u[a] * (f1 * y2 - f2 * y1) + v[a] * (f2 * x1 - f1 * x2)) / jacobian;
}

__global__ void elastic(float *__restrict__ vx, float *__restrict__ vy, float *__restrict__ vz,
                        const float *__restrict__ sxx, const float *__restrict__ syy,
                        const float *__restrict__ szz, const float *__restrict__ sxy,
                        const float *__restrict__ sxz, const float *__restrict__ syz,
                        const float *__restrict__ light, float dt, int nx, int ny, int nz) {
  constexpr float c1 = 1.125f, c2 = -1 / 24.0f;
  int i = I, j = J, k = K, p = nx * ny, a = k * p + j * nx + i, n = nx;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2 || k < 2 || k >= nz - 2)
    return;
  float s = dt * light[a];
  vx[a] += s * (c1 * (sxx[a + 1] - sxx[a]) + c2 * (sxx[a + 2] - sxx[a - 1]) +
                c1 * (sxy[a] - sxy[a - n]) + c2 * (sxy[a + n] - sxy[a - 2 * n]) +
                c1 * (sxz[a] - sxz[a - p]) + c2 * (sxz[a + p] - sxz[a - 2 * p]));
  vy[a] += s * (c1 * (sxy[a] - sxy[a - 1]) + c2 * (sxy[a + 1] - sxy[a - 2]) +
                c1 * (syy[a + n] - syy[a]) + c2 * (syy[a + 2 * n] - syy[a - n]) +
                c1 * (syz[a] - syz[a - p]) + c2 * (syz[a + p] - syz[a - 2 * p]));
  vz[a] += s * (c1 * (sxz[a] - sxz[a - 1]) + c2 * (sxz[a + 1] - sxz[a - 2]) +
                c1 * (syz[a] - syz[a - n]) + c2 * (syz[a + n] - syz[a - 2 * n]) +
                c1 * (szz[a + p] - szz[a]) + c2 * (szz[a + 2 * p] - szz[a - p]));
}

__global__ void upwind3(const double *__restrict__ f, const double *__restrict__ u,
                        const double *__restrict__ v, double *__restrict__ g, double dt, int n,
                        int m) {
  int i = I, j = J, a = j * n + i;
  if (i < 2 || j < 2 || i >= n - 2 || j >= m - 2)
    return;
  double fx, fy;
  if (u[a] > 0)
    fx = (2 * f[a + 1] + 3 * f[a] - 6 * f[a - 1] + f[a - 2]) / 6;
  else
    fx = (-f[a + 2] + 6 * f[a + 1] - 3 * f[a] - 2 * f[a - 1]) / 6;
  if (v[a] > 0)
    fy = (2 * f[a + n] + 3 * f[a] - 6 * f[a - n] + f[a - 2 * n]) / 6;
  else
    fy = (-f[a + 2 * n] + 6 * f[a + n] - 3 * f[a] - 2 * f[a - n]) / 6;
  g[a] = f[a] - dt * (u[a] * fx + v[a] * fy);
}

__global__ void vorticity(const double *__restrict__ u, double *__restrict__ w, int nx, int ny,
                          int nz, double h) {
  constexpr double a = 2.0 / 3, b = 1.0 / 12;
  int i = I, j = J, k = blockIdx.z, p = nx * ny, n = nx, at = k * p + j * nx + i, all = p * nz;
  if (i < 2 || i >= nx - 2 || j < 2 || j >= ny - 2 || k < 2 || k >= nz - 2)
    return;
  const double *u1 = u + at, *u2 = u1 + all, *u3 = u2 + all;
  w[at] = (a * (u3[n] - u3[-n]) - b * (u3[2 * n] - u3[-2 * n]) - a * (u2[p] - u2[-p]) +
           b * (u2[2 * p] - u2[-2 * p])) /
          h;
  w[at + all] = (a * (u1[p] - u1[-p]) - b * (u1[2 * p] - u1[-2 * p]) - a * (u3[1] - u3[-1]) +
                 b * (u3[2] - u3[-2])) /
                h;
  w[at + 2 * all] = (a * (u2[1] - u2[-1]) - b * (u2[2] - u2[-2]) - a * (u1[n] - u1[-n]) +
                     b * (u1[2 * n] - u1[-2 * n])) /
                    h;
}

__global__ void grayScott(const float *__restrict__ u, const float *__restrict__ v,
                          float *__restrict__ un, float *__restrict__ vn, int n, int m, float feed,
                          float kill) {
  int i = I, j = J;
  if (i >= n || j >= m)
    return;
  int l = (i + n - 1) % n, r = (i + 1) % n, d = (j + m - 1) % m * n, t = (j + 1) % m * n, c = j * n,
      a = c + i;
  float lu = 0.2f * (u[c + l] + u[c + r] + u[d + i] + u[t + i]) +
             0.05f * (u[d + l] + u[d + r] + u[t + l] + u[t + r]) - u[a];
  float lv = 0.2f * (v[c + l] + v[c + r] + v[d + i] + v[t + i]) +
             0.05f * (v[d + l] + v[d + r] + v[t + l] + v[t + r]) - v[a];
  float uvv = u[a] * v[a] * v[a];
  un[a] = u[a] + lu - uvv + feed * (1 - u[a]);
  vn[a] = v[a] + 0.5f * lv + uvv - (feed + kill) * v[a];
}

__global__ void biharmonic(const double *__restrict__ f, double *__restrict__ g, int n, int m) {
  __shared__ double s[12][36];
  int i0 = blockIdx.x * 32, j0 = blockIdx.y * 8;
  for (int q = threadIdx.y; q < 12; q += 8)
    for (int p = threadIdx.x; p < 36; p += 32)
      s[q][p] = f[min(max(j0 + q - 2, 0), m - 1) * n + min(max(i0 + p - 2, 0), n - 1)];
  __syncthreads();
  int p = threadIdx.x + 2, q = threadIdx.y + 2;
  g[J * n + I] = 20 * s[q][p] - 8 * (s[q][p - 1] + s[q][p + 1] + s[q - 1][p] + s[q + 1][p]) +
                 2 * (s[q - 1][p - 1] + s[q - 1][p + 1] + s[q + 1][p - 1] + s[q + 1][p + 1]) +
                 s[q][p - 2] + s[q][p + 2] + s[q - 2][p] + s[q + 2][p];
}

__global__ void smagorinsky(const float *__restrict__ u, const float *__restrict__ v,
                            const float *__restrict__ w, float *__restrict__ nu, int nx, int ny,
                            int nz, float cs) {
  int i = I, j = J, n = nx + 2, p = n * (ny + 2);
  if (i >= nx || j >= ny)
    return;
  for (int k = 0; k < nz; ++k) {
    int a = (k + 1) * p + (j + 1) * n + i + 1;
    float s11 = 0.5f * (u[a + 1] - u[a - 1]), s22 = 0.5f * (v[a + n] - v[a - n]),
          s33 = 0.5f * (w[a + p] - w[a - p]);
    float s12 = 0.25f * (u[a + n] - u[a - n] + v[a + 1] - v[a - 1]),
          s13 = 0.25f * (u[a + p] - u[a - p] + w[a + 1] - w[a - 1]),
          s23 = 0.25f * (v[a + p] - v[a - p] + w[a + n] - w[a - n]);
    nu[(k * ny + j) * nx + i] =
        cs * cs *
        sqrtf(2 * (s11 * s11 + s22 * s22 + s33 * s33) + 4 * (s12 * s12 + s13 * s13 + s23 * s23));
  }
}

__global__ void permuted(const float2 *__restrict__ a, float2 *__restrict__ b, int nx, int ny,
                         int nz) {
  __shared__ float2 tile[32][33];
  int j = blockIdx.z, i = blockIdx.x * 32, k = blockIdx.y * 32;
  for (int m = threadIdx.y; m < 32; m += 8)
    tile[m][threadIdx.x] = a[((k + m) * ny + j) * nx + i + threadIdx.x];
  __syncthreads();
  for (int m = threadIdx.y; m < 32; m += 8)
    b[((i + m) * ny + j) * nz + k + threadIdx.x] = tile[threadIdx.x][m];
}

struct Results {
  double total;
  unsigned long long largest;
};

__global__ void residuals(const double *__restrict__ p, const double *__restrict__ b,
                          double *__restrict__ r, Results *results, int nx, int ny, int nz) {
  __shared__ double sums[8], most[8];
  int n = nx, q = nx * ny;
  double total = 0, largest = 0;
  for (int k = K + 1; k < nz - 1; k += blockDim.z * gridDim.z)
    for (int j = J + 1; j < ny - 1; j += blockDim.y * gridDim.y)
      for (int i = I + 1; i < nx - 1; i += blockDim.x * gridDim.x) {
        int a = k * q + j * n + i;
        double residual =
            b[a] - 6 * p[a] + p[a - 1] + p[a + 1] + p[a - n] + p[a + n] + p[a - q] + p[a + q];
        r[a] = residual;
        total += residual * residual;
        largest = fmax(largest, fabs(residual));
      }
  for (int d = 16; d > 0; d /= 2) {
    total += __shfl_down_sync(~0u, total, d);
    largest = fmax(largest, __shfl_down_sync(~0u, largest, d));
  }
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (t % 32 == 0) {
    sums[t / 32] = total;
    most[t / 32] = largest;
  }
  __syncthreads();
  if (t == 0) {
    for (int w = 1; w < 8; ++w) {
      total += sums[w];
      largest = fmax(largest, most[w]);
    }
    atomicAdd(&results->total, total);
    atomicMax(&results->largest, static_cast<unsigned long long>(__double_as_longlong(largest)));
  }
}

int main() {
  const char *text = std::getenv("SMALL");
  const int small = text ? std::atoi(text) : 1;
  const int mx = 4096 / small, my = 2048 / small, nx = 256, ny = 256 / small, nz = 128 / small;
  const int l = mx * my, c = nx * ny * nz;
  const dim3 square(32, 8), squares(mx / 32, my / 8), cube(32, 4, 2),
      cubes(nx / 32, ny / 4, nz / 2);
  {
    std::vector<double> xh(l), yh(l), uh(l), vh(l);
    for (int j = 0; j < my; ++j)
      for (int i = 0; i < mx; ++i) {
        double d = value(1 + i + j * mx);
        xh[j * mx + i] = i + 1 + 0.2 * d;
        yh[j * mx + i] = j + 1 + 0.1 * d;
        uh[j * mx + i] = d - 0.5;
        vh[j * mx + i] = 0.25 - d;
      }
    double *x = copyOf(xh), *y = copyOf(yh), *f = values<double>(l), *u = values<double>(l),
           *v = values<double>(l), *g = values<double>(l), *u2 = copyOf(uh), *v2 = copyOf(vh);
    cudaMemset(g, 0, l * sizeof(double));
    while (more("curvilinear"))
      curvilinear<<<squares, square>>>(x, y, f, u, v, g, mx, my);
    norm("curvilinear", g, l);
    cudaMemset(g, 0, l * sizeof(double));
    while (more("upwind3"))
      upwind3<<<squares, square>>>(f, u2, v2, g, 0.1, mx, my);
    norm("upwind3", g, l);
    cudaMemset(g, 0, l * sizeof(double));
    while (more("biharmonic"))
      biharmonic<<<squares, square>>>(f, g, mx, my);
    norm("biharmonic", g, l);
    for (double *memory : {x, y, f, u, v, g, u2, v2})
      cudaFree(memory);
  }
  {
    float *s[7], *v[3];
    for (float *&memory : s)
      memory = values<float>(c);
    for (float *&memory : v) {
      memory = values<float>(c);
      cudaMemset(memory, 0, c * sizeof(float));
    }
    while (more("elastic"))
      elastic<<<cubes, cube>>>(v[0], v[1], v[2], s[0], s[1], s[2], s[3], s[4], s[5], s[6], 0.01f,
                               nx, ny, nz);
    std::vector<float> both(2 * static_cast<size_t>(c));
    cudaMemcpy(both.data(), v[0], c * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(both.data() + c, v[1], c * sizeof(float), cudaMemcpyDeviceToHost);
    double total = 0;
    for (double x : both)
      total += x * x;
    std::printf("SUM elastic %22.14e\n", total);
    norm("elastic_z", v[2], c);
    for (float *memory : s)
      cudaFree(memory);
    for (float *memory : v)
      cudaFree(memory);
  }
  {
    double *flow = values<double>(3 * c), *curl = values<double>(3 * c);
    cudaMemset(curl, 0, 3 * c * sizeof(double));
    while (more("vorticity"))
      vorticity<<<dim3(nx / 32, ny / 8, nz), square>>>(flow, curl, nx, ny, nz, 0.5);
    norm("vorticity", curl, 3 * c);
    cudaFree(flow);
    cudaFree(curl);
  }
  {
    std::vector<float> half(l);
    for (int i = 0; i < l; ++i)
      half[i] = 0.5f * static_cast<float>(value(i + 1));
    float *u = values<float>(l), *v = copyOf(half), *un = values<float>(l), *vn = values<float>(l);
    while (more("gray_scott"))
      grayScott<<<squares, square>>>(u, v, un, vn, mx, my, 0.04f, 0.06f);
    norm("gray_scott", un, l);
    norm("gray_scott_v", vn, l);
    for (float *memory : {u, v, un, vn})
      cudaFree(memory);
  }
  {
    int padded = (nx + 2) * (ny + 2) * (nz + 2);
    float *u = values<float>(padded), *v = values<float>(padded), *w = values<float>(padded),
          *nu = values<float>(c);
    while (more("smagorinsky"))
      smagorinsky<<<dim3(nx / 32, ny / 8), square>>>(u, v, w, nu, nx, ny, nz, 0.17f);
    norm("smagorinsky", nu, c);
    for (float *memory : {u, v, w, nu})
      cudaFree(memory);
  }
  {
    std::vector<float2> zh(c);
    for (int i = 0; i < c; ++i)
      zh[i] = {static_cast<float>(value(i + 1)), static_cast<float>(1 - value(i + 1))};
    float2 *z = copyOf(zh), *t = copyOf(zh);
    while (more("permuted"))
      permuted<<<dim3(nx / 32, nz / 32, ny), square>>>(z, t, nx, ny, nz);
    cudaMemcpy(zh.data(), t, c * sizeof(float2), cudaMemcpyDeviceToHost);
    double total = 0;
    for (int i = 0; i < c; ++i)
      total += (i + 1.0) * zh[i].x;
    std::printf("SUM permuted %22.14e\n", total);
    cudaFree(z);
    cudaFree(t);
  }
  {
    double *p = values<double>(c), *b = values<double>(c), *r = values<double>(c);
    cudaMemset(r, 0, c * sizeof(double));
    Results *results, host;
    cudaMalloc(&results, sizeof(Results));
    while (more("cuf_residual")) {
      cudaMemset(results, 0, sizeof(Results));
      residuals<<<cubes, cube>>>(p, b, r, results, nx, ny, nz);
      cudaMemcpy(&host, results, sizeof(Results), cudaMemcpyDeviceToHost);
    }
    double largest;
    static_assert(sizeof largest == sizeof host.largest);
    std::copy_n(reinterpret_cast<char *>(&host.largest), sizeof largest,
                reinterpret_cast<char *>(&largest));
    std::printf("SUM cuf_residual %22.14e\nSUM cuf_largest %22.14e\n", host.total, largest);
    norm("cuf_r", r, c);
  }
}
