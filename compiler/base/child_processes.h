// Who ends the compiler alone, as build tools and editors do with SIGTERM, wants nothing of it to
// go on: not the linker, not ptxas, not the processes that compile. Those that it waits for are
// kept in a table that a handler of signals may read.
#ifndef CUFC_BASE_CHILD_PROCESSES_H
#define CUFC_BASE_CHILD_PROCESSES_H

namespace cufc {

// From now on SIGTERM, SIGHUP and SIGINT end these processes too, and then this one.
void endChildrenWithUs();

// A process that was started, and that has been waited for. Numbers below 1 are passed over.
void endWithUs(int process);
void hasEnded(int process);

// In a copy of the process made by fork: the others are not its own.
void forgetChildren();

} // namespace cufc
#endif // CUFC_BASE_CHILD_PROCESSES_H
