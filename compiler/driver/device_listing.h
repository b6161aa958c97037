// Device code as text for people: --annotate, --emit=sass.
#ifndef CUFC_DRIVER_DEVICE_LISTING_H
#define CUFC_DRIVER_DEVICE_LISTING_H

#include "base/diagnostics.h"
#include "codegen/toolkit.h"
#include "lower/device_facts.h"
#include <string>

namespace cufc {

// PTX with the lines of the source, kernel by kernel.
std::string annotatedPtx(const std::string &ptx, const std::string &source,
                         const DeviceFacts &facts);

// The machine code of a cubin, with the lines of the source if `annotate`. Empty with an error.
std::string machineCodeText(const std::string &cubin, const std::string &source,
                            const DeviceFacts &facts, const Toolkit &toolkit, bool annotate,
                            Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_DEVICE_LISTING_H
