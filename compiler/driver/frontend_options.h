// What the command line asks of the front end and of the checks, for the compiler and for analyses.
#ifndef CUFC_DRIVER_FRONTEND_OPTIONS_H
#define CUFC_DRIVER_FRONTEND_OPTIONS_H

#include "checks/checks.h"
#include "codegen/toolkit.h"
#include "driver/installation.h"
#include "driver/options.h"
#include "source/source_form.h"
#include <optional>

namespace cufc {

// `scratch` is a folder for the front end's own files.
FrontendOptions frontendOptions(const Options &options, const Installation &installation,
                                const std::string &source, const SourceForm &form,
                                const std::string &scratch);

CheckOptions checkOptions(const Options &options, const std::optional<Toolkit> &toolkit);

} // namespace cufc
#endif // CUFC_DRIVER_FRONTEND_OPTIONS_H
