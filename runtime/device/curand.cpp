// Module curand_device: what device code calls of generators whose states the thread keeps.
#include "distributions.h"

namespace cufc_device {

// For integers of both kinds.
#define CUFC_INIT(State, name, kinds, Seed, Sequence, Offset)                                      \
  CUFC_ENTRY void cufrt_curand_init_##name##_##kinds(Seed seed, Sequence sequence, Offset offset,  \
                                                     State &state) {                               \
    start(state, static_cast<uint64_t>(seed), static_cast<uint64_t>(sequence),                     \
          static_cast<uint64_t>(offset));                                                          \
  }
#define CUFC_INITS(State, name)                                                                    \
  CUFC_INIT(State, name, 444, int32_t, int32_t, int32_t)                                           \
  CUFC_INIT(State, name, 448, int32_t, int32_t, int64_t)                                           \
  CUFC_INIT(State, name, 484, int32_t, int64_t, int32_t)                                           \
  CUFC_INIT(State, name, 488, int32_t, int64_t, int64_t)                                           \
  CUFC_INIT(State, name, 844, int64_t, int32_t, int32_t)                                           \
  CUFC_INIT(State, name, 848, int64_t, int32_t, int64_t)                                           \
  CUFC_INIT(State, name, 884, int64_t, int64_t, int32_t)                                           \
  CUFC_INIT(State, name, 888, int64_t, int64_t, int64_t)

#define CUFC_DISTRIBUTIONS(State, name)                                                            \
  CUFC_ENTRY float cufrt_curand_uniform_##name(State &state) { return uniformOf(state); }          \
  CUFC_ENTRY double cufrt_curand_uniform_double_##name(State &state) {                             \
    return uniformDoubleOf(state);                                                                 \
  }                                                                                                \
  CUFC_ENTRY float cufrt_curand_normal_##name(State &state) { return normalOf(state); }            \
  CUFC_ENTRY double cufrt_curand_normal_double_##name(State &state) {                              \
    return normalDoubleOf(state);                                                                  \
  }                                                                                                \
  CUFC_ENTRY float cufrt_curand_log_normal_##name(State &state, float mean, float deviation) {     \
    return logNormalOf(state, mean, deviation);                                                    \
  }                                                                                                \
  CUFC_ENTRY double cufrt_curand_log_normal_double_##name(State &state, double mean,               \
                                                          double deviation) {                      \
    return logNormalDoubleOf(state, mean, deviation);                                              \
  }                                                                                                \
  CUFC_ENTRY uint32_t cufrt_curand_poisson_##name(State &state, double mean) {                     \
    return poissonOf(state, mean);                                                                 \
  }

#define CUFC_SEQUENCE(State, name)                                                                 \
  CUFC_INITS(State, name)                                                                          \
  CUFC_ENTRY void cufrt_curand_skipahead_##name(int64_t n, State &state) {                         \
    skipAhead(state, static_cast<uint64_t>(n));                                                    \
  }                                                                                                \
  CUFC_ENTRY void cufrt_curand_sequence_##name(int64_t n, State &state) {                          \
    skipSequences(state, static_cast<uint64_t>(n));                                                \
  }                                                                                                \
  CUFC_ENTRY uint32_t cufrt_curand_##name(State &state) { return next(state); }                    \
  CUFC_DISTRIBUTIONS(State, name)

CUFC_SEQUENCE(Xorwow, xorwow)
CUFC_SEQUENCE(Philox, philox)
CUFC_SEQUENCE(Mrg, mrg)

CUFC_ENTRY void cufrt_curand_subsequence_mrg(int64_t n, Mrg &state) {
  skipSubsequences(state, static_cast<uint64_t>(n));
}

#define CUFC_SOBOL(State, Number, name)                                                            \
  CUFC_ENTRY void cufrt_curand_init_##name##_plain(const Number *vectors, Number offset,           \
                                                   State &state) {                                 \
    startSobol(state, vectors, Number{0}, offset);                                                 \
  }                                                                                                \
  CUFC_ENTRY void cufrt_curand_init_##name(const Number *vectors, Number scramble, Number offset,  \
                                           State &state) {                                         \
    startSobol(state, vectors, scramble, offset);                                                  \
  }                                                                                                \
  CUFC_ENTRY void cufrt_curand_skipahead_##name(Number n, State &state) { skipAhead(state, n); }   \
  CUFC_ENTRY Number cufrt_curand_##name(State &state) { return next(state); }                      \
  CUFC_DISTRIBUTIONS(State, name)

