// Kernels of models: air, oceans, cells, particles, chemistry. Twin of particles.cuf.
#include "timing.h"
#include <cmath>

struct alignas(16) Atom {
  float x, y, z, charge;
};

struct alignas(16) Cell {
  double u[4], normal[3][2];
  int next[3], kind;
};

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ int selfY() { return blockIdx.y * blockDim.y + threadIdx.y; }

__global__ void columns(const double *__restrict__ t, const double *__restrict__ q,
                        const double *__restrict__ p, double *__restrict__ moist,
                        double *__restrict__ rain, double thick, int wide, int levels) {
  int i = self();
  if (i >= wide)
    return;
  double fall = 0;
  for (int k = 0; k < levels; ++k) {
    int at = k * wide + i;
    double vapour = 6.11 * exp(17.27 * (t[at] - 273.15) / (t[at] - 35.86));
    double saturated = 0.622 * vapour / (p[at] - 0.378 * vapour), excess = q[at] - saturated,
           change;
    if (excess > 0)
      change = excess / (1 + 1.35e7 * saturated / (t[at] * t[at]));
    else
      change = -fmin(fall / thick, -0.2 * excess);
    moist[at] = q[at] - change;
    fall += change * thick;
  }
  rain[i] = fall;
}

__global__ void states(const int *__restrict__ material, const double *__restrict__ rho,
                       const double *__restrict__ e, double *__restrict__ pressure,
                       double *__restrict__ sound, int n) {
  int i = self();
  if (i >= n)
    return;
  double r = rho[i], p, s;
  switch (material[i]) {
  case 1:
    p = 0.4 * r * e[i];
    s = sqrt(1.4 * 0.4 * e[i]);
    break;
  case 2:
    p = 3.4 * r * e[i] + 0.6;
    s = sqrt(4.4 * (p + 0.6) / r);
    break;
  case 3: {
    double v = 1 / r, a = exp(-4 * v), b = exp(-v);
    p = 6 * a + 0.1 * b + 0.3 * r * e[i];
    s = v * sqrt(24 * a + 0.1 * b + 0.3 * (p + r * e[i]));
    break;
  }
  default:
    if (r > 1.5) {
      double r3 = r * r * r;
      p = 1 + 0.3 * (r3 * r3 * r - 1);
      s = sqrt(2.1 * r3 * r3);
    } else {
      p = pow(r, 1.7);
      s = sqrt(1.7 * p / r);
    }
  }
  pressure[i] = p;
  sound[i] = s;
}

__global__ void ocean(const float *__restrict__ heat, const int *__restrict__ wet,
                      float *__restrict__ next, float k, int nx, int ny) {
  int i = self(), j = selfY(), at = j * nx + i;
  if (i == 0 || j == 0 || i >= nx - 1 || j >= ny - 1)
    return;
  if (!wet[at]) {
    next[at] = -1;
    return;
  }
  float s = 0, here = heat[at];
  if (wet[at - 1])
    s += heat[at - 1] - here;
  if (wet[at + 1])
    s += heat[at + 1] - here;
  if (wet[at - nx])
    s += heat[at - nx] - here;
  if (wet[at + nx])
    s += heat[at + nx] - here;
  next[at] = here + k * s;
}

__global__ void hamming(const long long *__restrict__ codes, const long long *__restrict__ known,
                        int *__restrict__ best) {
  __shared__ long long s[512][4];
  int t = threadIdx.x, i = self(), least = 256;
  for (int j = t; j < 512; j += blockDim.x)
    for (int k = 0; k < 4; ++k)
      s[j][k] = known[4 * j + k];
  __syncthreads();
  long long mine[4];
  for (int k = 0; k < 4; ++k)
    mine[k] = codes[4 * i + k];
  for (int j = 0; j < 512; ++j) {
    int d = 0;
    for (int k = 0; k < 4; ++k)
      d += __popcll(mine[k] ^ s[j][k]);
    least = min(least, d);
  }
  best[i] = least;
}

