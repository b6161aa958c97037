// The extended interface of cuFFT on the host device: kinds of transforms as pairs of types.
#include "cufrt/device.h"
#include "libraries/cufft/plans.h"
#include "libraries/cufftxt.h"

namespace cufrt::cufftxt {
namespace {

using namespace cufrt::cufft;

// cudaDataType.
enum : int { real32 = 0, real64 = 1, complex32 = 4, complex64 = 5 };

// 0 if there is no transform of these types.
int kindOf(int input, int output, int computed) {
  struct Row {
    int input, output, computed, kind;
  };
  constexpr Row rows[] = {
      {complex32, complex32, complex32, c2c}, {real32, complex32, complex32, r2c},
      {complex32, real32, complex32, c2r},    {complex64, complex64, complex64, z2z},
      {real64, complex64, complex64, d2z},    {complex64, real64, complex64, z2d}};
  for (const Row &row : rows)
    if (row.input == input && row.output == output && row.computed == computed)
      return row.kind;
  return 0;
}

} // namespace

int cufftXtMakePlanMany(int plan, int rank, const long long *n, long long *inembed,
                        long long istride, long long idist, int inputtype, long long *onembed,
                        long long ostride, long long odist, int outputtype, long long batch,
                        size_t *worksize, int executiontype) {
  int kind = kindOf(inputtype, outputtype, executiontype);
  if (!kind)
    return notSupported;
  Shape shape;
  int status = shapeOf<long long>(shape, rank, n, {inembed, istride, idist},
                                  {onembed, ostride, odist}, kind, batch);
  return status ? status : makePlan(plan, shape, worksize);
}

int cufftXtGetSizeMany(int plan, int rank, const long long *n, long long *inembed,
                       long long istride, long long idist, int inputtype, long long *onembed,
                       long long ostride, long long odist, int outputtype, long long batch,
                       size_t *worksize, int executiontype) {
  int kind = kindOf(inputtype, outputtype, executiontype);
  if (!kind)
    return notSupported;
  Shape shape;
  int status = shapeOf<long long>(shape, rank, n, {inembed, istride, idist},
                                  {onembed, ostride, odist}, kind, batch);
  if (!findPlan(plan))
    return invalidPlan;
  if (!status)
    *worksize = shape.workBytes();
  return status;
}

int cufftXtExec(int plan, void *input, void *output, int direction) {
  std::shared_ptr<PlanRecord> found = findPlan(plan);
  if (!found)
    return invalidPlan;
  int kind = found->shape.kind;
  if (kind == r2c || kind == d2z)
    direction = forward;
  if (kind == c2r || kind == z2d)
    direction = inverse;
  return execute(plan, kind, input, output, direction);
}

int cufftXtSetWorkAreaPolicy(int plan, int policy, size_t *) {
  if (policy < 0 || policy > 2)
    return invalidValue;
  return findPlan(plan) ? ok : invalidPlan;
}

} // namespace cufrt::cufftxt

extern "C" int cufrt_lib_cufftXtSetCallback(int, void *, int, void *) {
  cufrt::fatal(
      nullptr, 0,
      "cufftXtSetCallback: callbacks are device functions of C that must be linked with a static "
      "cuFFT; scale or mask the data in a kernel instead");
}
