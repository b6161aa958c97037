// Errors are sorted by place; then each line's are reduced on their own.
#include "frontend/syntax_errors.h"
#include "base/flang_phrases.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

bool isExpectation(const Diagnostic &d) { return isPhrase(d.message, Phrase::Expected); }
bool isEnd(const Diagnostic &d) { return isPhrase(d.message, Phrase::EndOfFile); }

auto placeOf(const Diagnostic &d) {
  return std::tie(d.range.file, d.range.line, d.range.column, d.message);
}

template <typename Condition>
void drop(std::vector<Diagnostic> &errors, Condition condition) {
  errors.erase(std::remove_if(errors.begin(), errors.end(), condition), errors.end());
}

// "expected '(', '[' or end of statement"; characters of "one of" are left out among many.
std::string joined(const std::vector<Diagnostic> &errors) {
  std::vector<std::string> choices;
  for (const Diagnostic &error : errors)
    if (!isPhrase(error.message, Phrase::ExpectedOneOf) || errors.size() == 1)
      choices.push_back(inPhrase(error.message, Phrase::Expected, 0));
  constexpr size_t most = 4;
  if (choices.size() > most)
    return "syntax error";
  std::string text = "expected ";
  for (size_t i = 0; i < choices.size(); ++i)
    text += (i == 0 ? "" : i + 1 == choices.size() ? " or " : ", ") + choices[i];
  return text;
}

std::vector<Diagnostic> reduceLine(std::vector<Diagnostic> errors) {
  bool plain = std::any_of(errors.begin(), errors.end(),
                           [](const Diagnostic &d) { return !isExpectation(d) && !isEnd(d); });
  if (plain) {
    drop(errors, [](const Diagnostic &d) { return isExpectation(d) || isEnd(d); });
    return errors;
  }
  auto end = std::find_if(errors.begin(), errors.end(), isEnd);
  std::vector<Diagnostic> ends(end, end == errors.end() ? end : end + 1);
  drop(errors, [&](const Diagnostic &d) {
    return isEnd(d) || (!ends.empty() && d.range.column >= ends.front().range.column);
  });
  if (!errors.empty()) {
    int farthest = errors.back().range.column;
    drop(errors, [&](const Diagnostic &d) { return d.range.column != farthest; });
    errors.front().message = joined(errors);
    errors.resize(1, errors.front());
  }
  errors.insert(errors.end(), ends.begin(), ends.end());
  return errors;
}

} // namespace

void reduceSyntaxErrors(std::vector<Diagnostic> &errors) {
  auto hasPlace = [](const Diagnostic &d) { return !d.range.file.empty(); };
  if (std::any_of(errors.begin(), errors.end(), hasPlace))
    drop(errors, [&](const Diagnostic &d) { return !hasPlace(d); });
  std::sort(errors.begin(), errors.end(),
            [](const Diagnostic &a, const Diagnostic &b) { return placeOf(a) < placeOf(b); });
  auto same = [](const Diagnostic &a, const Diagnostic &b) { return placeOf(a) == placeOf(b); };
  errors.erase(std::unique(errors.begin(), errors.end(), same), errors.end());
  std::vector<Diagnostic> kept;
  for (auto begin = errors.begin(); begin != errors.end();) {
    auto end = std::find_if(begin, errors.end(), [&](const Diagnostic &d) {
      return d.range.line != begin->range.line || d.range.file != begin->range.file;
    });
    for (Diagnostic &error : reduceLine({begin, end}))
      kept.push_back(std::move(error));
    begin = end;
  }
  bool severalLines = std::any_of(kept.begin(), kept.end(), [&](const Diagnostic &d) {
    return d.range.line != kept.back().range.line;
  });
  if (severalLines)
    drop(kept, isEnd);
  errors = std::move(kept);
}

} // namespace cufc
