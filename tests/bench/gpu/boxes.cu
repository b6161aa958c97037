// Forces in boxes, clusters, smoothers, block solves, lattices, elements, deviates. Twin of
// boxes.cuf.
#include "boxes.h"
#include "timing.h"
#include <cmath>

namespace {

__global__ void gsrb(const double *__restrict__ phi, double *__restrict__ next,
                     const double *__restrict__ rhs, const double *__restrict__ alpha,
                     const double *__restrict__ beta, const double *__restrict__ dinv, int n,
                     int colour, double a, double b, double h2inv) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1,
      k = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (i > n || j > n || k > n)
    return;
  int s = n + 2, p = s * s, at = k * p + j * s + i, v = s * p;
  double c = phi[at];
  if (((i ^ j ^ k ^ colour) & 1) == 0) {
    double ax =
        a * alpha[at] * c -
        b * h2inv *
            (beta[at + 1] * (phi[at + 1] - c) + beta[at] * (phi[at - 1] - c) +
             beta[v + at + s] * (phi[at + s] - c) + beta[v + at] * (phi[at - s] - c) +
             beta[2 * v + at + p] * (phi[at + p] - c) + beta[2 * v + at] * (phi[at - p] - c));
    next[at] = c + dinv[at] * (rhs[at] - ax);
  } else {
    next[at] = c;
  }
}

__global__ void restriction(double *__restrict__ coarse, const double *__restrict__ fine,
                            double *__restrict__ coarseFace, const double *__restrict__ face,
                            int nx, int ny, int nz) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= nx || j >= ny || k >= nz)
    return;
  int s = 2 * nx, p = s * 2 * ny, at = 2 * k * p + 2 * j * s + 2 * i;
  int fs = 2 * nx + 1, fp = fs * 2 * ny, fat = 2 * k * fp + 2 * j * fs + 2 * i,
      to = (k * ny + j) * nx + i;
  coarse[to] = 0.125 * (fine[at] + fine[at + 1] + fine[at + s] + fine[at + s + 1] + fine[at + p] +
                        fine[at + p + 1] + fine[at + p + s] + fine[at + p + s + 1]);
  coarseFace[to] = 0.25 * (face[fat] + face[fat + fs] + face[fat + fp] + face[fat + fp + fs]);
}

// Blocks are stored [column][row], as in Fortran.
__device__ inline void matvec_sub(const double (&a)[5][5], const double (&v)[5], double (&b)[5]) {
#pragma unroll
  for (int i = 0; i < 5; ++i)
    b[i] =
        b[i] - a[0][i] * v[0] - a[1][i] * v[1] - a[2][i] * v[2] - a[3][i] * v[3] - a[4][i] * v[4];
}

__device__ inline void matmul_sub(const double (&a)[5][5], const double (&b)[5][5],
                                  double (&c)[5][5]) {
#pragma unroll
  for (int j = 0; j < 5; ++j)
#pragma unroll
    for (int i = 0; i < 5; ++i)
#pragma unroll
      for (int m = 0; m < 5; ++m)
        c[j][i] -= a[m][i] * b[j][m];
}

__device__ inline void binvcrhs(double (&lhs)[5][5], double (&c)[5][5], double (&r)[5]) {
#pragma unroll
  for (int p = 0; p < 5; ++p) {
    double pivot = 1.0 / lhs[p][p];
#pragma unroll
    for (int j = p + 1; j < 5; ++j)
      lhs[j][p] *= pivot;
#pragma unroll
    for (int j = 0; j < 5; ++j)
      c[j][p] *= pivot;
    r[p] *= pivot;
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      if (i == p)
        continue;
      double coeff = lhs[p][i];
#pragma unroll
      for (int j = p + 1; j < 5; ++j)
        lhs[j][i] -= coeff * lhs[j][p];
#pragma unroll
      for (int j = 0; j < 5; ++j)
        c[j][i] -= coeff * c[j][p];
      r[i] -= coeff * r[p];
    }
  }
}

__device__ inline void block(double (&m)[5][5], const double *__restrict__ from, int lines) {
#pragma unroll
  for (int j = 0; j < 5; ++j)
#pragma unroll
    for (int i = 0; i < 5; ++i)
      m[j][i] = from[(j * 5 + i) * lines];
}

