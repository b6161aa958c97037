// Module curand_device: numbers of several distributions from the bits of a generator whose state
// the thread keeps. Uniform numbers are those of cuRAND bit by bit; for normal distributions pairs
// are made after Box and Muller.
#include "generators.h"

namespace cufc_device {
namespace {

// ------------------------------------------------------------------------- numbers made of bits

constexpr float scale = 2.3283064e-10f, twoPi = 6.2831855f;
constexpr double scaleDouble = 1.1102230246251565e-16, scaleMrg = 2.3283065498378288e-10;

// One rounding for product and sum, as nvcc contracts them.
float uniform(uint32_t x) { return __builtin_fmaf(static_cast<float>(x), scale, scale / 2); }
double uniform(uint32_t x, uint32_t y) {
  uint64_t both = x ^ static_cast<uint64_t>(y) << 21;
  return __builtin_fma(static_cast<double>(both), scaleDouble, scaleDouble / 2);
}
double uniformOfWord(uint32_t x) {
  return __builtin_fma(static_cast<double>(x), 2.3283064365386963e-10, 2.3283064365386963e-10);
}
double uniform(uint64_t x) {
  return __builtin_fma(static_cast<double>(x >> 11), scaleDouble, scaleDouble / 2);
}

float uniformOf(Xorwow &state) { return uniform(next(state)); }
float uniformOf(Philox &state) { return uniform(next(state)); }
float uniformOf(Mrg &state) {
  return static_cast<float>(static_cast<double>(step(state)) * scaleMrg);
}
float uniformOf(Sobol32 &state) { return uniform(next(state)); }
float uniformOf(Sobol64 &state) { return uniform(static_cast<uint32_t>(next(state) >> 32)); }

double uniformDoubleOf(Xorwow &state) {
  uint32_t x = next(state);
  return uniform(x, next(state));
}
double uniformDoubleOf(Philox &state) { return uniformOfWord(next(state)); }
double uniformDoubleOf(Mrg &state) { return static_cast<double>(step(state)) * scaleMrg; }
double uniformDoubleOf(Sobol32 &state) { return uniformOfWord(next(state)); }
double uniformDoubleOf(Sobol64 &state) { return uniform(next(state)); }

template <typename Real>
struct Pair {
  Real x, y;
};

Pair<float> turned(float radius, float angle) {
  float s = __builtin_elementwise_sqrt(-2.0f * __builtin_elementwise_log(radius));
  return {__builtin_elementwise_sin(angle) * s, __builtin_elementwise_cos(angle) * s};
}
constexpr double pi = 3.141592653589793;

// The angle in units of pi.
Pair<double> turned(double radius, double angle) {
  double s = __builtin_elementwise_sqrt(-2.0 * __builtin_elementwise_log(radius));
  return {__builtin_elementwise_sin(pi * angle) * s, __builtin_elementwise_cos(pi * angle) * s};
}

// Box and Muller's pairs.
Pair<float> pairOfWords(uint32_t x, uint32_t y) {
  constexpr float full = scale * twoPi;
  return turned(uniform(x), __builtin_fmaf(static_cast<float>(y), full, full / 2));
}
Pair<double> pairOfWords(uint32_t x0, uint32_t x1, uint32_t y0, uint32_t y1) {
  return turned(uniform(x0, x1), 2 * uniform(y0, y1));
}
template <typename State>
Pair<float> pairOf(State &state) {
  uint32_t x = next(state);
  return pairOfWords(x, next(state));
}
Pair<float> pairOf(Mrg &state) {
  float radius = uniformOf(state);
  return turned(radius, uniformOf(state) * twoPi);
}
template <typename State>
Pair<double> pairDoubleOf(State &state) {
  uint32_t x0 = next(state), x1 = next(state), y0 = next(state), y1 = next(state);
  return pairOfWords(x0, x1, y0, y1);
}
Pair<double> pairDoubleOf(Mrg &state) {
  double radius = uniformDoubleOf(state);
  return turned(radius, uniformDoubleOf(state) * 2.0);
}

enum : int { ofNormal = 1, ofLogNormal = 2 };

template <typename State>
float normalOf(State &state) {
  if (state.kept.which == ofNormal) {
    state.kept.which = 0;
    return state.kept.number;
  }
  Pair<float> pair = pairOf(state);
  state.kept.which = ofNormal;
  state.kept.number = pair.y;
  return pair.x;
}

template <typename State>
double normalDoubleOf(State &state) {
  if (state.kept.whichDouble == ofNormal) {
    state.kept.whichDouble = 0;
    return state.kept.numberDouble;
  }
  Pair<double> pair = pairDoubleOf(state);
  state.kept.whichDouble = ofNormal;
  state.kept.numberDouble = pair.y;
  return pair.x;
}

float exponential(float mean, float deviation, float x) {
  return __builtin_elementwise_exp(mean + deviation * x);
}
double exponential(double mean, double deviation, double x) {
  return __builtin_elementwise_exp(mean + deviation * x);
}

template <typename State>
float logNormalOf(State &state, float mean, float deviation) {
  if (state.kept.which == ofLogNormal) {
    state.kept.which = 0;
    return state.kept.number;
  }
  Pair<float> pair = pairOf(state);
  state.kept.which = ofLogNormal;
  state.kept.number = exponential(mean, deviation, pair.y);
  return exponential(mean, deviation, pair.x);
}

template <typename State>
double logNormalDoubleOf(State &state, double mean, double deviation) {
  if (state.kept.whichDouble == ofLogNormal) {
    state.kept.whichDouble = 0;
    return state.kept.numberDouble;
  }
  Pair<double> pair = pairDoubleOf(state);
  state.kept.whichDouble = ofLogNormal;
  state.kept.numberDouble = exponential(mean, deviation, pair.y);
  return exponential(mean, deviation, pair.x);
}

} // namespace

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

#define CUFC_SEQUENCE(State, name)                                                                 \
  CUFC_INITS(State, name)                                                                          \
  CUFC_ENTRY void cufrt_curand_skipahead_##name(int64_t n, State &state) {                         \
    skipAhead(state, static_cast<uint64_t>(n));                                                    \
  }                                                                                                \
  CUFC_ENTRY void cufrt_curand_sequence_##name(int64_t n, State &state) {                          \
    skipSequences(state, static_cast<uint64_t>(n));                                                \
  }                                                                                                \
  CUFC_ENTRY uint32_t cufrt_curand_##name(State &state) { return next(state); }                    \
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
  }

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
  CUFC_ENTRY float cufrt_curand_uniform_##name(State &state) { return uniformOf(state); }          \
  CUFC_ENTRY double cufrt_curand_uniform_double_##name(State &state) {                             \
    return uniformDoubleOf(state);                                                                 \
  }

CUFC_SOBOL(Sobol32, uint32_t, sobol32)
CUFC_SOBOL(Sobol64, uint64_t, sobol64)

} // namespace cufc_device
