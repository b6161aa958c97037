// cuTENSOR on the host device: descriptions of tensors, operations and plans, and walks over the
// elements of several tensors at once.
#ifndef CUFRT_LIBRARIES_CUTENSOR_CUTENSOR_H
#define CUFRT_LIBRARIES_CUTENSOR_CUTENSOR_H

#include "libraries/cutensor_v2.h"
#include "libraries/fortran_library.h"
#include "libraries/numbers.h"
#include "libraries/stream_work.h"

#include <vector>

namespace cufrt::libraries::cutensor {

using Value = std::complex<double>;

// The values of cutensor/types.h.
enum Status : int {
  ok = 0,
  notInitialized = 1,
  invalidValue = 7,
  executionFailed = 13,
  notSupported = 15,
};
enum Operator : int { identity = 1, add = 3, multiply = 5, maximum = 6, minimum = 7 };

struct Context {};

struct Tensor {
  std::vector<int64_t> extents, strides;
  int type;
};

enum class Kind { contraction, reduction, permutation, binary, trinary };

// A tensor of an operation. That of the result has no unary operator.
struct Operand {
  Tensor tensor;
  std::vector<int> modes;
  int unary = identity;
};

struct Operation {
  Kind kind;
  Operand a, b, c, d;
  int first = identity, second = identity; // binary: opAB or opAC or opReduce, and opABC
  int scalarType;
};

struct Preference {};

LiveObjects<Context> &contexts();
LiveObjects<Tensor> &tensors();
LiveObjects<Operation> &operations();
LiveObjects<Preference> &preferences();
// Plans are copies of their operations, which may be freed before.
struct Plan {
  Operation operation;
};
LiveObjects<Plan> &plans();

Value applyUnary(int operation, Value x);
Value applyBinary(int operation, Value x, Value y);
bool isUnary(int operation);
bool isBinary(int operation);

// Modes that several tensors share, with the stride of each tensor for each mode; 0 where it does
// not have it.
struct Walk {
  std::vector<int> modes;
  std::vector<int64_t> extents;
  std::vector<std::vector<int64_t>> strides; // by tensor

  // Over the modes, for tensors that may have some of them.
  Walk(const std::vector<int> &modes, const std::vector<const Operand *> &operands);

  int64_t size() const {
    int64_t product = 1;
    for (int64_t extent : extents)
      product *= extent;
    return product;
  }

  // Calls `visit(offsets)` with the offset in each tensor, the first mode fastest.
  template <typename Visit>
  void each(const Visit &visit) const {
    std::vector<int64_t> at(extents.size(), 0), offsets(strides.size(), 0);
    for (int64_t left = size(); left > 0; --left) {
      visit(offsets.data());
      for (size_t mode = 0; mode < at.size(); ++mode) {
        bool again = ++at[mode] < extents[mode];
        int64_t steps = again ? 1 : 1 - extents[mode];
        for (size_t i = 0; i < strides.size(); ++i)
          offsets[i] += steps * strides[i][mode];
        if (again)
          break;
        at[mode] = 0;
      }
    }
  }
};

void contract(const Operation &operation, Value alpha, const void *a, const void *b, Value beta,
              const void *c, void *d);

} // namespace cufrt::libraries::cutensor
#endif // CUFRT_LIBRARIES_CUTENSOR_CUTENSOR_H
