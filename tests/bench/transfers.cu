// Transfers and launches by the wall clock. Twin of transfers.cuf: the same sizes under the same
// names; each assignment of that program is the one best call of the CUDA runtime here.
//
// An argument N makes the large sizes N times smaller. Every copy is checked once.
#include "bench.h"

#include <ctime>
#include <string>

namespace {

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Repetitions are chosen as in transfers.cuf. Prints the median of the samples.
template <class Operation>
void measure(const std::string &name, size_t bytes, Operation operation) {
  const double maxSamples = 21, minSamples = 3, maxBatch = 10000;
  const double secondsOfSample = 0.002, secondsOfCase = 0.5;
  operation();
  double started = now();
  operation();
  double once = std::max(now() - started, 1e-9);
  int batch = static_cast<int>(std::min(maxBatch, std::max(1.0, secondsOfSample / once)));
  double wanted = std::min(maxSamples, secondsOfCase / (once * batch));
  std::vector<double> seconds(static_cast<size_t>(std::max(minSamples, wanted)));
  for (double &sample : seconds) {
    started = now();
    for (int i = 0; i < batch; ++i)
      operation();
    sample = (now() - started) / batch;
  }
  std::sort(seconds.begin(), seconds.end());
  std::printf("RESULT %s bytes=%zu us=%e\n", name.c_str(), bytes,
              1e6 * seconds[(seconds.size() - 1) / 2]);
}

void require(bool condition, const std::string &name) {
  if (condition)
    return;
  std::printf("FAIL %s\n", name.c_str());
  std::exit(1);
}

template <class T>
T *deviceArray(size_t n) {
  T *p;
  check(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
  return p;
}

template <class T>
T *hostArray(size_t n, bool pinned) {
  void *p = nullptr;
  if (pinned)
    check(cudaMallocHost(&p, n * sizeof(T)), "cudaMallocHost");
  else
    require((p = std::malloc(n * sizeof(T))), "malloc");
  return static_cast<T *>(p);
}

template <class T>
void number(T *h, size_t n) {
  for (size_t i = 0; i < n; ++i)
    h[i] = static_cast<T>(i % 8191);
}

// Times the copies to the device and back; what comes back must be what went.
template <class T, class ToDevice, class ToHost>
void bothWays(const std::string &what, const std::string &where, size_t bytes, T *h, size_t n,
              ToDevice toDevice, ToHost toHost) {
  number(h, n);
  std::vector<T> before(h, h + n);
  measure(what + "_h2d_" + where, bytes, [&] { check(toDevice(), what.c_str()); });
  std::fill(h, h + n, T(-1));
  measure(what + "_d2h_" + where, bytes, [&] { check(toHost(), what.c_str()); });
  size_t back = 0;
  for (size_t i = 0; i < n; ++i) {
    require(h[i] == before[i] || h[i] == T(-1), what + " " + where);
    back += h[i] == before[i];
  }
  require(back == bytes / sizeof(T), what + " " + where + " (count)");
}

void wholeArrays(const std::string &place, const std::string &sizeName, float *h, size_t n) {
  std::string where = place + "_" + sizeName;
  size_t bytes = n * sizeof(float);
  float *a = deviceArray<float>(n);
  auto toDevice = [&] { return cudaMemcpy(a, h, bytes, cudaMemcpyHostToDevice); };
  auto toHost = [&] { return cudaMemcpy(h, a, bytes, cudaMemcpyDeviceToHost); };
  bothWays("assign", where, bytes, h, n, toDevice, toHost);
  bothWays("cudaMemcpy", where, bytes, h, n, toDevice, toHost);
  cudaStream_t stream;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  auto copy = [&](void *to, const void *from, cudaMemcpyKind kind) {
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, stream);
    return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
  };
  bothWays(
      "cudaMemcpyAsync", where, bytes, h, n, [&] { return copy(a, h, cudaMemcpyHostToDevice); },
      [&] { return copy(h, a, cudaMemcpyDeviceToHost); });
  check(cudaStreamDestroy(stream), "cudaStreamDestroy");
  check(cudaFree(a), "cudaFree");
}

void onDevice(size_t n) {
  std::vector<float> h(n);
  number(h.data(), n);
  float *a = toDevice(h), *b = deviceArray<float>(n);
  measure("assign_d2d_large", n * sizeof(float), [&] {
    check(cudaMemcpy(b, a, n * sizeof(float), cudaMemcpyDeviceToDevice), "cudaMemcpy");
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  });
  require(toHost(b, n) == h, "device to device");
  check(cudaFree(a), "cudaFree");
  check(cudaFree(b), "cudaFree");
}

// The first m rows and n columns of a larger matrix.
void corner(const std::string &name, const std::string &place, float *h, size_t rows,
            size_t columns, size_t m, size_t n) {
  float *a = deviceArray<float>(rows * columns);
  size_t pitch = rows * sizeof(float), width = m * sizeof(float);
  bothWays(
      name, place, width * n, h, rows * columns,
      [&] { return cudaMemcpy2D(a, pitch, h, pitch, width, n, cudaMemcpyHostToDevice); },
      [&] { return cudaMemcpy2D(h, pitch, a, pitch, width, n, cudaMemcpyDeviceToHost); });
  check(cudaFree(a), "cudaFree");
}

// Every second element on the host: rows of one element.
template <class T>
void everySecond(const std::string &name, const std::string &place, T *h, size_t n) {
  T *b = deviceArray<T>(n / 2);
  size_t width = sizeof(T), pitch = 2 * width;
  bothWays(
      name, place, width * (n / 2), h, n,
      [&] { return cudaMemcpy2D(b, width, h, pitch, width, n / 2, cudaMemcpyHostToDevice); },
      [&] { return cudaMemcpy2D(h, pitch, b, width, width, n / 2, cudaMemcpyDeviceToHost); });
  check(cudaFree(b), "cudaFree");
}

void block(const std::string &place, float *h, size_t n, size_t m) {
  float *a = deviceArray<float>(n * n * n);
  cudaMemcpy3DParms parameters{};
  parameters.extent = make_cudaExtent(m * sizeof(float), m, m);
  auto copy = [&](float *to, float *from, cudaMemcpyKind kind) {
    parameters.srcPtr = make_cudaPitchedPtr(from, n * sizeof(float), n * sizeof(float), n);
    parameters.dstPtr = make_cudaPitchedPtr(to, n * sizeof(float), n * sizeof(float), n);
    parameters.kind = kind;
    return cudaMemcpy3D(&parameters);
  };
  bothWays(
      "block", place, m * m * m * sizeof(float), h, n * n * n,
      [&] { return copy(a, h, cudaMemcpyHostToDevice); },
      [&] { return copy(h, a, cudaMemcpyDeviceToHost); });
  check(cudaFree(a), "cudaFree");
}

__global__ void empty() {}
__global__ void emptyEight(float *, float *, float *, float *, int, int, float, float) {}
__global__ void emptyTwo(float *, float *) {}

template <class Launch>
void launches(const std::string &name, Launch launch) {
  const int many = 10000;
  measure("launches10000_" + name, 0, [&] {
    for (int i = 0; i < many; ++i)
      launch();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  });
  measure("launch_and_wait_" + name, 0, [&] {
    launch();
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  });
  check(cudaGetLastError(), "launch");
}

struct Sizes {
  size_t large, edge, columns, cube;
};

void allCases(const std::string &place, bool pinned, const Sizes &sizes) {
  auto *h = hostArray<float>(sizes.large, pinned);
  auto *matrix = hostArray<float>(sizes.edge * sizes.edge, pinned);
  auto *narrow = hostArray<float>(256 * sizes.columns, pinned);
  auto *cuboid = hostArray<float>(sizes.cube * sizes.cube * sizes.cube, pinned);
  auto *doubles = hostArray<double>(256 * (sizes.columns / 32), pinned);
  wholeArrays(place, "4K", h, 1024);
  wholeArrays(place, "1M", h, std::min<size_t>(sizes.large, 1 << 18));
  wholeArrays(place, "large", h, sizes.large);
  corner("matrix", place, matrix, sizes.edge, sizes.edge, sizes.edge * 3 / 4, sizes.edge * 3 / 4);
  corner("rows512", place, narrow, 256, sizes.columns, 128, sizes.columns);
  corner("rows256", place, narrow, 256, sizes.columns, 64, sizes.columns);
  corner("rows64", place, narrow, 256, sizes.columns, 16, sizes.columns);
  corner("rows16", place, narrow, 256, sizes.columns, 4, sizes.columns);
  everySecond("strided4", place, narrow, 256 * (sizes.columns / 32));
  everySecond("strided8", place, doubles, 256 * (sizes.columns / 32));
  block(place, cuboid, sizes.cube, sizes.cube * 3 / 4);
}

} // namespace

int main(int argc, char **argv) {
  size_t shrink = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  Sizes sizes{(1 << 26) / shrink, std::max<size_t>(64, 4096 / shrink),
              std::max<size_t>(64, 65536 / shrink), std::max<size_t>(16, 256 / shrink)};
  float *a = deviceArray<float>(16), *b = deviceArray<float>(16), *c = deviceArray<float>(16),
        *d = deviceArray<float>(16);
  launches("none", [&] { empty<<<1, 1>>>(); });
  launches("eight", [&] { emptyEight<<<1, 1>>>(a, b, c, d, 1, 2, 3.0f, 4.0f); });
  launches("shaped", [&] { emptyTwo<<<1, 1>>>(a, b); });
  onDevice(sizes.large);
  allCases("pageable", false, sizes);
  allCases("pinned", true, sizes);
}