__device__ inline void row(double (&r)[5], const double *__restrict__ from, int lines) {
#pragma unroll
  for (int i = 0; i < 5; ++i)
    r[i] = from[i * lines];
}

__device__ inline void store(double *__restrict__ work, double *__restrict__ x,
                             const double (&c)[5][5], const double (&r)[5], int lines) {
#pragma unroll
  for (int j = 0; j < 5; ++j) {
#pragma unroll
    for (int i = 0; i < 5; ++i)
      work[(j * 5 + i) * lines] = c[j][i];
    x[j * lines] = r[j];
  }
}

__global__ void bt_solve(int lines, int n, const double *__restrict__ aa,
                         const double *__restrict__ bb, const double *__restrict__ cc,
                         const double *__restrict__ rhs, double *__restrict__ work,
                         double *__restrict__ x) {
  int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= lines)
    return;
  double a[5][5], b[5][5], c[5][5], before[5][5], r[5], s[5];
  block(b, bb + line, lines);
  block(c, cc + line, lines);
  row(r, rhs + line, lines);
  binvcrhs(b, c, r);
  store(work + line, x + line, c, r, lines);
  for (int k = 1; k < n; ++k) {
    int at = k * 25 * lines + line, atR = k * 5 * lines + line;
#pragma unroll
    for (int j = 0; j < 5; ++j) {
      s[j] = r[j];
#pragma unroll
      for (int i = 0; i < 5; ++i)
        before[j][i] = c[j][i];
    }
    block(a, aa + at, lines);
    block(b, bb + at, lines);
    block(c, cc + at, lines);
    row(r, rhs + atR, lines);
    matvec_sub(a, s, r);
    matmul_sub(a, before, b);
    binvcrhs(b, c, r);
    store(work + at, x + atR, c, r, lines);
  }
  for (int k = n - 2; k >= 0; --k) {
#pragma unroll
    for (int j = 0; j < 5; ++j) {
      s[j] = r[j];
      r[j] = x[(k * 5 + j) * lines + line];
#pragma unroll
      for (int i = 0; i < 5; ++i)
        c[j][i] = work[(k * 25 + j * 5 + i) * lines + line];
    }
    matvec_sub(c, s, r);
#pragma unroll
    for (int j = 0; j < 5; ++j)
      x[(k * 5 + j) * lines + line] = r[j];
  }
}

__global__ void d3q19(int nx, int ny, int nz, float omega, const float *__restrict__ f,
                      const unsigned char *__restrict__ wall, float *__restrict__ g) {
  constexpr int cx[19] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
  constexpr int cy[19] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
  constexpr int cz[19] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};
  constexpr int opposite[19] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};
  constexpr float w0 = 1.0f / 3.0f, w1 = 1.0f / 18.0f, w2 = 1.0f / 36.0f;
  constexpr float wt[19] = {w0, w1, w1, w1, w1, w1, w1, w2, w2, w2,
                            w2, w2, w2, w2, w2, w2, w2, w2, w2};
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
      k = blockIdx.z;
  if (i >= nx || j >= ny)
    return;
  int n = nx * ny * nz, at = (k * ny + j) * nx + i;
  float fin[19];
#pragma unroll
  for (int q = 0; q < 19; ++q) {
    int ip = i - cx[q], jp = j - cy[q], kp = k - cz[q];
    ip = ip < 0 ? ip + nx : ip >= nx ? ip - nx : ip;
    jp = jp < 0 ? jp + ny : jp >= ny ? jp - ny : jp;
    kp = kp < 0 ? kp + nz : kp >= nz ? kp - nz : kp;
    fin[q] = f[q * n + (kp * ny + jp) * nx + ip];
  }
  if (wall[at]) {
#pragma unroll
    for (int q = 0; q < 19; ++q)
      g[q * n + at] = fin[opposite[q]];
  } else {
    float rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
    for (int q = 0; q < 19; ++q) {
      rho += fin[q];
      ux += fin[q] * cx[q];
      uy += fin[q] * cy[q];
      uz += fin[q] * cz[q];
    }
    ux /= rho;
    uy /= rho;
    uz /= rho;
    float usq = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < 19; ++q) {
      float cu = 3.0f * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
      float feq = wt[q] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
      g[q * n + at] = fin[q] + omega * (feq - fin[q]);
    }
  }
}

