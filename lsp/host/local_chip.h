// The GPU of this machine, which the driver is asked for in the background.
#ifndef CUFLS_HOST_LOCAL_CHIP_H
#define CUFLS_HOST_LOCAL_CHIP_H

#include "occupancy/gpu_limits.h"
#include <asio.hpp>
#include <functional>
#include <optional>

namespace cufc {

class LocalChip {
public:
  // `came` is called once, from the loop, when an answer is there that somebody has asked for.
  LocalChip(asio::io_context &loop, std::function<void()> came);

  // Whether the answer is there; otherwise the question is put, if it has not been.
  bool isKnown();
  // The answer, which is waited for: nothing if the machine has no GPU.
  const std::optional<Chip> &get();

private:
  void take();

  std::function<void()> came;
  asio::posix::stream_descriptor readable; // of the question, as long as it is open
  std::optional<LocalChipQuestion> question;
  bool known = false;
  std::optional<Chip> chip;
};

} // namespace cufc
#endif // CUFLS_HOST_LOCAL_CHIP_H
