// See plans.h.
#include "libraries/cufft/plans.h"
#include "host/capture.h"
#include "libraries/call.h"

#include <cstring>
#include <vector>

namespace cufrt::cufft {
namespace {

struct Numbered {
  std::mutex mutex;
  std::map<int, std::shared_ptr<PlanRecord>> plans;
  int last = 0;
};

Numbered &numbered() {
  static Numbered *instance = new Numbered;
  return *instance;
}

bool isToReal(int kind) { return kind == c2r || kind == z2d; }
bool isToComplex(int kind) { return kind == r2c || kind == d2z; }

size_t elementBytes(int kind, bool isReal) {
  return (isDouble(kind) ? sizeof(double) : sizeof(float)) * (isReal ? 1 : 2);
}

// FFTW destroys the input of these, cuFFT does not promise to.
std::vector<char> copyOfInput(const Shape &shape, const void *in) {
  ptrdiff_t last = (shape.batch - 1) * shape.in.distance;
  for (int i = 0; i < shape.rank; ++i) {
    bool isHalf = i == shape.rank - 1;
    last += ((isHalf ? shape.sizes[i] / 2 + 1 : shape.sizes[i]) - 1) * shape.in.strides[i];
  }
  auto *start = static_cast<const char *>(in);
  return {start, start + static_cast<size_t>(last + 1) * elementBytes(shape.kind, false)};
}

FftwPlan transformOf(PlanRecord &plan, void *in, void *out, int direction) {
  bool isDoubled = isDouble(plan.shape.kind);
  std::tuple key(direction, in == out, alignmentOf(in, isDoubled), alignmentOf(out, isDoubled));
  std::lock_guard lock(plan.mutex);
  FftwPlan &known = plan.transforms[key];
  if (!known)
    known = planTransform(plan.shape, in == out, in, out, direction);
  return known;
}

bool run(PlanRecord &plan, void *in, void *out, int direction) {
  host::DeviceWork work;
  libraries::Opened inOpened(in), outOpened(out);
  std::vector<char> copy;
  if (isToReal(plan.shape.kind) && plan.shape.rank > 1 && in != out) {
    copy = copyOfInput(plan.shape, in);
    in = copy.data();
  }
  FftwPlan transform = transformOf(plan, in, out, direction);
  if (transform)
    runTransform(transform, plan.shape.kind, in, out);
  return transform != nullptr;
}

} // namespace

ptrdiff_t Shape::elements() const {
  ptrdiff_t product = 1;
  for (int i = 0; i < rank; ++i)
    product *= sizes[i];
  return product;
}

size_t Shape::workBytes() const {
  return static_cast<size_t>(elements() * batch) * elementBytes(kind, false);
}

Layout contiguousLayout(const Shape &shape, bool isHalf, bool isPadded) {
  Layout layout;
  ptrdiff_t stride = 1;
  for (int i = shape.rank - 1; i >= 0; --i) {
    layout.strides[i] = stride;
    ptrdiff_t half = shape.sizes[i] / 2 + 1;
    bool isLast = i == shape.rank - 1;
    stride *= isLast && isHalf ? half : isLast && isPadded ? 2 * half : shape.sizes[i];
  }
  layout.distance = stride;
  return layout;
}

template <typename Size>
int shapeOf(Shape &shape, int rank, const Size *sizes, Embedding<Size> in, Embedding<Size> out,
            int kind, Size batch) {
  if (rank < 1 || rank > 3 || !sizes)
    return invalidValue;
  if (!isKind(kind))
    return invalidType;
  shape.kind = kind;
  shape.rank = rank;
  shape.batch = batch;
  for (int i = 0; i < rank; ++i)
    shape.sizes[i] = sizes[i];
  for (int i = 0; i < rank; ++i)
    if (sizes[i] <= 0 || batch <= 0)
      return invalidSize;
  shape.isBasic = !in.sizes || !out.sizes;
  shape.in = contiguousLayout(shape, isToReal(kind), false);
  shape.out = contiguousLayout(shape, isToComplex(kind), false);
  if (shape.isBasic)
    return ok;
  auto embed = [&](const Embedding<Size> &given, Layout &layout) {
    layout.distance = given.distance;
    ptrdiff_t stride = given.stride;
    for (int i = rank - 1; i >= 0; --i) {
      layout.strides[i] = stride;
      stride *= given.sizes[i]; // the first, which C code need not give, is multiplied into nothing
    }
  };
  embed(in, shape.in);
  embed(out, shape.out);
  return ok;
}

template int shapeOf(Shape &, int, const int *, Embedding<int>, Embedding<int>, int, int);
template int shapeOf(Shape &, int, const long long *, Embedding<long long>, Embedding<long long>,
                     int, long long);

int contiguousShape(Shape &shape, int rank, const int *sizes, int kind, int batch) {
  return shapeOf<int>(shape, rank, sizes, {nullptr, 1, 0}, {nullptr, 1, 0}, kind, batch);
}

PlanRecord::~PlanRecord() {
  for (auto &[key, transform] : transforms)
    if (transform)
      destroyTransform(transform, isDouble(shape.kind));
}

std::shared_ptr<PlanRecord> findPlan(int number) {
  std::lock_guard lock(numbered().mutex);
  auto found = numbered().plans.find(number);
  return found == numbered().plans.end() ? nullptr : found->second;
}

int newPlan(int &number) {
  std::lock_guard lock(numbered().mutex);
  number = ++numbered().last;
  numbered().plans[number] = std::make_shared<PlanRecord>();
  return ok;
}

bool forgetPlan(int number) {
  std::lock_guard lock(numbered().mutex);
  return numbered().plans.erase(number) > 0;
}

int makePlan(int number, const Shape &shape, size_t *workBytes) {
  std::shared_ptr<PlanRecord> plan = findPlan(number);
  if (!plan || plan->shape.kind)
    return invalidPlan;
  plan->shape = shape;
  if (workBytes)
    *workBytes = shape.workBytes();
  return ok;
}

int execute(int number, int kind, void *in, void *out, int direction) {
  std::shared_ptr<PlanRecord> plan = findPlan(number);
  if (!plan || !plan->shape.kind)
    return invalidPlan;
  if (plan->shape.kind != kind)
    return invalidType;
  if (!in || !out || (direction != forward && direction != inverse))
    return invalidValue;
  Error error = host::submit(plan->stream, host::NodeType::kernel, [=] {
    if (!run(*plan, in, out, direction))
      return errorLaunchFailure;
    return success;
  });
  return error == success ? ok : executionFailed;
}

} // namespace cufrt::cufft
