// A launch on the host device, checked and ready to run: what all its blocks have in common.
#ifndef CUFRT_HOST_GRID_H
#define CUFRT_HOST_GRID_H

#include "cufrt/abi.h"

#include <cstdlib>
#include <vector>

namespace cufrt::host {

struct ThreadIndex {
  int32_t x, y, z;
};

struct Grid {
  const cufrt_kernel *kernel;
  void **arguments;
  cufrt_block block;  // without block_index and shared
  size_t sharedBytes; // static and dynamic
  int64_t blocks;
  int clusterBlocks; // of one cluster; the grid is a whole number of them in each dimension
  int threads;       // of one block
  bool runsBlocks;   // by run_block, as far as blocks fit; otherwise by resume_thread
  // Index of each thread of a block, x fastest. Empty where all blocks are run as a whole.
  std::vector<ThreadIndex> threadIndex;
};

// The block's record, without shared memory. Blocks are numbered with x fastest.
inline cufrt_block blockOf(const Grid &grid, int64_t number) {
  cufrt_block block = grid.block;
  int64_t x = grid.block.grid_dim[0], y = grid.block.grid_dim[1];
  block.block_index[0] = static_cast<int32_t>(number % x);
  block.block_index[1] = static_cast<int32_t>(number / x % y);
  block.block_index[2] = static_cast<int32_t>(number / x / y);
  const int32_t (&cluster)[3] = block.cluster_dim;
  block.cluster_rank = block.block_index[0] % cluster[0] +
                       cluster[0] * (block.block_index[1] % cluster[1] +
                                     cluster[1] * (block.block_index[2] % cluster[2]));
  return block;
}

// Threads of a block's frames (cufrt_block).
inline size_t roomForThreads(const Grid &grid) {
  return (static_cast<size_t>(grid.threads) + 63) / 64 * 64;
}

// Memory aligned to 128 bytes that only grows; its content is not kept.
class AlignedMemory {
public:
  AlignedMemory() = default;
  AlignedMemory(const AlignedMemory &) = delete;
  ~AlignedMemory() { std::free(memory); }

  void reserve(size_t wanted) {
    if (wanted <= size)
      return;
    std::free(memory);
    size = (wanted + 127) / 128 * 128;
    memory = std::aligned_alloc(128, size);
    if (!memory)
      std::abort(); // below 230 KB for shared memory; frames are as small as a thread's variables
  }

  char *get() const { return static_cast<char *>(memory); }

private:
  void *memory = nullptr;
  size_t size = 0;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_GRID_H
