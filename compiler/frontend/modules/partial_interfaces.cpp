// See partial_interfaces.h.
#include "frontend/modules/partial_interfaces.h"
#include "base/flang_phrases.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "frontend/modules/partial_mark.h"

namespace cufc {

bool usesPartialModules(const FlangProgram &program) {
  for (const Fortran::semantics::Scope &scope : program.context->globalScope().children())
    if (scope.IsModule() && scope.find(Fortran::parser::CharBlock(
                                partialMark.data(), partialMark.size())) != scope.end())
      return true;
  return false;
}

bool lacksModules(const FlangProgram &program) {
  for (const Fortran::parser::Message &message : program.context->messages().messages())
    if (message.IsFatal() && isPhrase(message.ToString(), Phrase::ModuleFile))
      return true;
  return false;
}

} // namespace cufc
