// CUDA C kernels that Fortran launches, a C launcher of a Fortran kernel, and C functions that get
// device addresses.
extern "C" __global__ void c_scale(float *a, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] *= factor;
}

// Two dimensions, dynamic shared memory, a scalar in device memory.
extern "C" __global__ void c_row_sums(const double *matrix, int rows, int columns,
                                      const int *offset, double *sums) {
  extern __shared__ double part[];
  int row = blockIdx.y;
  part[threadIdx.x] = threadIdx.x < columns ? matrix[row + threadIdx.x * rows] : 0.0;
  __syncthreads();
  if (threadIdx.x == 0) {
    double sum = *offset;
    for (int i = 0; i < columns; ++i)
      sum += part[i];
    sums[row] = sum;
  }
}

extern "C" __global__ void fortran_add(float *a, const float *b, int n);

extern "C" int launch_fortran_add(float *a, const float *b, int n, cudaStream_t stream) {
  fortran_add<<<(n + 63) / 64, 64, 0, stream>>>(a, b, n);
  return cudaStreamSynchronize(stream);
}

// A kernel of a module without BIND(C).
extern "C" __global__ void interop_subtract_(float *a, const float *b, int n);

extern "C" int launch_fortran_subtract(float *a, const float *b, int n) {
  interop_subtract_<<<(n + 63) / 64, 64>>>(a, b, n);
  return cudaDeviceSynchronize();
}

struct Pair {
  double factor;
  int count;
};

extern "C" __global__ void c_scale_by_pair(Pair pair, double *a) {
  if (threadIdx.x < pair.count)
    a[threadIdx.x] *= pair.factor;
}

extern "C" float c_sum(const float *a, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    float value = 0;
    cudaMemcpy(&value, a + i, sizeof value, cudaMemcpyDeviceToHost);
    sum += value;
  }
  return sum;
}

extern "C" void *c_make(int n) {
  void *memory = nullptr;
  cudaMalloc(&memory, n * sizeof(float));
  return memory;
}
