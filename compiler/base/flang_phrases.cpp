// See flang_phrases.h.
#include "base/flang_phrases.h"

namespace cufc {
namespace {

constexpr std::string_view patterns[] = {
#define CUF_FLANG_PHRASE(name, pattern) pattern,
#include "tables/flang_phrases.def"
};

} // namespace

bool matchPattern(std::string_view pattern, std::string_view text,
                  std::vector<std::string_view> &holes) {
  holes.clear();
  size_t hole = pattern.find("{}");
  if (hole == std::string_view::npos)
    return pattern == text;
  if (text.substr(0, hole) != pattern.substr(0, hole))
    return false;
  text.remove_prefix(hole);
  pattern.remove_prefix(hole + 2);
  for (;;) {
    hole = pattern.find("{}");
    std::string_view next = pattern.substr(0, hole);
    bool last = hole == std::string_view::npos;
    if (last && (text.size() < next.size() || !text.ends_with(next)))
      return false;
    size_t at = last ? text.size() - next.size() : text.find(next);
    if (at == std::string_view::npos)
      return false;
    holes.push_back(text.substr(0, at));
    if (last)
      return true;
    text.remove_prefix(at + next.size());
    pattern.remove_prefix(hole + 2);
  }
}

bool isPhrase(std::string_view text, Phrase phrase) {
  std::vector<std::string_view> holes;
  return matchPattern(patterns[static_cast<size_t>(phrase)], text, holes);
}

std::string inPhrase(std::string_view text, Phrase phrase, size_t hole) {
  std::vector<std::string_view> holes;
  bool found = matchPattern(patterns[static_cast<size_t>(phrase)], text, holes);
  return found && hole < holes.size() ? std::string(holes[hole]) : std::string();
}

} // namespace cufc
