// Reads and checks the environment. A value that makes no sense ends the program: silently running
// somewhere else than asked is worse.
#include "core/settings.h"
#include "cufrt/device.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace cufrt {
namespace {

constexpr long maxHostThreads = 4096;

DeviceChoice readDeviceChoice() {
  const char *text = std::getenv("CUF_DEVICE");
  if (!text || !*text || !std::strcmp(text, "auto"))
    return DeviceChoice::automatic;
  if (!std::strcmp(text, "gpu"))
    return DeviceChoice::gpu;
  if (!std::strcmp(text, "host"))
    return DeviceChoice::host;
  fatal(nullptr, 0, "CUF_DEVICE is '%s'; it can be auto, gpu or host", text);
}

// A number from `smallest` on, or -1.
int readCount(const char *name, int smallest) {
  const char *text = std::getenv(name);
  char *end = nullptr;
  long value = text && *text ? std::strtol(text, &end, 10) : -1;
  return value >= smallest && value < INT_MAX && !*end ? static_cast<int>(value) : -1;
}

// Slurm's "2(x3),1": the tasks on each node of the step, here those on node `node`.
int tasksOnNode(const char *text, int node) {
  while (text && *text) {
    char *end = nullptr;
    long tasks = std::strtol(text, &end, 10), nodes = 1;
    if (end == text || tasks < 1)
      break;
    if (end[0] == '(' && end[1] == 'x')
      nodes = std::strtol(end + 2, &end, 10);
    if (node < nodes)
      return static_cast<int>(tasks);
    node -= static_cast<int>(nodes);
    text = std::strchr(end, ',');
    text = text ? text + 1 : nullptr;
  }
  return -1;
}

// Open MPI; MPICH and Intel MPI; MVAPICH2; Cray's PALS; then Slurm, where srun alone has started
// the ranks: a batch script has its other variables too.
LocalRanks readRanks() {
  struct Names {
    const char *own, *count;
  };
  constexpr Names launchers[] = {{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                 {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
                                 {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
                                 {"PMI_LOCAL_RANK", "PMI_LOCAL_SIZE"},
                                 {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"}};
  for (const Names &names : launchers) {
    int own = readCount(names.own, 0), count = readCount(names.count, 1);
    if (own >= 0 && own < count)
      return {own, count};
  }
  int own = readCount("SLURM_LOCALID", 0), node = readCount("SLURM_NODEID", 0);
  int count = tasksOnNode(std::getenv("SLURM_STEP_TASKS_PER_NODE"), std::max(node, 0));
  return own >= 0 && own < count ? LocalRanks{own, count} : LocalRanks{0, 1};
}

// The same launchers.
WorldRanks readWorld() {
  struct Names {
    const char *own, *count;
  };
  constexpr Names launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                 {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                 {"PMI_RANK", "PMI_SIZE"},
                                 {"PALS_RANKID", "PALS_NRANKS"},
                                 {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};
  for (const Names &names : launchers) {
    int own = readCount(names.own, 0), count = readCount(names.count, 1);
    if (own >= 0 && own < count)
      return {own, count};
  }
  return {0, 1};
}

int coresOf(pid_t process) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  return sched_getaffinity(process, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 0;
}

// The cores that this process may use, which in a container or under taskset are not all. The ranks
// that MPI has started on this machine share what their launcher, the parent, may use, as far as it
// has not bound each to cores of its own.
int coresOfProcess(const LocalRanks &ranks) {
  int own = std::max(coresOf(0), 1);
  int share = std::max(own, coresOf(getppid())) / ranks.count;
  return ranks.count > 1 ? std::clamp(share, 1, own) : own;
}

int readHostThreads(const LocalRanks &ranks) {
  const char *text = std::getenv("CUF_HOST_THREADS");
  if (!text || !*text)
    return coresOfProcess(ranks);
  char *end = nullptr;
  long count = std::strtol(text, &end, 10);
  if (*end || count < 1 || count > maxHostThreads)
    fatal(nullptr, 0, "CUF_HOST_THREADS is '%s'; it can be 1 to %ld", text, maxHostThreads);
  return static_cast<int>(count);
}

bool isSet(const char *name) {
  const char *text = std::getenv(name);
  return text && *text;
}

// Whether a debugger started the program, or something else that stops it at each signal
// (proc_pid_status(5), TracerPid).
bool isTraced() {
  std::FILE *status = std::fopen("/proc/self/status", "r");
  if (!status)
    return false;
  char line[256];
  long tracer = 0;
  while (std::fgets(line, sizeof line, status))
    if (std::strncmp(line, "TracerPid:", 10) == 0) {
      tracer = std::strtol(line + 10, nullptr, 10);
      break;
    }
  std::fclose(status);
  return tracer != 0;
}

// `on`, which is the default, or `off`.
bool readSwitch(const char *name) {
  const char *text = std::getenv(name);
  if (!text || !*text || !std::strcmp(text, "on"))
    return true;
  if (!std::strcmp(text, "off"))
    return false;
  fatal(nullptr, 0, "%s is '%s'; it can be on or off", name, text);
}

void readReport(Settings &values) {
  static std::string data;
  if (const char *name = std::getenv("CUF_REPORT_DATA"); name && *name) {
    data = name;
    values.reportData = data.c_str();
    values.report = true;
  }
  const char *text = std::getenv("CUF_REPORT");
  if (!text || !*text || !std::strcmp(text, "0"))
    return;
  values.reportIsJson = !std::strcmp(text, "json");
  values.reportIsSaid = values.reportIsJson || !std::strcmp(text, "1");
  values.report |= values.reportIsSaid;
  if (!values.reportIsSaid)
    fatal(nullptr, 0, "CUF_REPORT is '%s'; it can be 0, 1 or json", text);
  static std::string file;
  if (const char *name = std::getenv("CUF_REPORT_FILE"); name && *name) {
    file = name;
    values.reportFile = file.c_str();
  }
}

MpiBuffers readMpiBuffers() {
  const char *text = std::getenv("CUF_MPI_BUFFERS");
  if (!text || !*text || !std::strcmp(text, "auto"))
    return MpiBuffers::automatic;
  if (!std::strcmp(text, "direct"))
    return MpiBuffers::direct;
  if (!std::strcmp(text, "staged"))
    return MpiBuffers::staged;
  fatal(nullptr, 0, "CUF_MPI_BUFFERS is '%s'; it can be auto, direct or staged", text);
}

// Lives as long as the program.
const char *readToolkitLibraries() {
  static std::string folder;
  const char *home = std::getenv("CUDA_HOME");
  if (!home || !*home)
    return nullptr;
  folder = std::string(home) + "/lib64/";
  return folder.c_str();
}

Settings readSettings() {
  Settings values{};
  values.device = readDeviceChoice();
  values.ranks = readRanks();
  values.world = readWorld();
  values.hostThreads = readHostThreads(values.ranks);
  values.debugged = isTraced();
  values.hostProtect =
      readSwitch("CUF_HOST_PROTECT") && (isSet("CUF_HOST_PROTECT") || !values.debugged);
  readReport(values);
  values.reportUsesCupti = readSwitch("CUF_REPORT_CUPTI");
  values.hasProfiler = isSet("CUDA_INJECTION64_PATH") || isSet("NVTX_INJECTION64_PATH");
  values.mpiBuffers = readMpiBuffers();
  values.mpiIsMadeAware =
      readCount("MPICH_GPU_SUPPORT_ENABLED", 1) > 0 || readCount("MV2_USE_CUDA", 1) > 0;
  values.mpiIsMadeUnaware = readCount("MPIR_CVAR_ENABLE_GPU", 0) == 0;
  values.toolkitLibraries = readToolkitLibraries();
  return values;
}

} // namespace

const Settings &settings() {
  static const Settings values = readSettings();
  return values;
}

std::vector<std::string> toolkitFolders() {
  std::vector<std::string> folders;
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (isSet(name))
      folders.emplace_back(std::getenv(name));
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

std::vector<std::string> pythonPrefixes() {
  std::vector<std::string> prefixes;
  for (const char *name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (isSet(name))
      prefixes.emplace_back(std::getenv(name));
  if (isSet("HOME"))
    prefixes.emplace_back(std::string(std::getenv("HOME")) + "/.local");
  for (const char *prefix : {"/usr/local", "/usr", "/opt/conda"})
    prefixes.emplace_back(prefix);
  return prefixes;
}

} // namespace cufrt
