// Options of the whole program, as its objects announce them before it starts.
#ifndef CUFRT_CORE_PROGRAM_OPTIONS_H
#define CUFRT_CORE_PROGRAM_OPTIONS_H

#include "cufrt/program_options.h"

namespace cufrt {

// -gpu=zeroinit: device memory that is allocated begins as zero.
bool zeroesDeviceMemory();

// A signal that ends the program prints the calls that led there first (core/traceback.cpp).
void installTraceback();

} // namespace cufrt
#endif // CUFRT_CORE_PROGRAM_OPTIONS_H
