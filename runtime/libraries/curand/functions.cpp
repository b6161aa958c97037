// The functions of cuRAND on the host device: those of the library itself, with its generators for
// the host, which need no GPU and deliver the same sequences. Arrays of the host device are memory
// that they can write.
#include "libraries/call.h"
#include "libraries/curand.h"

namespace cufrt::curand {
namespace {

using libraries::Entry;
using libraries::Library;

constinit Library library("curand", "curand", {10});

template <typename... Parameters>
int pass(Entry &entry, Parameters... arguments) {
  void *known = entry.address.load(std::memory_order_acquire);
  if (!known) {
    known = library.function(entry.name);
    entry.address.store(known, std::memory_order_release);
  }
  return reinterpret_cast<int (*)(Parameters...)>(known)(arguments...);
}

} // namespace

#define CUFRT_PASS(name, parameters, ...)                                                          \
  int name parameters {                                                                            \
    static constinit Entry entry(library, #name);                                                  \
    return pass(entry __VA_OPT__(, ) __VA_ARGS__);                                                 \
  }

CUFRT_PASS(curandCreateGeneratorHost, (void **generator, int type), generator, type)
CUFRT_PASS(curandDestroyGenerator, (void *generator), generator)
CUFRT_PASS(curandGetVersion, (int *version), version)
CUFRT_PASS(curandGetProperty, (int property, int *value), property, value)
CUFRT_PASS(curandSetPseudoRandomGeneratorSeed, (void *generator, unsigned long long seed),
           generator, seed)
CUFRT_PASS(curandSetGeneratorOffset, (void *generator, unsigned long long offset), generator,
           offset)
CUFRT_PASS(curandSetGeneratorOrdering, (void *generator, int order), generator, order)
CUFRT_PASS(curandSetQuasiRandomGeneratorDimensions, (void *generator, int dimensions), generator,
           dimensions)
CUFRT_PASS(curandGenerateSeeds, (void *generator), generator)
CUFRT_PASS(curandGenerate, (void *generator, int *array, size_t num), generator, array, num)
CUFRT_PASS(curandGenerateLongLong, (void *generator, long long *array, size_t num), generator,
           array, num)
CUFRT_PASS(curandGenerateUniform, (void *generator, float *array, size_t num), generator, array,
           num)
CUFRT_PASS(curandGenerateUniformDouble, (void *generator, double *array, size_t num), generator,
           array, num)
CUFRT_PASS(curandGenerateNormal,
           (void *generator, float *array, size_t num, float mean, float stddev), generator, array,
           num, mean, stddev)
CUFRT_PASS(curandGenerateNormalDouble,
           (void *generator, double *array, size_t num, double mean, double stddev), generator,
           array, num, mean, stddev)
CUFRT_PASS(curandGenerateLogNormal,
           (void *generator, float *array, size_t num, float mean, float stddev), generator, array,
           num, mean, stddev)
CUFRT_PASS(curandGenerateLogNormalDouble,
           (void *generator, double *array, size_t num, double mean, double stddev), generator,
           array, num, mean, stddev)
CUFRT_PASS(curandGeneratePoisson, (void *generator, int *array, size_t num, double lambda),
           generator, array, num, lambda)
CUFRT_PASS(curandGetDirectionVectors32, (void **vectors, int set), vectors, set)
CUFRT_PASS(curandGetScrambleConstants32, (void **constants), constants)
CUFRT_PASS(curandGetDirectionVectors64, (void **vectors, int set), vectors, set)
CUFRT_PASS(curandGetScrambleConstants64, (void **constants), constants)

#undef CUFRT_PASS

int curandCreateGenerator(void **generator, int type) {
  return curandCreateGeneratorHost(generator, type);
}

// Generators for the host fill the array before they return.
int curandSetStream(void *, void *) { return 0; }

} // namespace cufrt::curand
