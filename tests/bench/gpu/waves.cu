// Vector Laplacians, absorbing layers, shortest paths, rays, time steps, queens, metals, nerves,
// probabilities. Twin of waves.cuf.
#include "queens.h"
#include "timing.h"
#include <cfloat>
#include <cmath>

namespace {

__global__ void diffuse(const double *__restrict__ xr, const double *__restrict__ xt,
                        const double *__restrict__ xp, double *__restrict__ yt,
                        double *__restrict__ div, const double *__restrict__ r,
                        const double *__restrict__ rh, const double *__restrict__ dr,
                        const double *__restrict__ drh, const double *__restrict__ st,
                        const double *__restrict__ sth, const double *__restrict__ dt,
                        const double *__restrict__ dth, const double *__restrict__ dph, int nr,
                        int nt, int np) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1,
      k = blockIdx.z * blockDim.z + threadIdx.z + 1;
  if (i >= nr - 1 || j >= nt - 1 || k >= np - 1)
    return;
  int p = nr * nt, at = k * p + j * nr + i;
  double c = xt[at], r1 = r[i] * r[i], r0 = r[i - 1] * r[i - 1], h = rh[i] * rh[i], s = st[j];
  double rr = rh[i] * s;
  yt[at] = (r1 * (xt[at + 1] - c) / dr[i] - r0 * (c - xt[at - 1]) / dr[i - 1]) / (h * drh[i]) +
           (sth[j + 1] * (xt[at + nr] - c) / dth[j + 1] - sth[j] * (c - xt[at - nr]) / dth[j]) /
               (s * dt[j] * h) +
           ((xt[at + p] - c) / dph[k] - (c - xt[at - p]) / dph[k - 1]) / (dph[k] * (rr * rr)) +
           2 * (xr[at + nr] + xr[at + nr - 1] - xr[at] - xr[at - 1]) / (h * dt[j]) -
           (sth[j + 1] - sth[j]) / (h * (s * s) * dph[k]) * (xp[at] - xp[at - p]) - c / (rr * rr);
  div[at] = (r1 * xr[at] - r0 * xr[at - 1]) / (h * drh[i]) +
            (s * c - st[j - 1] * xt[at - nr]) / (rh[i] * sth[j] * dth[j]) +
            (xp[at] - xp[at - p]) / (rh[i] * sth[j] * dph[k]);
}

constexpr int npml = 16;
__constant__ float bx[2 * npml], cx[2 * npml];

__global__ void fdtd(float *__restrict__ ez, const float *__restrict__ hx,
                     const float *__restrict__ hy, const float *__restrict__ ca,
                     const float *__restrict__ cb, float *__restrict__ psi_x,
                     float *__restrict__ psi_y, int nx, int ny, float rdx, float rdy) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || i >= nx - 1 || j < 1 || j >= ny - 1)
    return;
  int at = j * nx + i;
  float dhy = (hy[at] - hy[at - 1]) * rdx, dhx = (hx[at] - hx[at - nx]) * rdy, curl = dhy - dhx;
  if (i < npml || i >= nx - npml) {
    int p = i >= npml ? i - nx + 2 * npml : i, to = j * 2 * npml + p;
    float psi = bx[p] * psi_x[to] + cx[p] * dhy;
    psi_x[to] = psi;
    curl += psi;
  }
  if (j < npml || j >= ny - npml) {
    int p = j >= npml ? j - ny + 2 * npml : j, to = p * nx + i;
    float psi = bx[p] * psi_y[to] + cx[p] * dhx;
    psi_y[to] = psi;
    curl -= psi;
  }
  ez[at] = ca[at] * ez[at] + cb[at] * curl;
}

__global__ void floyd(int *__restrict__ dist, int *__restrict__ via, int n, int pivot) {
  constexpr int b = 16;
  __shared__ int row[b][b], col[b][b];
  if (blockIdx.x == pivot || blockIdx.y == pivot)
    return;
  int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.x * b + tx, j = blockIdx.y * b + ty;
  row[ty][tx] = dist[j * n + pivot * b + tx];
  col[ty][tx] = dist[(pivot * b + ty) * n + i];
  int best = dist[j * n + i], which = via[j * n + i];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < b; ++k) {
    int through = col[k][tx] + row[ty][k];
    if (through < best) {
      best = through;
      which = pivot * b + k + 1;
    }
  }
  dist[j * n + i] = best;
  via[j * n + i] = which;
}

