// Constant data: all of a file has to fit into the 64 KB of constant memory (CUDA C++ programming
// guide, "Technical specifications").
#include "base/diag.h"
#include "checks/check.h"
#include "checks/sizes.h"

namespace cufc {
namespace {

using namespace Fortran;

constexpr size_t limit = 64 * 1024;

struct Total {
  size_t bytes = 0;
  const semantics::Symbol *last = nullptr; // the one that passed the limit
};

void add(const semantics::Scope &scope, Total &total) {
  if (scope.IsModuleFile())
    return;
  for (const auto &[name, symbol] : scope)
    if (&symbol->owner() == &scope && symbol->has<semantics::ObjectEntityDetails>() &&
        !semantics::IsDummy(*symbol) &&
        semantics::GetCUDADataAttr(&*symbol) == common::CUDADataAttr::Constant) {
      total.bytes = alignedTo(total.bytes, 8) + bytesOf(*symbol);
      if (total.bytes > limit && !total.last)
        total.last = &*symbol;
    }
  for (const semantics::Scope &child : scope.children())
    add(child, total);
}

} // namespace

void checkConstantMemory(CheckContext &context) {
  Total total;
  add(context.program.context->globalScope(), total);
  if (total.last)
    context.report(Diag::ConstantMemoryTooLarge, total.last->name(), total.last->name().ToString(),
                   total.bytes, limit);
}

} // namespace cufc
