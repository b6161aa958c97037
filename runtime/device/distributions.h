// Numbers of several distributions from the bits of a generator. Uniform numbers are those of
// cuRAND bit by bit; for normal distributions pairs are made after Box and Muller, and Sobol
// sequences, whose numbers may not be mixed, go through the inverse of the distribution function.
#ifndef CUFRT_DEVICE_DISTRIBUTIONS_H
#define CUFRT_DEVICE_DISTRIBUTIONS_H

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

// ------------------------------------------------------------------------------ Sobol sequences

template <int count>
double polynomial(const double (&coefficients)[count], double x) {
  double result = coefficients[count - 1];
  for (int i = count - 2; i >= 0; --i)
    result = __builtin_fma(result, x, coefficients[i]);
  return result;
}

// The inverse of the normal distribution function in (0, 1), with full precision: PPND16 of
// Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics
// 37, 1988.
double normalQuantile(double p) {
  constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                          1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                          3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double b[] = {1.0,
                          4.2313330701600911252e1,
                          6.8718700749205790830e2,
                          5.3941960214247511077e3,
                          2.1213794301586595867e4,
                          3.9307895800092710610e4,
                          2.8729085735721942674e4,
                          5.2264952788528545610e3};
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                          5.76949722146069140550e0,  3.64784832476320460504e0,
                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1.0,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1.0,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  double q = p - 0.5;
  if (__builtin_elementwise_abs(q) <= 0.425) {
    double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  double r = __builtin_elementwise_sqrt(-__builtin_elementwise_log(q < 0 ? p : 1.0 - p));
  double x = r <= 5.0 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6)
                      : polynomial(e, r - 5.0) / polynomial(f, r - 5.0);
  return q < 0 ? -x : x;
}

// Small numbers of the sequence give large ones of the distribution, as with cuRAND. Those of the
// upper half are mirrored, so that the probability is exact.
double normalOfWord(uint32_t x) {
  bool upper = x > 0x80000000u;
  double p = __builtin_fma(static_cast<double>(upper ? ~x : x), 2.3283064365386963e-10,
                           1.1641532182693481e-10);
  return upper ? normalQuantile(p) : -normalQuantile(p);
}
double normalOfWord(uint64_t x) {
  x >>= 11;
  bool upper = x > 0x10000000000000u;
  double p = __builtin_fma(static_cast<double>(upper ? 0x1fffffffffffffu - x : x), scaleDouble,
                           scaleDouble / 2);
  return upper ? normalQuantile(p) : -normalQuantile(p);
}

float normalOf(Sobol32 &state) { return static_cast<float>(normalOfWord(next(state))); }
float normalOf(Sobol64 &state) {
  return static_cast<float>(normalOfWord(static_cast<uint32_t>(next(state) >> 32)));
}
double normalDoubleOf(Sobol32 &state) { return normalOfWord(next(state)); }
double normalDoubleOf(Sobol64 &state) { return normalOfWord(next(state)); }
float logNormalOf(Sobol32 &state, float mean, float deviation) {
  return exponential(mean, deviation, normalOf(state));
}
float logNormalOf(Sobol64 &state, float mean, float deviation) {
  return exponential(mean, deviation, normalOf(state));
}
double logNormalDoubleOf(Sobol32 &state, double mean, double deviation) {
  return exponential(mean, deviation, normalDoubleOf(state));
}
double logNormalDoubleOf(Sobol64 &state, double mean, double deviation) {
  return exponential(mean, deviation, normalDoubleOf(state));
}

// ------------------------------------------------------------------------------ Poisson

uint32_t poissonOfNormal(double mean, double normal) {
  return static_cast<uint32_t>(__builtin_elementwise_sqrt(mean) * normal + mean + 0.5);
}

// The product of so many uniform numbers that it falls below exp(-mean) (Knuth, "Seminumerical
// algorithms", 3.4.1).
template <typename State>
uint32_t poissonByProduct(State &state, float mean) {
  float product = __builtin_elementwise_exp(mean);
  uint32_t factors = 0;
  do {
    ++factors;
    product *= uniformOf(state);
  } while (product > 1.0f);
  return factors - 1;
}

// log(k!) for k of 10 and more, by Stirling's series.
double logFactorial(double k) {
  double n = k + 1.0, inverse = 1.0 / n, square = inverse * inverse;
  double series =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return (n - 0.5) * __builtin_elementwise_log(n) - n + 0.91893853320467274178 + series;
}

// Transformed rejection for means of 10 and more: PTRS of Hörmann, "The transformed rejection
// method for generating Poisson random variables", Insurance: Mathematics and Economics 12, 1993.
template <typename State>
uint32_t poissonByRejection(State &state, double mean) {
  double root = __builtin_elementwise_sqrt(mean), logMean = __builtin_elementwise_log(mean);
  double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  double logAlpha = __builtin_elementwise_log(1.1239 + 1.1328 / (b - 3.4)),
         accepted = 0.9277 - 3.6224 / (b - 2.0);
  for (;;) {
    double u = uniformDoubleOf(state) - 0.5, v = uniformDoubleOf(state);
    double us = 0.5 - __builtin_elementwise_abs(u);
    double k = us > 0 ? __builtin_elementwise_floor((2.0 * a / us + b) * u + mean + 0.43) : -1.0;
    if (us >= 0.07 && v <= accepted)
      return static_cast<uint32_t>(k);
    if (k < 10.0 || (us < 0.013 && v > us))
      continue; // so few are too unlikely for means from 64 on
    double bound = k * logMean - mean - logFactorial(k);
    if (__builtin_elementwise_log(v / (a / (us * us) + b)) + logAlpha <= bound)
      return static_cast<uint32_t>(k);
  }
}

template <typename State>
uint32_t poissonOf(State &state, double mean) {
  if (!(mean >= 64))
    return poissonByProduct(state, static_cast<float>(mean));
  if (mean > 4000)
    return poissonOfNormal(mean, normalDoubleOf(state));
  return poissonByRejection(state, mean);
}

// One number of a sequence gives one of the distribution: the probabilities are summed up until
// they reach it. Those of large means are too small for a double at first and kept larger by
// exp(400).
uint32_t poissonByInversion(double u, double mean) {
  double shift = mean > 500 ? 400.0 : 0.0;
  double probability = __builtin_elementwise_exp(shift - mean), sum = probability;
  u *= __builtin_elementwise_exp(shift);
  uint32_t k = 0;
  while (u > sum && !(k > mean && probability < sum * 1e-17)) {
    ++k;
    probability *= mean / k;
    sum += probability;
  }
  return k;
}

double insideUnit(uint32_t x) {
  return __builtin_fma(static_cast<double>(x), 2.3283064365386963e-10, 1.1641532182693481e-10);
}
double insideUnit(uint64_t x) {
  return __builtin_fma(static_cast<double>(x >> 11), scaleDouble, scaleDouble / 2);
}
template <typename Number>
uint32_t poissonOfNumber(Number x, double mean) {
  return mean < 1000 ? poissonByInversion(insideUnit(x), mean)
                     : poissonOfNormal(mean, normalOfWord(x));
}
uint32_t poissonOf(Sobol32 &state, double mean) { return poissonOfNumber(next(state), mean); }
uint32_t poissonOf(Sobol64 &state, double mean) { return poissonOfNumber(next(state), mean); }

} // namespace
} // namespace cufc_device
#endif // CUFRT_DEVICE_DISTRIBUTIONS_H
