// Operations on elements, in double precision. Those that need an order look at real parts alone,
// as tensors of complex numbers do not have them.
#include "libraries/cutensor/cutensor.h"

#include <algorithm>
#include <cmath>

namespace cufrt::libraries::cutensor {
namespace {

double softPlus(double x) { return std::log1p(std::exp(-std::fabs(x))) + std::max(x, 0.0); }
double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// Of tensors of real and of complex numbers.
enum Unary : int {
  squareRoot = 2,
  rectified = 8,
  conjugated = 9,
  reciprocal = 10,
  sigmoidal = 11,
  tanhOf = 12,
  expOf = 22,
  logOf = 23,
  absolute = 24,
  negated = 25,
  sinOf = 26,
  cosOf = 27,
  tanOf = 28,
  sinhOf = 29,
  coshOf = 30,
  asinOf = 31,
  acosOf = 32,
  atanOf = 33,
  asinhOf = 34,
  acoshOf = 35,
  atanhOf = 36,
  ceiling = 37,
  floorOf = 38,
  mish = 39,
  swish = 40,
  softPlusOf = 41,
  softSign = 42,
};

double realUnary(int operation, double x) {
  switch (operation) {
  case rectified:
    return std::max(x, 0.0);
  case sigmoidal:
    return sigmoid(x);
  case tanhOf:
    return std::tanh(x);
  case expOf:
    return std::exp(x);
  case logOf:
    return std::log(x);
  case sinOf:
    return std::sin(x);
  case cosOf:
    return std::cos(x);
  case tanOf:
    return std::tan(x);
  case sinhOf:
    return std::sinh(x);
  case coshOf:
    return std::cosh(x);
  case asinOf:
    return std::asin(x);
  case acosOf:
    return std::acos(x);
  case atanOf:
    return std::atan(x);
  case asinhOf:
    return std::asinh(x);
  case acoshOf:
    return std::acosh(x);
  case atanhOf:
    return std::atanh(x);
  case ceiling:
    return std::ceil(x);
  case floorOf:
    return std::floor(x);
  case mish:
    return x * std::tanh(softPlus(x));
  case swish:
    return x * sigmoid(x);
  case softPlusOf:
    return softPlus(x);
  case softSign:
    return x / (1.0 + std::fabs(x));
  default:
    return x;
  }
}

} // namespace

bool isUnary(int operation) {
  return operation == identity || operation == squareRoot ||
         (operation >= rectified && operation <= tanhOf) ||
         (operation >= expOf && operation <= softSign);
}

bool isBinary(int operation) {
  return operation == add || operation == multiply || operation == maximum || operation == minimum;
}

Value applyUnary(int operation, Value x) {
  switch (operation) {
  case identity:
    return x;
  case squareRoot:
    return x.imag() == 0 ? Value(std::sqrt(x.real())) : std::sqrt(x);
  case conjugated:
    return std::conj(x);
  case reciprocal:
    return 1.0 / x;
  case absolute:
    return std::abs(x);
  case negated:
    return -x;
  default:
    return realUnary(operation, x.real());
  }
}

Value applyBinary(int operation, Value x, Value y) {
  switch (operation) {
  case add:
    return x + y;
  case multiply:
    return x * y;
  case maximum:
    return std::max(x.real(), y.real());
  default:
    return std::min(x.real(), y.real());
  }
}

} // namespace cufrt::libraries::cutensor
