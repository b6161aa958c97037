// Plans of cuFFT on the host device, by number. A plan is made once and used by any thread; what
// FFTW needs for a transform is made when it first runs, since only then is known whether it is in
// place.
#ifndef CUFRT_LIBRARIES_CUFFT_PLANS_H
#define CUFRT_LIBRARIES_CUFFT_PLANS_H

#include "libraries/cufft/fftw.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace cufrt::cufft {

// cufftResult.
enum Status : int {
  ok = 0,
  invalidPlan = 1,
  allocationFailed = 2,
  invalidType = 3,
  invalidValue = 4,
  executionFailed = 6,
  invalidSize = 8,
  notImplemented = 14,
  notSupported = 16,
};

enum Direction : int { forward = -1, inverse = 1 };

// cufftType.
enum Kind : int { c2c = 0x29, r2c = 0x2a, c2r = 0x2c, z2z = 0x69, d2z = 0x6a, z2d = 0x6c };

inline bool isDouble(int kind) { return kind >= z2z; }
inline bool isKind(int kind) {
  return kind == c2c || kind == r2c || kind == c2r || kind == z2z || kind == d2z || kind == z2d;
}

// Where the elements of one side of a transform lie, in elements.
struct Layout {
  ptrdiff_t strides[3]; // of the dimensions, the slowest first
  ptrdiff_t distance;   // of the transforms of a batch
};

// What a plan transforms.
struct Shape {
  int kind = 0, rank = 0;
  ptrdiff_t sizes[3] = {}; // the slowest first
  ptrdiff_t batch = 1;
  bool isBasic = true; // contiguous: rows of real data are longer in place
  Layout in = {}, out = {};

  ptrdiff_t elements() const; // of one transform
  size_t workBytes() const;
};

// The layouts as C gives them; null ones stand for contiguous data.
template <typename Size>
struct Embedding {
  const Size *sizes;
  Size stride, distance;
};

// Fills `shape`, or says why not.
template <typename Size>
int shapeOf(Shape &shape, int rank, const Size *sizes, Embedding<Size> in, Embedding<Size> out,
            int kind, Size batch);
int contiguousShape(Shape &shape, int rank, const int *sizes, int kind, int batch);

// Strides of contiguous data on one side; `isHalf` where only half of the last dimension is there.
Layout contiguousLayout(const Shape &shape, bool isHalf, bool isPadded);

struct PlanRecord {
  Shape shape; // of kind 0 until the plan is made
  void *stream = nullptr;
  std::array<long long, 2> properties{}; // by their numbers, from 1
  std::mutex mutex;                      // guards what follows
  // By direction, in place or not, and the alignment of both sides.
  std::map<std::tuple<int, bool, int, int>, FftwPlan> transforms;
  ~PlanRecord();
};

std::shared_ptr<PlanRecord> findPlan(int number); // null if there is none
int newPlan(int &number);
bool forgetPlan(int number);

// Gives a plan its shape; it may have none yet.
int makePlan(int number, const Shape &shape, size_t *workBytes);

// Transforms in the plan's stream. `kind` is that of the function called.
int execute(int number, int kind, void *in, void *out, int direction);

} // namespace cufrt::cufft
#endif // CUFRT_LIBRARIES_CUFFT_PLANS_H
