// Constant data: all of a file has to fit into the 64 KB of constant memory (CUDA C++ programming
// guide, "Technical specifications").
#include "base/diag.h"
#include "checks/scopes.h"
#include "checks/sizes.h"

namespace cufc {
namespace {

using namespace Fortran;

constexpr size_t limit = 64 * 1024;

struct Total {
  size_t bytes = 0;
  const semantics::Symbol *last = nullptr; // the one that passed the limit
};

void add(const semantics::Symbol &symbol, Total &total) {
  if (semantics::IsDummy(symbol) ||
      semantics::GetCUDADataAttr(&symbol) != common::CUDADataAttr::Constant)
    return;
  total.bytes = alignedTo(total.bytes, 8) + bytesOf(symbol);
  if (total.bytes > limit && !total.last)
    total.last = &symbol;
}

} // namespace

void checkConstantMemory(CheckContext &context) {
  Total total;
  forEachObject(context, [&](const semantics::Symbol &symbol) { add(symbol, total); });
  if (total.last)
    context.report(Diag::ConstantMemoryTooLarge, total.last->name(), total.last->name().ToString(),
                   total.bytes, limit);
}

} // namespace cufc
