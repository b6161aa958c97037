// Device code of CUDA C that is linked with Fortran's: each calls the other's procedures, and both
// use one variable.
extern "C" {
__device__ float cu_offset = 0.5f;
__device__ float fortran_square(const float *x);
__device__ float cu_scaled(float x) { return 3.0f * x + cu_offset; }
__global__ void cu_kernel(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = fortran_square(&data[i]) + 1.0f;
}
}
