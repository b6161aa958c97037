// What is done to the body of a CUF kernel directive before it is outlined; one step a function.
// Private to lower/.
#ifndef CUFC_LOWER_DIRECTIVE_BODY_H
#define CUFC_LOWER_DIRECTIVE_BODY_H

#include "flang/Optimizer/Dialect/CUF/CUFOps.h"

namespace cufc {

// If branches make the body more than one block, flang has lowered the parallel loops once more, as
// serial loops around it. Removes those, so that the region is one iteration. False if they have
// another form than expected.
bool removeSerialLoops(cuf::KernelOp directive);

// Moves out of the directive what it only needs of host variables: scalar components, the
// descriptors of components and of pointers. A scalar component becomes a variable of its own
// there, so that it is read by value or reduced like any other.
void hoistHostComponents(cuf::KernelOp directive);

} // namespace cufc
#endif // CUFC_LOWER_DIRECTIVE_BODY_H
