// Names that go from declarations.
#ifndef CUFLS_IDE_REFACTOR_DECLARATIONS_H
#define CUFLS_IDE_REFACTOR_DECLARATIONS_H

#include "ide/refactor/routine_text.h"

namespace cufc {

// Takes symbols out of a statement that declares something; the whole statement goes if it declares
// nothing else. Returns why that cannot be done, or "". Statements that do not name them stay.
std::string removeFrom(const RoutineText &text, size_t piece, const std::set<int> &symbols,
                       std::vector<TextChange> &edits);

bool isDeclarationWord(const std::string &word);

} // namespace cufc
#endif // CUFLS_IDE_REFACTOR_DECLARATIONS_H