__global__ void boris(const float *__restrict__ x, const float *__restrict__ v,
                      const float *__restrict__ e, const float *__restrict__ b,
                      float *__restrict__ xn, float *__restrict__ vn, float dt, int n, int cells) {
  int i = self();
  if (i >= n)
    return;
  int k = static_cast<int>(x[i] * (cells - 1));
  float field[3], a[3], w[3], c[3], dot = 0;
  for (int m = 0; m < 3; ++m) {
    field[m] = 0.5f * dt * e[3 * k + m];
    a[m] = 0.5f * dt * b[3 * k + m];
    w[m] = v[m * n + i] + field[m];
    dot += a[m] * a[m];
  }
  for (int m = 0; m < 3; ++m)
    c[m] = w[m] + w[(m + 1) % 3] * a[(m + 2) % 3] - w[(m + 2) % 3] * a[(m + 1) % 3];
  for (int m = 0; m < 3; ++m)
    a[m] = 2 * a[m] / (1 + dot);
  for (int m = 0; m < 3; ++m) {
    float turned = w[m] + c[(m + 1) % 3] * a[(m + 2) % 3] - c[(m + 2) % 3] * a[(m + 1) % 3];
    vn[m * n + i] = turned + field[m];
    xn[m * n + i] = x[m * n + i] + dt * (turned + field[m]);
  }
}

__global__ void deposit(const float *__restrict__ x, const float *__restrict__ y,
                        const float *__restrict__ w, double *__restrict__ rho, int n, int m) {
  int i = self();
  if (i >= n)
    return;
  double a = static_cast<double>(x[i]) * (m - 1), b = static_cast<double>(y[i]) * (m - 1), c = w[i];
  int k = min(static_cast<int>(a), m - 2), l = min(static_cast<int>(b), m - 2);
  double *at = rho + l * m + k;
  a -= k;
  b -= l;
  atomicAdd(at, (1 - a) * (1 - b) * c);
  atomicAdd(at + 1, a * (1 - b) * c);
  atomicAdd(at + m, (1 - a) * b * c);
  atomicAdd(at + m + 1, a * b * c);
}

__global__ void pairForces(const Atom *__restrict__ atoms, const int *__restrict__ count,
                           const int *__restrict__ list, float *__restrict__ force, float cutoff,
                           int n) {
  int i = self();
  if (i >= n)
    return;
  Atom me = atoms[i];
  float fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < count[i]; ++k) {
    Atom other = atoms[list[k * n + i]];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float r2 = dx * dx + dy * dy + dz * dz;
    if (r2 > cutoff * cutoff)
      continue;
    r2 = 1 / r2;
    float s = r2 * r2 * r2,
          f = 24 * r2 * s * (2 * s - 1) + me.charge * other.charge * r2 * sqrtf(r2);
    fx -= f * dx;
    fy -= f * dy;
    fz -= f * dz;
  }
  force[3 * i] = fx;
  force[3 * i + 1] = fy;
  force[3 * i + 2] = fz;
}

__global__ void nearest(const float *__restrict__ points, const float *__restrict__ others,
                        int count, float *__restrict__ distance, int *__restrict__ which) {
  __shared__ float s[128][3];
  int t = threadIdx.x, i = self(), at = 0;
  float x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2], best = 3e38f;
  for (int j = 0; j < count; j += 128) {
    __syncthreads();
    for (int c = 0; c < 3; ++c)
      s[t][c] = others[3 * (j + t) + c];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float dx = s[k][0] - x, dy = s[k][1] - y, dz = s[k][2] - z, d = dx * dx + dy * dy + dz * dz;
      if (d < best) {
        best = d;
        at = j + k;
      }
    }
  }
  distance[i] = sqrtf(best);
  which[i] = at;
}

__global__ void structureFactor(const double *__restrict__ r, const double *__restrict__ charge,
                                const double *__restrict__ wave, double2 *__restrict__ f,
                                int charges, int n) {
  int i = self();
  if (i >= n)
    return;
  double x = wave[3 * i], y = wave[3 * i + 1], z = wave[3 * i + 2];
  double2 s = make_double2(0, 0);
  for (int j = 0; j < charges; ++j) {
    double sine, cosine;
    sincos(x * r[3 * j] + y * r[3 * j + 1] + z * r[3 * j + 2], &sine, &cosine);
    s.x += charge[j] * cosine;
    s.y += charge[j] * sine;
  }
  f[i] = s;
}

