// The module variables with a device attribute, as the host device keeps them: where they lie, and
// what they held when the program started.
#ifndef CUFRT_HOST_VARIABLES_H
#define CUFRT_HOST_VARIABLES_H

#include <cstddef>

namespace cufrt::host {

// The number of bytes from this address to the end of the variable that it lies in; 0 if in none.
size_t bytesOfVariableAt(const void *address);

bool isManagedVariableAt(const void *address);

// Gives device and constant variables their initial values again. Managed ones keep theirs: host
// code shares them.
void resetVariables();

} // namespace cufrt::host
#endif // CUFRT_HOST_VARIABLES_H
