// What the code generator must know of device code beside its LLVM module.
#ifndef CUFC_LOWER_DEVICE_FACTS_H
#define CUFC_LOWER_DEVICE_FACTS_H

#include "base/diagnostics.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cufc {

struct KernelArgumentFacts {
  bool readOnly = false;     // INTENT(IN)
  bool mayAlias = false;     // TARGET or POINTER: Fortran allows other names for the same data
  uint32_t elementBytes = 0; // of an array, as far as they are known; 0 for all others
};

using BlockSize = std::array<int32_t, 3>; // threads along x, y and z

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
  std::vector<BlockSize> launchedBlocks; // likely sizes, read off launches in the same file
};

// What an array must be for a second entry of its kernel: it begins at a multiple of 16 bytes and,
// if it comes as a descriptor, its neighbours along dimension 0 lie side by side.
struct PackedArgument {
  unsigned number;              // of the argument
  uint32_t elementBytes;        // 0: it comes as an address
  uint32_t strideMultiple = 0;  // of which its other strides are multiples, bytes; 0: of anything
  int32_t sameShapeAs = -1;     // the number of an array that is of the same shape, or -1
  uint32_t spaceDimensions = 0; // those, as bits, whose extent is CUFRT_SPACE_EXTENT
  bool mayAlias = false;        // Fortran allows other names for its data
  bool isWritten = false;       // by the kernel itself
  bool hasSmallBounds = false;  // between -2**30 and 2**30
  bool hasSameStrides = false;  // as sameShapeAs
  bool hasSameBounds = false;   // as sameShapeAs; the last upper bound may be another
};

// A second entry of a kernel (codegen/gpu/packed_kernels.h).
struct PackedKernel {
  std::string kernel; // symbol
  std::string name;   // symbol
  std::vector<PackedArgument> arrays;
  // Of all arguments of the entry: those of the kernel, and behind them the descriptors of module
  // data, by value.
  std::vector<KernelArgumentFacts> arguments;
  std::vector<std::string> variables; // symbols of these descriptors

  // The array with this number of argument; null if there is none.
  PackedArgument *arrayOf(unsigned argument) {
    auto found = std::find_if(arrays.begin(), arrays.end(), [&](const PackedArgument &array) {
      return array.number == argument;
    });
    return found == arrays.end() ? nullptr : &*found;
  }
};

enum class DeviceVariableKind { Device = 0, Constant = 1, Managed = 2 };

struct DeviceVariableFacts {
  std::string name; // symbol in both modules
  DeviceVariableKind kind;
  bool exported = false;     // data of a module; other files see it
  KernelArgumentFacts array; // what is known of the array, if it is the descriptor of one
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
  bool hasExtendedReals = true;     // of the host, REAL(10)
  std::vector<PackedKernel> packed; // known once GPU code is optimised

  bool exportsAny() const {
    return !procedures.empty() ||
           std::any_of(variables.begin(), variables.end(), [](auto &v) { return v.exported; });
  }
};

} // namespace cufc
#endif // CUFC_LOWER_DEVICE_FACTS_H
