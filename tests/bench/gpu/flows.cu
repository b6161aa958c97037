// Grids of public codes. Twin of flows.cuf.
#include "timing.h"
#include <cmath>

namespace {

struct FarField {
  float density, energy, momentum[3], pressure;
};
__constant__ FarField far;

__global__ void hotspot(const float *__restrict__ temp, const float *__restrict__ power,
                        float *__restrict__ out, int nx, int ny, float cap, float rx1, float ry1,
                        float rz1) {
  constexpr int b = 16, steps = 2;
  constexpr float ambient = 80;
  __shared__ float now[b][b], heat[b][b], next[b][b];
  int tx = threadIdx.x, ty = threadIdx.y;
  int i = blockIdx.x * (b - 2 * steps) + tx - steps, j = blockIdx.y * (b - 2 * steps) + ty - steps;
  bool inside = i >= 0 && i < nx && j >= 0 && j < ny;
  if (inside) {
    now[ty][tx] = temp[j * nx + i];
    heat[ty][tx] = power[j * nx + i];
  }
  __syncthreads();
  int w = i == 0 ? tx : tx - 1, e = i == nx - 1 ? tx : tx + 1;
  int n = j == 0 ? ty : ty - 1, s = j == ny - 1 ? ty : ty + 1;
  bool computed = false;
  for (int step = 1; step <= steps; ++step) {
    computed = false;
    if (inside && tx >= step && tx < b - step && ty >= step && ty < b - step) {
      computed = true;
      next[ty][tx] =
          now[ty][tx] + cap * (heat[ty][tx] + (now[s][tx] + now[n][tx] - 2.0f * now[ty][tx]) * ry1 +
                               (now[ty][e] + now[ty][w] - 2.0f * now[ty][tx]) * rx1 +
                               (ambient - now[ty][tx]) * rz1);
    }
    __syncthreads();
    if (step == steps)
      break;
    if (computed)
      now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed)
    out[j * nx + i] = next[ty][tx];
}

__global__ void srad(const float *__restrict__ image, float *__restrict__ dn,
                     float *__restrict__ ds, float *__restrict__ dw, float *__restrict__ de,
                     float *__restrict__ coef, const int *__restrict__ in,
                     const int *__restrict__ is, const int *__restrict__ jw,
                     const int *__restrict__ je, int nx, int ny, float q0sqr) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    int at = j * nx + i;
    float jc = image[at];
    float n = image[j * nx + in[i]] - jc, s = image[j * nx + is[i]] - jc;
    float w = image[jw[j] * nx + i] - jc, e = image[je[j] * nx + i] - jc;
    float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
    float l = (n + s + w + e) / jc;
    float num = 0.5f * g2 - (1.0f / 16.0f) * l * l;
    float den = 1.0f + 0.25f * l;
    float q = num / (den * den);
    den = (q - q0sqr) / (q0sqr * (1 + q0sqr));
    float c = 1.0f / (1.0f + den);
    c = fminf(fmaxf(c, 0.0f), 1.0f);
    dn[at] = n;
    ds[at] = s;
    dw[at] = w;
    de[at] = e;
    coef[at] = c;
  }
}

