// Contractions on the host device. Each mode is one of four kinds: of A and D alone (rows), of B
// and D alone (columns), of A and B alone (summed), or of all three (batches); modes of A or B
// alone are summed before. A and B are packed as matrices for each batch, with their operators,
// multiplied by GEMM, and the product is spread over D. Tensors of several types, or of types that
// BLAS does not have, are multiplied in double precision.
#include "libraries/cutensor/cutensor.h"

#include <algorithm>

namespace cufrt::libraries::cutensor {
namespace {

bool has(const Operand &operand, int mode) {
  return std::find(operand.modes.begin(), operand.modes.end(), mode) != operand.modes.end();
}

struct Modes {
  std::vector<int> rows, columns, summed, batches;
};

Modes sorted(const Operation &operation) {
  Modes result;
  for (int mode : operation.d.modes) {
    bool inA = has(operation.a, mode), inB = has(operation.b, mode);
    (inA && inB ? result.batches : inB ? result.columns : result.rows).push_back(mode);
  }
  for (const Operand *operand : {&operation.a, &operation.b})
    for (int mode : operand->modes)
      if (!has(operation.d, mode) &&
          std::find(result.summed.begin(), result.summed.end(), mode) == result.summed.end())
        result.summed.push_back(mode);
  return result;
}

template <typename T>
T numberOf(Value value) {
  if constexpr (isComplex<T>)
    return T(static_cast<Real<T>>(value.real()), static_cast<Real<T>>(value.imag()));
  else
    return static_cast<T>(value.real());
}

// The elements of an operand, `inner` modes fastest, from `offset` on.
template <typename T>
std::vector<T> packed(const Operand &operand, const void *base, int64_t offset,
                      const std::vector<int> &inner, const std::vector<int> &outer) {
  std::vector<int> modes(inner);
  modes.insert(modes.end(), outer.begin(), outer.end());
  Walk walk(modes, {&operand});
  std::vector<T> result;
  result.reserve(static_cast<size_t>(walk.size()));
  walk.each([&](const int64_t *at) {
    result.push_back(
        numberOf<T>(applyUnary(operand.unary, read(base, operand.tensor.type, offset + at[0]))));
  });
  return result;
}

template <typename T>
std::vector<T> product(const std::vector<T> &a, const std::vector<T> &b, int rows, int columns,
                       int inner) {
  std::vector<T> result(static_cast<size_t>(rows) * static_cast<size_t>(columns), T(0));
  if (rows && columns && inner)
    call<T>("gemm", 'N', 'N', rows, columns, inner, T(1), a.data(), rows, b.data(), inner, T(0),
            result.data(), rows);
  return result;
}

template <typename T>
void contractAs(const Operation &operation, Value alpha, const void *a, const void *b, Value beta,
                const void *c, void *d) {
  Modes modes = sorted(operation);
  // Modes that an operand lacks have the extents of the others, and stride 0.
  const std::vector<const Operand *> all = {&operation.a, &operation.b, &operation.d, &operation.c};
  Walk batches(modes.batches, all), rows(modes.rows, all), columns(modes.columns, all),
      summed(modes.summed, all);
  Operand wholeA = operation.a, wholeB = operation.b;
  auto extend = [&](Operand &operand, const Walk &walk) {
    for (size_t i = 0; i < walk.modes.size(); ++i)
      if (!has(operand, walk.modes[i])) {
        operand.modes.push_back(walk.modes[i]);
        operand.tensor.extents.push_back(walk.extents[i]);
        operand.tensor.strides.push_back(0);
      }
  };
  extend(wholeA, rows);
  extend(wholeA, summed);
  extend(wholeB, columns);
  extend(wholeB, summed);
  std::vector<int> resultModes(modes.rows);
  resultModes.insert(resultModes.end(), modes.columns.begin(), modes.columns.end());
  Walk results(resultModes, {&operation.d, &operation.c});
  batches.each([&](const int64_t *at) {
    std::vector<T> sums = product<T>(
        packed<T>(wholeA, a, at[0], modes.rows, modes.summed),
        packed<T>(wholeB, b, at[1], modes.summed, modes.columns), static_cast<int>(rows.size()),
        static_cast<int>(columns.size()), static_cast<int>(summed.size()));
    size_t next = 0;
    results.each([&](const int64_t *place) {
      Value value = alpha * Value(sums[next++]);
      if (beta != Value(0))
        value += beta *
                 applyUnary(operation.c.unary, read(c, operation.c.tensor.type, at[3] + place[1]));
      write(d, operation.d.tensor.type, at[2] + place[0], value);
    });
  });
}

} // namespace

void contract(const Operation &operation, Value alpha, const void *a, const void *b, Value beta,
              const void *c, void *d) {
  int type = operation.d.tensor.type;
  bool alike = operation.a.tensor.type == type && operation.b.tensor.type == type && isNumber(type);
  if (!alike)
    type = isComplexData(type) ? complexDouble : real64;
  withNumber(type, [&](auto *null) {
    using T = std::remove_pointer_t<decltype(null)>;
    contractAs<T>(operation, alpha, a, b, beta, c, d);
  });
}

} // namespace cufrt::libraries::cutensor
