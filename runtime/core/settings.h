// The environment variables that steer the runtime library. This is the only place that reads the
// environment; the values are read once, at the first use.
//
//   CUF_DEVICE        auto (default), gpu or host: where kernels run
//   CUF_HOST_THREADS  number of threads of the host device; default: the cores of this process
//   CUF_HOST_PROTECT  on or off: whether the host device notices wrong addresses; by default,
//   unless
//                     a debugger has started the program
//   CUF_REPORT        0 (default), 1 or json: what ran and how long it took, at the program's end
//   CUF_REPORT_FILE   the file that this is written to; default: stderr
//   CUF_REPORT_DATA   a file that gets the same as JSON, whatever CUF_REPORT says
//   CUF_REPORT_CUPTI  on (default) or off: whether CUPTI measures on a GPU
//   CUF_MPI_BUFFERS   auto (default), direct or staged: how MPI is given device memory
//   CUDA_HOME         a toolkit, in whose folder the CUDA libraries are looked for
//   VIRTUAL_ENV, CONDA_PREFIX, HOME: where Python's packages may bring such libraries
//
// Of the launchers of MPI programs: which of the ranks on this machine this process is, and which
// of all. Of MPI libraries that only the environment makes CUDA-aware: whether it does. Of
// profilers: whether one is attached (CUDA_INJECTION64_PATH).
#ifndef CUFRT_CORE_SETTINGS_H
#define CUFRT_CORE_SETTINGS_H

#include <string>
#include <vector>

namespace cufrt {

enum class DeviceChoice { automatic, gpu, host };

// Device memory as buffers of MPI calls: handed to the library, or copied to and from host memory.
enum class MpiBuffers { automatic, direct, staged };

struct LocalRanks {
  int own;   // from 0
  int count; // 1 without MPI
};

using WorldRanks = LocalRanks; // those on all machines

struct Settings {
  DeviceChoice device;
  LocalRanks ranks;
  WorldRanks world;
  int hostThreads; // at least 1
  bool hostProtect;
  bool debugged; // a debugger started the program
  bool report;   // something is to be measured
  bool reportIsSaid;
  bool reportIsJson;
  const char *reportFile; // or null
  const char *reportData; // or null
  bool reportUsesCupti;
  bool hasProfiler;
  MpiBuffers mpiBuffers;
  bool mpiIsMadeAware;          // MPICH_GPU_SUPPORT_ENABLED (Cray MPICH), MV2_USE_CUDA (MVAPICH2)
  bool mpiIsMadeUnaware;        // MPIR_CVAR_ENABLE_GPU=0 (MPICH)
  const char *toolkitLibraries; // CUDA_HOME/lib64/, or null
};

const Settings &settings();

// Where CUDA toolkits, and prefixes under which Python's packages, may be; without a slash at the
// end.
std::vector<std::string> toolkitFolders();
std::vector<std::string> pythonPrefixes();

} // namespace cufrt
#endif // CUFRT_CORE_SETTINGS_H
