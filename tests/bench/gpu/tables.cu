// Tables: centres of clusters, scores of alignments, rows in slices, what is kept, masks, colours,
// hashes. Twin of tables.cuf.
#include "timing.h"
#include <cfloat>
#include <climits>
#include <cmath>
#include <cuComplex.h>

namespace {

__constant__ short blosum[24][24];
__constant__ float colours[16][4];

__device__ int self() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void assigned(const float *__restrict__ points, const float *__restrict__ centres,
                         signed char *__restrict__ nearest, unsigned long long *members, int n) {
  constexpr int dims = 8, clusters = 32;
  __shared__ float c[clusters][dims];
  __shared__ int counts[clusters];
  int t = threadIdx.x;
  c[t / dims][t % dims] = centres[t];
  if (t < clusters)
    counts[t] = 0;
  __syncthreads();
  for (int i = self(); i < n; i += blockDim.x * gridDim.x) {
    float p[dims], best = FLT_MAX;
    int which = 0;
#pragma unroll
    for (int m = 0; m < dims; ++m)
      p[m] = points[m * n + i];
    for (int k = 0; k < clusters; ++k) {
      float d = 0;
#pragma unroll
      for (int m = 0; m < dims; ++m)
        d += (p[m] - c[k][m]) * (p[m] - c[k][m]);
      if (d < best) {
        best = d;
        which = k;
      }
    }
    nearest[i] = which + 1;
    atomicAdd(&counts[which], 1);
  }
  __syncthreads();
  if (t < clusters)
    atomicAdd(members + t, static_cast<unsigned long long>(counts[t]));
}

__global__ void alignment(const signed char *__restrict__ first,
                          const signed char *__restrict__ second, int m, int *__restrict__ best) {
  constexpr int length = 256;
  __shared__ int h[2][length + 1], f[2][length + 1], tops[8];
  int pair = blockIdx.x, t = threadIdx.x + 1;
  int mine = first[pair * length + t - 1];
  h[0][t] = h[1][t] = 0;
  f[0][t] = f[1][t] = -1000;
  if (t == 1) {
    h[0][0] = h[1][0] = 0;
    f[0][0] = f[1][0] = -1000;
  }
  int left = 0, e = -1000, diagonal = 0, most = 0;
  for (int d = 1; d < m + length; ++d) {
    __syncthreads();
    int j = d - t, side = d & 1;
    if (j >= 0 && j < m) {
      int up = h[1 - side][t - 1], other = second[pair * m + j];
      e = max(left - 11, e - 1);
      int down = max(up - 11, f[1 - side][t - 1] - 1);
      f[side][t] = down;
      int score = max(max(0, diagonal + blosum[mine][other]), max(e, down));
      h[side][t] = score;
      diagonal = up;
      left = score;
      most = max(most, score);
    }
  }
  for (int d = 16; d > 0; d /= 2)
    most = max(most, __shfl_xor_sync(~0u, most, d));
  if (t % 32 == 1)
    tops[t / 32] = most;
  __syncthreads();
  if (t == 1) {
    for (int w = 1; w < 8; ++w)
      most = max(most, tops[w]);
    best[pair] = most;
  }
}

__global__ void sliced(const int *__restrict__ slice, const int *__restrict__ column,
                       const cuDoubleComplex *__restrict__ a, const cuDoubleComplex *__restrict__ x,
                       cuDoubleComplex *__restrict__ y, cuDoubleComplex shift, int rows) {
  int row = self();
  if (row >= rows)
    return;
  cuDoubleComplex s = cuCmul(shift, x[row]);
  for (int k = slice[row / 32] + row % 32, end = slice[row / 32 + 1]; k < end; k += 32) {
    int at = column[k];
    if (at < 0)
      break;
    s = cuCfma(a[k], x[at], s);
  }
  y[row] = s;
}

__global__ void compacted(const float *__restrict__ x, float threshold, int *__restrict__ kept,
                          int *__restrict__ count, int n) {
  int i = self(), lane = threadIdx.x % 32;
  bool good = i < n && x[i] > threshold;
  unsigned votes = __ballot_sync(~0u, good);
  int base = 0;
  if (lane == 0)
    base = atomicAdd(count, __popc(votes));
  base = __shfl_sync(~0u, base, 0);
  if (good)
    kept[base + __popc(votes & ((1u << lane) - 1))] = i + 1;
}

__global__ void morphology(const short *__restrict__ image, const unsigned char *__restrict__ mask,
                           short *__restrict__ out, int nx, int ny, int r) {
  extern __shared__ short tile[];
  int i0 = blockIdx.x * 32, j0 = blockIdx.y * 8, i = threadIdx.x, j = threadIdx.y;
  int width = 32 + 2 * r;
  for (int q = j; q < 8 + 2 * r; q += 8)
    for (int p = i; p < width; p += 32)
      tile[q * width + p] =
          image[min(max(j0 + q - r, 0), ny - 1) * nx + min(max(i0 + p - r, 0), nx - 1)];
  __syncthreads();
  short low = SHRT_MAX, high = -SHRT_MAX;
  for (int q = 0; q <= 2 * r; ++q)
    for (int p = 0; p <= 2 * r; ++p) {
      if (!mask[q * (2 * r + 1) + p])
        continue;
      short v = tile[(j + q) * width + i + p];
      low = min(low, v);
      high = max(high, v);
    }
  out[(j0 + j) * nx + i0 + i] = high - low;
}

__device__ float trilinear(const float *__restrict__ v, int n, float x, float y, float z) {
  int i = int(x), j = int(y), k = int(z);
  float fx = x - i, fy = y - j, fz = z - k;
  const float *p = v + (k * n + j) * n + i, *q = p + n * n;
  float a00 = (1 - fx) * p[0] + fx * p[1], a10 = (1 - fx) * p[n] + fx * p[n + 1];
  float a01 = (1 - fx) * q[0] + fx * q[1], a11 = (1 - fx) * q[n] + fx * q[n + 1];
  float b0 = (1 - fy) * a00 + fy * a10, b1 = (1 - fy) * a01 + fy * a11;
  return (1 - fz) * b0 + fz * b1;
}

__global__ void rays(const float *__restrict__ volume, int n, float *__restrict__ picture,
                     int width, int height, float step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= width || j >= height)
    return;
  float x = (i + 0.5f) * (n - 2) / width, y = (j + 0.5f) * (n - 2) / height, z = 0.01f;
  float dx = 0.25f * (i + 1 - 0.5f * width) / width, dy = 0.25f * (j + 1 - 0.5f * height) / height,
        dz = 1;
  float length = sqrtf(dx * dx + dy * dy + dz * dz);
  dx = step * dx / length;
  dy = step * dy / length;
  dz = step * dz / length;
  float rgba[4] = {};
  while (x >= 0 && y >= 0 && z >= 0 && x < n - 1 && y < n - 1 && z < n - 1) {
    float s = fminf(trilinear(volume, n, x, y, z) * 15, 14.999f);
    int band = int(s);
    float c[4];
#pragma unroll
    for (int m = 0; m < 4; ++m)
      c[m] = colours[band][m] + (s - band) * (colours[band + 1][m] - colours[band][m]);
    float opacity = (1 - rgba[3]) * c[3];
#pragma unroll
    for (int m = 0; m < 3; ++m)
      rgba[m] += opacity * c[m];
    rgba[3] += opacity;
    if (rgba[3] > 0.98f)
      break;
    x += dx;
    y += dy;
    z += dz;
  }
#pragma unroll
  for (int m = 0; m < 4; ++m)
    picture[4 * (j * width + i) + m] = rgba[m];
}

