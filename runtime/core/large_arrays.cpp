// Memory for large arrays of host code, in pages of 2 MB where Linux gives them to those who ask
// (transparent huge pages, setting "madvise"): a loop over such arrays waits less for the
// translation of addresses, and memory is there after fewer page faults. free() takes it back.
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>

namespace {

constexpr size_t hugePage = size_t{2} << 20;
constexpr size_t fromBytes = 2 * hugePage; // at least one lies whole inside

void *askForHugePages(void *memory, size_t bytes) {
  if (!memory || bytes < fromBytes)
    return memory;
  auto begin = (reinterpret_cast<uintptr_t>(memory) + hugePage - 1) & ~(hugePage - 1);
  auto end = (reinterpret_cast<uintptr_t>(memory) + bytes) & ~(hugePage - 1);
  if (end > begin) // a refusal leaves ordinary pages
    madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
  return memory;
}

} // namespace

extern "C" void *cufrt_allocate(size_t bytes) { return askForHugePages(std::malloc(bytes), bytes); }

extern "C" void *cufrt_allocate_aligned(size_t alignment, size_t bytes) {
  return askForHugePages(std::aligned_alloc(alignment, bytes), bytes);
}
