// Two lanes, each of which folds the 128-bit product of eight bytes and its state. 16 bytes take
// two multiplications, so hashing costs less than reading the file.
#include "project/content_hash.h"
#include <cstring>
#include <fmt/format.h>

namespace cufc {
namespace {

uint64_t fold(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Odd numbers with as many ones as zeros.
constexpr uint64_t first = 0x9e6c63d0876a9a47, second = 0xb5c9a4d396e3782b;

} // namespace

ContentHash contentHash(std::string_view data) {
  uint64_t low = first ^ data.size(), high = second;
  uint64_t words[2];
  size_t at = 0;
  auto mix = [&] {
    low = fold(low ^ words[0], first ^ words[1]) + words[0];
    high = fold(high ^ words[1], second ^ words[0] ^ low) + words[1];
  };
  for (; at + sizeof words <= data.size(); at += sizeof words) {
    std::memcpy(words, data.data() + at, sizeof words);
    mix();
  }
  words[0] = words[1] = 0;
  std::memcpy(words, data.data() + at, data.size() - at);
  mix();
  words[0] = words[1] = data.size();
  mix();
  return {low, high | 1}; // never that of nothing
}

std::string ContentHash::text() const { return fmt::format("{:016x}{:016x}", high, low); }

} // namespace cufc
