// Costs of kernels as a table for people: what `cufls occupancy` prints and editors show.
#ifndef CUFC_OCCUPANCY_TABLE_H
#define CUFC_OCCUPANCY_TABLE_H

#include "occupancy/report.h"

namespace cufc {

// `note` is about all of it; `missing` says why nothing was measured, and is empty otherwise.
std::string occupancyTable(const std::vector<KernelReport> &kernels, const GpuLimits &gpu,
                           const Chip &chip, const std::string &note, const std::string &missing);

} // namespace cufc
#endif // CUFC_OCCUPANCY_TABLE_H
