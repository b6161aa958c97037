// The options of cufc as a table, from tables/options.toml and options_accepted.toml: what the
// command line looks up, and what the reader of compilation databases knows of options.
#ifndef CUFC_BASE_OPTION_TABLE_H
#define CUFC_BASE_OPTION_TABLE_H

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

enum class OptionKind { Flag, Joined, Separate, Equals, Optional };

// What happens to an option: it does something; changes nothing, which -v says; changes nothing of
// what was asked, which is always said; is an error.
enum class OptionFate { Applied, Quiet, Noted, Refused };

enum class OptionId {
#define CUF_OPTION_ID(id) id,
#include "tables/options.inc"
#undef CUF_OPTION_ID
};

struct OptionRow {
  std::string_view name;
  OptionKind kind;
  OptionId id;
  bool on; // false for a spelling that takes the option back
  OptionFate fate;
  std::string_view value;  // how the value is called
  std::string_view values; // those it takes, with commas; empty: any. One that ends in ":" goes on
  std::string_view group;
  std::string_view help;
  bool listed; // --help names it
};

std::span<const OptionRow> optionRows();

// One option found on a command line: its row, the value, and how many arguments it took.
struct OptionMatch {
  const OptionRow *row = nullptr;
  std::string value;
  bool missingValue = false;
  int taken = 1;
};

// The option that begins at `at`; no row if there is none of that name.
OptionMatch matchOption(const std::vector<std::string> &arguments, size_t at);

// The option's name that is nearest to a mistyped one by edit distance, or empty.
std::string nearestOption(const std::string &argument);

// The word of -gpu= that is nearest to a mistyped one, or empty.
std::string nearestGpuItem(const std::string &item);

std::vector<std::string> splitAtCommas(const std::string &list);

// Whether -gpu= knows a word; the names of GPUs and toolkits are none.
bool isGpuItem(const std::string &item);

// The first item of a value that is not among the row's values, or empty.
std::string wrongItem(const OptionRow &row, const std::string &value);

// Those values, for people.
std::string valuesOf(const OptionRow &row);

} // namespace cufc
#endif // CUFC_BASE_OPTION_TABLE_H
