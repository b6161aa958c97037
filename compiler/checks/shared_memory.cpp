// Shared variables of known size: a kernel and the procedures it reaches share the 48 KB that a
// block can have without asking for more at the launch (CUDA C++ programming guide, "Technical
// specifications"). Dynamic shared memory goes beyond that, so it is the remedy.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/sizes.h"
#include "frontend/workarounds/assumed_sizes.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;

constexpr size_t limit = 48 * 1024;

bool isAssumedSize(const semantics::Symbol &symbol) {
  const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
  if (!object || object->shape().empty())
    return false;
  const auto &extent = object->shape().back().ubound().GetExplicit();
  return extent && evaluate::ToInt64(*extent) == assumedExtent;
}

// What a procedure's statements name and what belongs to it; the rest takes no memory.
std::vector<const semantics::Symbol *> sharedVariables(const Procedure &procedure) {
  std::vector<const semantics::Symbol *> found;
  for (const semantics::Symbol *symbol : procedure.data)
    if (semantics::IsCUDAShared(*symbol) && !semantics::IsDummy(*symbol) && !isAssumedSize(*symbol))
      found.push_back(symbol);
  std::sort(found.begin(), found.end(), [](auto *a, auto *b) {
    return a->name().begin() < b->name().begin(); // in the order of the source
  });
  return found;
}

struct SharedMemory {
  size_t total = 0;
  const semantics::Symbol *largest = nullptr;
};

SharedMemory sharedMemory(const CheckContext &context, const Procedure &kernel) {
  SharedMemory memory;
  for (const Procedure *procedure : context.procedures.reached(kernel))
    for (const semantics::Symbol *symbol : sharedVariables(*procedure)) {
      size_t size = bytesOf(*symbol);
      memory.total = alignedTo(memory.total, 16) + size;
      if (!memory.largest || size > bytesOf(*memory.largest))
        memory.largest = symbol;
    }
  return memory;
}

} // namespace

size_t staticSharedBytes(const CheckContext &context, const Procedure &kernel) {
  return sharedMemory(context, kernel).total;
}

void checkSharedMemory(CheckContext &context) {
  for (const Procedure &procedure : context.procedures.all()) {
    if (!isKernel(procedure.symbol))
      continue;
    SharedMemory memory = sharedMemory(context, procedure);
    if (memory.total > limit)
      context.report(Diag::SharedMemoryTooLarge, memory.largest->name(),
                     memory.largest->name().ToString(), procedure.symbol->name().ToString(),
                     memory.total, limit);
  }
}

} // namespace cufc
