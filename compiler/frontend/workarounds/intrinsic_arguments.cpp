// Device data as an argument of an intrinsic function in host code: lowering copies its value to
// the host, or computes on the device. flang refuses it, and leaves an argument that such a call is
// a part of, as in maxval([(sum(d(:, i)), i = 1, n)]), without a value. The linker puts this in
// place of flang's check of a call's arguments (--wrap in compiler/CMakeLists.txt): the same check
// without this error. It also finds what flang lets pass: arrays without a last extent for
// functions that use the values of all elements.
#include "base/flang_phrases.h"
#include "base/workarounds.h"
#include "flang/Evaluate/characteristics.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/semantics.h"
#include "frontend/expression_visitor.h"

using Fortran::evaluate::ActualArgument;
using Fortran::evaluate::ActualArguments;
using Fortran::evaluate::SpecificIntrinsic;
using Fortran::evaluate::characteristics::Procedure;
using Fortran::semantics::Scope;
using Fortran::semantics::SemanticsContext;
using Fortran::semantics::Symbol;

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

bool usesAllElements(const SpecificIntrinsic &intrinsic, SemanticsContext &context) {
  using Fortran::evaluate::IntrinsicClass;
  IntrinsicClass kind = context.intrinsics().GetIntrinsicClass(intrinsic.name);
  return kind == IntrinsicClass::elementalFunction ||
         kind == IntrinsicClass::transformationalFunction;
}

// The array of assumed size that an operation or a function in `value` uses as a whole. Functions
// have been checked, and elements and sections are all right.
struct WholeOperand : ExpressionVisitor {
  Found symbol(const Symbol &symbol) override {
    if (Fortran::semantics::IsAssumedSizeArray(symbol))
      found = &symbol;
    return found != nullptr;
  }
  Found arrayElements(const Fortran::evaluate::ArrayRef &) override { return false; }
  Found inquiry(const Fortran::evaluate::DescriptorInquiry &) override { return false; }
  Found call(const Fortran::evaluate::ProcedureRef &) override { return false; }

  const Symbol *found = nullptr;
};

// F2023 8.5.8.5: a whole array of assumed size may appear as an argument where its shape is not
// needed, as MOLD= of TRANSFER does.
const Symbol *misusedArray(const ActualArgument &argument, bool usesAll) {
  const auto *value = argument.UnwrapExpr();
  if (!value || (!usesAll && Fortran::evaluate::UnwrapWholeSymbolDataRef(*value)))
    return nullptr;
  WholeOperand operand;
  walkExpression(*value, operand);
  return operand.found;
}

void refuseAssumedSizes(const ActualArguments &arguments, const SpecificIntrinsic *intrinsic,
                        SemanticsContext &context) {
  using namespace Fortran::parser::literals;
  bool usesAll = intrinsic && usesAllElements(*intrinsic, context);
  auto &messages = context.foldingContext().messages();
  for (const auto &argument : arguments) {
    bool isMold = intrinsic && intrinsic->name == "transfer" && &argument != &arguments.front();
    if (const Symbol *array = argument ? misusedArray(*argument, usesAll && !isMold) : nullptr)
      messages.Say(argument->sourceLocation().value_or(messages.at()),
                   "Whole assumed-size array '%s' may not appear here without subscripts"_err_en_US,
                   array->name());
  }
}

} // namespace
} // namespace cufc

bool ourCheck(const Procedure &procedure, ActualArguments &arguments, SemanticsContext &context,
              const Scope &scope, bool treatsExternalAsImplicit, bool ignoresImplicitInterface,
              const SpecificIntrinsic *intrinsic) {
  auto &messages = context.foldingContext().messages();
  Fortran::parser::Messages found, *others = messages.messages();
  auto restorer = messages.SetMessages(found);
  bool isGood = flangsCheck(procedure, arguments, context, scope, treatsExternalAsImplicit,
                            ignoresImplicitInterface, intrinsic);
  auto &list = found.messages();
  const size_t before = list.size();
  if (intrinsic && cufc::isMade(cufc::Workaround::IntrinsicArguments) &&
      cufc::readsArguments(*intrinsic, context))
    list.remove_if(cufc::refusesMemory);
  if (list.size() != before)
    isGood = !found.AnyFatalError();
  if (isGood) {
    cufc::refuseAssumedSizes(arguments, intrinsic, context);
    isGood = !found.AnyFatalError();
  }
  if (others)
    others->Annex(std::move(found));
  return isGood;
}