struct Vec {
  float x, y, z;
};
__device__ Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ Vec operator*(float s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
__device__ float operator*(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Vec unit(Vec a) { return (1 / sqrtf(a * a)) * a; }

constexpr int balls = 24;
struct Sphere {
  Vec centre, colour;
  float radius, mirror;
};
__constant__ Sphere scene[balls];

__global__ void rays(int width, int height, float *__restrict__ picture) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= width || j >= height)
    return;
  Vec from{0, 0, -4},
      along = unit({(i + 1 - 0.5f * width) / width, (j + 1 - 0.5f * height) / height, 1});
  Vec light = unit({0.5f, -1, -0.6f}), colour{0, 0, 0};
  float weight = 1;
  for (int bounce = 0; bounce < 4; ++bounce) {
    float nearest = FLT_MAX;
    int best = -1;
    for (int s = 0; s < balls; ++s) {
      Vec oc = from - scene[s].centre;
      float b = oc * along, c = oc * oc - scene[s].radius * scene[s].radius, disc = b * b - c;
      if (disc <= 0)
        continue;
      float t = -b - sqrtf(disc);
      if (t > 1e-3f && t < nearest) {
        nearest = t;
        best = s;
      }
    }
    if (best < 0) {
      colour = colour + weight * Vec{0.2f, 0.3f, 0.5f};
      break;
    }
    Vec hit = from + nearest * along, normal = unit(hit - scene[best].centre);
    float shade = fmaxf(0, normal * light);
    colour = colour + (weight * (1 - scene[best].mirror) * (0.1f + shade)) * scene[best].colour;
    weight *= scene[best].mirror;
    if (weight < 0.01f)
      break;
    along = along - (2 * (along * normal)) * normal;
    from = hit;
  }
  float *to = picture + 3 * (j * width + i);
  to[0] = colour.x;
  to[1] = colour.y;
  to[2] = colour.z;
}

struct Step {
  double dt, mass;
};

__global__ void calc_dt(const double *__restrict__ volume, const double *__restrict__ xarea,
                        const double *__restrict__ yarea, const double *__restrict__ dx,
                        const double *__restrict__ dy, const double *__restrict__ density,
                        const double *__restrict__ visc, const double *__restrict__ soundspeed,
                        const double *__restrict__ xvel, const double *__restrict__ yvel,
                        Step *result, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y;
  double least = 1e21, mass = 0;
  if (j < nx && k < ny) {
    int at = k * nx + j, av = k * (nx + 1) + j, s = nx + 1;
    double vol = volume[at], rho = density[at];
    double cc = soundspeed[at] * soundspeed[at] + 2.0 * visc[at] / rho;
    cc = fmax(sqrt(cc), 1e-12);
    double dtct = 0.7 * fmin(dx[j], dy[k]) / cc;
    double dv1 = (xvel[av] + xvel[av + s]) * xarea[av],
           dv2 = (xvel[av + 1] + xvel[av + s + 1]) * xarea[av + 1];
    double div = dv2 - dv1;
    double dtut = 0.5 * 2.0 * vol / fmax(fmax(fabs(dv1), fabs(dv2)), 1e-12 * vol);
    dv1 = (yvel[av] + yvel[av + 1]) * yarea[at],
    dv2 = (yvel[av + s] + yvel[av + s + 1]) * yarea[at + nx];
    div += dv2 - dv1;
    double dtvt = 0.5 * 2.0 * vol / fmax(fmax(fabs(dv1), fabs(dv2)), 1e-12 * vol);
    div /= 2.0 * vol;
    double dtdivt = div < -1e-12 ? 0.7 * (-1.0 / div) : 1e21;
    least = fmin(fmin(dtct, dtut), fmin(dtvt, dtdivt));
    mass = rho * vol;
  }
  __shared__ double steps[8], masses[8];
  int t = threadIdx.y * 32 + threadIdx.x;
  for (int o = 16; o > 0; o /= 2) {
    least = fmin(least, __shfl_down_sync(~0u, least, o));
    mass += __shfl_down_sync(~0u, mass, o);
  }
  if (t % 32 == 0) {
    steps[t / 32] = least;
    masses[t / 32] = mass;
  }
  __syncthreads();
  if (t == 0) {
    for (int w = 1; w < 8; ++w) {
      least = fmin(least, steps[w]);
      mass += masses[w];
    }
    atomicMin(reinterpret_cast<unsigned long long *>(&result->dt),
              __double_as_longlong(least)); // it isn't negative
    atomicAdd(&result->mass, mass);
  }
}

