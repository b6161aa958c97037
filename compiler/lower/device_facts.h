// What the code generator must know of device code beside its LLVM module.
#ifndef CUFC_LOWER_DEVICE_FACTS_H
#define CUFC_LOWER_DEVICE_FACTS_H

#include "base/diagnostics.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cufc {

struct KernelArgumentFacts {
  bool readOnly = false; // INTENT(IN)
  bool mayAlias = false; // TARGET or POINTER: Fortran allows other names for the same data
};

struct KernelFacts {
  std::string name;    // symbol in both modules
  std::string display; // "solver::jacobi_step"
  std::vector<KernelArgumentFacts> arguments;
  // From launch_bounds; zero where it says nothing.
  int maxThreads = 1024;
  int minBlocks = 0;                       // at the same time on one multiprocessor
  int maxClusterBlocks = 0;                // of one cluster
  std::optional<SourceRange> clusterPlace; // of a kernel with cluster_dims
};

enum class DeviceVariableKind { Device = 0, Constant = 1, Managed = 2 };

struct DeviceVariableFacts {
  std::string name; // symbol in both modules
  DeviceVariableKind kind;
};

struct DeviceFacts {
  std::vector<KernelFacts> kernels;           // defined in this file
  std::vector<DeviceVariableFacts> variables; // module data defined in this file
};

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_FACTS_H
