// See mistakes.h. Rules are tried in the order of how sure they are.
#include "source/mistakes/mistakes.h"
#include "source/mistakes/mistake_text.h"

namespace cufc {
namespace {

std::optional<Diagnostic> firstOf(const MistakeText &text, const Diagnostic &error,
                                  std::initializer_list<const std::vector<MistakeRule> *> lists) {
  if (error.range.file != text.file || error.range.line < 1 || error.range.line > text.count())
    return std::nullopt;
  size_t column = static_cast<size_t>(error.range.column > 0 ? error.range.column - 1 : 0);
  MistakePlace place{text,
                     error,
                     error.range.line,
                     column,
                     text.raw(error.range.line),
                     text.code(error.range.line)};
  for (const std::vector<MistakeRule> *rules : lists)
    for (MistakeRule rule : *rules)
      if (auto found = rule(place))
        return found;
  return std::nullopt;
}

} // namespace

Mistakes::Mistakes(const std::string &file, const std::string &text, bool fixedForm, bool cuda)
    : text(std::make_unique<MistakeText>(file, text, fixedForm, cuda)) {}

Mistakes::Mistakes(Mistakes &&) noexcept = default;
Mistakes::~Mistakes() = default;

std::optional<Diagnostic> Mistakes::ofFile() const {
  if (auto form = wrongForm(*text))
    return form;
  return cudaOff(*text);
}

std::optional<Diagnostic> Mistakes::ofSyntax(const Diagnostic &error) const {
  return firstOf(*text, error,
                 {&rulesOfBlocks(), &rulesOfC(), &rulesOfWords(), &rulesOfCalls(), &rulesOfEnds(),
                  &rulesOfNames()});
}

std::optional<Diagnostic> Mistakes::ofName(const Diagnostic &error) const {
  return firstOf(*text, error, {&rulesOfNames(), &rulesOfCalls(), &rulesOfEnds()});
}

} // namespace cufc