__global__ void harmonics(const double *__restrict__ theta, const double *__restrict__ phi,
                          const double *__restrict__ c, const double *__restrict__ s,
                          double *__restrict__ f, int top, int n) {
  int i = self();
  if (i >= n)
    return;
  double x, y, a, b, cm = 1, sm = 0, pm = 1, total = 0;
  sincos(theta[i], &y, &x);
  sincos(phi[i], &b, &a);
  for (int m = 0; m <= top; ++m) {
    double before = 0, p = pm;
    for (int l = m; l <= top; ++l) {
      total += p * (c[m * (top + 1) + l] * cm + s[m * (top + 1) + l] * sm);
      double after = ((2 * l + 1) * x * p - (l + m) * before) / (l - m + 1);
      before = p;
      p = after;
    }
    double turned = cm * a - sm * b;
    sm = sm * a + cm * b;
    cm = turned;
    pm *= (2 * m + 1) * y;
  }
  f[i] = total;
}

__device__ void solve3(double (&a)[3][3], double (&b)[3]) {
#pragma unroll
  for (int j = 0; j < 2; ++j)
#pragma unroll
    for (int i = j + 1; i < 3; ++i) {
      double factor = a[i][j] / a[j][j];
#pragma unroll
      for (int k = j + 1; k < 3; ++k)
        a[i][k] -= factor * a[j][k];
      b[i] -= factor * b[j];
    }
  b[2] = b[2] / a[2][2];
  b[1] = (b[1] - a[1][2] * b[2]) / a[1][1];
  b[0] = (b[0] - a[0][1] * b[1] - a[0][2] * b[2]) / a[0][0];
}

__global__ void kinetics(const double *__restrict__ from, double *__restrict__ to,
                         const double *__restrict__ rate, double dt, int steps, int n) {
  int i = self();
  if (i >= n)
    return;
  double y[3], k0 = rate[0], k1 = rate[1], k2 = rate[2];
  for (int c = 0; c < 3; ++c)
    y[c] = from[c * n + i] + 0.1;
  for (int step = 0; step < steps; ++step) {
    double z[3] = {y[0], y[1], y[2]};
    for (int newton = 0; newton < 3; ++newton) {
      double r0 = k0 * z[0], r1 = k1 * z[1] * z[1], r2 = k2 * z[1] * z[2];
      double g[3] = {z[0] - y[0] + dt * (r0 - r2), z[1] - y[1] - dt * (r0 - r1 - r2),
                     z[2] - y[2] - dt * r1};
      double jacobian[3][3] = {{1 + dt * k0, -dt * k2 * z[2], -dt * k2 * z[1]},
                               {-dt * k0, 1 + dt * (2 * k1 * z[1] + k2 * z[2]), dt * k2 * z[1]},
                               {0, -2 * dt * k1 * z[1], 1}};
      solve3(jacobian, g);
      for (int c = 0; c < 3; ++c)
        z[c] -= g[c];
    }
    for (int c = 0; c < 3; ++c)
      y[c] = z[c];
  }
  for (int c = 0; c < 3; ++c)
    to[c * n + i] = y[c];
}

__global__ void norms(const double *__restrict__ a, double *__restrict__ total,
                      double *__restrict__ largest, int n) {
  __shared__ double sums[8], most[8];
  int lane = threadIdx.x & 31, warp = threadIdx.x / 32;
  double s = 0, m = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    double x = a[blockIdx.x * n + i];
    s += x * x;
    m = fmax(m, fabs(x));
  }
  for (int i = 16; i > 0; i /= 2) {
    s += __shfl_xor_sync(~0u, s, i);
    m = fmax(m, __shfl_xor_sync(~0u, m, i));
  }
  if (lane == 0) {
    sums[warp] = s;
    most[warp] = m;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    s = m = 0;
    for (int i = 0; i < 8; ++i) {
      s += sums[i];
      m = fmax(m, most[i]);
    }
    total[blockIdx.x] = sqrt(s);
    largest[blockIdx.x] = m;
  }
}

__global__ void unstructured(const Cell *__restrict__ cells, double *__restrict__ du, int n) {
  int i = self();
  if (i >= n)
    return;
  const Cell &me = cells[i];
  double s[4] = {};
#pragma unroll
  for (int j = 0; j < 3; ++j) {
    const Cell &other = cells[me.next[j]];
    double a[4];
    for (int c = 0; c < 4; ++c)
      a[c] = 0.5 * (me.u[c] + other.u[c]);
    double x = me.normal[j][0], y = me.normal[j][1];
    double pressure = 0.4 * (a[3] - 0.5 * (a[1] * a[1] + a[2] * a[2]) / a[0]);
    double flow = (a[1] * x + a[2] * y) / a[0];
    for (int c = 0; c < 4; ++c)
      s[c] += flow * a[c];
    s[1] += pressure * x;
    s[2] += pressure * y;
    s[3] += pressure * flow;
  }
  for (int c = 0; c < 4; ++c)
    du[c * n + i] = me.kind == 2 ? 0.5 * s[c] : s[c];
}

