// What -gpu=check says on stderr: one line for a mistake, in the form of a compiler's messages, so
// that editors find the place. Each place, or pair of places, is
// reported once in a program, up to a limit.
#ifndef CUFRT_HOST_CHECK_REPORTS_H
#define CUFRT_HOST_CHECK_REPORTS_H

#include "host/grid.h"

#include <cstdio>

namespace cufrt::host {

// Who made a mistake; null where it was host code. Indices start at zero.
struct CheckedThread {
  const cufrt_kernel *kernel;
  const cufrt_block *block;
  ThreadIndex index;
};

// Ends with the place of the other access if there is one; `number` tells mistakes at one place
// apart. True if the caller is to print its message, after which it must call endReport. What is
// found lets the launch fail in any case.
bool beginReport(const cufrt_place &place, const cufrt_place *other, int number);
void endReport();
// Where the message is written to, between the two.
std::FILE *reportStream();

// "file:line:column", without what is not known.
void printPlace(const cufrt_place &place);
// " (kernel m::k, block (1,1,1), thread (1,1,1))" and the end of the line.
void printKernel(const CheckedThread &thread);
void printThread(ThreadIndex index);

// Whether something was reported since the last call.
bool takeMistakes();

} // namespace cufrt::host
#endif // CUFRT_HOST_CHECK_REPORTS_H
