// The CUDA Toolkit: where it is and what it has.
#ifndef CUFC_CODEGEN_TOOLKIT_H
#define CUFC_CODEGEN_TOOLKIT_H

#include "base/gpus.h"
#include "base/host_machine.h"
#include <optional>
#include <string>
#include <vector>

namespace cufc {

struct Toolkit {
  std::string root;
  int version;              // CUDART_VERSION: 13000 for 13.0
  std::string machine = {}; // the folder below targets/ of another machine; empty: this one

  std::string program(const std::string &name) const { return root + "/bin/" + name; }
  std::string libdevice() const { return root + "/nvvm/libdevice/libdevice.10.bc"; }
  // In the toolkit or on PATH; empty if it is in neither.
  std::string optionalProgram(const std::string &name) const;
  std::string libraryFolder() const;

  // Whether ptxas has the GPU as a target.
  bool supports(const Gpu &gpu) const;
  // The GPUs that are built for when the user names none: the data-centre parts it knows.
  std::vector<Gpu> defaultGpus() const;
};

// CUDA_HOME, then nvcc on PATH, then /usr/local/cuda; nothing if none has ptxas and libdevice, and
// for another machine its libraries.
std::optional<Toolkit> findToolkit(const HostMachine &machine = thisMachine);

} // namespace cufc
#endif // CUFC_CODEGEN_TOOLKIT_H
