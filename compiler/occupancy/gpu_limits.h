// What a multiprocessor holds, and how many of them well-known chips have: rows of tables/gpus.def.
#ifndef CUFC_OCCUPANCY_GPU_LIMITS_H
#define CUFC_OCCUPANCY_GPU_LIMITS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

struct GpuLimits {
  int number;        // 90 for compute capability 9.0
  int threads;       // of a multiprocessor, as all that follows
  int blocks;        //
  int sharedBytes;   //
  int blockShared;   // bytes of a block, static and dynamic together
  int reserved;      // bytes that the system takes for each block
  int sharedUnit;    // what a block takes is a multiple of this
  int barriers;      // 0: they limit nothing
  double fp32, fp64; // fused multiply-adds a clock cycle

  static constexpr int warpSize = 32;
  static constexpr int registers = 65536;      // also of one block
  static constexpr int partitions = 4;         // registers belong to a quarter of the warps
  static constexpr int registerUnit = 256;     // a warp takes a multiple of this
  static constexpr int threadRegisters = 255;  // of one thread
  static constexpr int blockThreads = 1024;    // of one block
  static constexpr int plainShared = 48 << 10; // bytes of a block that need not be asked for

  int warps() const { return threads / warpSize; }
  std::string name() const { return "cc" + std::to_string(number); }
};

struct Chip {
  int number; // compute capability without the point
  std::string name;
  int multiprocessors;
  double megahertz = 0, gigabytes = 0; // boost clock; memory, 10**9 bytes a second. 0: not known
};

const std::vector<GpuLimits> &allGpuLimits();
// Null if the table has no such GPU.
const GpuLimits *findLimits(int number);

const std::vector<Chip> &allChips();
// The first of the table with that compute capability.
std::optional<Chip> chipOf(int number);
// By its name in any case, with or without blanks.
std::optional<Chip> findChip(std::string_view name);

// Of the table, by what a driver calls it: "NVIDIA H100 80GB HBM3" has the longest name in it.
std::optional<Chip> chipCalled(std::string_view name);

// What stands for a GPU where nothing says which: the first of compute capability 9.0.
Chip usualChip();

// The question for the first GPU of this machine. The driver takes half a second and more for its
// answer, minutes on some machines, so it works in a process of its own, which ends with the
// object.
class LocalChipQuestion {
public:
  LocalChipQuestion();
  ~LocalChipQuestion();
  LocalChipQuestion(const LocalChipQuestion &) = delete;
  LocalChipQuestion &operator=(const LocalChipQuestion &) = delete;

  // Can be read from when the answer is there; -1 if nobody could be asked. Belongs to the object.
  int descriptor() const { return readEnd; }
  // Waits for the answer: nothing if there is no driver that names a GPU. To be called once.
  std::optional<Chip> answer();

private:
  int readEnd = -1, child = -1;
};

// The same for whom has time to wait.
std::optional<Chip> localChip();

} // namespace cufc
#endif // CUFC_OCCUPANCY_GPU_LIMITS_H