__global__ void viscosity(int nx, int ny, const double *__restrict__ dx,
                          const double *__restrict__ dy, const double *__restrict__ density,
                          const double *__restrict__ pressure, double *__restrict__ visc,
                          const double *__restrict__ xvel, const double *__restrict__ yvel) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k0 = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx || k0 >= ny)
    return;
  int j = i + 2, k = k0 + 2, c = nx + 4, v = nx + 5;
  int at = k * c + j, av = k * v + j;
  double u00 = xvel[av], u10 = xvel[av + 1], u01 = xvel[av + v], u11 = xvel[av + v + 1];
  double v00 = yvel[av], v10 = yvel[av + 1], v01 = yvel[av + v], v11 = yvel[av + v + 1];
  double hx = dx[j], hy = dy[k];
  double ugrad = (u10 + u11) - (u00 + u01), vgrad = (v01 + v11) - (v00 + v10);
  double div = hx * ugrad + hy * vgrad;
  double strain2 = 0.5 * (u01 + u11 - u00 - u10) / hy + 0.5 * (v10 + v11 - v00 - v01) / hx;
  double pgradx = (pressure[at + 1] - pressure[at - 1]) / (hx + dx[j + 1]);
  double pgrady = (pressure[at + c] - pressure[at - c]) / (hy + dy[k + 1]);
  double pgradx2 = pgradx * pgradx, pgrady2 = pgrady * pgrady;
  double limiter =
      ((0.5 * ugrad / hx) * pgradx2 + (0.5 * vgrad / hy) * pgrady2 + strain2 * pgradx * pgrady) /
      fmax(pgradx2 + pgrady2, 1.0e-16);
  if (limiter > 0 || div >= 0) {
    visc[at] = 0;
  } else {
    pgradx = copysign(fmax(1.0e-16, fabs(pgradx)), pgradx);
    pgrady = copysign(fmax(1.0e-16, fabs(pgrady)), pgrady);
    double pgrad = sqrt(pgradx * pgradx + pgrady * pgrady);
    double xgrad = fabs(hx * pgrad / pgradx), ygrad = fabs(hy * pgrad / pgrady),
           grad = fmin(xgrad, ygrad);
    visc[at] = 2.0 * density[at] * grad * grad * limiter * limiter;
  }
}

__global__ void advec_cell(int nx, int ny, const double *__restrict__ vertexdx,
                           const double *__restrict__ density, const double *__restrict__ energy,
                           const double *__restrict__ vol_flux, const double *__restrict__ pre_vol,
                           double *__restrict__ mass_flux, double *__restrict__ ener_flux) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, k0 = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx + 2 || k0 >= ny)
    return;
  int j = i + 2, k = k0 + 2, rc = k * (nx + 4), rv = k * (nx + 5);
  int upwind, donor, downwind, dif;
  double flux = vol_flux[rv + j];
  if (flux > 0) {
    upwind = j - 2, donor = j - 1, downwind = j, dif = donor;
  } else {
    upwind = min(j + 1, nx + 3), donor = j, downwind = j - 1, dif = upwind;
  }
  double pv = pre_vol[rv + donor], dd = density[rc + donor];
  double sigma = fabs(flux) / pv;
  double sigma3 = (1.0 + sigma) * (vertexdx[j] / vertexdx[dif]), sigma4 = 2.0 - sigma;
  double diffuw = dd - density[rc + upwind], diffdw = density[rc + downwind] - dd;
  double wind = diffdw <= 0 ? -1.0 : 1.0, limiter = 0;
  if (diffuw * diffdw > 0)
    limiter = (1.0 - sigma) * wind *
              fmin(fmin(fabs(diffuw), fabs(diffdw)),
                   (1.0 / 6.0) * (sigma3 * fabs(diffuw) + sigma4 * fabs(diffdw)));
  double mass = flux * (dd + limiter);
  mass_flux[rv + j] = mass;
  double sigmam = fabs(mass) / (dd * pv), ed = energy[rc + donor];
  diffuw = ed - energy[rc + upwind], diffdw = energy[rc + downwind] - ed;
  wind = diffdw <= 0 ? -1.0 : 1.0, limiter = 0;
  if (diffuw * diffdw > 0)
    limiter = (1.0 - sigmam) * wind *
              fmin(fmin(fabs(diffuw), fabs(diffdw)),
                   (1.0 / 6.0) * (sigma3 * fabs(diffuw) + sigma4 * fabs(diffdw)));
  ener_flux[rv + j] = mass * (ed + limiter);
}

__device__ inline void contributions(float density, const float *momentum, float energy,
                                     float pressure, float *velocity, float *fx, float *fy,
                                     float *fz, float *fe) {
#pragma unroll
  for (int m = 0; m < 3; ++m)
    velocity[m] = momentum[m] / density;
#pragma unroll
  for (int m = 0; m < 3; ++m) {
    fx[m] = velocity[0] * momentum[m];
    fy[m] = velocity[1] * momentum[m];
    fz[m] = velocity[2] * momentum[m];
    fe[m] = velocity[m] * (energy + pressure);
  }
  fx[0] += pressure;
  fy[1] += pressure;
  fz[2] += pressure;
}

