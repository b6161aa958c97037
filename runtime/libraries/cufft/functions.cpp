// The functions of cuFFT on the host device.
#include "libraries/cufft.h"
#include "libraries/cufft/plans.h"

namespace cufrt::cufft {
namespace {

// A plan in one step.
int planOf(int *plan, const Shape &shape) {
  if (int status = newPlan(*plan))
    return status;
  return makePlan(*plan, shape, nullptr);
}

} // namespace

int cufftPlan1d(int *plan, int nx, int ffttype, int batch) {
  Shape shape;
  int status = contiguousShape(shape, 1, &nx, ffttype, batch);
  return status ? status : planOf(plan, shape);
}

int cufftExecC2C(int plan, cufrt_complex4 *idata, cufrt_complex4 *odata, int direction) {
  return execute(plan, c2c, idata, odata, direction);
}

} // namespace cufrt::cufft
