// The routines on vectors that are told the types of their arguments, and products of many matrices
// and vectors in half precision, on the host device. Elements are widened, and rounded once when
// written. Types that cuBLAS 13 does not take together are not supported here either.
#include "libraries/cublas/cublas.h"
#include "libraries/cublas/rotation.h"
#include "libraries/numbers.h"

#include <cmath>

namespace cufrt::libraries::cublas {
namespace {

// Elements at a distance; a negative one counts from the end.
struct Vector {
  void *at;
  int type;
  int64_t start, step;

  Vector(const void *at, int type, int64_t n, int64_t step)
      : at(const_cast<void *>(at)), type(type), start(step < 0 ? (1 - n) * step : 0), step(step) {}
  ComplexDouble get(int64_t i) const { return read(at, type, start + i * step); }
  void put(int64_t i, ComplexDouble value) const { write(at, type, start + i * step, value); }
};

double magnitude(ComplexDouble value) { return std::abs(value.real()) + std::abs(value.imag()); }

template <bool largest>
Status indexEx(void *handle, int n, const void *x, int type, int step, int *result) {
  if (!isVector(type))
    return notSupported;
  return run(handle, result, [=] {
    Vector vector(x, type, n, step);
    int found = n > 0 && step > 0 ? 1 : 0;
    for (int i = 1; found && i < n; ++i) {
      double best = magnitude(vector.get(found - 1)), other = magnitude(vector.get(i));
      if (largest ? other > best : other < best)
        found = i + 1;
    }
    *opened(result) = found;
  });
}

Status asumEx(void *handle, int n, const void *x, int type, int step, void *result, int resultType,
              int execution) {
  if (!isVector(type) || resultType != realOf(executionOf(type)) || execution != executionOf(type))
    return notSupported;
  return run(handle, result, [=] {
    Vector vector(x, type, n, step);
    double sum = 0;
    for (int i = 0; step > 0 && i < n; ++i)
      sum += magnitude(vector.get(i));
    write(opened(result), resultType, 0, sum);
  });
}

template <bool exchanges>
Status moveEx(void *handle, int n, void *x, int xType, int stepX, void *y, int yType, int stepY) {
  if (!isVector(xType) || xType != yType)
    return notSupported;
  return run(handle, true, [=] {
    Vector from(x, xType, n, stepX), to(y, yType, n, stepY);
    for (int i = 0; i < n; ++i) {
      ComplexDouble before = to.get(i);
      to.put(i, from.get(i));
      if (exchanges)
        from.put(i, before);
    }
  });
}

Status rotEx(void *handle, int n, void *x, int xType, int stepX, void *y, int yType, int stepY,
             const void *c, const void *s, int rotationType, int execution) {
  if (!isVector(xType) || xType != yType || execution != executionOf(xType) ||
      (rotationType != xType && rotationType != realOf(xType)))
    return notSupported;
  if (!c || !s)
    return contexts().find(handle) ? invalidValue : notInitialized;
  return run(handle, true, [=, c = AnyScalar(c, rotationType), s = AnyScalar(s, rotationType)] {
    Vector one(x, xType, n, stepX), other(y, yType, n, stepY);
    ComplexDouble cosine = c.get(), sine = s.get();
    for (int i = 0; i < n; ++i) {
      ComplexDouble left = one.get(i), right = other.get(i);
      one.put(i, cosine * left + sine * right);
      other.put(i, cosine * right - std::conj(sine) * left);
    }
  });
}

bool isRealVector(int type, int execution) {
  return isVector(type) && !isComplexData(type) && execution == executionOf(type);
}

// Calls `body` with a null pointer to the type in which cuBLAS computes, float or double.
template <typename Body>
void withReal(int type, const Body &body) {
  if (type == real64)
    body(static_cast<double *>(nullptr));
  else
    body(static_cast<float *>(nullptr));
}

// The numbers of a rotation, which are changed: read in the type in which cuBLAS computes, and
// written back.
template <typename T>
class Changed {
public:
  Changed(void *at, int type) : at(at), type(type), value(T(read(opened(at), type, 0).real())) {}
  ~Changed() { write(opened(at), type, 0, double(value)); }
  Changed(const Changed &) = delete;
  Changed &operator=(const Changed &) = delete;
  T *get() { return &value; }

private:
  void *at;
  int type;
  T value;
};

Status rotgEx(void *handle, void *a, void *b, int type, void *c, void *s, int rotationType,
              int execution) {
  if (!isRealVector(type, execution) || rotationType != type)
    return notSupported;
  return run(handle, a && b && c && s, [=] {
    withReal(type, [&](auto *null) {
      using T = std::remove_pointer_t<decltype(null)>;
      Changed<T> ours(a, type), theirs(b, type), cosine(c, type), sine(s, type);
      makeRotation(*ours.get(), *theirs.get(), *cosine.get(), *sine.get());
    });
  });
}

// Modified rotations.
Status rotmEx(void *handle, int n, void *x, int xType, int stepX, void *y, int yType, int stepY,
              const void *parameters, int parameterType, int execution) {
  if (!isRealVector(xType, execution) || xType != yType || xType != parameterType)
    return notSupported;
  return run(handle, parameters, [=] {
    double given[5];
    for (int i = 0; i < 5; ++i)
      given[i] = read(opened(parameters), parameterType, i).real();
    if (given[0] == -2)
      return;
    double h11 = given[0] == 0 ? 1 : given[1], h21 = given[0] == 1 ? -1 : given[2],
           h12 = given[0] == 1 ? 1 : given[3], h22 = given[0] == 0 ? 1 : given[4];
    Vector one(x, xType, n, stepX), other(y, yType, n, stepY);
    for (int i = 0; i < n; ++i) {
      double left = one.get(i).real(), right = other.get(i).real();
      one.put(i, h11 * left + h12 * right);
      other.put(i, h21 * left + h22 * right);
    }
  });
}

Status rotmgEx(void *handle, void *d1, int d1Type, void *d2, int d2Type, void *x1, int x1Type,
               const void *y1, int y1Type, void *parameters, int parameterType, int execution) {
  bool same = d1Type == d2Type && d1Type == x1Type && d1Type == y1Type && d1Type == parameterType;
  if (!same || !isRealVector(d1Type, execution))
    return notSupported;
  return run(handle, d1 && d2 && x1 && y1 && parameters, [=] {
    withReal(d1Type, [&](auto *null) {
      using T = std::remove_pointer_t<decltype(null)>;
      Changed<T> first(d1, d1Type), second(d2, d1Type), changed(x1, d1Type);
      T given = T(read(opened(y1), d1Type, 0).real()), found[5] = {};
      call<T>("rotmg", first.get(), second.get(), changed.get(), &given, found);
      for (int i = 0; i < 5; ++i)
        write(opened(parameters), d1Type, i, double(found[i]));
    });
  });
}

// ------------------------------------------------------------- matrices and vectors in half
// precision

struct Product {
  Operation operation;
  int m, n, lda, stepX, stepY;
  int type, resultType;