__device__ inline double triple(double x1, double y1, double z1, double x2, double y2, double z2,
                                double x3, double y3, double z3) {
  return x1 * (y2 * z3 - z2 * y3) + x2 * (z1 * y3 - y1 * z3) + x3 * (y1 * z2 - z1 * y2);
}

__device__ inline double areaFace(const double *p0, const double *p1, const double *p2,
                                  const double *p3) {
  double ff = 0, gg = 0, fg = 0;
#pragma unroll
  for (int m = 0; m < 3; ++m) {
    double f = (p2[m] - p0[m]) - (p3[m] - p1[m]), g = (p2[m] - p0[m]) + (p3[m] - p1[m]);
    ff += f * f;
    gg += g * g;
    fg += f * g;
  }
  return ff * gg - fg * fg;
}

__global__ void elements(const int *__restrict__ nodes, const double *__restrict__ x,
                         const double *__restrict__ y, const double *__restrict__ z,
                         const double *__restrict__ reference, double *__restrict__ volume,
                         double *__restrict__ length, int n) {
  constexpr int faces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                               {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= n)
    return;
  double c[8][3];
#pragma unroll
  for (int m = 0; m < 8; ++m) {
    int at = nodes[8 * e + m];
    c[m][0] = x[at];
    c[m][1] = y[at];
    c[m][2] = z[at];
  }
#define D(a, b, m) (c[a][m] - c[b][m])
#define T(a, b, d, f, g, h, i, j)                                                                  \
  triple(D(a, b, 0) + D(d, f, 0), D(a, b, 1) + D(d, f, 1), D(a, b, 2) + D(d, f, 2), D(g, h, 0),    \
         D(g, h, 1), D(g, h, 2), D(i, j, 0), D(i, j, 1), D(i, j, 2))
  double v = T(3, 1, 7, 4, 6, 3, 2, 0) + T(4, 3, 5, 6, 6, 4, 7, 0) + T(1, 4, 2, 7, 6, 1, 5, 0);
#undef T
#undef D
  v /= 12;
  double biggest = 0;
#pragma unroll
  for (int m = 0; m < 6; ++m)
    biggest =
        fmax(biggest, areaFace(c[faces[m][0]], c[faces[m][1]], c[faces[m][2]], c[faces[m][3]]));
  volume[e] = v / reference[e];
  length[e] = 4 * v / sqrt(biggest);
}

__device__ inline double randlc(double *x, double a) {
  constexpr double r23 = 1.0 / (1 << 23), t23 = 1 << 23, r46 = r23 * r23, t46 = t23 * t23;
  double a1 = int(r23 * a), a2 = a - t23 * a1;
  double x1 = int(r23 * *x), x2 = *x - t23 * x1;
  double t1 = a1 * x2 + a2 * x1, t2 = int(r23 * t1), z = t1 - t23 * t2;
  double t3 = t23 * z + a2 * x2, t4 = int(r46 * t3);
  *x = t3 - t46 * t4;
  return r46 * *x;
}