__global__ void eam(const float *__restrict__ x, const int *__restrict__ near,
                    const int *__restrict__ count, const float *__restrict__ fp,
                    const float *__restrict__ rho_spline, const float *__restrict__ z_spline,
                    const float *__restrict__ box, float cutoff, float *__restrict__ forces,
                    double *__restrict__ energy, int n, int nr) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float rdr = nr / cutoff, xi[3], f[3] = {0, 0, 0}, fi = fp[i];
#pragma unroll
  for (int c = 0; c < 3; ++c)
    xi[c] = x[3 * i + c];
  double e = 0;
  int many = count[i];
  for (int k = 0; k < many; ++k) {
    int j = near[k * n + i];
    float d[3], r = 0;
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      d[c] = xi[c] - x[3 * j + c];
      d[c] -= box[c] * roundf(d[c] / box[c]);
      r += d[c] * d[c];
    }
    r = sqrtf(r);
    if (r >= cutoff)
      continue;
    float p = r * rdr;
    int m = min(int(p), nr - 1);
    p -= m;
    const float *a = rho_spline + 7 * m, *z = z_spline + 7 * m;
    float rhop = (a[0] * p + a[1]) * p + a[2];
    float z2p = (z[0] * p + z[1]) * p + z[2];
    float z2 = ((z[3] * p + z[4]) * p + z[5]) * p + z[6];
    float recip = 1 / r, phi = z2 * recip, phip = z2p * recip - phi * recip;
    float psip = (fi + fp[j]) * rhop + phip;
#pragma unroll
    for (int c = 0; c < 3; ++c)
      f[c] -= psip * recip * d[c];
    e += 0.5f * phi;
  }
#pragma unroll
  for (int c = 0; c < 3; ++c)
    forces[3 * i + c] = f[c];
  energy[i] = e;
}

struct Nerve {
  double v, m, h, n;
};

__device__ Nerve slopes(Nerve s, double current) {
  double u = s.v + 40, am = fabs(u) < 1e-7 ? 1 : 0.1 * u / (1 - exp(-u / 10));
  double bm = 4 * exp(-(s.v + 65) / 18), ah = 0.07 * exp(-(s.v + 65) / 20),
         bh = 1 / (1 + exp(-(s.v + 35) / 10));
  u = s.v + 55;
  double an = fabs(u) < 1e-7 ? 0.1 : 0.01 * u / (1 - exp(-u / 10)),
         bn = 0.125 * exp(-(s.v + 65) / 80);
  double n2 = s.n * s.n;
  return {current - 120 * (s.m * s.m * s.m) * s.h * (s.v - 50) - 36 * (n2 * n2) * (s.v + 77) -
              0.3 * (s.v + 54.387),
          am * (1 - s.m) - bm * s.m, ah * (1 - s.h) - bh * s.h, an * (1 - s.n) - bn * s.n};
}

__device__ Nerve moved(Nerve s, double h, Nerve d) {
  return {s.v + h * d.v, s.m + h * d.m, s.h + h * d.h, s.n + h * d.n};
}

__global__ void hodgkin(const Nerve *__restrict__ before, Nerve *__restrict__ after,
                        const double *__restrict__ current, int *__restrict__ spikes, int n,
                        int steps, double h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Nerve s = before[i];
  double amps = current[i];
  int count = 0;
  for (int step = 0; step < steps; ++step) {
    Nerve next = moved(s, h, slopes(moved(s, 0.5 * h, slopes(s, amps)), amps));
    if (s.v < 0 && next.v >= 0)
      ++count;
    s = next;
  }
  spikes[i] = count;
  after[i] = s;
}

