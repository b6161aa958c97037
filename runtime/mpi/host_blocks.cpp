// See host_blocks.h, and Block of staging.h. Pinning memory takes longer than sending it, so much
// of it stays pinned: programs exchange messages of the same few lengths again and again.
#include "mpi/host_blocks.h"
#include "core/location.h"
#include "cufrt/device.h"
#include "mpi/staging.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <sys/mman.h>
#include <utility>
#include <vector>

namespace cufrt::mpi {
namespace {

constexpr size_t smallest = 4096;
constexpr size_t mostKept = size_t{2} << 30; // bytes that no call uses
constexpr int sizes = 64;

constexpr size_t mostMapped = 16; // blocks that no call uses

struct Pool {
  std::mutex mutex;
  std::vector<char *> unused[sizes]; // by the logarithm of their size
  size_t kept = 0;
  std::vector<std::pair<size_t, char *>> mapped; // sparse blocks by their size
};

Pool &pool() {
  static Pool *instance = new Pool; // pinned memory ends with the process
  return *instance;
}

// Sparse blocks are kept as well: their pages are there from their first use on.
char *takeMapped(size_t bytes, const char *call) {
  {
    std::lock_guard lock(pool().mutex);
    auto &unused = pool().mapped;
    auto found = std::find_if(unused.begin(), unused.end(),
                              [&](const auto &block) { return block.first == bytes; });
    if (found != unused.end()) {
      char *memory = found->second;
      unused.erase(found);
      return memory;
    }
  }
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fatal(nullptr, 0, "%s: no %zu bytes of addresses for a device buffer", call, bytes);
  return static_cast<char *>(memory);
}

void giveMapped(char *memory, size_t bytes) {
  std::pair<size_t, char *> oldest{bytes, memory};
  {
    std::lock_guard lock(pool().mutex);
    auto &unused = pool().mapped;
    unused.emplace_back(bytes, memory);
    if (unused.size() <= mostMapped)
      return;
    oldest = unused.front();
    unused.erase(unused.begin());
  }
  munmap(oldest.second, oldest.first);
}

size_t sizeOf(size_t bytes) { return std::bit_ceil(std::max(bytes, smallest)); }

} // namespace

char *takePinned(size_t bytes, const char *call) {
  size_t size = sizeOf(bytes);
  {
    std::lock_guard lock(pool().mutex);
    auto &unused = pool().unused[std::countr_zero(size)];
    while (!unused.empty()) {
      char *memory = unused.back();
      unused.pop_back();
      pool().kept -= size;
      if (isPinned(memory)) // cudaDeviceReset frees it
        return memory;
      forgetOrder();
    }
  }
  void *memory = nullptr;
  constexpr unsigned portable = 1; // cudaHostAllocPortable: for all GPUs
  Error error = api().cudaHostAlloc(&memory, size, portable);
  check(error, {nullptr, 0}, "%s: %zu bytes of pinned memory for a device buffer", call, size);
  return static_cast<char *>(memory);
}

void givePinned(char *memory, size_t bytes) {
  size_t size = sizeOf(bytes);
  {
    std::lock_guard lock(pool().mutex);
    if (pool().kept + size <= mostKept) {
      pool().unused[std::countr_zero(size)].push_back(memory);
      pool().kept += size;
      return;
    }
  }
  api().cudaFreeHost(memory);
}

Block::Block(size_t bytes, bool sparse, const char *call)
    : start(sparse ? takeMapped(bytes, call) : takePinned(bytes, call)), bytes(bytes),
      isMapped(sparse) {}

Block::~Block() {
  if (!start)
    return;
  if (isMapped)
    giveMapped(start, bytes);
  else
    givePinned(start, bytes);
}

} // namespace cufrt::mpi
