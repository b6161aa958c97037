// The functions of cuFFT on the host device.
#include "libraries/cufft.h"
#include "libraries/cufft/plans.h"

namespace cufrt::cufft {
namespace {

// The version whose functions these are.
constexpr int majorVersion = 12, minorVersion = 0, patchLevel = 0;

// What becomes of a shape, once it is known: a new plan, the contents of a created one, or a size.
int newPlanOf(int *plan, int status, const Shape &shape) {
  if (!status)
    status = newPlan(*plan);
  return status ? status : makePlan(*plan, shape, nullptr);
}

int madeOf(int plan, int status, const Shape &shape, size_t *worksize) {
  return status ? status : makePlan(plan, shape, worksize);
}

int sizeOf(int status, const Shape &shape, size_t *worksize) {
  if (!status)
    *worksize = shape.workBytes();
  return status;
}

int sizeOf(int plan, int status, const Shape &shape, size_t *worksize) {
  return findPlan(plan) ? sizeOf(status, shape, worksize) : invalidPlan;
}

struct Sized {
  Shape shape;
  int status;
};

Sized sized1d(int nx, int kind, int batch) {
  Sized made;
  made.status = contiguousShape(made.shape, 1, &nx, kind, batch);
  return made;
}

Sized sized2d(int nx, int ny, int kind) {
  Sized made;
  int sizes[] = {nx, ny};
  made.status = contiguousShape(made.shape, 2, sizes, kind, 1);
  return made;
}

Sized sized3d(int nx, int ny, int nz, int kind) {
  Sized made;
  int sizes[] = {nx, ny, nz};
  made.status = contiguousShape(made.shape, 3, sizes, kind, 1);
  return made;
}

template <typename Size>
Sized sizedMany(int rank, const Size *n, Embedding<Size> in, Embedding<Size> out, int kind,
                Size batch) {
  Sized made;
  made.status = shapeOf<Size>(made.shape, rank, n, in, out, kind, batch);
  return made;
}

} // namespace

int cufftCreate(int *plan) { return newPlan(*plan); }
int cufftDestroy(int plan) { return forgetPlan(plan) ? ok : invalidPlan; }

int cufftPlan1d(int *plan, int nx, int ffttype, int batch) {
  auto [shape, status] = sized1d(nx, ffttype, batch);
  return newPlanOf(plan, status, shape);
}

int cufftPlan2d(int *plan, int nx, int ny, int ffttype) {
  auto [shape, status] = sized2d(nx, ny, ffttype);
  return newPlanOf(plan, status, shape);
}

int cufftPlan3d(int *plan, int nx, int ny, int nz, int ffttype) {
  auto [shape, status] = sized3d(nx, ny, nz, ffttype);
  return newPlanOf(plan, status, shape);
}

int cufftPlanMany(int *plan, int rank, const int *n, int *inembed, int istride, int idist,
                  int *onembed, int ostride, int odist, int ffttype, int batch) {
  auto [shape, status] =
      sizedMany<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, ffttype, batch);
  return newPlanOf(plan, status, shape);
}

int cufftMakePlan1d(int plan, int nx, int ffttype, int batch, size_t *worksize) {
  auto [shape, status] = sized1d(nx, ffttype, batch);
  return madeOf(plan, status, shape, worksize);
}

int cufftMakePlan2d(int plan, int nx, int ny, int ffttype, size_t *worksize) {
  auto [shape, status] = sized2d(nx, ny, ffttype);
  return madeOf(plan, status, shape, worksize);
}

int cufftMakePlan3d(int plan, int nx, int ny, int nz, int ffttype, size_t *worksize) {
  auto [shape, status] = sized3d(nx, ny, nz, ffttype);
  return madeOf(plan, status, shape, worksize);
}

int cufftMakePlanMany(int plan, int rank, const int *n, int *inembed, int istride, int idist,
                      int *onembed, int ostride, int odist, int ffttype, int batch,
                      size_t *worksize) {
  auto [shape, status] =
      sizedMany<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, ffttype, batch);
  return madeOf(plan, status, shape, worksize);
}

int cufftMakePlanMany64(int plan, int rank, const long long *n, long long *inembed,
                        long long istride, long long idist, long long *onembed, long long ostride,
                        long long odist, int ffttype, long long batch, size_t *worksize) {
  auto [shape, status] = sizedMany<long long>(rank, n, {inembed, istride, idist},
                                              {onembed, ostride, odist}, ffttype, batch);
  return madeOf(plan, status, shape, worksize);
}

int cufftEstimate1d(int nx, int ffttype, int batch, size_t *worksize) {
  auto [shape, status] = sized1d(nx, ffttype, batch);
  return sizeOf(status, shape, worksize);
}

int cufftEstimate2d(int nx, int ny, int ffttype, size_t *worksize) {
  auto [shape, status] = sized2d(nx, ny, ffttype);
  return sizeOf(status, shape, worksize);
}

int cufftEstimate3d(int nx, int ny, int nz, int ffttype, size_t *worksize) {
  auto [shape, status] = sized3d(nx, ny, nz, ffttype);
  return sizeOf(status, shape, worksize);
}

