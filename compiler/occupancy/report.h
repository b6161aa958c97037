// What is said of the kernels and launches of some files for one GPU: costs and analyses together.
// Plain data; the command line, checks and the editor say it in their own ways.
#ifndef CUFC_OCCUPANCY_REPORT_H
#define CUFC_OCCUPANCY_REPORT_H

#include "analysis/analysis.h"
#include "occupancy/calculator.h"
#include "occupancy/kernel_cost.h"
#include <array>

namespace cufc {

// A file whose kernels, launches or both are wanted.
struct MeasuredFile {
  std::string path;
  const Analysis *analysis = nullptr; // outlives the report
  const FileCosts *costs = nullptr;   // null: only its launches
};

struct LaunchReport {
  std::string file;
  Place place; // the statement or directive
  std::string gridText, blockText;
  using Extents = std::array<std::int64_t, 3>;
  std::optional<Extents> grid, block; // if all of them are constant
  std::optional<std::int64_t> dynamicShared;
  std::optional<Occupancy> occupancy; // if the block and its memory are constant
  std::string reason;
  std::optional<GridFill> fill;
  int idleInLastWarp = 0;                 // lanes of a block's last warp without a thread
  std::optional<std::int64_t> idleInGrid; // threads beyond the elements that the grid is made for
};

struct KernelReport {
  KernelCost cost;
  std::string name; // "solver::step"; "CUF kernel in line 27"
  std::string file;
  Place place;     // its text; of a directive that
  Place nameplace; // where messages about it point to
  int symbol = -1; // in the file's analysis; -1 for directives
  bool directive = false;
  bool generated = false; // of a statement of host code with device arrays
  int blockSize = 256;
  std::int64_t dynamicShared = 0;
  Occupancy occupancy;
  std::string reason;
  int suggestedBlockSize = 0;
  std::vector<Change> changes;
  std::vector<LaunchReport> launches;

  KernelResources resources() const { return resourcesWith(dynamicShared); }
  KernelResources resourcesWith(std::int64_t dynamic) const {
    return {cost.registers, cost.sharedBytes + dynamic, cost.barriers, cost.maxThreads};
  }
  bool known() const { return cost.problem.empty(); }
  // Of its largest launch; 0 if there is none, or one whose grid or block is not constant.
  std::int64_t launchedThreads() const;
};

// Numbers to take instead of those that were found.
struct WhatIf {
  int blockSize = 0; // 0: that of the first launch with a constant one, otherwise 256, or what
                     // launch_bounds allow
  int registers = 0; // 0: the kernel's
  std::int64_t sharedBytes = -1; // of a block, static and dynamic; -1: the kernel's
};

// Kernels in the order of their files.
std::vector<KernelReport> reportKernels(const std::vector<MeasuredFile> &files,
                                        const GpuLimits &gpu, const Chip &chip,
                                        const WhatIf &whatIf);

// "solver::step" of a procedure, in small letters.
std::string qualifiedName(const Analysis &analysis, int symbol);

// The diagnostics CUF0601 to CUF0605 of what was found.
void checkCosts(const std::vector<KernelReport> &kernels, const GpuLimits &gpu, const Chip &chip,
                Diagnostics &diagnostics);

// For a diagnostic at a place of a file's analysis.
SourceRange rangeIn(const std::string &file, const Place &place);

} // namespace cufc
#endif // CUFC_OCCUPANCY_REPORT_H
