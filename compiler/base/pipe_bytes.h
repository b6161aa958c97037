// A byte in a pipe, by which one process tells another that something is done.
#ifndef CUFC_BASE_PIPE_BYTES_H
#define CUFC_BASE_PIPE_BYTES_H

namespace cufc {

// Of no effect if the end to write to is negative, as where nobody waits.
void tell(int pipe);

// Waits for a byte; false if nobody is left who could write one.
bool hear(int pipe);

} // namespace cufc
#endif // CUFC_BASE_PIPE_BYTES_H
