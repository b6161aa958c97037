// Forces between the particles of neighbouring boxes, and centres of clusters: kernels of boxes.cu.
#pragma once
#include <cmath>

struct Atom {
  double v, x, y, z;
};
struct Neighbour {
  int x, y, z, number, offset;
};
struct Box {
  Neighbour self;
  int count;
  Neighbour near[26];
};
struct Point {
  float weight, cost;
  int assign;
};

constexpr int perBox = 100;

__global__ void lavamd(double alpha, const Box *__restrict__ boxes, const Atom *__restrict__ atoms,
                       const double *__restrict__ charges, Atom *__restrict__ forces) {
  __shared__ Atom mine[perBox], other[perBox];
  __shared__ double q[perBox];
  int b = blockIdx.x, t = threadIdx.x;
  double a2 = 2 * alpha * alpha;
  int firstI = boxes[b].self.offset;
  for (int i = t; i < perBox; i += blockDim.x)
    mine[i] = atoms[firstI + i];
  __syncthreads();
  for (int k = 0; k < 1 + boxes[b].count; ++k) {
    int which = k == 0 ? b : boxes[b].near[k - 1].number;
    int firstJ = boxes[which].self.offset;
    for (int j = t; j < perBox; j += blockDim.x) {
      other[j] = atoms[firstJ + j];
      q[j] = charges[firstJ + j];
    }
    __syncthreads();
    for (int i = t; i < perBox; i += blockDim.x) {
      Atom f = forces[firstI + i];
      for (int j = 0; j < perBox; ++j) {
        double r2 = mine[i].v + other[j].v -
                    (mine[i].x * other[j].x + mine[i].y * other[j].y + mine[i].z * other[j].z);
        double u2 = a2 * r2, vij = exp(-u2), fs = 2 * vij;
        double dx = mine[i].x - other[j].x, dy = mine[i].y - other[j].y,
               dz = mine[i].z - other[j].z;
        f.v += q[j] * vij;
        f.x += q[j] * (fs * dx);
        f.y += q[j] * (fs * dy);
        f.z += q[j] * (fs * dz);
      }
      forces[firstI + i] = f;
    }
    __syncthreads();
  }
}

__global__ void pgain(int num, int dims, int x, const float *__restrict__ coords,
                      const Point *__restrict__ points, const int *__restrict__ table, int k,
                      float *__restrict__ lower, int *__restrict__ switched) {
  __shared__ float candidate[256];
  int i = blockDim.x * blockIdx.x + threadIdx.x, t = threadIdx.x;
  if (t < dims)
    candidate[t] = coords[t * num + x];
  __syncthreads();
  if (i >= num)
    return;
  float cost = 0;
  for (int d = 0; d < dims; ++d)
    cost += (coords[d * num + i] - candidate[d]) * (coords[d * num + i] - candidate[d]);
  cost *= points[i].weight;
  float current = points[i].cost;
  switched[i] = 0;
  if (cost < current) {
    switched[i] = 1;
    lower[(k - 1) * num + i] = cost - current;
  } else {
    lower[table[points[i].assign] * num + i] = current - cost;
  }
}
