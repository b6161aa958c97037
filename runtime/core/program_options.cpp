// Constructors of objects call cufrt_prepare_program, so each of them may say it again.
#include "core/program_options.h"
#include "core/floating_point_control.h"

#include <atomic>

namespace cufrt {
namespace {

std::atomic<bool> zeroes{false};

} // namespace

bool zeroesDeviceMemory() { return zeroes; }

} // namespace cufrt

extern "C" void cufrt_prepare_program(uint64_t options) {
  if (options & CUFRT_ZERO_DEVICE_MEMORY)
    cufrt::zeroes = true;
  if (options & CUFRT_TRACEBACK)
    cufrt::installTraceback();
  auto traps = static_cast<unsigned>(options / CUFRT_TRAP_UNIT);
  bool flushResults = options & CUFRT_FLUSH_RESULTS, flushOperands = options & CUFRT_FLUSH_OPERANDS;
  if (traps || flushResults || flushOperands)
    cufrt::startFloatingPoint(traps, flushResults, flushOperands);
}
