// Times launches with events: `while (more("name")) launch;`. Twin of timing.f90.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline bool more(const char *name) {
  constexpr int runs = 7, launches = 10, warmUp = 3;
  static cudaEvent_t start, finish;
  static float times[runs];
  static int count = 0;
  if (count == 0) {
    cudaEventCreate(&start);
    cudaEventCreate(&finish);
  }
  if (count >= warmUp && (count - warmUp) % launches == 0) {
    if (count > warmUp) {
      cudaEventRecord(finish, 0);
      cudaEventSynchronize(finish);
      cudaEventElapsedTime(&times[(count - warmUp) / launches - 1], start, finish);
    }
    cudaEventRecord(start, 0);
  }
  if (count++ < warmUp + runs * launches)
    return true;
  count = 0;
  if (cudaError_t code = cudaGetLastError(); code != cudaSuccess) {
    std::printf("FAIL %s %s\n", name, cudaGetErrorString(code));
    std::exit(1);
  }
  std::printf("TIME %s %12.3f\n", name, 1000 * *std::min_element(times, times + runs) / launches);
  return false;
}

inline double value(int i) { return i % 1009 / 1009.0; }

// Device memory of n elements that begin as values.
template <class T>
T *values(size_t n) {
  std::vector<T> host(n);
  for (size_t i = 0; i < n; ++i)
    host[i] = static_cast<T>(value(static_cast<int>(i + 1)));
  T *device;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

template <class T>
void report(const char *name, const T *device, size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double total = 0;
  for (T x : host)
    total += static_cast<double>(x);
  std::printf("SUM %s %22.14e\n", name, total);
}

// Device memory with the same elements.
template <class T>
T *copyOf(const std::vector<T> &host) {
  T *memory;
  cudaMalloc(&memory, host.size() * sizeof(T));
  cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

// Device memory of n elements that are 0.
template <class T>
T *zeros(size_t n) {
  T *memory;
  cudaMalloc(&memory, n * sizeof(T));
  cudaMemset(memory, 0, n * sizeof(T));
  return memory;
}

// The sum of squares.
template <class T>
void norm(const char *name, const T *device, size_t n) {
  std::vector<T> host(n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  double total = 0;
  for (double x : host)
    total += x * x;
  std::printf("SUM %s %22.14e\n", name, total);
}
