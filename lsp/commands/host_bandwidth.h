// What the memory of this machine gives, for the share of it that kernels on the CPU reach.
#ifndef CUFLS_COMMANDS_HOST_BANDWIDTH_H
#define CUFLS_COMMANDS_HOST_BANDWIDTH_H

namespace cufc {

// 10**9 bytes a second, of a triad over all cores that this process may use. Measured once for a
// number of cores, in some tenths of a second, and kept in the cache. 0: not known.
double hostGigabytes();

} // namespace cufc
#endif // CUFLS_COMMANDS_HOST_BANDWIDTH_H
