// Linking an executable or shared library with the run-time libraries.
#ifndef CUFC_DRIVER_LINK_H
#define CUFC_DRIVER_LINK_H

#include "codegen/toolkit.h"
#include "driver/installation.h"
#include "driver/options.h"
#include <optional>

namespace cufc {

// Links `objects` (and libraries among them, in order) to `output`. False with diagnostics.
bool link(const std::vector<std::string> &objects, const std::string &output,
          const Options &options, const Installation &installation,
          const std::optional<Toolkit> &toolkit, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_LINK_H