// n numbers of type T, each a function of its index from 1.
template <class T, class Function>
T *made(int n, Function function) {
  std::vector<T> host(n);
  for (int i = 0; i < n; ++i)
    host[i] = function(i + 1);
  return copyOf(host);
}

int main() {
  const int l = 1 << 23, mx = 4096, my = 2048, wide = 1 << 16, levels = 64, n = 1 << 22,
            movers = 1 << 21, mesh = 512, words = 1 << 16, side[3] = {64, 64, 32}, atoms = 1 << 17,
            most = 80, points = 1 << 15, others = 1 << 13, waves = 1 << 14, charges = 512,
            sphere = 1 << 20, mixtures = 1 << 18, cells = 1 << 20, degree = 8;
  const double golden[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const dim3 squares(mx / 32, my / 8), square(32, 8);
  std::vector<double> d(l + 6), third(3 * charges);
  for (int i = 0; i < l + 6; ++i)
    d[i] = value(i + 1);
  std::vector<float> spread(3 * movers), first(3 * points), second(3 * others);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < movers; ++i) {
      float x = spread[k * movers + i] = static_cast<float>(std::fmod((i + 1) * golden[k], 1));
      if (i < points)
        first[3 * i + k] = x;
      else if (i < points + others)
        second[3 * (i - points) + k] = x;
      if (i < charges)
        third[3 * i + k] = x;
    }
  std::vector<double> table((degree + 1) * (degree + 1)), half(table.size());
  double scale = 1;
  for (int j = 0; j <= degree; ++j) {
    for (int i = j; i <= degree; ++i) {
      table[j * (degree + 1) + i] = scale / (i + 1);
      half[j * (degree + 1) + i] = 0.5 * scale / (i + 1);
    }
    scale = scale / (2 * j + 1) / 2;
  }
  std::vector<long long> bits(4 * words), flipped(4 * 512);
  for (long long i = 0; i < 4 * words; ++i)
    bits[i] = (i + 5) * 2654435761 ^ (i + 5) << 40;
  for (int i = 0; i < 4 * 512; ++i)
    flipped[i] = ~bits[4 * (words - 512) + i];
  std::vector<Atom> gases(atoms);
  std::vector<int> counts(atoms), near(atoms * most);
  for (int i = 0; i < atoms; ++i) {
    const int x = i % side[0], y = i / side[0] % side[1], z = i / side[0] / side[1];
    gases[i] = {1.2f * x + 0.2f * spread[i], 1.2f * y + 0.2f * spread[movers + i],
                1.2f * z + 0.2f * spread[2 * movers + i], static_cast<float>(d[i]) - 0.5f};
    for (int dk = -2; dk <= 2; ++dk)
      for (int dj = -2; dj <= 2; ++dj)
        for (int di = -2; di <= 2; ++di) {
          int far = di * di + dj * dj + dk * dk, a = x + di, b = y + dj, c = z + dk;
          if (far > 6 || far == 0 || a < 0 || b < 0 || c < 0 || a >= side[0] || b >= side[1] ||
              c >= side[2])
            continue;
          near[counts[i]++ * atoms + i] = a + side[0] * (b + side[1] * c);
        }
  }
  std::vector<Cell> fluids(cells);
  for (int i = 0; i < cells; ++i)
    fluids[i] = {{1 + d[i], d[i + 1], d[i + 2], 3 + d[i + 3]},
                 {{d[i], d[i + 1]}, {d[i + 2], d[i + 3]}, {d[i + 4], d[i + 5]}},
                 {(i + 1) % cells, (i + cells - 1) % cells, (i + 1000) % cells},
                 1 + (i + 1) % 2};

  double *t = made<double>(wide * levels, [](int i) { return 240 + 60 * value(i); }),
         *q = made<double>(wide * levels, [](int i) { return 0.03 * value(i); }),
         *p = made<double>(wide * levels, [](int i) { return 300 + 600 * value(i); }),
         *rho = made<double>(n, [](int i) { return 0.5 + 2 * value(i); }),
         *energy = made<double>(n, [](int i) { return 1 + value(i); }), *a = values<double>(l),
         *r = copyOf(third), *charge = made<double>(charges, [](int i) { return 0.5 + value(i); }),
         *wave = made<double>(3 * waves,
                              [](int i) {
                                const int at = (i - 1) / 3 + 1;
                                const int part[3] = {at % 25, at / 25 % 25, at / 625};
                                return 6.283185307179586 * part[(i - 1) % 3];
                              }),
         *theta = made<double>(sphere, [](int i) { return 3 * value(i); }),
         *phi = made<double>(sphere, [](int i) { return 6 * value(i + 1); }),
         *from = values<double>(3 * mixtures), *rate = copyOf<double>({0.04, 300, 10}),
         *c = copyOf(table), *s = copyOf(half);
  float *heat = values<float>(l), *next = zeros<float>(l), *x = copyOf(spread),
        *v = values<float>(3 * movers), *w = values<float>(movers), *e = values<float>(3 * 4096),
        *b = made<float>(3 * 4096, [](int i) { return 2 * static_cast<float>(value(i)); }),
        *here = copyOf(first), *there = copyOf(second);
  int *material = made<int>(n, [](int i) { return 1 + (i - 1) / 1000 % 4; }),
      *wet = made<int>(l, [](int i) { return static_cast<float>(value(i)) > 0.2f; }),
      *count = copyOf(counts), *list = copyOf(near);
  long long *codes = copyOf(bits), *known = copyOf(flipped);
  Atom *gas = copyOf(gases);
  Cell *fluid = copyOf(fluids);
  double *moist = zeros<double>(wide * levels), *rain = zeros<double>(wide),
         *pressure = zeros<double>(n), *sound = zeros<double>(n),
         *grid = zeros<double>(mesh * mesh), *f = zeros<double>(sphere),
         *to = zeros<double>(3 * mixtures), *total = zeros<double>(my),
         *largest = zeros<double>(my), *du = zeros<double>(4 * cells);
  float *xn = zeros<float>(3 * movers), *vn = zeros<float>(3 * movers),
        *force = zeros<float>(3 * atoms), *distance = zeros<float>(points);
  int *best = zeros<int>(words), *which = zeros<int>(points);
  double2 *factors = zeros<double2>(waves);

  while (more("columns"))
    columns<<<wide / 128, 128>>>(t, q, p, moist, rain, 0.5, wide, levels);
  report("rain", rain, wide);
  report("moist", moist, wide * levels);
  while (more("states"))
    states<<<n / 256, 256>>>(material, rho, energy, pressure, sound, n);
  report("states", pressure, n);
  report("sound", sound, n);
  while (more("ocean"))
    ocean<<<squares, square>>>(heat, wet, next, 0.1f, mx, my);
  norm("ocean", next, l);
  while (more("hamming"))
    hamming<<<words / 256, 256>>>(codes, known, best);
  report("hamming", best, words);
  while (more("boris"))
    boris<<<movers / 256, 256>>>(x, v, e, b, xn, vn, 0.5f, movers, 4096);
  norm("boris_x", xn, 3 * movers);
  norm("boris_v", vn, 3 * movers);
  while (more("deposit"))
    deposit<<<movers / 256, 256>>>(x, x + movers, w, grid, movers, mesh);
  norm("deposit", grid, mesh * mesh);
  while (more("pair_forces"))
    pairForces<<<atoms / 128, 128>>>(gas, count, list, force, 2.5f, atoms);
  norm("pair_forces", force, 3 * atoms);
  while (more("nearest"))
    nearest<<<points / 128, 128>>>(here, there, others, distance, which);
  report("nearest", distance, points);
  while (more("structure_factor"))
    structureFactor<<<waves / 128, 128>>>(r, charge, wave, factors, charges, waves);
  norm("structure_factor", &factors->x, 2 * waves);
  while (more("harmonics"))
    harmonics<<<sphere / 256, 256>>>(theta, phi, c, s, f, degree, sphere);
  norm("harmonics", f, sphere);
  while (more("kinetics"))
    kinetics<<<mixtures / 128, 128>>>(from, to, rate, 0.1, 4, mixtures);
  norm("kinetics", to, 3 * mixtures);
  while (more("norms"))
    norms<<<my, 256>>>(a, total, largest, mx);
  report("norms", total, my);
  report("largest", largest, my);
  while (more("unstructured"))
    unstructured<<<cells / 128, 128>>>(fluid, du, cells);
  norm("unstructured", du, 4 * cells);
}
