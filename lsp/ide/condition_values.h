// Values of the conditions of #if and #elif.
#ifndef CUFLS_IDE_CONDITION_VALUES_H
#define CUFLS_IDE_CONDITION_VALUES_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace cufc {

struct Macro {
  std::string text;
  bool function = false; // has parameters
};

struct MacroTable {
  std::map<std::string, Macro, std::less<>> known;
  bool complete = true; // false: names that are not known may be defined nevertheless
};

// Nothing if it is no integer expression, or rests on what is not known.
std::optional<std::int64_t> conditionValue(std::string_view expression, const MacroTable &macros);

} // namespace cufc
#endif // CUFLS_IDE_CONDITION_VALUES_H
