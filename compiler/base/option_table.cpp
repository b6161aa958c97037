// Look-ups by name: of several names that fit, the longest is meant, so that -Mcuda is not read as
// -M.
#include "base/option_table.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr OptionRow rows[] = {
#define CUF_OPTION(name, kind, id, on, fate, value, values, group, help, listed)                   \
  {name, OptionKind::kind, OptionId::id, on, OptionFate::fate, value, values, group, help, listed},
#include "tables/options.inc"
#undef CUF_OPTION
};

constexpr std::string_view gpuItems[] = {
#define CUF_GPU_ITEM(name, id, on, help) name,
#include "tables/options.inc"
#undef CUF_GPU_ITEM
};

bool takesEquals(OptionKind kind) {
  return kind == OptionKind::Equals || kind == OptionKind::Optional;
}

bool matches(const OptionRow &row, std::string_view argument) {
  if (!argument.starts_with(row.name))
    return false;
  if (argument.size() == row.name.size())
    return true;
  return row.kind == OptionKind::Joined ||
         (takesEquals(row.kind) && argument[row.name.size()] == '=');
}

// "-tp haswell" and "-tp=haswell" are two rows.
bool isBetter(const OptionRow &row, const OptionRow *other, std::string_view argument) {
  if (!other || row.name.size() != other->name.size())
    return !other || row.name.size() > other->name.size();
  bool withEquals = argument.size() > row.name.size() && argument[row.name.size()] == '=';
  return takesEquals(row.kind) == withEquals && takesEquals(other->kind) != withEquals;
}

const OptionRow *findRow(std::string_view argument) {
  const OptionRow *best = nullptr;
  for (const OptionRow &row : rows)
    if (matches(row, argument) && isBetter(row, best, argument))
      best = &row;
  return best;
}

bool fits(std::string_view item, std::string_view allowed) {
  bool goesOn = allowed.ends_with(':') || allowed.ends_with('=');
  return goesOn ? item.starts_with(allowed) && item.size() > allowed.size() : item == allowed;
}

} // namespace

std::span<const OptionRow> optionRows() { return rows; }

OptionMatch matchOption(const std::vector<std::string> &arguments, size_t at) {
  const std::string &argument = arguments[at];
  OptionMatch result{findRow(argument), {}, false, 1};
  if (!result.row || result.row->kind == OptionKind::Flag)
    return result;
  const OptionKind kind = result.row->kind;
  if (argument != result.row->name) {
    result.value = argument.substr(result.row->name.size() + (takesEquals(kind) ? 1 : 0));
    result.missingValue = result.value.empty();
  } else if (kind == OptionKind::Joined || kind == OptionKind::Separate) {
    result.missingValue = at + 1 >= arguments.size() || arguments[at + 1].empty();
    if (!result.missingValue)
      result.value = arguments[at + 1];
    result.taken = 2;
  } else {
    result.missingValue = kind == OptionKind::Equals;
  }
  return result;
}

std::string nearestOption(const std::string &argument) {
  std::string typed = argument.substr(0, argument.find('='));
  size_t bestDistance = 3;
  std::string best;
  for (const OptionRow &row : rows)
    if (size_t distance = editDistance(typed, row.name);
        distance < bestDistance && row.fate != OptionFate::Refused) {
      bestDistance = distance;
      best = row.name;
    }
  return best;
}

std::string nearestGpuItem(const std::string &item) {
  size_t bestDistance = item.size() < 4 ? 2 : 3;
  std::string best;
  for (std::string_view one : gpuItems)
    if (size_t distance = editDistance(item, one); distance > 0 && distance < bestDistance) {
      bestDistance = distance;
      best = one;
    }
  return best;
}

std::vector<std::string> splitAtCommas(const std::string &list) {
  std::vector<std::string> items;
  for (size_t begin = 0; begin <= list.size();) {
    size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin)
      items.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return items;
}

bool isGpuItem(const std::string &item) {
  return std::any_of(std::begin(gpuItems), std::end(gpuItems),
                     [&](std::string_view one) { return fits(item, one); });
}

std::string wrongItem(const OptionRow &row, const std::string &value) {
  std::vector<std::string> allowed = splitAtCommas(std::string(row.values));
  if (!allowed.empty())
    for (const std::string &item : splitAtCommas(value))
      if (std::none_of(allowed.begin(), allowed.end(),
                       [&](const std::string &one) { return fits(item, one); }))
        return item;
  return {};
}

std::string valuesOf(const OptionRow &row) {
  std::string text;
  for (const std::string &value : splitAtCommas(std::string(row.values)))
    text += (text.empty() ? "" : ", ") + value;
  return text;
}

} // namespace cufc