__device__ inline float dot3(const float *a, const float *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
__device__ inline float half3(const float *n, const float *a, const float *b) {
  return 0.5f * (n[0] * (a[0] + b[0]) + n[1] * (a[1] + b[1]) + n[2] * (a[2] + b[2]));
}

__global__ void euler_flux(int n, const int *__restrict__ neighbours,
                           const float *__restrict__ normals, const float *__restrict__ variables,
                           float *__restrict__ fluxes) {
  constexpr float gamma = 1.4f, smoothing = 0.2f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float rho = variables[i], m[3] = {variables[n + i], variables[2 * n + i], variables[3 * n + i]},
        e = variables[4 * n + i];
  float v[3], fx[3], fy[3], fz[3], fe[3], v2[3], gx[3], gy[3], gz[3], ge[3];
  float speed2 = dot3(m, m) / (rho * rho);
  float p = (gamma - 1) * (e - 0.5f * rho * speed2), sound = sqrtf(gamma * p / rho);
  contributions(rho, m, e, p, v, fx, fy, fz, fe);
  float total_rho = 0, total_e = 0, total[3] = {0, 0, 0};
#pragma unroll
  for (int side = 0; side < 4; ++side) {
    int nb = neighbours[side * n + i];
    float normal[3];
#pragma unroll
    for (int c = 0; c < 3; ++c)
      normal[c] = normals[(side * 3 + c) * n + i];
    float area = sqrtf(dot3(normal, normal));
    if (nb >= 0) {
      float rho2 = variables[nb],
            m2[3] = {variables[n + nb], variables[2 * n + nb], variables[3 * n + nb]},
            e2 = variables[4 * n + nb];
      float p2 = (gamma - 1) * (e2 - 0.5f * dot3(m2, m2) / rho2);
      contributions(rho2, m2, e2, p2, v2, gx, gy, gz, ge);
      float factor = -area * smoothing * 0.5f *
                     (sqrtf(speed2) + sqrtf(dot3(v2, v2)) + sound + sqrtf(gamma * p2 / rho2));
      total_rho += factor * (rho - rho2);
      total_e += factor * (e - e2);
#pragma unroll
      for (int c = 0; c < 3; ++c)
        total[c] += factor * (m[c] - m2[c]);
      total_rho += half3(normal, m2, m);
      total_e += half3(normal, ge, fe);
      total[0] += half3(normal, gx, fx);
      total[1] += half3(normal, gy, fy);
      total[2] += half3(normal, gz, fz);
    } else if (nb == -1) {
#pragma unroll
      for (int c = 0; c < 3; ++c)
        total[c] += normal[c] * p;
    } else if (nb == -2) {
      contributions(far.density, far.momentum, far.energy, far.pressure, v2, gx, gy, gz, ge);
      total_rho += half3(normal, far.momentum, m);
      total_e += half3(normal, ge, fe);
      total[0] += half3(normal, gx, fx);
      total[1] += half3(normal, gy, fy);
      total[2] += half3(normal, gz, fz);
    }
  }
  fluxes[i] = total_rho;
#pragma unroll
  for (int c = 0; c < 3; ++c)
    fluxes[(1 + c) * n + i] = total[c];
  fluxes[4 * n + i] = total_e;
}

__global__ void needle(const int *__restrict__ reference, int *__restrict__ all, int cols,
                       int penalty, int tiles) {
  constexpr int b = 32;
  __shared__ int temp[b + 1][b + 1], ref[b][b];
  int tx = threadIdx.x, x0 = blockIdx.x * b, y0 = (tiles - 1 - blockIdx.x) * b;
  int *items = all + blockIdx.y * cols * cols;
  if (tx == 0)
    temp[0][0] = items[y0 * cols + x0];
  for (int ty = 0; ty < b; ++ty)
    ref[ty][tx] = reference[(y0 + ty + 1) * cols + x0 + tx + 1];
  temp[tx + 1][0] = items[(y0 + tx + 1) * cols + x0];
  temp[0][tx + 1] = items[y0 * cols + x0 + tx + 1];
  __syncthreads();
  for (int m = 0; m < b; ++m) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      temp[y][x] = max(max(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty),
                       temp[y - 1][x] - penalty);
    }
    __syncthreads();
  }
  for (int m = b - 2; m >= 0; --m) {
    if (tx <= m) {
      int x = tx + b - m, y = b - tx;
      temp[y][x] = max(max(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty),
                       temp[y - 1][x] - penalty);
    }
    __syncthreads();
  }
  for (int ty = 0; ty < b; ++ty)
    items[(y0 + ty + 1) * cols + x0 + tx + 1] = temp[ty + 1][tx + 1];
}

