// Numbers in texts of programs.
#ifndef CUFLS_IDE_DECIMAL_H
#define CUFLS_IDE_DECIMAL_H

#include <charconv>
#include <string_view>

namespace cufc {

// The number that a text of digits means; 0 for one that is too large, and for other texts.
inline int numberOf(std::string_view digits) {
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

} // namespace cufc
#endif // CUFLS_IDE_DECIMAL_H
