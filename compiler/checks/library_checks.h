// The checks of calls of the CUDA libraries.
#ifndef CUFC_CHECKS_LIBRARY_CHECKS_H
#define CUFC_CHECKS_LIBRARY_CHECKS_H

namespace cufc {

class CheckContext;

void checkRemovedRoutines(CheckContext &context);
void checkLibraryLetters(CheckContext &context);

} // namespace cufc
#endif // CUFC_CHECKS_LIBRARY_CHECKS_H
