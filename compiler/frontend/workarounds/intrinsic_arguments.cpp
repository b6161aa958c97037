// Device data as an argument of an intrinsic function in host code: lowering copies its value to
// the host, or computes on the device. flang refuses it, and leaves an argument that such a call is
// a part of, as in maxval([(sum(d(:, i)), i = 1, n)]), without a value. The linker puts this in
// place of flang's check of a call's arguments (--wrap in compiler/CMakeLists.txt): the same check
// without this error.
#include "base/flang_phrases.h"
#include "base/workarounds.h"
#include "flang/Evaluate/characteristics.h"
#include "flang/Semantics/semantics.h"

using Fortran::evaluate::ActualArguments;
using Fortran::evaluate::SpecificIntrinsic;
using Fortran::evaluate::characteristics::Procedure;
using Fortran::semantics::Scope;
using Fortran::semantics::SemanticsContext;

// The names that the linker's --wrap gives the two functions.
bool flangsCheck(
    const Procedure &, ActualArguments &, SemanticsContext &, const Scope &, bool, bool,
    const SpecificIntrinsic *) __asm__("__real__ZN7Fortran9semantics14CheckArgumentsERKNS_"
                                       "8evaluate15characteristics9ProcedureERS"
                                       "t6vectorISt8optionalINS1_14ActualArgumentEESaIS9_EERNS0_"
                                       "16SemanticsContextERKNS0_5ScopeE"
                                       "bbPKNS1_17SpecificIntrinsicE");
bool ourCheck(
    const Procedure &, ActualArguments &, SemanticsContext &, const Scope &, bool, bool,
    const SpecificIntrinsic *) __asm__("__wrap__ZN7Fortran9semantics14CheckArgumentsERKNS_"
                                       "8evaluate15characteristics9ProcedureERS"
                                       "t6vectorISt8optionalINS1_14ActualArgumentEESaIS9_EERNS0_"
                                       "16SemanticsContextERKNS0_5ScopeE"
                                       "bbPKNS1_17SpecificIntrinsicE");

namespace cufc {
namespace {

// Intrinsic subroutines set their arguments, and c_loc is not asked for a value.
bool readsArguments(const SpecificIntrinsic &intrinsic, SemanticsContext &context) {
  return intrinsic.name != "c_loc" && intrinsic.name != "loc" &&
         !context.intrinsics().IsIntrinsicSubroutine(intrinsic.name);
}

bool refusesMemory(const Fortran::parser::Message &message) {
  return isPhrase(message.ToString(), Phrase::IntrinsicArgument);
}

} // namespace
} // namespace cufc

bool ourCheck(const Procedure &procedure, ActualArguments &arguments, SemanticsContext &context,
              const Scope &scope, bool treatsExternalAsImplicit, bool ignoresImplicitInterface,
              const SpecificIntrinsic *intrinsic) {
  auto check = [&] {
    return flangsCheck(procedure, arguments, context, scope, treatsExternalAsImplicit,
                       ignoresImplicitInterface, intrinsic);
  };
  if (!intrinsic || !cufc::isMade(cufc::Workaround::IntrinsicArguments) ||
      !cufc::readsArguments(*intrinsic, context))
    return check();
  auto &messages = context.foldingContext().messages();
  Fortran::parser::Messages found;
  bool isGood = [&] {
    auto restorer = messages.SetMessages(found);
    return check();
  }();
  auto &list = found.messages();
  const size_t before = list.size();
  list.remove_if(cufc::refusesMemory);
  if (list.size() != before)
    isGood = !found.AnyFatalError();
  if (auto *others = messages.messages())
    others->Annex(std::move(found));
  return isGood;
}
