// Queens on a board, of waves.cu.
#pragma once

__global__ void queens(int n, int *__restrict__ ways, int total) {
  int free[32], cols[32], left[32], right[32];
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= total)
    return;
  int all = (1 << n) - 1, rest = id;
  cols[0] = left[0] = right[0] = 0;
#pragma unroll
  for (int row = 0; row < 4; ++row) {
    int bit = 1 << rest % n;
    rest /= n;
    if (bit & (cols[row] | left[row] | right[row])) {
      ways[id] = 0;
      return;
    }
    cols[row + 1] = cols[row] | bit;
    left[row + 1] = (left[row] | bit) << 1 & all;
    right[row + 1] = int(unsigned(right[row] | bit) >> 1);
  }
  int row = 4, count = 0;
  free[row] = all & ~(cols[row] | left[row] | right[row]);
  while (row >= 4) {
    if (free[row] == 0) {
      --row;
      continue;
    }
    int bit = free[row] & -free[row];
    free[row] ^= bit;
    if (row == n - 1) {
      ++count;
      continue;
    }
    cols[row + 1] = cols[row] | bit;
    left[row + 1] = (left[row] | bit) << 1 & all;
    right[row + 1] = int(unsigned(right[row] | bit) >> 1);
    ++row;
    free[row] = all & ~(cols[row] | left[row] | right[row]);
  }
  ways[id] = count;
}