__global__ void pathfinder(int iterations, const int *__restrict__ wall,
                           const int *__restrict__ src, int *__restrict__ results, int cols,
                           int first_row) {
  constexpr int b = 256;
  __shared__ int prev[b], result[b];
  int tx = threadIdx.x, column = blockIdx.x * (b - 2 * iterations) + tx - iterations;
  int low = max(0, tx - column), high = min(b - 1, tx + cols - 1 - column);
  int w = max(tx - 1, low), e = min(tx + 1, high);
  bool valid = tx >= low && tx <= high, computed = false;
  if (column >= 0 && column < cols)
    prev[tx] = src[column];
  __syncthreads();
  for (int i = 0; i < iterations; ++i) {
    computed = false;
    if (tx >= i + 1 && tx <= b - i - 2 && valid) {
      computed = true;
      int shortest = min(min(prev[w], prev[tx]), prev[e]);
      result[tx] = shortest + wall[(first_row + i) * cols + column];
    }
    __syncthreads();
    if (i == iterations - 1)
      break;
    if (computed)
      prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed)
    results[column] = result[tx];
}

__global__ void weather_x(const double *__restrict__ state, double *__restrict__ flux,
                          const double *__restrict__ dens_cell,
                          const double *__restrict__ dens_theta_cell, double dx, double dt, int nx,
                          int nz) {
  constexpr int hs = 2, sten = 4, vars = 4;
  constexpr double c0 = 27.5629410929725921310572974482, gamm = 1.40027894002789400278940027894;
  int i = blockIdx.x * blockDim.x + threadIdx.x, k = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= nx + 1 || k >= nz)
    return;
  double hv = -0.05 * dx / (16 * dt), d3[vars], vals[vars];
#pragma unroll
  for (int ll = 0; ll < vars; ++ll) {
    double stencil[sten];
#pragma unroll
    for (int s = 0; s < sten; ++s)
      stencil[s] = state[(ll * (nz + 2 * hs) + k + hs) * (nx + 2 * hs) + i + s];
    vals[ll] = -stencil[0] / 12 + 7 * stencil[1] / 12 + 7 * stencil[2] / 12 - stencil[3] / 12;
    d3[ll] = -stencil[0] + 3 * stencil[1] - 3 * stencil[2] + stencil[3];
  }
  double r = vals[0] + dens_cell[k + hs], u = vals[1] / r, w = vals[2] / r,
         t = (vals[3] + dens_theta_cell[k + hs]) / r;
  double p = c0 * pow(r * t, gamm);
  int at = k * (nx + 1) + i, stride = (nz + 1) * (nx + 1);
  flux[at] = r * u - hv * d3[0];
  flux[stride + at] = r * u * u + p - hv * d3[1];
  flux[2 * stride + at] = r * u * w - hv * d3[2];
  flux[3 * stride + at] = r * u * t - hv * d3[3];
}

