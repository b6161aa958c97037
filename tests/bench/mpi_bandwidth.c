/* The twin of mpi_bandwidth.cuf in C with CUDA: device data are copied to pinned host memory by hand, sent from
 * there, received there and copied to the device. */
#include <cuda_runtime_api.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 8 * 1024 * 1024, ROWS = 2048 }; /* numbers of 8 bytes */

static double *sent, *received, *send_host, *receive_host, *values;
static int rank, other;

static void must(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static void to_host(int n, int column) {
  if (column)
    must(cudaMemcpy2D(send_host, 8, sent, 8 * ROWS, 8, n, cudaMemcpyDeviceToHost));
  else
    must(cudaMemcpy(send_host, sent, 8 * (size_t)n, cudaMemcpyDeviceToHost));
}

static void to_device(int n, int column) {
  if (column)
    must(cudaMemcpy2D(received, 8 * ROWS, receive_host, 8, 8, n, cudaMemcpyHostToDevice));
  else
    must(cudaMemcpy(received, receive_host, 8 * (size_t)n, cudaMemcpyHostToDevice));
}

static void send_data(int n, int column) {
  to_host(n, column);
  MPI_Send(send_host, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
}

static void receive_data(int n, int column) {
  MPI_Recv(receive_host, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  to_device(n, column);
}

static void ping_pong(int n, int column) {
  if (rank == 0) {
    send_data(n, column);
    receive_data(n, column);
  } else {
    receive_data(n, column);
    send_data(n, column);
  }
}

static void exchange(int n) {
  MPI_Request requests[2];
  MPI_Irecv(receive_host, n, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &requests[0]);
  to_host(n, 0);
  MPI_Isend(send_host, n, MPI_DOUBLE, other, 2, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  to_device(n, 0);
}

static void check(int n, int column) {
  size_t step = column ? ROWS : 1;
  must(cudaMemcpy(values, received, 8 * (size_t)LARGEST, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (values[i * step] != (double)(1 + i * step + other)) {
      fprintf(stderr, "wrong data\n");
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  must(cudaMemset(received, 0, 8 * (size_t)LARGEST));
}

static void measure(const char *pattern, int n) {
  int repeat = 4000000 / n < 10 ? 10 : 4000000 / n > 1000 ? 1000 : 4000000 / n;
  int is_exchange = !strcmp(pattern, "exchange"), column = !strcmp(pattern, "column");
  double best = 1e30;
  for (int round = 0; round <= 3; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int k = 0; k < repeat; ++k)
      if (is_exchange)
        exchange(n);
      else
        ping_pong(n, column);
    double time = (MPI_Wtime() - start) / repeat;
    if (round > 0 && time < best)
      best = time;
  }
  check(n, column);
  if (!is_exchange)
    best /= 2;
  if (rank == 0)
    printf("RESULT %s bytes=%zu us=%.3f\n", pattern, 8 * (size_t)n, best * 1e6);
}

int main(int argc, char **argv) {
  int devices = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  must(cudaGetDeviceCount(&devices));
  must(cudaSetDevice(rank % devices));
  must(cudaMalloc((void **)&sent, 8 * (size_t)LARGEST));
  must(cudaMalloc((void **)&received, 8 * (size_t)LARGEST));
  must(cudaMallocHost((void **)&send_host, 8 * (size_t)LARGEST));
  must(cudaMallocHost((void **)&receive_host, 8 * (size_t)LARGEST));
  values = malloc(8 * (size_t)LARGEST);
  for (int i = 0; i < LARGEST; ++i)
    values[i] = i + 1 + rank;
  must(cudaMemcpy(sent, values, 8 * (size_t)LARGEST, cudaMemcpyHostToDevice));
  must(cudaMemset(received, 0, 8 * (size_t)LARGEST));
  for (int n = 1; n <= LARGEST; n *= 8) {
    measure("pingpong", n);
    measure("exchange", n);
  }
  measure("column", LARGEST / ROWS);
  MPI_Finalize();
  return 0;
}
