// Memory for large arrays of host code, in pages of 2 MB where Linux gives them to those who ask
// (transparent huge pages, setting "madvise"): a loop over such arrays waits less for the
// translation of addresses, and memory is there after fewer page faults. free() takes it back.
//
// In a Fortran program the C library keeps what is freed for what is allocated next: it would give
// arrays of megabytes back to the system each time, which clears their pages for the next one.
#include "core/module_registry.h"

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <malloc.h>
#include <sys/mman.h>

extern "C" [[gnu::weak]] void _QQmain(); // of a Fortran main program

namespace {

bool isToldOtherwise() {
  for (const char *name :
       {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_", "GLIBC_TUNABLES"})
    if (std::getenv(name))
      return true;
  return false;
}

// Where the program loads other libraries for main, or is one of another language's, it is their
// business. Kernels on CPUs whose blocks read rows far apart were seen to take twice as long beside
// memory that is kept; objects with kernels have registered them by now, being linked first.
[[gnu::constructor]] void keepFreedMemory() {
  constexpr int largest = 256 << 20, largestOfOlder = 32 << 20; // bytes, before glibc 2.35
  if (!_QQmain || !cufrt::registeredModules().empty() || isToldOtherwise())
    return;
  if (!mallopt(M_MMAP_THRESHOLD, largest))
    mallopt(M_MMAP_THRESHOLD, largestOfOlder);
  mallopt(M_TRIM_THRESHOLD, 2 * largest);
  mallopt(M_TOP_PAD, 16 << 20);
}

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
