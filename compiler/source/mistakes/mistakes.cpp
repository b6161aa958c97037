// See mistakes.h. Rules are tried in the order of how sure they are.
#include "source/mistakes/mistakes.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

// Whether the text defines a macro of this name: what it stands for is not in the line.
bool isMacro(const MistakeText &text, std::string_view name) {
  constexpr std::string_view define = "#define ";
  for (int line = 1; line <= text.count() && !name.empty(); ++line)
    if (text.raw(line).starts_with(define)) {
      std::string_view rest = text.raw(line).substr(define.size());
      std::string_view defined = nameAt(rest, skipBlanks(rest, 0));
      if (std::equal(defined.begin(), defined.end(), name.begin(), name.end(),
                     [](unsigned char a, unsigned char b) { return std::tolower(a) == b; }))
        return true;
    }
  return false;
}

std::optional<Diagnostic> firstOf(const MistakeText &text, const Diagnostic &error,
                                  std::initializer_list<const std::vector<MistakeRule> *> lists) {
  if (error.range.file != text.file || error.range.line < 1 || error.range.line > text.count())
    return std::nullopt;
  if (isMacro(text,
              nameAt(text.code(error.range.line), indentationOf(text.code(error.range.line)))))
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

Mistakes::Mistakes(const std::string &file, const std::string &text, bool fixedForm,
                   int fixedColumns, bool cuda)
    : text(std::make_unique<MistakeText>(file, text, fixedForm, fixedColumns, cuda)) {}

Mistakes::Mistakes(Mistakes &&) noexcept = default;
Mistakes::~Mistakes() = default;

std::optional<Diagnostic> Mistakes::ofFile() const {
  if (auto form = wrongForm(*text))
    return form;
  return cudaOff(*text);
}

std::optional<Diagnostic> Mistakes::ofSyntax(const Diagnostic &error) const {
  return firstOf(*text, error,
                 {&rulesOfBlocks(), &rulesOfStatements(), &rulesOfHeads(), &rulesOfC(),
                  &rulesOfValues(), &rulesOfWords(), &rulesOfCalls(), &rulesOfEnds(),
                  &rulesOfNames()});
}

std::optional<Diagnostic> Mistakes::ofName(const Diagnostic &error) const {
  return firstOf(
      *text, error,
      {&rulesOfStatements(), &rulesOfValues(), &rulesOfNames(), &rulesOfCalls(), &rulesOfEnds()});
}

} // namespace cufc