  void multiply(float alpha, const void *a, const void *x, float beta, void *y) const {
    bool plain = operation == Operation::plain;
    Vector from(x, type, plain ? n : m, stepX), to(y, resultType, plain ? m : n, stepY);
    for (int64_t i = 0; i < (plain ? m : n); ++i) {
      double sum = 0;
      for (int64_t j = 0; j < (plain ? n : m); ++j)
        sum += read(a, type, plain ? j * lda + i : i * lda + j).real() * from.get(j).real();
      double before = beta != 0 ? double(beta) * to.get(i).real() : 0;
      to.put(i, double(alpha) * sum + before);
    }
  }
};

bool isRight(const Product &p, int batches) {
  return isValid(p.operation) && p.m >= 0 && p.n >= 0 && fits(p.lda, p.m) && p.stepX && p.stepY &&
         batches >= 0;
}

template <int type, int resultType>
Status halfBatched(void *handle, Operation operation, int m, int n, In<float> alpha,
                   const void *const *a, int lda, const void *const *x, int stepX, In<float> beta,
                   void *const *y, int stepY, int batches) {
  Product product{operation, m, n, lda, stepX, stepY, type, resultType};
  return run(handle, isRight(product, batches), [=, alpha = scalar(alpha), beta = scalar(beta)] {
    for (int i = 0; i < batches; ++i)
      product.multiply(alpha.get(), a[i], x[i], beta.get(), y[i]);
  });
}

template <int type, int resultType>
Status halfStrided(void *handle, Operation operation, int m, int n, In<float> alpha, const void *a,
                   int lda, long long strideA, const void *x, int stepX, long long strideX,
                   In<float> beta, void *y, int stepY, long long strideY, int batches) {
  Product product{operation, m, n, lda, stepX, stepY, type, resultType};
  return run(handle, isRight(product, batches), [=, alpha = scalar(alpha), beta = scalar(beta)] {
    for (int i = 0; i < batches; ++i)
      product.multiply(alpha.get(), shifted(a, type, i * strideA), shifted(x, type, i * strideX),
                       beta.get(), const_cast<void *>(shifted(y, resultType, i * strideY)));
  });
}

} // namespace

#define CUFRT_HALF(letters, type, resultType)                                                      \
  CUFRT_ROW("cublas" letters "gemvBatched", (halfBatched<type, resultType>)),                      \
      CUFRT_ROW("cublas" letters "gemvStridedBatched", (halfStrided<type, resultType>))

std::span<const HostFunction> mixedVectors() {
  static const HostFunction rows[] = {
      CUFRT_ROW("cublasIamaxEx", indexEx<true>),
      CUFRT_ROW("cublasIaminEx", indexEx<false>),
      CUFRT_ROW("cublasAsumEx", asumEx),
      CUFRT_ROW("cublasCopyEx", moveEx<false>),
      CUFRT_ROW("cublasSwapEx", moveEx<true>),
      CUFRT_ROW("cublasRotEx", rotEx),
      CUFRT_ROW("cublasRotgEx", rotgEx),
      CUFRT_ROW("cublasRotmEx", rotmEx),
      CUFRT_ROW("cublasRotmgEx", rotmgEx),
      CUFRT_HALF("HSH", Data::half, Data::half),
      CUFRT_HALF("HSS", Data::half, Data::real32),
      CUFRT_HALF("TST", Data::brain, Data::brain),
      CUFRT_HALF("TSS", Data::brain, Data::real32),
  };
  return rows;
}

} // namespace cufrt::libraries::cublas