__global__ void ep(int pairs, double seed, double multiplier, double *sx, double *sy, int *counts) {
  __shared__ int bins[10];
  int t = threadIdx.x;
  if (t < 10)
    bins[t] = 0;
  __syncthreads();
  int me = blockIdx.x * blockDim.x + t;
  double x = seed, a = multiplier;
  for (int steps = 2 * pairs * me; steps != 0; steps /= 2) {
    if (steps % 2 == 1)
      randlc(&x, a);
    randlc(&a, a);
  }
  double mx = 0, my = 0;
  for (int m = 0; m < pairs; ++m) {
    double x1 = 2 * randlc(&x, multiplier) - 1, x2 = 2 * randlc(&x, multiplier) - 1;
    double r = x1 * x1 + x2 * x2;
    if (r > 1 || r == 0)
      continue;
    double f = sqrt(-2 * log(r) / r), gx = x1 * f, gy = x2 * f;
    int l = fmax(fabs(gx), fabs(gy));
    atomicAdd(&bins[l], 1);
    mx += gx;
    my += gy;
  }
#pragma unroll
  for (int l = 16; l >= 1; l /= 2) {
    mx += __shfl_xor_sync(~0u, mx, l);
    my += __shfl_xor_sync(~0u, my, l);
  }
  if (t % 32 == 0) {
    atomicAdd(sx, mx);
    atomicAdd(sy, my);
  }
  __syncthreads();
  if (t < 10)
    atomicAdd(&counts[t], bins[t]);
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
    int nb = 8, nz = std::max(1, nb / part), n = nb * nb * nz;
    std::vector<Box> boxes(n);
    for (int k = 0; k < nz; ++k)
      for (int j = 0; j < nb; ++j)
        for (int i = 0; i < nb; ++i) {
          int b = i + nb * (j + nb * k), m = 0;
          boxes[b].self = {i, j, k, b, 100 * b};
          for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
              for (int dx = -1; dx <= 1; ++dx) {
                int x = i + dx, y = j + dy, z = k + dz;
                if ((dx == 0 && dy == 0 && dz == 0) || x < 0 || x >= nb || y < 0 || y >= nb ||
                    z < 0 || z >= nz)
                  continue;
                int l = x + nb * (y + nb * z);
                boxes[b].near[m++] = {x, y, z, l, 100 * l};
              }
          boxes[b].count = m;
        }
    Box *deviceBoxes = copyOf(boxes);
    Atom *atoms = made<Atom>(
             100 * n,
             [](int i) { return Atom{0.1 + value(i), value(3 * i), value(7 * i), value(11 * i)}; }),
         *forces = zeros<Atom>(100 * n);
    double *charges = made<double>(100 * n, [](int i) { return 0.1 + value(13 * i); });
    while (more("lavamd"))
      lavamd<<<n, 128>>>(0.5, deviceBoxes, atoms, charges, forces);
    double v = 0, f = 0;
    for (Atom &a : back(forces, 100 * n)) {
      v += a.v;
      f += a.x * a.x + a.y * a.y + a.z * a.z;
    }
    said("lavamd_v", v);
    said("lavamd_f", f);
  }
  {
    int n = 524288 / part, dims = 64, k = 8;
    float *coords = made<float>(n * dims, [](int i) { return value(17 * i); }),
          *lower = zeros<float>(n * k);
    Point *points = made<Point>(n, [&](int i) {
      return Point{float(0.5 + value(i)), float(5 + 12 * value(3 * i)), i * 7 % n};
    });
    int *table = made<int>(n, [&](int i) { return i * 5 % (k - 1); }), *switched = zeros<int>(n);
    while (more("pgain"))
      pgain<<<(n + 255) / 256, 256>>>(n, dims, 76, coords, points, table, k, lower, switched);
    norm("pgain_lower", lower, n * k);
    report("pgain_switched", switched, n);
    cudaFree(coords), cudaFree(points), cudaFree(table), cudaFree(lower), cudaFree(switched);
  }
  {
    int n = part > 1 ? 24 : 160, m = (n + 2) * (n + 2) * (n + 2);
    double *phi = made<double>(m, [](int i) { return value(i) - 0.5; }),
           *rhs = made<double>(m, [](int i) { return value(3 * i); }),
           *alpha = made<double>(m, [](int i) { return 1 + value(7 * i); }),
           *dinv = made<double>(m, [](int i) { return 0.1 + 0.01 * value(11 * i); }),
           *beta = made<double>(3 * m, [](int i) { return 0.5 + value(5 * i); }),
           *next = zeros<double>(m);
    while (more("gsrb"))
      gsrb<<<dim3((n + 7) / 8, (n + 7) / 8, (n + 7) / 8), dim3(8, 8, 8)>>>(
          phi, next, rhs, alpha, beta, dinv, n, 1, 1.0, 0.7, 1.5);
    norm("gsrb", next, m);
    cudaFree(phi), cudaFree(next), cudaFree(rhs), cudaFree(alpha), cudaFree(dinv), cudaFree(beta);
  }
  {
    int nx = 128, ny = 96, nz = std::max(2, 96 / part), n = nx * ny * nz;
    double *fine = values<double>(8 * n),
           *face = made<double>((2 * nx + 1) * 4 * ny * nz, [](int i) { return value(3 * i); }),
           *coarse = zeros<double>(n), *coarseFace = zeros<double>(n);
    while (more("cuf_restrict"))
      restriction<<<dim3(nx / 32, ny / 4, (nz + 1) / 2), dim3(32, 4, 2)>>>(coarse, fine, coarseFace,
                                                                           face, nx, ny, nz);
    norm("cuf_restrict", coarse, n);
    norm("cuf_restrict_face", coarseFace, n);
    cudaFree(fine), cudaFree(coarse), cudaFree(face), cudaFree(coarseFace);
  }
  {
    int n = 8192 / part, m = 16;
    double *aa = made<double>(25 * n * m, [](int i) { return 0.1 * value(i); }),
           *cc = made<double>(25 * n * m, [](int i) { return 0.1 * value(3 * i); }),
           *bb = made<double>(
               25 * n * m,
               [&](int i) { return 0.2 * value(7 * i) + 2 * ((i - 1) / n % 25 % 6 == 0); }),
           *rhs = made<double>(5 * n * m, [](int i) { return value(11 * i) - 0.3; }),
           *work = zeros<double>(25 * n * m), *x = zeros<double>(5 * n * m);
    while (more("bt_solve"))
      bt_solve<<<(n + 63) / 64, 64>>>(n, m, aa, bb, cc, rhs, work, x);
    norm("bt_solve", x, 5 * n * m);
    cudaFree(aa), cudaFree(bb), cudaFree(cc), cudaFree(rhs), cudaFree(work), cudaFree(x);
  }
  {
    int nx = 128, ny = 128, nz = std::max(2, 64 / part), n = nx * ny * nz;
    float *f = made<float>(19 * n, [](int i) { return 0.05 + 0.005 * value(i); }),
          *g = zeros<float>(19 * n);
    unsigned char *wall = made<unsigned char>(n, [&](int at) {
      int i = (at - 1) % nx + 1, j = (at - 1) / nx % ny + 1, k = (at - 1) / (nx * ny) + 1;
      return (i / 8 + j / 8 + k / 8) % 7 == 0;
    });
    while (more("d3q19"))
      d3q19<<<dim3(nx / 128, ny, nz), 128>>>(nx, ny, nz, 1.2f, f, wall, g);
    norm("d3q19", g, 19 * n);
    cudaFree(f), cudaFree(g), cudaFree(wall);
  }
  {
    int nx = 96, ny = 96, nz = std::max(2, 96 / part), n = nx * ny * nz,
        m = (nx + 1) * (ny + 1) * (nz + 1);
    double *x = made<double>(m, [&](int i) { return (i - 1) % (nx + 1) + 0.3 * value(7 * i); }),
           *y = made<double>(
               m, [&](int i) { return (i - 1) / (nx + 1) % (ny + 1) + 0.3 * value(11 * i); }),
           *z = made<double>(
               m, [&](int i) { return (i - 1) / ((nx + 1) * (ny + 1)) + 0.3 * value(13 * i); }),
           *reference = made<double>(n, [](int i) { return 1 + value(i); }),
           *volume = zeros<double>(n), *length = zeros<double>(n);
    int *nodes = made<int>(8 * n, [&](int w) {
      int e = (w - 1) / 8, b = (nx + 1) * (ny + 1);
      int at = e % nx + (nx + 1) * (e / nx % ny + (ny + 1) * (e / (nx * ny)));
      int offsets[8] = {0, 1, nx + 2, nx + 1, b, b + 1, b + nx + 2, b + nx + 1};
      return at + offsets[(w - 1) % 8];
    });
    while (more("elements"))
      elements<<<(n + 127) / 128, 128>>>(nodes, x, y, z, reference, volume, length, n);
    report("elements_volume", volume, n);
    norm("elements_length", length, n);
    cudaFree(x), cudaFree(y), cudaFree(z), cudaFree(nodes);
  }
  {
    int n = 65536 / part, m = 64;
    double *sums = zeros<double>(2);
    int *counts = zeros<int>(10);
    while (more("ep")) {
      double zero = 0;
      cudaMemcpy(sums, &zero, sizeof zero, cudaMemcpyHostToDevice);
      cudaMemcpy(sums + 1, &zero, sizeof zero, cudaMemcpyHostToDevice);
      cudaMemset(counts, 0, 10 * sizeof(int));
      ep<<<n / 128, 128>>>(m, 271828183.0, 1220703125.0, sums, sums + 1, counts);
    }
    auto s = back(sums, 2);
    auto c = back(counts, 10);
    said("ep_x", s[0]);
    said("ep_y", s[1]);
    double total = 0;
    for (int i = 0; i < 10; ++i)
      total += (i + 1.0) * c[i];
    said("ep_counts", total);
  }
}
