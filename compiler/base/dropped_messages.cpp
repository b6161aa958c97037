// See dropped_messages.h.
#include "base/dropped_messages.h"
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace cufc {
namespace {

constexpr std::string_view names[] = {
#define CUF_MESSAGE_FILTER(name, text) text,
#include "tables/message_filters.def"
};

auto keyOf(const Diagnostic &d) {
  return std::tie(d.severity, d.range.file, d.range.line, d.range.column, d.message);
}

struct IsBefore {
  bool operator()(const Diagnostic *one, const Diagnostic *other) const {
    return keyOf(*one) < keyOf(*other);
  }
};

} // namespace

std::string_view nameOf(MessageFilter filter) { return names[static_cast<size_t>(filter)]; }

void applyFilters(const std::vector<ListFilter> &filters, std::vector<Diagnostic> &list,
                  DroppedMessages &dropped) {
  for (const ListFilter &filter : filters) {
    const std::vector<Diagnostic> before = list;
    filter.apply(list);
    std::set<const Diagnostic *, IsBefore> left;
    for (const Diagnostic &one : list)
      left.insert(&one);
    for (const Diagnostic &one : before)
      if (left.count(&one) == 0)
        dropped.push_back({nameOf(filter.filter), one});
  }
}

std::string textOf(const DroppedMessages &dropped) {
  std::set<std::string> told;
  std::string text;
  for (const auto &[filter, diagnostic] : dropped) {
    const SourceRange &place = diagnostic.range;
    std::string line =
        fmt::format("cufc: {} dropped {}:{}:{}: {}: {}\n", filter, place.file, place.line,
                    place.column, severityName(diagnostic.severity), diagnostic.message);
    if (told.insert(line).second)
      text += line;
  }
  return text;
}

} // namespace cufc
