// Names that are declared, or made visible by USE, and not used.
#include "checks/hazard_checks.h"

namespace cufc {

void checkUnused(CheckContext &, Diagnostics &) {}

} // namespace cufc
