// Particles, random numbers, sorting, bytes: cell lists, Ewald sums, gathers, xorshift, Philox.
// Twin of sampling.cuf.
#include "timing.h"
#include <cmath>
#include <cstdint>

struct alignas(16) Ion {
  double x, y, z, q;
};

struct Particle {
  float3 r, v;
  float weight;
};

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void celled(const float *__restrict__ x, const float *__restrict__ y,
                       const float *__restrict__ z, const int *__restrict__ first,
                       float *__restrict__ energy, int nx, int ny, int nz, float cutoff, int n) {
  int i = self();
  if (i >= n)
    return;
  float xi = x[i], yi = y[i], zi = z[i], e = 0;
  int ci = static_cast<int>(xi), cj = static_cast<int>(yi), ck = static_cast<int>(zi);
  for (int dk = max(ck - 1, 0); dk <= min(ck + 1, nz - 1); ++dk)
    for (int dj = max(cj - 1, 0); dj <= min(cj + 1, ny - 1); ++dj)
      for (int di = max(ci - 1, 0); di <= min(ci + 1, nx - 1); ++di) {
        int c = di + nx * (dj + ny * dk);
        for (int j = first[c] - 1; j < first[c + 1] - 1; ++j) {
          if (j == i)
            continue;
          float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi, r2 = dx * dx + dy * dy + dz * dz;
          if (r2 < cutoff * cutoff) {
            float s = 0.16f / r2;
            s = s * s * s;
            e += s * (s - 1);
          }
        }
      }
  energy[i] = 2 * e;
}

__global__ void ewald(const Ion *__restrict__ ions, const int *__restrict__ list, int count,
                      double *__restrict__ force, double alpha, double edge, int n) {
  constexpr double twoOverRootPi = 1.1283791670955126;
  int i = self();
  if (i >= n)
    return;
  Ion me = ions[i];
  double fx = 0, fy = 0, fz = 0;
  for (int k = 0; k < count; ++k) {
    Ion other = ions[list[k * n + i] - 1];
    double dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z;
    dx -= edge * round(dx / edge);
    dy -= edge * round(dy / edge);
    dz -= edge * round(dz / edge);
    double r2 = dx * dx + dy * dy + dz * dz, r = sqrt(r2);
    double s =
        other.q * (erfc(alpha * r) / r + twoOverRootPi * alpha * exp(-alpha * alpha * r2)) / r2;
    fx += s * dx;
    fy += s * dy;
    fz += s * dz;
  }
  force[3 * i] = me.q * fx;
  force[3 * i + 1] = me.q * fy;
  force[3 * i + 2] = me.q * fz;
}

__global__ void picGather(const Particle *__restrict__ old, Particle *__restrict__ next,
                          const float *__restrict__ e, float dt, int count, int mesh) {
  int n = self();
  if (n >= count)
    return;
  Particle p = old[n];
  int i = static_cast<int>(p.r.x), j = static_cast<int>(p.r.y), k = static_cast<int>(p.r.z);
  float a = p.r.x - i, b = p.r.y - j, c = p.r.z - k, f[3];
  const float *at = e + 3 * (((k - 1) * mesh + j - 1) * mesh + i - 1);
  int y = 3 * mesh, z = 3 * mesh * mesh;
  for (int m = 0; m < 3; ++m, ++at)
    f[m] = (1 - c) *
               ((1 - b) * ((1 - a) * at[0] + a * at[3]) + b * ((1 - a) * at[y] + a * at[y + 3])) +
           c * ((1 - b) * ((1 - a) * at[z] + a * at[z + 3]) +
                b * ((1 - a) * at[y + z] + a * at[y + z + 3]));
  p.v.x += dt * f[0] * p.weight;
  p.v.y += dt * f[1] * p.weight;
  p.v.z += dt * f[2] * p.weight;
  p.r.x += dt * p.v.x;
  p.r.y += dt * p.v.y;
  p.r.z += dt * p.v.z;
  next[n] = p;
}

