// See process_memory.h.
#include "debug/process_memory.h"
#include <algorithm>
#include <charconv>
#include <climits>
#include <sys/uio.h>

namespace cufc::debug {

bool ProcessMemory::read(uint64_t address, void *to, size_t bytes) {
  iovec local{to, bytes}, remote{reinterpret_cast<void *>(address), bytes};
  if (process && process_vm_readv(process, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(bytes))
    return true;
  MiReply reply =
      gdb.ask("-data-read-memory-bytes " + std::to_string(address) + " " + std::to_string(bytes));
  const MiValue &memory = reply.results["memory"];
  if (memory.items.empty())
    return false;
  const std::string &digits = memory.items[0].value["contents"].text;
  if (digits.size() != 2 * bytes)
    return false;
  auto *out = static_cast<unsigned char *>(to);
  for (size_t i = 0; i < bytes; ++i)
    std::from_chars(&digits[2 * i], &digits[2 * i] + 2, out[i], 16);
  return true;
}

bool ProcessMemory::readAll(const std::vector<uint64_t> &addresses, void *to, size_t bytesOfEach) {
  auto *out = static_cast<char *>(to);
  for (size_t first = 0; first < addresses.size(); first += IOV_MAX) {
    size_t count = std::min<size_t>(IOV_MAX, addresses.size() - first);
    std::vector<iovec> remote;
    for (size_t i = 0; i < count; ++i)
      remote.push_back({reinterpret_cast<void *>(addresses[first + i]), bytesOfEach});
    iovec local{out + first * bytesOfEach, count * bytesOfEach};
    if (process && process_vm_readv(process, &local, 1, remote.data(), count, 0) ==
                       static_cast<ssize_t>(local.iov_len))
      continue;
    for (size_t i = 0; i < count; ++i)
      if (!read(addresses[first + i], out + (first + i) * bytesOfEach, bytesOfEach))
        return false;
  }
  return true;
}

std::string ProcessMemory::readText(uint64_t address) {
  constexpr size_t most = 4096, step = 64;
  std::string text;
  char piece[step];
  while (text.size() < most) {
    size_t bytes = step - (address + text.size()) % step; // does not cross into a page too far
    if (!read(address + text.size(), piece, bytes))
      break;
    size_t length = strnlen(piece, bytes);
    text.append(piece, length);
    if (length < bytes)
      break;
  }
  return text;
}

} // namespace cufc::debug
