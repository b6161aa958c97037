// What gdb says on its machine interface (GDB manual, "GDB/MI Output Syntax"), as plain data.
#ifndef CUFLS_DEBUG_MI_VALUE_H
#define CUFLS_DEBUG_MI_VALUE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc::debug {

struct MiItem;

// A constant, a tuple or a list. What is not there is an empty value.
struct MiValue {
  std::string text;
  std::vector<MiItem> items;

  const MiValue &operator[](std::string_view name) const;
  bool has(std::string_view name) const;
  int64_t number(std::string_view name, int64_t otherwise = 0) const;
};

struct MiItem {
  std::string name; // empty in lists of values
  MiValue value;
};

struct MiRecord {
  // As the record begins: '^' an answer, '*' of the program's state, '=' something changed, '~' for
  // the console, '@' of the program, '&' of gdb's log.
  char type = '^';
  int64_t token = -1;
  std::string name; // "done", "stopped"
  MiValue results;
  std::string text; // of '~', '@' and '&'
};

// Nothing for prompts and for lines that are not of this language, as a program writes them on the
// same stream.
std::optional<MiRecord> parseMiLine(std::string_view line);

// As an argument of a command.
std::string miQuoted(std::string_view text);

// "0x1f" or "31"; 0 if it is neither.
uint64_t addressOf(std::string_view text);

} // namespace cufc::debug
#endif // CUFLS_DEBUG_MI_VALUE_H
