// See fftw.h. FFTW's guru interface has the same freedom of strides as cuFFT's plans; strides there
// are those of the side's own elements, real or complex, and so are cuFFT's.
#include "libraries/cufft/fftw.h"
#include "core/settings.h"
#include "libraries/cufft/plans.h"
#include "libraries/host_library.h"

#include <mutex>
#include <string>

namespace cufrt::cufft {
namespace {

// fftw3.h.
struct Dimension {
  ptrdiff_t size, inStride, outStride;
};
enum : unsigned { destroyInput = 1, preserveInput = 16, estimate = 64 };

using PlanComplex = void *(*)(int, const Dimension *, int, const Dimension *, void *, void *, int,
                              unsigned);
using PlanReal = void *(*)(int, const Dimension *, int, const Dimension *, void *, void *,
                           unsigned);
using Execute = void (*)(void *, void *, void *);

constexpr ptrdiff_t worthThreads = 32768; // elements

struct Precision {
  PlanComplex planComplex;
  PlanReal planRealToComplex, planComplexToReal;
  Execute complex, realToComplex, complexToReal;
  void (*destroy)(void *);
  int (*alignment)(void *);
  void (*useThreads)(int);

  Precision(const char *file, const char *package, const std::string &prefix) {
    libraries::HostLibrary library("cufft", file, package);
    auto get = [&](auto &function, const char *name) {
      function =
          library.function<std::remove_reference_t<decltype(function)>>((prefix + name).c_str());
    };
    get(planComplex, "plan_guru64_dft");
    get(planRealToComplex, "plan_guru64_dft_r2c");
    get(planComplexToReal, "plan_guru64_dft_c2r");
    get(complex, "execute_dft");
    get(realToComplex, "execute_dft_r2c");
    get(complexToReal, "execute_dft_c2r");
    get(destroy, "destroy_plan");
    get(alignment, "alignment_of");
    get(useThreads, "plan_with_nthreads");
    int (*start)() = nullptr;
    get(start, "init_threads");
    start();
  }
};

// Packages have the library with threads beside the one that it needs.
const Precision &precision(bool isDouble) {
  if (isDouble) {
    static const Precision value("libfftw3_threads.so.3", "libfftw3-double3", "fftw_");
    return value;
  }
  static const Precision value("libfftw3f_threads.so.3", "libfftw3-single3", "fftwf_");
  return value;
}

std::mutex &planner() {
  static std::mutex *mutex = new std::mutex;
  return *mutex;
}

} // namespace

FftwPlan planTransform(const Shape &shape, bool inPlace, void *in, void *out, int sign) {
  const Precision &fftw = precision(isDouble(shape.kind));
  bool toComplex = shape.kind == r2c || shape.kind == d2z;
  bool toReal = shape.kind == c2r || shape.kind == z2d;
  bool isPadded = inPlace && shape.isBasic && (toComplex || toReal);
  Layout from = isPadded ? contiguousLayout(shape, toReal, toComplex) : shape.in;
  Layout to = isPadded ? contiguousLayout(shape, toComplex, toReal) : shape.out;
  Dimension dimensions[3], batch = {shape.batch, from.distance, to.distance};
  for (int i = 0; i < shape.rank; ++i)
    dimensions[i] = {shape.sizes[i], from.strides[i], to.strides[i]};
  std::lock_guard lock(planner());
  bool isLarge = shape.elements() * shape.batch >= worthThreads;
  fftw.useThreads(isLarge ? settings().hostThreads : 1);
  if (toComplex)
    return fftw.planRealToComplex(shape.rank, dimensions, 1, &batch, in, out,
                                  estimate | (inPlace ? 0 : preserveInput));
  if (toReal)
    return fftw.planComplexToReal(shape.rank, dimensions, 1, &batch, in, out,
                                  estimate |
                                      (shape.rank == 1 && !inPlace ? preserveInput : destroyInput));
  return fftw.planComplex(shape.rank, dimensions, 1, &batch, in, out, sign,
                          estimate | (inPlace ? 0 : preserveInput));
}

void destroyTransform(FftwPlan plan, bool isDouble) {
  std::lock_guard lock(planner());
  precision(isDouble).destroy(plan);
}

void runTransform(FftwPlan plan, int kind, void *in, void *out) {
  const Precision &fftw = precision(isDouble(kind));
  if (kind == r2c || kind == d2z)
    fftw.realToComplex(plan, in, out);
  else if (kind == c2r || kind == z2d)
    fftw.complexToReal(plan, in, out);
  else
    fftw.complex(plan, in, out);
}

int alignmentOf(void *address, bool isDouble) { return precision(isDouble).alignment(address); }

} // namespace cufrt::cufft
