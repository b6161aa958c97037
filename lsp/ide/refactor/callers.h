// All places that name a procedure, in all files of the project.
#ifndef CUFLS_IDE_REFACTOR_CALLERS_H
#define CUFLS_IDE_REFACTOR_CALLERS_H

#include "ide/refactor/routine_text.h"

namespace cufc {

struct CallPlace {
  const SourceFile *file = nullptr;
  std::shared_ptr<RoutineText> text; // the whole file
  size_t piece = 0, offset = 0, length = 0;
  Role role = Role::Reference;
  bool calls = false; // a call, launch or reference with its arguments
};

struct Callers {
  std::vector<CallPlace> places; // in the order of files and texts
  std::string refusal;           // a place that is not in the text of a file
};

Callers callersOf(const ActionContext &context, SymbolRef procedure, OpenedFiles &opened);

// The procedure whose definition or name stands where the context is.
SymbolRef procedureDefinedAt(const ActionContext &context);

std::string shortPath(const std::string &path);

} // namespace cufc
#endif // CUFLS_IDE_REFACTOR_CALLERS_H
