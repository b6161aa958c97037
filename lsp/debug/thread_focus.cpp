// See thread_focus.h.
#include "debug/thread_focus.h"
#include "debug/machine_registers.h"

namespace cufc::debug {
namespace {

std::string hexadecimal(uint64_t number) {
  std::string digits(18, '0');
  digits[1] = 'x';
  for (size_t i = 17; i > 1; --i, number /= 16)
    digits[i] = "0123456789abcdef"[number % 16];
  return digits;
}

// The bytes of an address as they lie in memory.
std::string bytesOf(uint64_t number) {
  std::string digits;
  for (int i = 0; i < 8; ++i, number >>= 8) {
    digits += "0123456789abcdef"[number >> 4 & 15];
    digits += "0123456789abcdef"[number & 15];
  }
  return digits;
}

} // namespace

bool ThreadFocus::set(int thread, const Registers &registers) {
  for (const auto &[name, value] :
       {std::pair(stackRegister, registers.stack), std::pair(frameRegister, registers.frame),
        std::pair("$pc", registers.counter)})
    if (!gdb.ask("-data-evaluate-expression --thread " + std::to_string(thread) + " --frame 0 " +
                 miQuoted(std::string(name) + " = " + value))
             .ok)
      return false;
  return true;
}

bool ThreadFocus::enter(const FrameContext &context) {
  bool isSame = kept ? now.thread == context.thread && now.frame == context.frame &&
                           now.place == context.place
                     : context.frame == 0;
  if (isSame)
    return true;
  if (!leave())
    return false;
  if (context.frame == 0)
    return true;
  uint64_t bytes = 0;
  uint64_t scratch = kernels.scratch(bytes);
  auto read = [&](const char *name) {
    MiReply reply = gdb.ask("-data-evaluate-expression --thread " + std::to_string(context.thread) +
                            " --frame 0 \"(integer(8)) " + name + "\"");
    if (!reply.ok)
      reply = gdb.ask("-data-evaluate-expression --thread " + std::to_string(context.thread) +
                      " --frame 0 " + name);
    std::string value = reply.results["value"].text;
    return value.substr(0, value.find(' '));
  };
  Registers registers{read("$pc"), read(stackRegister), read(frameRegister)};
  if (!scratch || !context.place || registers.counter.empty() ||
      !gdb.ask("-data-write-memory-bytes " + std::to_string(scratch) + " \"" +
               bytesOf(context.frame) + "\" " + std::to_string(bytes))
           .ok)
    return false;
  kept = registers;
  now = context;
  std::string middle = hexadecimal(scratch + bytes / 2);
  if (set(context.thread, {hexadecimal(context.place), middle, middle}))
    return true;
  leave();
  return false;
}

bool ThreadFocus::leave() {
  if (!kept)
    return true;
  Registers registers = *kept;
  kept.reset();
  return set(now.thread, registers);
}

} // namespace cufc::debug