CUFC_SOBOL(Sobol32, uint32_t, sobol32)
CUFC_SOBOL(Sobol64, uint64_t, sobol64)

// ---------------------------------------------------------------- several numbers at a time
//
// A Fortran function whose result is an array gets its address before the arguments.

#define CUFC_PAIRS(State, name)                                                                    \
  CUFC_ENTRY void curandnormal2##name##_(float (&result)[2], State &state) {                       \
    Pair<float> pair = pairOf(state);                                                              \
    result[0] = pair.x;                                                                            \
    result[1] = pair.y;                                                                            \
  }                                                                                                \
  CUFC_ENTRY void curandnormal2double##name##_(double (&result)[2], State &state) {                \
    Pair<double> pair = pairDoubleOf(state);                                                       \
    result[0] = pair.x;                                                                            \
    result[1] = pair.y;                                                                            \
  }                                                                                                \
  CUFC_ENTRY void curandlognormal2##name##_(float (&result)[2], State &state, float mean,          \
                                            float deviation) {                                     \
    curandnormal2##name##_(result, state);                                                         \
    exponentials(result, mean, deviation);                                                         \
  }                                                                                                \
  CUFC_ENTRY void curandlognormal2double##name##_(double (&result)[2], State &state, double mean,  \
                                                  double deviation) {                              \
    curandnormal2double##name##_(result, state);                                                   \
    exponentials(result, mean, deviation);                                                         \
  }

namespace {
template <typename Real, int count>
void exponentials(Real (&numbers)[count], Real mean, Real deviation) {
  for (Real &number : numbers)
    number = exponential(mean, deviation, number);
}
} // namespace

CUFC_PAIRS(Xorwow, xorwow)
CUFC_PAIRS(Philox, philox4_32_10)
CUFC_PAIRS(Mrg, mrg32k3a)

CUFC_ENTRY void curandget4philox4_32_10_(uint32_t (&result)[4], Philox &state) {
  for (uint32_t &word : result)
    word = next(state);
}
CUFC_ENTRY void curanduniform4philox4_32_10_(float (&result)[4], Philox &state) {
  for (float &number : result)
    number = uniformOf(state);
}
// Of 53 bits, unlike those that come one by one.
CUFC_ENTRY void curanduniform2doublephilox4_32_10_(double (&result)[2], Philox &state) {
  for (double &number : result) {
    uint32_t x = next(state);
    number = uniform(x, next(state));
  }
}
CUFC_ENTRY void curanduniform4doublephilox4_32_10_(double (&result)[4], Philox &state) {
  for (double &number : result) {
    uint32_t x = next(state);
    number = uniform(x, next(state));
  }
}
CUFC_ENTRY void curandnormal4philox4_32_10_(float (&result)[4], Philox &state) {
  for (int i = 0; i < 4; i += 2) {
    Pair<float> pair = pairOf(state);
    result[i] = pair.x;
    result[i + 1] = pair.y;
  }
}
CUFC_ENTRY void curandnormal4doublephilox4_32_10_(double (&result)[4], Philox &state) {
  for (int i = 0; i < 4; i += 2) {
    Pair<double> pair = pairDoubleOf(state);
    result[i] = pair.x;
    result[i + 1] = pair.y;
  }
}
CUFC_ENTRY void curandlognormal4philox4_32_10_(float (&result)[4], Philox &state, float mean,
                                               float deviation) {
  curandnormal4philox4_32_10_(result, state);
  exponentials(result, mean, deviation);
}
CUFC_ENTRY void curandlognormal4doublephilox4_32_10_(double (&result)[4], Philox &state,
                                                     double mean, double deviation) {
  curandnormal4doublephilox4_32_10_(result, state);
  exponentials(result, mean, deviation);
}
CUFC_ENTRY void curandpoisson4philox4_32_10_(uint32_t (&result)[4], Philox &state, double mean) {
  if (mean > 4000) {
    double normals[4];
    curandnormal4doublephilox4_32_10_(normals, state);
    for (int i = 0; i < 4; ++i)
      result[i] = poissonOfNormal(mean, normals[i]);
    return;
  }
  for (uint32_t &number : result)
    number = poissonOf(state, mean);
}

} // namespace cufc_device
