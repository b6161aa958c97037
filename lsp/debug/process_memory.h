// The memory of the program under the debugger, read directly: many small pieces at once, which
// would each take a round trip through gdb. Where the system does not let us, gdb reads.
#ifndef CUFLS_DEBUG_PROCESS_MEMORY_H
#define CUFLS_DEBUG_PROCESS_MEMORY_H

#include "debug/mi_connection.h"
#include <cstring>

namespace cufc::debug {

class ProcessMemory {
public:
  explicit ProcessMemory(MiConnection &gdb) : gdb(gdb) {}
  void setProcess(int number) { process = number; }

  bool read(uint64_t address, void *to, size_t bytes);
  // From each of the addresses; false if one cannot be read.
  bool readAll(const std::vector<uint64_t> &addresses, void *to, size_t bytesOfEach);
  // Up to the zero byte.
  std::string readText(uint64_t address);

  template <typename Object>
  std::optional<Object> object(uint64_t address) {
    Object result;
    if (!read(address, &result, sizeof result))
      return std::nullopt;
    return result;
  }

private:
  MiConnection &gdb;
  int process = 0;
};

} // namespace cufc::debug
#endif // CUFLS_DEBUG_PROCESS_MEMORY_H
