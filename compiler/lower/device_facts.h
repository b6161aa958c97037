// What the code generator must know of device code beside its LLVM module.
#ifndef CUFC_LOWER_DEVICE_FACTS_H
#define CUFC_LOWER_DEVICE_FACTS_H

#include "base/diagnostics.h"
#include <algorithm>
#include <cstdint>
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
  int minBlocks = 0;        // at the same time on one multiprocessor
  int maxClusterBlocks = 0; // of one cluster
  // Reaches device procedures of other files, so its host code is made when the program is linked.
  bool needsLinking = false;
};

enum class DeviceVariableKind { Device = 0, Constant = 1, Managed = 2 };

struct DeviceVariableFacts {
  std::string name; // symbol in both modules
  DeviceVariableKind kind;
  bool exported = false; // data of a module; other files see it
};

// A device procedure or device data of another file that device code here uses.
struct DeviceImport {
  std::string name;    // symbol
  std::string display; // "solver::flux"
  bool isProcedure;
  bool isConstant; // data in constant memory
  SourceRange use; // the first one
};

// Something that older GPUs cannot do.
struct GpuFeature {
  std::string name; // "cluster_dims"
  int firstGpu;     // compute capability times ten
  SourceRange use;
};

struct DeviceFacts {
  std::vector<KernelFacts> kernels;           // defined in this file
  std::vector<DeviceVariableFacts> variables; // module data defined in this file
  std::vector<std::string> procedures;        // symbols of device procedures that other files see
  std::vector<DeviceImport> imports;          // known once device code is lowered

  std::vector<GpuFeature> features; // known once device code is lowered
  bool usesHeap = false;            // the device's; known once device code is lowered

  bool exportsAny() const {
    return !procedures.empty() ||
           std::any_of(variables.begin(), variables.end(), [](auto &v) { return v.exported; });
  }
};

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_FACTS_H
