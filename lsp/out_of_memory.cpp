// See out_of_memory.h. A text in the table of diagnostics would need memory to be formatted, so
// this one stands here, and is written as it is. LLVM asks for memory by functions of its own.
#include "out_of_memory.h"
#include "llvm/Support/ErrorHandling.h"
#include <new>
#include <string_view>
#include <unistd.h>

namespace cufc {
namespace {

[[noreturn]] void end() {
  constexpr std::string_view text = "cufc: error: not enough memory: the system gives no more\n";
  ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(written < 0 ? 2 : 1);
}

} // namespace

void sayWhenOutOfMemory() {
  std::set_new_handler(end);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { end(); });
}

} // namespace cufc
