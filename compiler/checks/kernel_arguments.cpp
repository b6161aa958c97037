// The arguments of a kernel: values, addresses and descriptors together have a limit, which depends
// on the GPU and on the CUDA Toolkit.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/sizes.h"

namespace cufc {
namespace {

using namespace Fortran;

constexpr size_t pointerBytes = 8;

// flang/Runtime/descriptor-consts.h: 24 bytes, and 24 for each dimension; an addendum for derived
// types that are polymorphic.
size_t descriptorBytes(const semantics::Symbol &dummy) {
  return 24 + 24 * static_cast<size_t>(std::max(dummy.Rank(), 0)) +
         (semantics::IsPolymorphic(dummy) ? 16 : 0);
}

size_t argumentBytes(const semantics::Symbol &dummy) {
  if (semantics::IsDescriptor(dummy) && !semantics::IsAssumedSizeArray(dummy))
    return descriptorBytes(dummy);
  return dummy.attrs().test(semantics::Attr::VALUE) ? bytesOf(dummy) : pointerBytes;
}

// A launch copies as many bytes as the dummy says.
bool isValueOfAnyLength(const semantics::Symbol &dummy) {
  const semantics::DeclTypeSpec *type = dummy.GetType();
  return dummy.attrs().test(semantics::Attr::VALUE) && type &&
         type->category() == semantics::DeclTypeSpec::Character &&
         type->characterTypeSpec().length().isAssumed();
}

} // namespace

void checkKernelArguments(CheckContext &context) {
  size_t limit = context.options.kernelArgumentBytes;
  for (const Procedure &procedure : context.procedures.all()) {
    if (!isKernel(procedure.symbol))
      continue;
    size_t total = 0;
    for (const semantics::Symbol *dummy :
         procedure.symbol->get<semantics::SubprogramDetails>().dummyArgs())
      if (dummy && semantics::IsProcedure(*dummy))
        context.report(Diag::KernelArgument, dummy->name(),
                       "a procedure, '" + dummy->name().ToString() + "'");
      else if (dummy && isValueOfAnyLength(*dummy))
        context.report(Diag::KernelArgument, dummy->name(),
                       "CHARACTER(*) with VALUE; give '" + dummy->name().ToString() + "' a length");
      else if (dummy)
        total = alignedTo(total, 8) + argumentBytes(*dummy);
    if (total > limit)
      context.report(Diag::KernelArgumentsTooLarge, procedure.symbol->name(),
                     procedure.symbol->name().ToString(), total, limit);
  }
}

} // namespace cufc