int cufftEstimateMany(int rank, const int *n, int *inembed, int istride, int idist, int *onembed,
                      int ostride, int odist, int ffttype, int batch, size_t *worksize) {
  auto [shape, status] =
      sizedMany<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, ffttype, batch);
  return sizeOf(status, shape, worksize);
}

int cufftGetSize1d(int plan, int nx, int ffttype, int batch, size_t *worksize) {
  auto [shape, status] = sized1d(nx, ffttype, batch);
  return sizeOf(plan, status, shape, worksize);
}

int cufftGetSize2d(int plan, int nx, int ny, int ffttype, size_t *worksize) {
  auto [shape, status] = sized2d(nx, ny, ffttype);
  return sizeOf(plan, status, shape, worksize);
}

int cufftGetSize3d(int plan, int nx, int ny, int nz, int ffttype, size_t *worksize) {
  auto [shape, status] = sized3d(nx, ny, nz, ffttype);
  return sizeOf(plan, status, shape, worksize);
}

int cufftGetSizeMany(int plan, int rank, const int *n, int *inembed, int istride, int idist,
                     int *onembed, int ostride, int odist, int ffttype, int batch,
                     size_t *worksize) {
  auto [shape, status] =
      sizedMany<int>(rank, n, {inembed, istride, idist}, {onembed, ostride, odist}, ffttype, batch);
  return sizeOf(plan, status, shape, worksize);
}

int cufftGetSizeMany64(int plan, int rank, const long long *n, long long *inembed,
                       long long istride, long long idist, long long *onembed, long long ostride,
                       long long odist, int ffttype, long long batch, size_t *worksize) {
  auto [shape, status] = sizedMany<long long>(rank, n, {inembed, istride, idist},
                                              {onembed, ostride, odist}, ffttype, batch);
  return sizeOf(plan, status, shape, worksize);
}

int cufftGetSize(int plan, size_t *worksize) {
  std::shared_ptr<PlanRecord> found = findPlan(plan);
  if (!found)
    return invalidPlan;
  *worksize = found->shape.kind ? found->shape.workBytes() : 0;
  return ok;
}

int cufftSetAutoAllocation(int plan, int autoallocate) {
  if (autoallocate != 0 && autoallocate != 1)
    return invalidValue;
  return findPlan(plan) ? ok : invalidPlan;
}

// `work` gets the property's value. A plan that is made keeps its properties.
template <typename Work>
static int withProperty(int plan, int property, bool changes, const Work &work) {
  std::shared_ptr<PlanRecord> found = findPlan(plan);
  if (!found || (changes && found->shape.kind))
    return invalidPlan;
  if (property < 1 || property > static_cast<int>(found->properties.size()))
    return invalidValue;
  work(found->properties[static_cast<size_t>(property - 1)]);
  return ok;
}

int cufftSetPlanPropertyInt64(int plan, int property, long long inputvalueint) {
  return withProperty(plan, property, true, [&](long long &value) { value = inputvalueint; });
}
int cufftGetPlanPropertyInt64(int plan, int property, long long *returnptrvalue) {
  if (!returnptrvalue)
    return invalidValue;
  return withProperty(plan, property, false, [&](long long &value) { *returnptrvalue = value; });
}
int cufftResetPlanProperty(int plan, int property) {
  return withProperty(plan, property, true, [&](long long &value) { value = 0; });
}

int cufftSetWorkArea(int plan, void *) { return findPlan(plan) ? ok : invalidPlan; }

int cufftSetStream(int plan, void *stream) {
  std::shared_ptr<PlanRecord> found = findPlan(plan);
  if (found)
    found->stream = stream;
  return found ? ok : invalidPlan;
}

int cufftGetVersion(int *version) {
  *version = 1000 * majorVersion + 100 * minorVersion + patchLevel;
  return ok;
}

int cufftGetProperty(int property, int *value) {
  const int parts[] = {majorVersion, minorVersion, patchLevel};
  if (property < 0 || property > 2)
    return invalidType;
  *value = parts[property];
  return ok;
}

int cufftExecC2C(int plan, cufrt_complex4 *idata, cufrt_complex4 *odata, int direction) {
  return execute(plan, c2c, idata, odata, direction);
}
int cufftExecZ2Z(int plan, cufrt_complex8 *idata, cufrt_complex8 *odata, int direction) {
  return execute(plan, z2z, idata, odata, direction);
}
int cufftExecR2C(int plan, float *idata, cufrt_complex4 *odata) {
  return execute(plan, r2c, idata, odata, forward);
}
int cufftExecD2Z(int plan, double *idata, cufrt_complex8 *odata) {
  return execute(plan, d2z, idata, odata, forward);
}
int cufftExecC2R(int plan, cufrt_complex4 *idata, float *odata) {
  return execute(plan, c2r, idata, odata, inverse);
}
int cufftExecZ2D(int plan, cufrt_complex8 *idata, double *odata) {
  return execute(plan, z2d, idata, odata, inverse);
}

} // namespace cufrt::cufft

// Of toolkits before 9.2, and not in any library of today.
extern "C" int cufrt_lib_cufftSetCompatibilityMode(int, int) { return cufrt::cufft::ok; }