__global__ void xorshift(int *__restrict__ inside, int tries) {
  constexpr double unit = 1.0 / (1ull << 53);
  int i = self(), c = 0;
  uint64_t s = (i + 1) * 2654435769ull + 88172645463325252ull;
  for (int k = 0; k < tries; ++k) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    double x = (s >> 11) * unit;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    double y = (s >> 11) * unit;
    if (x * x + y * y < 1)
      ++c;
  }
  inside[i] = c;
}

__global__ void philox(float4 *__restrict__ u, uint64_t seed) {
  int i = self();
  uint32_t c0 = i + 1, c1 = 0, c2 = 1, c3 = 2, k0 = static_cast<uint32_t>(seed),
           k1 = static_cast<uint32_t>(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    uint32_t pl = 0xd2511f53u * c0, ph = __umulhi(0xd2511f53u, c0), ql = 0xcd9e8d57u * c2,
             qh = __umulhi(0xcd9e8d57u, c2);
    c0 = qh ^ c1 ^ k0;
    c1 = ql;
    c2 = ph ^ c3 ^ k1;
    c3 = pl;
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  constexpr float unit = 1.0f / (1 << 24);
  u[i] = {(c0 >> 8) * unit, (c1 >> 8) * unit, (c2 >> 8) * unit, (c3 >> 8) * unit};
}

__device__ void order(float &a, float &b) {
  float t = fminf(a, b);
  b = fmaxf(a, b);
  a = t;
}

__global__ void median(const float *__restrict__ a, float *__restrict__ b, int n, int m) {
  constexpr int x[19] = {2, 5, 8, 1, 4, 7, 2, 5, 8, 1, 6, 5, 4, 2, 3, 5, 5, 7, 5};
  constexpr int y[19] = {3, 6, 9, 2, 5, 8, 3, 6, 9, 4, 9, 8, 7, 5, 6, 8, 3, 5, 3};
  int i = self(), j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i == 0 || j == 0 || i >= n - 1 || j >= m - 1)
    return;
  float p[9];
#pragma unroll
  for (int l = 0; l < 3; ++l)
#pragma unroll
    for (int k = 0; k < 3; ++k)
      p[3 * l + k] = a[(j + l - 1) * n + i + k - 1];
#pragma unroll
  for (int k = 0; k < 19; ++k)
    order(p[x[k] - 1], p[y[k] - 1]);
  b[j * n + i] = p[4];
}

__global__ void crc(const uint8_t *__restrict__ bytes, const uint32_t *__restrict__ table,
                    int *__restrict__ check, int length) {
  __shared__ uint32_t s[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x)
    s[k] = table[k];
  __syncthreads();
  int i = self();
  uint32_t c = ~0u;
  for (int k = 0; k < length; ++k)
    c = (c >> 8) ^ s[(c ^ bytes[length * i + k]) & 255];
  check[i] = static_cast<int>(~c);
}

__global__ void kmers(const char *__restrict__ bases, int *counts, int n) {
  int i = self(), code = 0;
  if (i > n - 8)
    return;
  for (int k = i; k < i + 8; ++k) {
    int digit;
    switch (bases[k]) {
    case 'A':
      digit = 0;
      break;
    case 'C':
      digit = 1;
      break;
    case 'G':
      digit = 2;
      break;
    case 'T':
      digit = 3;
      break;
    default:
      return;
    }
    code = 4 * code + digit;
  }
  atomicAdd(&counts[code], 1);
}

__global__ void warpScan(const int *__restrict__ x, int *__restrict__ y, int *__restrict__ totals) {
  __shared__ int s[32];
  int t = threadIdx.x, lane = t & 31, warp = t / 32, v = x[self()];
  for (int d = 1; d < 32; d *= 2) {
    int w = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += w;
  }
  if (lane == 31)
    s[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int w = lane < blockDim.x / 32 ? s[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      int other = __shfl_up_sync(~0u, w, d);
      if (lane >= d)
        w += other;
    }
    s[lane] = w;
  }
  __syncthreads();
  if (warp > 0)
    v += s[warp - 1];
  y[self()] = v;
  if (t == blockDim.x - 1)
    totals[blockIdx.x] = v;
}

