// See local_chip.h.
#include "host/local_chip.h"

namespace cufc {

LocalChip::LocalChip(asio::io_context &loop, std::function<void()> came)
    : came(std::move(came)), readable(loop) {}

void LocalChip::take() {
  if (question)
    chip = question->answer();
  known = true;
  if (readable.is_open())
    readable.release(); // the question closes it
  question.reset();
}

bool LocalChip::isKnown() {
  if (known || question)
    return known;
  question.emplace();
  if (question->descriptor() < 0) {
    take();
    return true;
  }
  readable.assign(question->descriptor());
  readable.async_wait(asio::posix::stream_descriptor::wait_read,
                      [this](const asio::error_code &error) {
                        if (error || known)
                          return;
                        take();
                        came();
                      });
  return false;
}

const std::optional<Chip> &LocalChip::get() {
  if (!isKnown()) {
    take();
    asio::post(readable.get_executor(), came);
  }
  return chip;
}

} // namespace cufc
