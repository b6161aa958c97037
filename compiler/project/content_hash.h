// A hash of contents, to tell whether two files or commands are the same. 128 bits, so that chance
// does not matter; it protects against no attacker.
#ifndef CUFC_PROJECT_CONTENT_HASH_H
#define CUFC_PROJECT_CONTENT_HASH_H

#include <cstdint>
#include <string>
#include <string_view>

namespace cufc {

struct ContentHash {
  uint64_t low = 0, high = 0; // both 0: of nothing, such as a file that is not there

  bool operator==(const ContentHash &) const = default;
  explicit operator bool() const { return low != 0 || high != 0; }
  // 32 hexadecimal digits.
  std::string text() const;
};

ContentHash contentHash(std::string_view data);

} // namespace cufc
#endif // CUFC_PROJECT_CONTENT_HASH_H