int wrapped(int i, int n) { return (i % n + n) % n; }

int main() {
  const double golden[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const char *text = std::getenv("SMALL");
  const int small = text ? std::atoi(text) : 1, mesh = 64, length = 64, most = 80;
  const int cx = 32, cy = 32, cz = std::max(64 / small, 1), atoms = 8 * cx * cy * cz,
            n = (1 << 21) / small, mx = 4096, my = 4096 / small, messages = (1 << 19) / small,
            bases = (1 << 24) / small, l = (1 << 24) / small, edge = small == 1 ? 32 : 8,
            ions = edge * edge * edge;
  {
    std::vector<float> xh(atoms), yh(atoms), zh(atoms);
    std::vector<int> starts(cx * cy * cz + 1);
    for (int i = 0; i < atoms; ++i) {
      int c = i / 8;
      xh[i] = static_cast<float>(c % cx + 0.25 + 0.5 * (i % 2) + 0.2 * value(i) - 0.1);
      yh[i] =
          static_cast<float>(c / cx % cy + 0.25 + 0.5 * (i / 2 % 2) + 0.2 * value(i + 300) - 0.1);
      zh[i] =
          static_cast<float>(c / (cx * cy) + 0.25 + 0.5 * (i / 4 % 2) + 0.2 * value(i + 700) - 0.1);
    }
    for (int c = 0; c <= cx * cy * cz; ++c)
      starts[c] = 8 * c + 1;
    float *x = copyOf(xh), *y = copyOf(yh), *z = copyOf(zh), *energy = values<float>(atoms);
    int *first = copyOf(starts);
    while (more("celled"))
      celled<<<atoms / 128, 128>>>(x, y, z, first, energy, cx, cy, cz, 0.9f, atoms);
    report("celled", energy, atoms);
    for (float *memory : {x, y, z, energy})
      cudaFree(memory);
    cudaFree(first);
  }
  {
    std::vector<Ion> h(ions);
    std::vector<int> nearby(static_cast<size_t>(ions) * most);
    int near = 0;
    for (int k = 0; k < edge; ++k)
      for (int j = 0; j < edge; ++j)
        for (int i = 0; i < edge; ++i) {
          int c = i + edge * (j + edge * k);
          h[c] = {i + 0.3 * std::fmod((c + 1) * golden[0], 1),
                  j + 0.3 * std::fmod((c + 1) * golden[1], 1),
                  k + 0.3 * std::fmod((c + 1) * golden[2], 1), 1.0 - 2 * ((i + j + k) % 2)};
          near = 0;
          for (int dk = -2; dk <= 2; ++dk)
            for (int dj = -2; dj <= 2; ++dj)
              for (int di = -2; di <= 2; ++di) {
                if (di * di + dj * dj + dk * dk > 6 || (di == 0 && dj == 0 && dk == 0))
                  continue;
                nearby[near++ * ions + c] =
                    1 + wrapped(i + di, edge) +
                    edge * (wrapped(j + dj, edge) + edge * wrapped(k + dk, edge));
              }
        }
    Ion *salt = copyOf(h);
    int *list = copyOf(nearby);
    double *force = values<double>(3 * ions);
    while (more("ewald"))
      ewald<<<ions / 128, 128>>>(salt, list, near, force, 0.8, edge, ions);
    norm("ewald", force, 3 * ions);
    cudaFree(salt);
    cudaFree(list);
    cudaFree(force);
  }
  {
    std::vector<Particle> h(n);
    auto place = [&](int i, int k) {
      return static_cast<float>(1 + 62 * std::fmod(i * golden[k], 1));
    };
    auto speed = [](int i) { return static_cast<float>(value(i)); };
    for (int i = 1; i <= n; ++i)
      h[i - 1] = {{place(i, 0), place(i, 1), place(i, 2)},
                  {speed(i), speed(i + 1), speed(i + 2)},
                  speed(i + 3)};
    Particle *old = copyOf(h), *next = copyOf(h);
    float *e = values<float>(3 * mesh * mesh * mesh);
    while (more("pic_gather"))
      picGather<<<n / 128, 128>>>(old, next, e, 0.1f, n, mesh);
    cudaMemcpy(h.data(), next, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    double total = 0, moved = 0;
    for (const Particle &p : h) {
      total += static_cast<double>(p.v.x) * p.v.x + static_cast<double>(p.v.y) * p.v.y +
               static_cast<double>(p.v.z) * p.v.z;
      moved += static_cast<double>(p.r.x) + p.r.y + p.r.z;
    }
    std::printf("SUM pic_gather %22.14e\nSUM pic_moved %22.14e\n", total, moved);
    cudaFree(old);
    cudaFree(next);
    cudaFree(e);
  }
  {
    int *inside = copyOf(std::vector<int>(n));
    while (more("xorshift"))
      xorshift<<<n / 256, 256>>>(inside, 32);
    report("xorshift", inside, n);
    cudaFree(inside);
  }
  {
    float *u = values<float>(4 * n);
    while (more("philox"))
      philox<<<n / 256, 256>>>(reinterpret_cast<float4 *>(u), 81985529216486895ull);
    report("philox", u, 4 * n);
    cudaFree(u);
  }
  {
    std::vector<float> h(mx * my);
    for (int i = 1; i <= mx * my; ++i)
      h[i - 1] = static_cast<float>(std::fmod(i * golden[0], 1));
    float *a = copyOf(h), *b = copyOf(h);
    cudaMemset(b, 0, h.size() * sizeof(float));
    while (more("median"))
      median<<<dim3(mx / 32, my / 8), dim3(32, 8)>>>(a, b, mx, my);
    report("median", b, h.size());
    cudaFree(a);
    cudaFree(b);
  }
  {
    std::vector<uint8_t> h(length * messages);
    std::vector<uint32_t> t(256);
    for (int i = 1; i <= messages; ++i)
      for (int k = 1; k <= length; ++k)
        h[length * (i - 1) + k - 1] = static_cast<uint8_t>((i * 31 + k * k * 7) % 251 - 125);
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t c = i;
      for (int k = 0; k < 8; ++k)
        c = c & 1 ? (c >> 1) ^ 0xedb88320u : c >> 1;
      t[i] = c;
    }
    uint8_t *bytes = copyOf(h);
    uint32_t *table = copyOf(t);
    int *check = copyOf(std::vector<int>(messages));
    while (more("crc"))
      crc<<<messages / 128, 128>>>(bytes, table, check, length);
    report("crc", check, messages);
    cudaFree(bytes);
    cudaFree(table);
    cudaFree(check);
  }
  {
    std::vector<char> h(bases);
    std::vector<int> c(65536);
    long long random = 1;
    for (int i = 1; i <= bases; ++i) {
      random = (random * 1103515245 + 12345) & 2147483647;
      h[i - 1] = i % 1000 == 0 ? 'N' : "ACGT"[(random >> 16) & 3];
    }
    char *dna = copyOf(h);
    int *counts = copyOf(c);
    while (more("kmers"))
      kmers<<<bases / 256, 256>>>(dna, counts, bases);
    cudaMemcpy(c.data(), counts, c.size() * sizeof(int), cudaMemcpyDeviceToHost);
    long long total = 0;
    for (int i = 1; i <= 65536; ++i)
      total += i % 97 * static_cast<long long>(c[i - 1]);
    std::printf("SUM kmers %22.14e\n", static_cast<double>(total));
    cudaFree(dna);
    cudaFree(counts);
  }
  {
    std::vector<int> h(l);
    for (int i = 1; i <= l; ++i)
      h[i - 1] = i % 1009 - 400;
    int *x = copyOf(h), *y = copyOf(h), *totals = copyOf(std::vector<int>(l / 512));
    while (more("warp_scan"))
      warpScan<<<l / 512, 512>>>(x, y, totals);
    report("warp_scan", y, l);
    report("warp_totals", totals, l / 512);
  }
}
