// Operations and their execution by a plan, in the stream of the call.
#include "libraries/cutensor/cutensor.h"

#include <algorithm>
#include <set>

namespace cufrt::libraries::cutensor {

Walk::Walk(const std::vector<int> &modes, const std::vector<const Operand *> &operands)
    : modes(modes), extents(modes.size(), 1),
      strides(operands.size(), std::vector<int64_t>(modes.size(), 0)) {
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t mode = 0; mode < modes.size(); ++mode)
      for (size_t k = 0; k < operands[i]->modes.size(); ++k)
        if (operands[i]->modes[k] == modes[mode]) {
          extents[mode] = operands[i]->tensor.extents[k];
          strides[i][mode] += operands[i]->tensor.strides[k];
        }
}

namespace {

bool contains(const std::vector<int> &modes, int mode) {
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

// Whether modes with the same number have the same extent.
bool extentsFit(const std::vector<const Operand *> &operands) {
  std::vector<std::pair<int, int64_t>> known;
  for (const Operand *operand : operands)
    for (size_t i = 0; i < operand->modes.size(); ++i) {
      auto found = std::find_if(known.begin(), known.end(),
                                [&](const auto &one) { return one.first == operand->modes[i]; });
      if (found == known.end())
        known.emplace_back(operand->modes[i], operand->tensor.extents[i]);
      else if (found->second != operand->tensor.extents[i])
        return false;
    }
  return true;
}

struct Given {
  void *tensor;
  const int *modes;
  int unary = identity;
};

// False for a description that is none.
bool take(Operand &operand, const Given &given) {
  Tensor *tensor = tensors().find(given.tensor);
  if (!tensor || (!given.modes && !tensor->extents.empty()) || !isUnary(given.unary))
    return false;
  operand.tensor = *tensor;
  operand.modes.assign(given.modes, given.modes + tensor->extents.size());
  operand.unary = given.unary;
  return true;
}

int scalarTypeOf(int type) {
  if (type == real64 || type == complexDouble || type == complexFloat)
    return type;
  return real32;
}

struct Wanted {
  Kind kind;
  Given a, b, c, d;
  int first = identity, second = identity;
};

int create(void *handle, void **desc, const Wanted &wanted, int compute) {
  if (!contexts().find(handle))
    return notInitialized;
  Operation made{};
  made.kind = wanted.kind;
  made.first = wanted.first;
  made.second = wanted.second;
  bool hasB = wanted.kind == Kind::contraction || wanted.kind == Kind::trinary,
       hasC = wanted.kind != Kind::permutation;
  bool right = desc && compute >= 1 && compute <= 6 && take(made.a, wanted.a) &&
               take(made.d, wanted.d) && (!hasB || take(made.b, wanted.b)) &&
               (!hasC || take(made.c, wanted.c));
  if (!right || !extentsFit({&made.a, &made.b, &made.c, &made.d}))
    return invalidValue;
  bool sums = wanted.kind == Kind::contraction || wanted.kind == Kind::reduction;
  auto isOfResult = [&](int mode) { return contains(made.d.modes, mode); };
  if (!sums && !std::all_of(made.a.modes.begin(), made.a.modes.end(), isOfResult))
    return invalidValue;
  if (hasC && !std::all_of(made.c.modes.begin(), made.c.modes.end(), isOfResult))
    return invalidValue;
  if (wanted.kind == Kind::trinary &&
      !std::all_of(made.b.modes.begin(), made.b.modes.end(), isOfResult))
    return invalidValue;
  made.scalarType = scalarTypeOf(made.d.tensor.type);
  *desc = operations().create();
  *operations().find(*desc) = std::move(made);
  return ok;
}

// Runs `body` with the operation and the factors in the stream.
template <typename Body>
int execute(void *handle, void *plan, Kind kind, std::initializer_list<const void *> factors,
            std::initializer_list<const void *> arrays, void *stream, const Body &body) {
  if (!contexts().find(handle))
    return notInitialized;
  Plan *known = plans().find(plan);
  auto isNull = [](const void *address) { return !address; };
  if (!known || known->operation.kind != kind ||
      std::any_of(factors.begin(), factors.end(), isNull) ||
      std::any_of(arrays.begin(), arrays.end(), isNull))
    return invalidValue;
  std::vector<Value> values;
  for (const void *factor : factors)
    values.push_back(read(factor, known->operation.scalarType, 0));
  Error error = runInStream(
      stream, [operation = known->operation, values, body] { body(operation, values); });
  return error == success ? ok : executionFailed;
}

Value element(const Operand &operand, const void *base, int64_t offset) {
  return applyUnary(operand.unary, read(base, operand.tensor.type, offset));
}

// The modes of A that the result lacks.
std::vector<int> summedModes(const Operation &operation) {
  std::vector<int> result;
  for (int mode : operation.a.modes)
    if (!contains(operation.d.modes, mode))
      result.push_back(mode);
  return result;
}

void reduce(const Operation &operation, Value alpha, const void *a, Value beta, const void *c,
            void *d) {
  Walk results(operation.d.modes, {&operation.a, &operation.c, &operation.d}),
      inner(summedModes(operation), {&operation.a});
  results.each([&](const int64_t *at) {
    Value sum = 0;
    bool isFirst = true;
    inner.each([&](const int64_t *more) {
      Value next = element(operation.a, a, at[0] + more[0]);
      sum = isFirst ? next : applyBinary(operation.first, sum, next);
      isFirst = false;
    });
    sum *= alpha;
    if (beta != Value(0))
      sum += beta * element(operation.c, c, at[1]);
    write(d, operation.d.tensor.type, at[2], sum);
  });
}

} // namespace
} // namespace cufrt::libraries::cutensor

