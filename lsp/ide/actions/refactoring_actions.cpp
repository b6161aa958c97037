// Refactorings as code actions. Whether what they make compiles is looked at when an editor asks
// for the edits (server/answers/code_action.cpp).
#include "ide/refactor/refactoring.h"

namespace cufc {

void addRefactorings(const ActionContext &context, const std::string &kind, CodeActions &actions) {
  for (const Refactoring &row : refactorings()) {
    if (row.make == makeGenerateInterface || kind != row.kind || !mayBegin(row, context))
      continue;
    Refactored change = refactor(row, context, {});
    if (!change.possible())
      continue;
    CodeAction action{change.title, row.kind, std::move(change.edits)};
    action.renamed = std::move(change.renamed);
    action.laidOut = true;
    actions.push_back(std::move(action));
  }
}

} // namespace cufc
