// Declared apart from the other checks, which all include check.h. Private to checks/.
#ifndef CUFC_CHECKS_OPENMP_H
#define CUFC_CHECKS_OPENMP_H

namespace cufc {

class CheckContext;

void checkOpenmp(CheckContext &context);

} // namespace cufc
#endif // CUFC_CHECKS_OPENMP_H
