// The count of cudaMemcpy in bytes, as in C: the routines of cudafor count elements.
#include "base/mistake_diag.h"
#include "checks/hazards/hazard.h"
#include "checks/hazards/host_calls.h"

namespace cufc::hazards {
namespace {

// Elements of an array that is passed as a whole, if they are known.
std::optional<long long> sizeOf(const Expression *expression) {
  const Variable *variable = expression ? expression->variable : nullptr;
  if (!variable || expression->kind != Expression::Kind::Name || variable->extents.empty())
    return std::nullopt;
  long long size = 1;
  for (const auto &extent : variable->extents) {
    if (!extent || *extent <= 0)
      return std::nullopt;
    size *= *extent;
  }
  return size;
}

} // namespace

void findByteCounts(Hazards &hazards) {
  for (const Procedure &procedure : hazards.model.procedures)
    eachStatement(procedure.body, [&](const Statement &statement) {
      for (const RuntimeCall &call : runtimeCalls(statement)) {
        if (call.name != "cudamemcpy" && call.name != "cudamemcpyasync")
          continue;
        const Expression *count = call.argument(2, "count");
        for (const Expression *array : {call.argument(0, "dst"), call.argument(1, "src")}) {
          std::optional<long long> size = sizeOf(array);
          long long bytes = array && array->variable ? array->variable->bytes : 0;
          if (!size || !count || !count->value || bytes <= 1 || *count->value != *size * bytes)
            continue;
          Diagnostic &diagnostic =
              hazards.report(MistakeDiag::BytesForElements, count->place, call.name, *count->value,
                             array->variable->name, *size);
          hazards.replace(diagnostic, "give the number of elements", count->place,
                          std::to_string(*size));
          break;
        }
      }
    });
}

} // namespace cufc::hazards