__device__ unsigned hashed(unsigned long long key, int bits) {
  key = (key ^ key >> 33) * 0xff51afd7ed558ccdull;
  key = (key ^ key >> 29) * 0xc4ceb9fe1a85ec53ull;
  return unsigned((key ^ key >> 32) >> (64 - bits));
}

__global__ void counted(const int *__restrict__ keys, int *__restrict__ table,
                        int *__restrict__ counts, int n, int bits) {
  int i = self();
  if (i >= n)
    return;
  int key = keys[i];
  unsigned slot = hashed(key, bits), mask = (1u << bits) - 1;
  for (;;) {
    int found = table[slot];
    if (found == 0)
      found = atomicCAS(table + slot, 0, key);
    if (found == 0 || found == key)
      break;
    slot = (slot + 1) & mask;
  }
  atomicAdd(counts + slot, 1);
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
    int n = 1048576 / part;
    float *points = made<float>(8 * n, [](int i) { return value(17 * i); }),
          *centres = made<float>(256, [](int i) { return value(5 * i * i); });
    signed char *nearest = zeros<signed char>(n);
    auto *members = zeros<unsigned long long>(32);
    while (more("assigned"))
      assigned<<<1056, 256>>>(points, centres, nearest, members, n);
    report("assigned", nearest, n);
    auto host = back(members, 32);
    double total = 0;
    for (int i = 0; i < 32; ++i)
      total += (i + 1.0) * host[i];
    said("assigned_members", total);
    cudaFree(points), cudaFree(nearest);
  }
  {
    int n = 1024 / part, m = 256;
    short scores[24][24];
    for (int j = 0; j < 24; ++j)
      for (int i = 0; i < 24; ++i)
        scores[j][i] = i == j ? 5 + i % 3 : -(i * j % 5);
    cudaMemcpyToSymbol(blosum, scores, sizeof scores);
    auto *first = made<signed char>(256 * n, [](int i) { return (i * 7 + i / 5) % 24; });
    auto *second = made<signed char>(m * n, [](int i) { return (i * 7 + i / 11) % 24; });
    int *best = zeros<int>(n);
    while (more("alignment"))
      alignment<<<n, 256>>>(first, second, m, best);
    report("alignment", best, n);
    cudaFree(first), cudaFree(second);
  }
  {
    int n = 262144 / part;
    std::vector<int> slices(n / 32 + 1);
    for (int i = 0; i < n / 32; ++i)
      slices[i + 1] = slices[i] + 32 * (6 + 7 * (i + 1) % 9);
    int m = slices[n / 32];
    std::vector<int> columns(m, -1);
    for (int i = 0; i < n; ++i) {
      int k = i / 32, q = 0, width = (slices[k + 1] - slices[k]) / 32;
      for (int j = slices[k] + i % 32; j < slices[k + 1]; j += 32) {
        ++q;
        if (q > 4 + 3 * (i + 1) % (width - 3))
          break;
        columns[j] = ((i + 61 * (q - 4) + q % 3) % n + n) % n;
      }
    }
    auto number = [](int i) { return make_cuDoubleComplex(value(i), value(3 * i) - 0.5); };
    int *slice = copyOf(slices), *column = copyOf(columns);
    auto *a = made<cuDoubleComplex>(m, number), *x = made<cuDoubleComplex>(n, number),
         *y = zeros<cuDoubleComplex>(n);
    while (more("sliced"))
      sliced<<<n / 128, 128>>>(slice, column, a, x, y, make_cuDoubleComplex(4, -1), n);
    norm("sliced", &y->x, 2 * size_t(n));
    cudaFree(slice), cudaFree(column), cudaFree(a), cudaFree(x), cudaFree(y);
  }
  {
    int n = 16777216 / part;
    float *sample = made<float>(n, [](int i) { return value(17 * i); });
    int *kept = zeros<int>(n), *count = zeros<int>(1);
    while (more("compacted")) {
      int zero = 0;
      cudaMemcpy(count, &zero, sizeof zero, cudaMemcpyHostToDevice);
      compacted<<<n / 256, 256>>>(sample, 0.7f, kept, count, n);
    }
    report("compacted", kept, back(count, 1)[0]);
    cudaFree(sample), cudaFree(kept);
  }
  {
    int n = 2048, m = 2048 / part, r = 4, w = 2 * r + 1;
    short *image = made<short>(n * m, [&](int at) {
      int i = (at - 1) % n + 1, j = (at - 1) / n + 1;
      return int(1000 * value(i * 7 + j * 131) + i);
    });
    unsigned char *mask = made<unsigned char>(w * w, [&](int at) {
      int i = (at - 1) % w - r, j = (at - 1) / w - r;
      return i * i + j * j <= r * r;
    });
    short *out = zeros<short>(n * m);
    while (more("morphology"))
      morphology<<<dim3(n / 32, m / 8), dim3(32, 8), 2 * (32 + 2 * r) * (8 + 2 * r)>>>(
          image, mask, out, n, m, r);
    report("morphology", out, n * m);
    cudaFree(image), cudaFree(out);
  }
  {
    int l = 128, n = 1024, m = 1024 / part;
    float *volume = made<float>(l * l * l, [&](int i) { return value(i) * value(i / l); }),
          *picture = zeros<float>(4 * n * m);
    float host[16][4];
    for (int i = 0; i < 16; ++i) {
      host[i][0] = float(i) / 15;
      host[i][1] = 1 - float(i) / 15;
      host[i][2] = 0.5f;
      host[i][3] = 0.002f * i;
    }
    cudaMemcpyToSymbol(colours, host, sizeof host);
    while (more("rays"))
      rays<<<dim3(n / 16, m / 8), dim3(16, 8)>>>(volume, l, picture, n, m, 1);
    norm("rays", picture, 4 * n * m);
    cudaFree(volume), cudaFree(picture);
  }
  {
    int n = 2097152 / part, l = 21, size = 1 << l;
    int *slots = zeros<int>(size), *counts = zeros<int>(size),
        *keys = made<int>(n, [&](int i) { return 1 + 977 * (7 * i % (n / 4)); });
    while (more("counted"))
      counted<<<n / 256, 256>>>(keys, slots, counts, n, l);
    auto names = back(slots, size), hits = back(counts, size);
    double total = 0, used = 0;
    for (int i = 0; i < size; ++i) {
      total += double(names[i]) * hits[i];
      used += names[i] != 0;
    }
    said("counted", total);
    said("counted_keys", used);
  }
}