namespace cufrt::cutensor_v2 {

using namespace cufrt::libraries;
using namespace cufrt::libraries::cutensor;

int cutensorCreateContraction(void *handle, void **desc, void *descA, const int *modeA, int opA,
                              void *descB, const int *modeB, int opB, void *descC, const int *modeC,
                              int opC, void *descD, const int *modeD, int compute) {
  return create(handle, desc,
                {Kind::contraction,
                 {descA, modeA, opA},
                 {descB, modeB, opB},
                 {descC, modeC, opC},
                 {descD, modeD}},
                compute);
}

int cutensorCreateReduction(void *handle, void **desc, void *descA, const int *modeA, int opA,
                            void *descC, const int *modeC, int opC, void *descD, const int *modeD,
                            int reduction, int compute) {
  if (!isBinary(reduction))
    return invalidValue;
  return create(
      handle, desc,
      {Kind::reduction, {descA, modeA, opA}, {}, {descC, modeC, opC}, {descD, modeD}, reduction},
      compute);
}

int cutensorCreatePermutation(void *handle, void **desc, void *descA, const int *modeA, int opA,
                              void *descB, const int *modeB, int compute) {
  return create(handle, desc, {Kind::permutation, {descA, modeA, opA}, {}, {}, {descB, modeB}},
                compute);
}

int cutensorCreateElementwiseBinary(void *handle, void **desc, void *descA, const int *modeA,
                                    int opA, void *descC, const int *modeC, int opC, void *descD,
                                    const int *modeD, int opAC, int compute) {
  if (!isBinary(opAC))
    return invalidValue;
  return create(handle, desc,
                {Kind::binary, {descA, modeA, opA}, {}, {descC, modeC, opC}, {descD, modeD}, opAC},
                compute);
}

int cutensorCreateElementwiseTrinary(void *handle, void **desc, void *descA, const int *modeA,
                                     int opA, void *descB, const int *modeB, int opB, void *descC,
                                     const int *modeC, int opC, void *descD, const int *modeD,
                                     int opAB, int opABC, int compute) {
  if (!isBinary(opAB) || !isBinary(opABC))
    return invalidValue;
  return create(handle, desc,
                {Kind::trinary,
                 {descA, modeA, opA},
                 {descB, modeB, opB},
                 {descC, modeC, opC},
                 {descD, modeD},
                 opAB,
                 opABC},
                compute);
}

int cutensorContract(void *handle, void *plan, const void *alpha, const void *a, const void *b,
                     const void *beta, const void *c, void *d, void *, unsigned long long,
                     void *stream) {
  return execute(handle, plan, Kind::contraction, {alpha, beta}, {a, b, d}, stream,
                 [=](const Operation &operation, const std::vector<Value> &factor) {
                   contract(operation, factor[0], a, b, factor[1], c, d);
                 });
}

int cutensorReduce(void *handle, void *plan, const void *alpha, const void *a, const void *beta,
                   const void *c, void *d, void *, unsigned long long, void *stream) {
  return execute(handle, plan, Kind::reduction, {alpha, beta}, {a, d}, stream,
                 [=](const Operation &operation, const std::vector<Value> &factor) {
                   reduce(operation, factor[0], a, factor[1], c, d);
                 });
}

int cutensorPermute(void *handle, void *plan, const void *alpha, const void *a, void *b,
                    void *stream) {
  return execute(
      handle, plan, Kind::permutation, {alpha}, {a, b}, stream,
      [=](const Operation &operation, const std::vector<Value> &factor) {
        Walk(operation.d.modes, {&operation.a, &operation.d}).each([&](const int64_t *at) {
          write(b, operation.d.tensor.type, at[1], factor[0] * element(operation.a, a, at[0]));
        });
      });
}

int cutensorElementwiseBinaryExecute(void *handle, void *plan, const void *alpha, const void *a,
                                     const void *gamma, const void *c, void *d, void *stream) {
  return execute(handle, plan, Kind::binary, {alpha, gamma}, {a, c, d}, stream,
                 [=](const Operation &operation, const std::vector<Value> &factor) {
                   Walk(operation.d.modes, {&operation.a, &operation.c, &operation.d})
                       .each([&](const int64_t *at) {
                         Value value = applyBinary(operation.first,
                                                   factor[0] * element(operation.a, a, at[0]),
                                                   factor[1] * element(operation.c, c, at[1]));
                         write(d, operation.d.tensor.type, at[2], value);
                       });
                 });
}

int cutensorElementwiseTrinaryExecute(void *handle, void *plan, const void *alpha, const void *a,
                                      const void *beta, const void *b, const void *gamma,
                                      const void *c, void *d, void *stream) {
  return execute(handle, plan, Kind::trinary, {alpha, beta, gamma}, {a, b, c, d}, stream,
                 [=](const Operation &operation, const std::vector<Value> &factor) {
                   Walk(operation.d.modes, {&operation.a, &operation.b, &operation.c, &operation.d})
                       .each([&](const int64_t *at) {
                         Value both = applyBinary(operation.first,
                                                  factor[0] * element(operation.a, a, at[0]),
                                                  factor[1] * element(operation.b, b, at[1]));
                         Value value = applyBinary(operation.second, both,
                                                   factor[2] * element(operation.c, c, at[2]));
                         write(d, operation.d.tensor.type, at[3], value);
                       });
                 });
}

} // namespace cufrt::cutensor_v2
