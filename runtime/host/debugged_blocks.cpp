// See debugged_blocks.h. The list is short: a member for each block that can be under way at once.
#include "host/debugged_blocks.h"
#include "host/memory_table.h"

#include <functional>
#include <mutex>
#include <utility>

namespace {

std::mutex mutex;
alignas(16) char scratch[1 << 16]; // takes no memory until it is used

const char *describeAddress(const void *address) {
  static char text[200];
  if (!cufrt::host::describeDeviceAddress(address, text, sizeof text))
    text[0] = '\0';
  return text;
}

} // namespace

extern "C" {

cufrt_debugger cufrt_debugger_data = {CUFRT_DEBUGGER_VERSION, CUFRT_ABI_VERSION, nullptr,
                                      describeAddress,        scratch,           sizeof scratch};

__attribute__((noinline)) void cufrt_debugger_stop(const char *text) {
  asm volatile("" : : "r"(text) : "memory"); // so that the call stays
}

const void *volatile cufrt_debugger_awaited;

__attribute__((noinline)) void cufrt_debugger_resumed(const void *frame) {
  asm volatile("" : : "r"(frame) : "memory");
}

uintptr_t cufrt_debugger_memory[2];

__attribute__((noinline)) void cufrt_debugger_fault(int signal, const void *address) {
  asm volatile("" : : "r"(signal), "r"(address) : "memory");
}

} // extern "C"

namespace cufrt::host {

void DebuggedBlock::begin(const cufrt_running_block &now) {
  list(now);
  const auto *first = static_cast<const char *>(now.frames);
  const auto *awaited = static_cast<const char *>(cufrt_debugger_awaited);
  std::less<> before;
  if (awaited && !before(awaited, first) &&
      before(awaited, first + now.frame_stride * static_cast<uint64_t>(now.threads)))
    cufrt_debugger_resumed(awaited);
}

void DebuggedBlock::list(const cufrt_running_block &now) {
  std::lock_guard lock(mutex);
  cufrt_running_block *next = isListed ? record.next : cufrt_debugger_data.blocks;
  record = now;
  record.next = next;
  if (!std::exchange(isListed, true))
    cufrt_debugger_data.blocks = &record;
}

void DebuggedBlock::unlist() {
  std::lock_guard lock(mutex);
  cufrt_running_block **link = &cufrt_debugger_data.blocks;
  while (*link != &record)
    link = &(*link)->next;
  *link = record.next;
}

} // namespace cufrt::host
