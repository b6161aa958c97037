// Blocks as debuggers find them (cufrt/debugger.h). Only in programs that one has started.
#ifndef CUFRT_HOST_DEBUGGED_BLOCKS_H
#define CUFRT_HOST_DEBUGGED_BLOCKS_H

#include "core/settings.h"
#include "cufrt/debugger.h"

namespace cufrt::host {

// One member of the list, for as long as it lives.
class DebuggedBlock {
public:
  DebuggedBlock() = default;
  DebuggedBlock(const DebuggedBlock &) = delete;
  ~DebuggedBlock() {
    if (isListed)
      unlist();
  }

  // A block begins. `next` is filled in.
  void enter(const cufrt_running_block &now) {
    if (settings().debugged)
      begin(now);
  }
  void leave() { record.kernel = nullptr; }

private:
  void begin(const cufrt_running_block &now);
  void list(const cufrt_running_block &now);
  void unlist();

  cufrt_running_block record{};
  bool isListed = false;
};

} // namespace cufrt::host
#endif // CUFRT_HOST_DEBUGGED_BLOCKS_H
