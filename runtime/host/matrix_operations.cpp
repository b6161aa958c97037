// See matrix_operations.h.
#include "host/matrix_operations.h"
#include "cufrt/device.h"

#include <cmath>

namespace cufrt::host {
namespace {

constexpr uint32_t allLanes = ~0u;
constexpr int lanes = 32;

using Half = _Float16;

// A number of a kind at an address of the program, which may be aligned to its own size alone.
double read(const char *at, int64_t kind) {
  switch (kind) {
  case 2:
    return *reinterpret_cast<const Half *>(at);
  case 4:
    return *reinterpret_cast<const float *>(at);
  default:
    return *reinterpret_cast<const double *>(at);
  }
}

void write(char *at, int64_t kind, double value) {
  switch (kind) {
  case 2:
    *reinterpret_cast<Half *>(at) = static_cast<Half>(value);
    return;
  case 4:
    *reinterpret_cast<float *>(at) = static_cast<float>(value);
    return;
  default:
    *reinterpret_cast<double *>(at) = value;
  }
}

// The matrix that the lanes hold together: argument `place` of each one's request.
class Spread {
public:
  Spread(LaneFrames frames, int place, int64_t kind, int64_t rows, int64_t columns, bool isFactor)
      : kind(kind), rows(rows), columns(columns),
        share(isFactor ? (kind == 8 ? 1 : 16) : (kind == 8 ? 2 : 8)) {
    for (int lane = 0; lane < lanes; ++lane)
      // The compiled kernel gives addresses as numbers. NOLINTNEXTLINE(performance-no-int-to-ptr)
      starts[lane] = reinterpret_cast<char *>(requestOf(frames, lane).address[place]);
  }

  static const cufrt_matrix_request &requestOf(LaneFrames frames, int lane) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    return *reinterpret_cast<const cufrt_matrix_request *>(frames[lane].operand);
  }

  double get(int64_t row, int64_t column) const { return read(place(row + column * rows), kind); }

  void set(int64_t row, int64_t column, double value) const {
    for (int64_t i = row + column * rows; i < share * lanes; i += rows * columns)
      write(place(i), kind, value);
  }

  template <typename Action>
  void forEach(Action action) const {
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t row = 0; row < rows; ++row)
        action(row, column);
  }

private:
  char *place(int64_t i) const { return starts[i / share] + i % share * kind; }

  char *starts[lanes];
  int64_t kind, rows, columns, share;
};

// A matrix in memory, as the first lane gives it: all must give the same.
class InMemory {
public:
  InMemory(const cufrt_matrix_request &request, int place, int64_t kind)
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      : start(reinterpret_cast<char *>(request.address[place])), kind(kind), stride(request.stride),
        byRows(request.a_by_rows != 0) {}

  char *operator()(int64_t row, int64_t column) const {
    return start + (byRows ? row * stride + column : row + column * stride) * kind;
  }

private:
  char *start;
  int64_t kind, stride;
  bool byRows;
};

void load(LaneFrames frames, const cufrt_matrix_request &request, int64_t rows, int64_t columns,
          bool isFactor) {
  int64_t kind = request.factor_kind;
  InMemory memory(request, 1, kind);
  Spread fragment(frames, 0, kind, rows, columns, isFactor);
  fragment.forEach([&](int64_t i, int64_t j) { fragment.set(i, j, read(memory(i, j), kind)); });
}

void store(LaneFrames frames, const cufrt_matrix_request &request) {
  int64_t kind = request.factor_kind;
  InMemory memory(request, 0, kind);
  Spread fragment(frames, 1, kind, request.m, request.n, false);
  fragment.forEach([&](int64_t i, int64_t j) { write(memory(i, j), kind, fragment.get(i, j)); });
}

void multiply(LaneFrames frames, const cufrt_matrix_request &request) {
  bool adds = request.operation == CUFRT_MATRIX_MULTIPLY;
  Spread d(frames, 0, request.d_kind, request.m, request.n, false);
  Spread a(frames, 1, request.factor_kind, request.m, request.k, true);
  Spread b(frames, 2, request.factor_kind, request.k, request.n, true);
  Spread c(frames, adds ? 3 : 0, adds ? request.c_kind : request.d_kind, request.m, request.n,
           false);
  d.forEach([&](int64_t i, int64_t j) { // element by element: C may be D
    double sum = adds ? c.get(i, j) : 0;
    for (int64_t l = 0; l < request.k; ++l)
      sum = std::fma(a.get(i, l), b.get(l, j), sum);
    d.set(i, j, sum);
  });
}

} // namespace

void operateOnMatrices(LaneFrames frames, uint32_t members) {
  if (members != allLanes)
    fatal(nullptr, 0, "an operation on matrices (module wmma) needs all 32 threads of the warp");
  const cufrt_matrix_request &request = Spread::requestOf(frames, 0);
  switch (request.operation) {
  case CUFRT_MATRIX_LOAD_A:
    return load(frames, request, request.m, request.k, true);
  case CUFRT_MATRIX_LOAD_B:
    return load(frames, request, request.k, request.n, true);
  case CUFRT_MATRIX_LOAD_C:
    return load(frames, request, request.m, request.n, false);
  case CUFRT_MATRIX_STORE:
    return store(frames, request);
  default:
    return multiply(frames, request);
  }
}

} // namespace cufrt::host
