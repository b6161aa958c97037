// Look-up in the table, and the GPU of this machine, which the driver's library is asked for:
// loading it takes no context on the GPU and does nothing where there is no driver.
#include "occupancy/gpu_limits.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cufc {
namespace {

// Rows of CUF_GPU, for the shared memory of a block.
int blockSharedOf(int number) {
  struct Row {
    int number, kilobytes;
  };
  static constexpr Row rows[] = {
#define CUF_GPU(number, ptx, dataCentre, sharedKilobytes, firstToolkit, endToolkit)                \
  {number, sharedKilobytes},
#include "tables/gpus.def"
#undef CUF_GPU
  };
  for (const Row &row : rows)
    if (row.number == number)
      return row.kilobytes << 10;
  return 0;
}

std::string plain(std::string_view name) {
  std::string result;
  for (unsigned char c : name)
    if (std::isalnum(c))
      result += static_cast<char>(std::tolower(c));
  return result;
}

// The driver's functions that are needed here (CUDA Driver API, "Device Management").
struct Driver {
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  template <typename Function>
  Function *find(const char *name) const {
    return library ? reinterpret_cast<Function *>(dlsym(library, name)) : nullptr;
  }
};

struct DriverAnswer {
  int multiprocessors = 0, major = 0, minor = 0;
  char name[256] = "";
};

bool askDriver(DriverAnswer &answer) {
  Driver driver;
  auto *initialise = driver.find<int(unsigned)>("cuInit");
  auto *getName = driver.find<int(char *, int, int)>("cuDeviceGetName");
  auto *getAttribute = driver.find<int(int *, int, int)>("cuDeviceGetAttribute");
  if (!initialise || !getName || !getAttribute || initialise(0) != 0)
    return false;
  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT and the two parts of the compute capability.
  constexpr int multiprocessorCount = 16, major = 75, minor = 76;
  return getAttribute(&answer.multiprocessors, multiprocessorCount, 0) == 0 &&
         getAttribute(&answer.major, major, 0) == 0 && getAttribute(&answer.minor, minor, 0) == 0 &&
         getName(answer.name, sizeof answer.name - 1, 0) == 0;
}

} // namespace

const std::vector<GpuLimits> &allGpuLimits() {
  static const std::vector<GpuLimits> all = {
#define CUF_GPU_LIMITS(number, threads, blocks, sharedKilobytes, reserved, sharedUnit, barriers,   \
                       fp32, fp64)                                                                 \
  {number,   threads, blocks, sharedKilobytes << 10, blockSharedOf(number), reserved, sharedUnit,  \
   barriers, fp32,    fp64},
#include "tables/gpus.def"
#undef CUF_GPU_LIMITS
  };
  return all;
}

const GpuLimits *findLimits(int number) {
  for (const GpuLimits &limits : allGpuLimits())
    if (limits.number == number)
      return &limits;
  return nullptr;
}

const std::vector<Chip> &allChips() {
  static const std::vector<Chip> all = {
#define CUF_CHIP(number, name, multiprocessors, megahertz, gigabytes)                              \
  {number, name, multiprocessors, megahertz, gigabytes},
#include "tables/gpus.def"
#undef CUF_CHIP
  };
  return all;
}

std::optional<Chip> chipOf(int number) {
  for (const Chip &chip : allChips())
    if (chip.number == number)
      return chip;
  return std::nullopt;
}

Chip usualChip() {
  constexpr int usual = 90;
  // The table has it. NOLINTNEXTLINE(bugprone-unchecked-optional-access)
  return *chipOf(usual);
}

std::optional<Chip> findChip(std::string_view name) {
  for (const Chip &chip : allChips())
    if (plain(chip.name) == plain(name))
      return chip;
  return std::nullopt;
}

std::optional<Chip> chipCalled(std::string_view name) {
  std::optional<Chip> longest;
  for (const Chip &known : allChips())
    if (plain(name).find(plain(known.name)) != std::string::npos &&
        (!longest || known.name.size() > longest->name.size()))
      longest = known;
  return longest;
}

// The driver reserves hundreds of gigabytes of addresses and starts threads, which a process that
// forks and limits its memory cannot have: another reason for one that ends with the answer.
LocalChipQuestion::LocalChipQuestion() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  pid_t asking = getpid();
  child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    DriverAnswer answer;
    bool good = getppid() == asking && askDriver(answer) &&
                write(ends[1], &answer, sizeof answer) == sizeof answer;
    _exit(good ? 0 : 1);
  }
  close(ends[1]);
  readEnd = ends[0];
}

LocalChipQuestion::~LocalChipQuestion() {
  if (readEnd >= 0)
    close(readEnd);
  if (child <= 0)
    return;
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<Chip> LocalChipQuestion::answer() {
  DriverAnswer found;
  if (child <= 0 || read(readEnd, &found, sizeof found) != sizeof found)
    return std::nullopt;
  Chip chip{found.major * 10 + found.minor, found.name, found.multiprocessors};
  // "NVIDIA H100 80GB HBM3" has the clock and the bandwidth of the longest name in it.
  size_t length = 0;
  for (const Chip &known : allChips())
    if (known.number == chip.number && known.multiprocessors == chip.multiprocessors &&
        plain(found.name).find(plain(known.name)) != std::string::npos &&
        known.name.size() > length) {
      length = known.name.size();
      chip.megahertz = known.megahertz;
      chip.gigabytes = known.gigabytes;
      chip.name = known.name;
    }
  return chip;
}

std::optional<Chip> localChip() { return LocalChipQuestion().answer(); }

} // namespace cufc
