// Costs of kernels as JSON, in the form that docs/occupancy.md and docs/language-server.md
// describe. The command and the server share it; what differs is how they name places.
#ifndef CUFLS_SERVER_OCCUPANCY_JSON_H
#define CUFLS_SERVER_OCCUPANCY_JSON_H

#include "occupancy/report.h"
#include <functional>
#include <nlohmann/json.hpp>

namespace cufc {

using OrderedJson = nlohmann::ordered_json;

// Adds members that say where something is.
using AddPlace =
    std::function<void(OrderedJson &json, const std::string &file, const Place &place)>;

OrderedJson kernelJson(const KernelReport &kernel, const GpuLimits &gpu, const AddPlace &addPlace);
OrderedJson limitsJson(const GpuLimits &gpu);

} // namespace cufc
#endif // CUFLS_SERVER_OCCUPANCY_JSON_H
