// Kernels for gpu_test.cpp, compiled to a fat binary that the test registers the way that the
// compiler's objects do.
#include <cooperative_groups.h>

extern "C" {
__device__ float deviceValue[4];
__constant__ int constantValue;
__managed__ int managedValue = 5;

__global__ void scale(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * constantValue + deviceValue[1];
}

__global__ void increaseManaged() { managedValue += 1; }

__global__ void countBlocks(int *count) {
  if (threadIdx.x == 0)
    atomicAdd(count, 1);
}

__global__ void __launch_bounds__(128) atMost128() {}

__global__ void clusterSizes(int *sizes) {
  unsigned size;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
  if (threadIdx.x == 0)
    sizes[blockIdx.x] = (int)size;
}

__global__ void sumOverGrid(int *values, int *result) {
  values[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0)
    for (int i = 0; i < gridDim.x; ++i)
      *result += values[i];
}

__global__ void trap() { asm("trap;"); }
}
