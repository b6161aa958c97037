// What a stopped program says of its kernels on the CPU: at which thread of which block a call
// stack is, and where the other threads of the block are. Indices are those of Fortran, from 1.
#ifndef CUFLS_DEBUG_KERNEL_MODEL_H
#define CUFLS_DEBUG_KERNEL_MODEL_H

#include "debug/process_memory.h"
#include <array>
#include <map>

namespace cufc::debug {

using Index = std::array<int32_t, 3>;

std::string shownIndex(const Index &index); // "(1,1,1)"

// Whose variables are looked at: a level of a call stack or, with `frame`, of a kernel's thread
// that waits and is in no call stack (cufrt/debugger.h).
struct FrameContext {
  int thread = 1; // gdb's number of a thread of the process
  int level = 0;
  uint64_t frame = 0;
  uint64_t place = 0; // where that thread waits

  auto operator<=>(const FrameContext &) const = default;
};

// A call stack that is in a kernel.
struct KernelPosition {
  int level = 0; // of the kernel itself; procedures that it calls are below
  std::string function;
  Index thread{1, 1, 1}, block{1, 1, 1}, blockSize{1, 1, 1}, gridSize{1, 1, 1};

  int threadNumber() const; // from 0, x fastest
  int threadCount() const { return blockSize[0] * blockSize[1] * blockSize[2]; }
};

enum class ThreadState { NotBegun, Running, Ready, Waiting, Ended };

struct BlockThread {
  ThreadState state = ThreadState::NotBegun;
  int operation = 0;  // a cufrt_sync that it waits at, or comes from
  uint64_t frame = 0; // 0 where the kernel does not synchronise
  uint64_t place = 0; // of one that waits or is ready; 0 if it is not known
};

// A block of a kernel, as far as it is known.
struct Block {
  std::string kernel;
  Index index{1, 1, 1}, blockSize{1, 1, 1}, gridSize{1, 1, 1};
  uint64_t resume = 0; // the function that runs its threads; 0 if the kernel does not synchronise
  std::vector<BlockThread> threads;
  int running = -1; // the thread in the call stack

  Index threadIndex(int number) const;
  int threadNumber(const Index &index) const; // -1 if there is none
};

struct SourceLine {
  std::string file; // a full path, or empty
  int line = 0;
};

class KernelModel {
public:
  KernelModel(MiConnection &gdb, ProcessMemory &memory) : gdb(gdb), memory(memory) {}

  // The program goes on.
  void forget();

  // Nothing outside of kernels.
  std::optional<KernelPosition> position(const FrameContext &context);

  // The thread of a GPU that cuda-gdb looks at, while it does.
  void setOnDevice(const std::optional<KernelPosition> &position) { onDevice = position; }
  bool isOnDevice() const { return onDevice.has_value(); }

  // The block in which a call stack is, with where its threads are.
  std::optional<Block> blockAt(const FrameContext &context);

  // Blocks of kernels that synchronise, as those of a cooperative launch, all under way at once.
  std::vector<Block> blocksUnderWay();

  SourceLine lineOf(uint64_t address);

  // What is known of an address in device memory.
  std::string describeAddress(uint64_t address);
  uint64_t scratch(uint64_t &bytes);

private:
  uint64_t dataAddress();
  std::optional<KernelPosition> findPosition(const FrameContext &context);
  bool readIndex(const FrameContext &context, int level, const char *name, Index &index);
  void readThreads(uint64_t frames, uint64_t stride, uint64_t warps, Block &block);
  void deduceThreads(const KernelPosition &position, Block &block) const;

  MiConnection &gdb;
  ProcessMemory &memory;
  std::optional<uint64_t> data; // of the runtime library's record
  std::map<FrameContext, std::optional<KernelPosition>> positions;
  std::optional<KernelPosition> onDevice;
  std::map<uint64_t, SourceLine> lines;
};

// An expression with the values in place of threadIdx%x and its like, for procedures that a kernel
// calls, where gdb does not know these names.
std::string withLaunchIndices(std::string_view expression, const KernelPosition &position);

// "(2,1,1)", "2, 1" or "2"; what is missing is 1. `count` is how many there are.
std::optional<Index> indexIn(const std::string &text, int &count);

// How a frame's operation is called: "a barrier".
const char *operationName(int operation);

} // namespace cufc::debug
#endif // CUFLS_DEBUG_KERNEL_MODEL_H
