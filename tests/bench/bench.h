// Shared by the CUDA C twins: random data, error checks, and the median of timed runs.
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

inline void check(cudaError_t code, const char *what) {
  if (code == cudaSuccess)
    return;
  std::printf("FAIL %s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

inline std::vector<float> randomVector(size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::vector<float> v(n);
  for (float &x : v)
    x = static_cast<float>(generator() >> 8) / 16777216.0f;
  return v;
}

inline float *toDevice(const std::vector<float> &v) {
  float *p;
  check(cudaMalloc(&p, v.size() * sizeof(float)), "cudaMalloc");
  check(cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
  return p;
}

inline std::vector<float> toHost(const float *p, size_t n) {
  std::vector<float> v(n);
  check(cudaMemcpy(v.data(), p, n * sizeof(float), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return v;
}

// Milliseconds of one launch: the median of 15 runs of several launches after a warm-up.
template <class Launch>
float medianTime(int warmUp, int launches, Launch launch) {
  const int runs = 15;
  cudaEvent_t start, finish;
  check(cudaEventCreate(&start), "cudaEventCreate");
  check(cudaEventCreate(&finish), "cudaEventCreate");
  for (int i = 0; i < warmUp; ++i)
    launch();
  std::vector<float> times(runs);
  for (float &ms : times) {
    cudaEventRecord(start, 0);
    for (int i = 0; i < launches; ++i)
      launch();
    cudaEventRecord(finish, 0);
    check(cudaEventSynchronize(finish), "cudaEventSynchronize");
    cudaEventElapsedTime(&ms, start, finish);
  }
  check(cudaGetLastError(), "launch");
  std::sort(times.begin(), times.end());
  return times[runs / 2] / launches;
}
