// The compiler's command.
#ifndef CUFC_DRIVER_DRIVER_H
#define CUFC_DRIVER_DRIVER_H

#include <string>
#include <vector>

namespace cufc {

// Does what the arguments of `cufc` ask for and returns the exit status.
int runDriver(const std::vector<std::string> &arguments);

} // namespace cufc
#endif // CUFC_DRIVER_DRIVER_H