__global__ void cg_calc_w(int nx, int ny, double rx, double ry, const double *__restrict__ p,
                          double *__restrict__ w, const double *__restrict__ kx,
                          const double *__restrict__ ky, double *pw) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1, k = blockIdx.y * blockDim.y + threadIdx.y + 1,
      s = nx + 2;
  double sum = 0;
  if (j <= nx && k <= ny) {
    int at = k * s + j;
    double x = (1.0 + ry * (ky[at + s] + ky[at]) + rx * (kx[at + 1] + kx[at])) * p[at] -
               ry * (ky[at + s] * p[at + s] + ky[at] * p[at - s]) -
               rx * (kx[at + 1] * p[at + 1] + kx[at] * p[at - 1]);
    w[at] = x;
    sum = x * p[at];
  }
  __shared__ double sums[8];
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  for (int o = 16; o > 0; o /= 2)
    sum += __shfl_down_sync(~0u, sum, o);
  if (t % 32 == 0)
    sums[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    for (int o = 1; o < 8; ++o)
      sum += sums[o];
    atomicAdd(pw, sum);
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
    int nx = 3072, ny = 3072 / part, n = nx * ny;
    float *temp = made<float>(n, [](int i) { return 320 + 10 * value(i); }),
          *power = made<float>(n, [](int i) { return 0.01 * value(7 * i); }),
          *out = zeros<float>(n);
    while (more("hotspot"))
      hotspot<<<dim3((nx + 11) / 12, (ny + 11) / 12), dim3(16, 16)>>>(temp, power, out, nx, ny,
                                                                      0.5f, 0.1f, 0.2f, 0.003f);
    norm("hotspot", out, n);
    cudaFree(temp), cudaFree(power), cudaFree(out);
  }
  {
    int nx = 2048, ny = 2048 / part, n = nx * ny;
    float *image = made<float>(n, [](int i) { return 1 + value(3 * i); }), *dn = zeros<float>(n),
          *ds = zeros<float>(n), *dw = zeros<float>(n), *de = zeros<float>(n), *c = zeros<float>(n);
    int *in = made<int>(nx, [](int i) { return std::max(i - 2, 0); }),
        *is = made<int>(nx, [&](int i) { return std::min(i, nx - 1); }),
        *jw = made<int>(ny, [](int i) { return std::max(i - 2, 0); }),
        *je = made<int>(ny, [&](int i) { return std::min(i, ny - 1); });
    while (more("srad"))
      srad<<<dim3(nx / 16, ny / 16), dim3(16, 16)>>>(image, dn, ds, dw, de, c, in, is, jw, je, nx,
                                                     ny, 0.053f);
    norm("srad_c", c, n);
    norm("srad_e", de, n);
    norm("srad_n", dn, n);
    cudaFree(image), cudaFree(dn), cudaFree(ds), cudaFree(dw), cudaFree(de), cudaFree(c);
  }
  {
    int nx = 2048, ny = 2048 / part, n = (nx + 4) * (ny + 4), nv = (nx + 5) * (ny + 5);
    double *dx = made<double>(nx + 4, [](int i) { return 0.01 + 0.001 * value(i); }),
           *dy = made<double>(ny + 4, [](int i) { return 0.02 + 0.001 * value(i); }),
           *density = made<double>(n, [](int i) { return 1 + value(i); }),
           *pressure = made<double>(n, [](int i) { return 2 + value(3 * i); }),
           *xvel = made<double>(nv, [](int i) { return value(7 * i) - 0.5; }),
           *yvel = made<double>(nv, [](int i) { return value(11 * i) - 0.5; }),
           *visc = zeros<double>(n);
    while (more("cuf_viscosity"))
      viscosity<<<dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(nx, ny, dx, dy, density,
                                                                     pressure, visc, xvel, yvel);
    report("cuf_viscosity", visc, n);
    cudaFree(visc), cudaFree(yvel);
    double *vdx = made<double>(nx + 5, [](int i) { return 0.01 + 0.001 * value(i); }),
           *pre = made<double>(nv, [](int i) { return 1 + value(13 * i); }),
           *mass = zeros<double>(nv), *ener = zeros<double>(nv);
    while (more("advec_cell"))
      advec_cell<<<dim3((nx + 2 + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(
          nx, ny, vdx, density, pressure, xvel, pre, mass, ener);
    norm("advec_cell_mass", mass, nv);
    norm("advec_cell_energy", ener, nv);
    cudaFree(density), cudaFree(pressure), cudaFree(xvel), cudaFree(pre), cudaFree(mass),
        cudaFree(ener);
  }
  {
    int n = 524288 / part;
    int *neighbours = made<int>(4 * n, [&](int at) {
      int i = at - 1;
      return i % 23 == 0 ? -1 - i % 2 : (i * 13 + (i / n) * 977) % n;
    });
    float *normals = made<float>(12 * n, [](int i) { return value(5 * i) - 0.5; }),
          *fluxes = zeros<float>(5 * n);
    float *variables = made<float>(5 * n, [&](int at) {
      int i = (at - 1) % n + 1;
      switch ((at - 1) / n) {
      case 0:
        return 1 + value(i);
      case 1:
        return 0.5 * value(3 * i);
      case 2:
        return 0.5 * value(7 * i);
      case 3:
        return 0.5 * value(11 * i);
      default:
        return 3 + value(13 * i);
      }
    });
    FarField host{1.4f, 3.2f, {1.1f, 0.2f, 0.1f}, 1.0f};
    cudaMemcpyToSymbol(far, &host, sizeof host);
    while (more("euler_flux"))
      euler_flux<<<(n + 191) / 192, 192>>>(n, neighbours, normals, variables, fluxes);
    norm("euler_flux", fluxes, 5 * n);
    cudaFree(neighbours), cudaFree(normals), cudaFree(variables), cudaFree(fluxes);
  }
  {
    int nx = 257, m = 1024 / part;
    int *reference = made<int>(nx * nx, [](int i) { return (i * 7 + i / 11) % 24 - 10; }),
        *items = made<int>(nx * nx * m, [](int i) { return (i * 5 + i / 13) % 100; });
    while (more("needle"))
      needle<<<dim3(8, m), 32>>>(reference, items, nx, 10, 8);
    report("needle", items, nx * nx * m);
    cudaFree(reference), cudaFree(items);
  }
  {
    int nx = 1048576 / part, ny = 20;
    int *wall = made<int>(nx * ny, [](int i) { return (i * 7 + i / 10) % 10; }),
        *src = made<int>(nx, [](int i) { return (i * 3 + i / 7) % 10; }), *results = zeros<int>(nx);
    while (more("pathfinder"))
      pathfinder<<<(nx + 215) / 216, 256>>>(20, wall, src, results, nx, 0);
    norm("pathfinder", results, nx);
    cudaFree(wall), cudaFree(src), cudaFree(results);
  }
  {
    int nx = 2048, ny = 1024 / part, n = (nx + 4) * (ny + 4) * 4, plane = (nx + 1) * (ny + 1);
    double *state = made<double>(n, [](int i) { return 0.1 * value(3 * i); }),
           *flux = zeros<double>(4 * plane),
           *dens = made<double>(ny + 4, [&](int i) { return 1.2 - 0.8 * i / (ny + 4); }),
           *theta = made<double>(ny + 4, [&](int i) { return 360.0 - 230.0 * i / (ny + 4); });
    while (more("weather_x"))
      weather_x<<<dim3((nx + 32) / 32, (ny + 7) / 8), dim3(32, 8)>>>(state, flux, dens, theta, 100,
                                                                     0.3, nx, ny);
    norm("weather_x_1", flux, plane);
    report("weather_x_2", flux + plane, plane);
    norm("weather_x_3", flux + 2 * plane, plane);
    norm("weather_x_4", flux + 3 * plane, plane);
    cudaFree(state), cudaFree(flux);
  }
  {
    int nx = 2048, ny = 2048 / part, n = (nx + 2) * (ny + 2);
    double *p = made<double>(n, [](int i) { return value(i) - 0.4; }), *w = zeros<double>(n),
           *kx = made<double>(n, [](int i) { return 1 + value(3 * i); }),
           *ky = made<double>(n, [](int i) { return 1 + value(7 * i); }), *pw = zeros<double>(1),
           host;
    while (more("cuf_cg")) {
      cudaMemsetAsync(pw, 0, sizeof host);
      cg_calc_w<<<dim3((nx + 31) / 32, (ny + 7) / 8), dim3(32, 8)>>>(nx, ny, 0.3, 0.2, p, w, kx, ky,
                                                                     pw);
      cudaMemcpy(&host, pw, sizeof host, cudaMemcpyDeviceToHost);
    }
    norm("cuf_cg_w", w, n);
    std::printf("SUM cuf_cg_pw %22.14e\n", host);
  }
}
