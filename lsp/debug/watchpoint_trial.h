// Whether this machine stops a program at a store, as gdb's watchpoints want it. Some virtual
// machines take the debug registers of the CPU and never stop, and some containers refuse them.
#ifndef CUFLS_DEBUG_WATCHPOINT_TRIAL_H
#define CUFLS_DEBUG_WATCHPOINT_TRIAL_H

namespace cufc::debug {

// Traces a child that stores to a variable, which takes some milliseconds. True where that cannot
// be tried: on machines other than x86-64, and where nothing may be traced, as gdb may not then.
bool hardwareWatchpointsFire();

} // namespace cufc::debug
#endif // CUFLS_DEBUG_WATCHPOINT_TRIAL_H