__global__ void softmax(const float *__restrict__ x, float *__restrict__ y, float temperature,
                        int m, int n) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= n)
    return;
  x += row * m;
  y += row * m;
  float top = -FLT_MAX, total = 0;
  for (int k = lane; k < m; k += 32)
    top = fmaxf(top, x[k]);
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2)
    top = fmaxf(top, __shfl_xor_sync(~0u, top, mask));
  for (int k = lane; k < m; k += 32) {
    float e = expf((x[k] - top) / temperature);
    y[k] = e;
    total += e;
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2)
    total += __shfl_xor_sync(~0u, total, mask);
  for (int k = lane; k < m; k += 32)
    y[k] /= total;
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
    int nr = 160, nt = 128, np = std::max(4, 128 / part), n = nr * nt * np;
    double *xr = made<double>(n, [](int i) { return value(i) - 0.5; }),
           *xt = made<double>(n, [](int i) { return value(3 * i) - 0.5; }),
           *xp = made<double>(n, [](int i) { return value(7 * i) - 0.5; }), *yt = zeros<double>(n),
           *div = zeros<double>(n), *r = made<double>(nr, [](int i) { return 1 + 0.01 * i; }),
           *rh = made<double>(nr, [](int i) { return 0.995 + 0.01 * i; }),
           *dr = made<double>(nr, [](int i) { return 0.01 + 0.001 * value(i); }),
           *drh = made<double>(nr, [](int i) { return 0.01 + 0.001 * value(3 * i); }),
           *st = made<double>(nt, [](int i) { return 0.2 + 0.006 * i; }),
           *sth = made<double>(nt, [](int i) { return 0.197 + 0.006 * i; }),
           *dt = made<double>(nt, [](int i) { return 0.02 + 0.001 * value(i); }),
           *dth = made<double>(nt, [](int i) { return 0.02 + 0.001 * value(5 * i); }),
           *dph = made<double>(np, [](int i) { return 0.03 + 0.001 * value(i); });
    while (more("cuf_vectors"))
      diffuse<<<dim3((nr + 29) / 32, (nt + 1) / 4, (np - 1) / 2), dim3(32, 4, 2)>>>(
          xr, xt, xp, yt, div, r, rh, dr, drh, st, sth, dt, dth, dph, nr, nt, np);
    norm("cuf_vectors", yt, n);
    norm("cuf_vectors_div", div, n);
    cudaFree(xr), cudaFree(xt), cudaFree(xp), cudaFree(yt), cudaFree(div);
  }
  {
    int nx = 2048, ny = 2048 / part, n = nx * ny;
    float *ez = made<float>(n, [](int i) { return value(i) - 0.5; }),
          *hx = made<float>(n, [](int i) { return value(3 * i) - 0.5; }),
          *hy = made<float>(n, [](int i) { return value(7 * i) - 0.5; }),
          *ca = made<float>(n, [](int i) { return 0.9 + 0.1 * value(11 * i); }),
          *cb = made<float>(n, [](int i) { return 0.3 + 0.1 * value(13 * i); }),
          *psi_x = zeros<float>(2 * npml * ny), *psi_y = zeros<float>(2 * npml * nx),
          hostB[2 * npml], hostC[2 * npml];
    for (int i = 0; i < 2 * npml; ++i) {
      hostB[i] = 0.8 + 0.1 * value(31 * (i + 1));
      hostC[i] = -0.3 * value(37 * (i + 1));
    }
    cudaMemcpyToSymbol(bx, hostB, sizeof hostB);
    cudaMemcpyToSymbol(cx, hostC, sizeof hostC);
    while (more("fdtd"))
      fdtd<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(ez, hx, hy, ca, cb, psi_x, psi_y, nx, ny, 0.5f,
                                                   0.4f);
    norm("fdtd", ez, n);
    norm("fdtd_psi", psi_x, 2 * npml * ny);
    cudaFree(ez), cudaFree(hx), cudaFree(hy), cudaFree(ca), cudaFree(cb);
  }
  {
    int n = 2048 / part;
    int *dist = made<int>(n * n, [&](int i) { return 1 + (i * 37 + (i / n) * 101) % 1000; }),
        *via = zeros<int>(n * n);
    while (more("floyd"))
      floyd<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(dist, via, n, 2);
    report("floyd", dist, n * n);
    report("floyd_via", via, n * n);
    cudaFree(dist), cudaFree(via);
  }
  {
    int nx = 1024, ny = 1024 / part;
    Sphere host[balls];
    for (int i = 1; i <= balls; ++i) {
      Sphere &s = host[i - 1];
      s.centre = {(i * 7 % 11 - 5) * 0.4f, (i * 5 % 9 - 4) * 0.4f, (i * 3 % 7) * 0.5f};
      s.colour = {(i % 3) * 0.5f, (i % 5) * 0.25f, (i % 7) * 0.125f};
      s.radius = 0.25f + 0.0625f * (i % 5);
      s.mirror = 0.125f * (i % 6);
    }
    cudaMemcpyToSymbol(scene, host, sizeof host);
    float *picture = zeros<float>(3 * nx * ny);
    while (more("spheres"))
      rays<<<dim3(nx / 16, ny / 16), dim3(16, 16)>>>(nx, ny, picture);
    norm("spheres", picture, 3 * nx * ny);
    cudaFree(picture);
  }
  {
    int nx = 2048, ny = 1024 / part, n = nx * ny, c = (nx + 1) * (ny + 1);
    double *volume = made<double>(n, [](int i) { return 1 + value(i); }),
           *density = made<double>(n, [](int i) { return 1 + value(3 * i); }),
           *visc = made<double>(n, [](int i) { return 0.1 * value(7 * i); }),
           *sound = made<double>(n, [](int i) { return 2 + value(11 * i); }),
           *xarea = made<double>((nx + 1) * ny, [](int i) { return 0.5 + value(5 * i); }),
           *yarea = made<double>(nx * (ny + 1), [](int i) { return 0.5 + value(9 * i); }),
           *xvel = made<double>(c, [](int i) { return value(13 * i) - 0.5; }),
           *yvel = made<double>(c, [](int i) { return value(17 * i) - 0.5; }),
           *dx = made<double>(nx, [](int i) { return 1 + value(i); }),
           *dy = made<double>(ny, [](int i) { return 1 + value(3 * i); });
    Step *result = zeros<Step>(1), host;
    while (more("cuf_calc_dt")) {
      host = {1e21, 0};
      cudaMemcpy(result, &host, sizeof host, cudaMemcpyHostToDevice);
      calc_dt<<<dim3(nx / 32, (ny + 7) / 8), dim3(32, 8)>>>(
          volume, xarea, yarea, dx, dy, density, visc, sound, xvel, yvel, result, nx, ny);
      cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
    }
    said("cuf_calc_dt", host.dt);
    said("cuf_calc_dt_mass", host.mass);
    cudaFree(volume), cudaFree(density), cudaFree(visc), cudaFree(sound);
  }
  {
    int n = part > 1 ? 8 : 12, total = n * n * n * n;
    int *ways = zeros<int>(total);
    while (more("queens"))
      queens<<<(total + 127) / 128, 128>>>(n, ways, total);
    report("queens", ways, total);
  }
  {
    int n = 131072 / part, m = 48, nr = 500;
    float hostBox[3] = {20, 20, 20};
    float *x = made<float>(3 * n, [](int i) { return 20 * value(7 * i); }),
          *fp = made<float>(n, [](int i) { return 0.1 + value(i); }),
          *rho = made<float>(7 * (nr + 1), [](int i) { return value(3 * i) - 0.5; }),
          *z = made<float>(7 * (nr + 1), [](int i) { return value(11 * i) - 0.5; }),
          *box = copyOf(std::vector<float>(hostBox, hostBox + 3)), *forces = zeros<float>(3 * n);
    double *energy = zeros<double>(n);
    int *near = made<int>(n * m, [&](int i) { return (i - 1 + 61 * ((i - 1) / n) + 17) % n; }),
        *count = made<int>(n, [&](int i) { return m - i % 13; });
    while (more("eam"))
      eam<<<(n + 127) / 128, 128>>>(x, near, count, fp, rho, z, box, 9.5f, forces, energy, n, nr);
    norm("eam_forces", forces, 3 * n);
    norm("eam_energy", energy, n);
    cudaFree(x), cudaFree(near), cudaFree(forces);
  }
  {
    int n = 65536 / part;
    Nerve *before = made<Nerve>(n,
                                [](int i) {
                                  return Nerve{-70 + 60 * value(i), value(3 * i), value(7 * i),
                                               value(11 * i)};
                                }),
          *after = zeros<Nerve>(n);
    double *current = made<double>(n, [](int i) { return 10 * value(13 * i); });
    int *spikes = zeros<int>(n);
    while (more("hodgkin"))
      hodgkin<<<(n + 127) / 128, 128>>>(before, after, current, spikes, n, 20, 0.01);
    double v = 0, m = 0;
    for (Nerve &s : back(after, n)) {
      v += s.v * s.v;
      m += s.m;
    }
    said("hodgkin_v", v);
    said("hodgkin_m", m);
    report("hodgkin_spikes", spikes, n);
    cudaFree(before), cudaFree(after);
  }
  {
    int m = 512, n = 32768 / part;
    float *x = made<float>(m * n, [](int i) { return 10 * value(17 * i); }),
          *y = zeros<float>(m * n);
    while (more("softmax"))
      softmax<<<(n + 7) / 8, dim3(32, 8)>>>(x, y, 1.5f, m, n);
    norm("softmax", y, m * n);
  }
}
