// Why a renaming is unsafe. Each check puts the first reason that it finds into the Renaming.
#ifndef CUFLS_IDE_RENAME_CHECKS_H
#define CUFLS_IDE_RENAME_CHECKS_H

#include "ide/rename_sites.h"

namespace cufc {

// What kind of symbol it is: operators, names that the linker or input files know.
void checkSymbol(Renaming &renaming, std::string *warning);
// What a name may look like.
void checkNewName(Renaming &renaming);
// The places of the old name that the analysis could not understand, and the length of lines.
void checkTexts(Renaming &renaming);

// rename_conflicts.cpp: whether the new name means something already where the old one is known.
void checkConflicts(Renaming &renaming, const ApiTable &api);

} // namespace cufc
#endif // CUFLS_IDE_RENAME_CHECKS_H
