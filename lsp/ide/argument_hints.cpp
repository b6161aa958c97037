// Actual arguments are split at the commas of the text now, so that they are right while one types;
// only which procedure is called comes from the analysis.
#include "base/source_text.h"
#include "ide/inlay_hints.h"
#include <algorithm>

namespace cufc {
namespace {

// The procedure's dummies, without the object that a type-bound procedure is called for.
std::vector<int> dummiesOfCall(const Analysis &analysis, const SymbolInfo &called) {
  if (called.kind != SymbolKind::Binding)
    return called.dummies;
  if (called.specifics.empty() || called.specifics.front() < 0)
    return {};
  auto rowOf = [&](int symbol) -> const SymbolInfo & {
    return analysis.symbols[static_cast<size_t>(symbol)];
  };
  std::vector<int> dummies = rowOf(called.specifics.front()).dummies;
  int passed = 0;
  for (const std::string &attribute : called.attributes) {
    if (attribute == "nopass")
      return dummies;
    if (attribute.starts_with("pass("))
      for (size_t i = 0; i < dummies.size(); ++i)
        if (dummies[i] >= 0 &&
            lowerCase("pass(" + rowOf(dummies[i]).name + ")") == lowerCase(attribute))
          passed = static_cast<int>(i);
  }
  if (!dummies.empty())
    dummies.erase(dummies.begin() + passed);
  return dummies;
}

constexpr size_t longestStatement = 20000; // lexemes; each of its calls looks at all

// The lexemes of one statement from a place on, without comments and marks of continuation.
class Arguments {
public:
  Arguments(const Lexemes &lexemes, size_t name) : lexemes(lexemes) {
    int number = lexemes.statementAt(lexemes.all[name].range().begin);
    if (number < 0)
      return;
    const StatementSpan &span = lexemes.statements[static_cast<size_t>(number)];
    if (span.end - span.first > longestStatement)
      return;
    code = lexemes.code(span);
    at = static_cast<size_t>(std::lower_bound(code.begin(), code.end(), name) - code.begin()) + 1;
    if (text(at) == "<<<") {
      while (at < code.size() && text(at) != ">>>")
        ++at;
      ++at;
    }
  }

  // Begin and end of each argument, as numbers of `code`.
  std::vector<std::pair<size_t, size_t>> split() const {
    std::vector<std::pair<size_t, size_t>> result;
    if (text(at) != "(")
      return result;
    int depth = 0;
    size_t begin = at + 1;
    for (size_t i = at; i < code.size(); ++i) {
      std::string_view word = text(i);
      if (word == "(" || word == "[")
        ++depth;
      bool last = (word == ")" || word == "]") && --depth == 0;
      if (last || (word == "," && depth == 1)) {
        result.emplace_back(begin, i);
        begin = i + 1;
      }
      if (last)
        break;
    }
    return result;
  }

  std::string_view text(size_t i) const {
    return i < code.size() ? lexemes.textOf(lexemes.all[code[i]]) : std::string_view();
  }
  const Lexeme &lexeme(size_t i) const { return lexemes.all[code[i]]; }

  // Of "n", "box%n" and "n(1:2)" the last name outside of parentheses: "n"; empty for expressions.
  std::string lastName(size_t begin, size_t end) const {
    std::string name;
    int depth = 0;
    for (size_t i = begin; i < end; ++i) {
      std::string_view word = text(i);
      if (word == "(")
        ++depth;
      else if (word == ")")
        --depth;
      else if (depth == 0 && lexeme(i).kind == LexemeKind::Name)
        name = lexemes.wordOf(lexeme(i));
      else if (depth == 0 && word != "%")
        return {};
    }
    return name;
  }

private:
  const Lexemes &lexemes;
  std::vector<size_t> code;
  size_t at = 0;
};

} // namespace

void addArgumentNames(const Lexemes &lexemes, size_t name, const Analysis &analysis,
                      const SymbolInfo &procedure, std::vector<InlayHint> &hints) {
  std::vector<int> dummies = dummiesOfCall(analysis, procedure);
  if (dummies.empty() || (procedure.intrinsic && dummies.size() == 1))
    return;
  Arguments arguments(lexemes, name);
  std::vector<std::pair<size_t, size_t>> parts = arguments.split();
  for (size_t i = 0; i < parts.size() && i < dummies.size(); ++i) {
    auto [begin, end] = parts[i];
    if (begin >= end || dummies[i] < 0)
      continue;
    if (arguments.text(begin + 1) == "=" && begin + 1 < end)
      return; // a keyword, and so are all behind it
    const SymbolInfo &dummy = analysis.symbols[static_cast<size_t>(dummies[i])];
    if (arguments.lastName(begin, end) == lowerCase(dummy.name))
      continue;
    hints.push_back(
        {arguments.lexeme(begin).range().begin, dummy.name + ":", HintKind::ArgumentName, ""});
  }
}

} // namespace cufc
