// The text that rules of mistakes look at, and the diagnostics that they make. Private to
// source/mistakes/.
#ifndef CUFC_SOURCE_MISTAKES_MISTAKE_TEXT_H
#define CUFC_SOURCE_MISTAKES_MISTAKE_TEXT_H

#include "base/diagnostics.h"
#include "source/blocks.h"
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

// Lines are numbered from 1, places in them from 0.
class MistakeText {
public:
  MistakeText(std::string file, std::string text, bool fixedForm, int fixedColumns, bool cuda);

  int count() const { return static_cast<int>(raws.size()); }
  std::string_view raw(int line) const; // as it is; empty outside of the file
  const std::string &whole() const { return text; }
  // In lower case, without comments; what stands between quotes is '\1'. As long as the line.
  const std::string &code(int line) const;

  const std::string file;
  const bool fixedForm, cuda;
  const int fixedColumns; // the last one of a line of fixed form

private:
  std::string text;
  std::vector<std::string_view> raws;
  std::vector<std::string> codes; // and an empty one
};

// A line with an error.
struct MistakePlace {
  const MistakeText &text;
  const Diagnostic &error;
  int line;
  size_t column;           // of the error
  std::string_view raw;    // the line
  const std::string &code; // and its code
};

// Whether the error is one of the parser; its code comes later.
inline bool isSyntax(const MistakePlace &at) { return at.error.code.empty(); }

// A block that is not ended where one looks.
struct OpenBlock {
  Block block = Block::None;
  int line = 0;
  std::string name;
};
// The blocks around a line, from the outside in: by the words of the statements above it.
std::vector<OpenBlock> blocksAround(const MistakeText &text, int line);

// The last line of declarations in the procedure or program around a line; 0 if the line is not
// behind them.
int lastDeclaration(const MistakeText &text, int line);

bool isNameCharacter(char c);
// The first place from `at` on that is no blank; the end of the text if there is none.
size_t skipBlanks(std::string_view text, size_t at);
// The end of the name that begins at a place.
size_t endOfName(std::string_view text, size_t at);
std::string_view nameAt(std::string_view text, size_t at);
// The place of the parenthesis that closes the one at a place.
std::optional<size_t> closing(std::string_view text, size_t at);
// Without blanks at both ends.
std::string_view trimmed(std::string_view text);
// Where a word stands on its own.
std::optional<size_t> findWord(std::string_view text, std::string_view word, size_t from = 0);
// How far the first character that is no blank stands from the margin.
size_t indentationOf(std::string_view line);
// The statement that a line is, perhaps behind a condition: where it begins.
size_t beginOfAction(std::string_view code);
// The first statement of the line opens with the declaration of a variable.
bool isDeclaration(std::string_view code);
// The nearest of some words, if one is near.
std::string_view nearestWord(std::string_view word, const std::vector<std::string_view> &words);

// A diagnostic with at most one fix.
class Finding {
public:
  template <typename... Arguments>
  Finding(const MistakePlace &at, DiagnosticId<Arguments...> id, size_t begin, size_t end,
          const typename AsIs<Arguments>::type &...arguments)
      : at(at) {
    diagnostics.report(id, range(at.line, begin, end), arguments...);
  }

  // The error itself, to be given a fix.
  explicit Finding(const MistakePlace &at) : at(at) { diagnostics.add(at.error); }

  Finding &fix(std::string title);
  // Underlines these columns of the line.
  Finding &underline(size_t begin, size_t end);
  Finding &edit(TextEdit edit);
  Finding &replace(int line, size_t begin, size_t end, std::string text);
  Finding &replace(size_t begin, size_t end, std::string text) {
    return replace(at.line, begin, end, std::move(text));
  }
  Finding &insert(size_t place, std::string text) { return replace(place, place, std::move(text)); }
  operator std::optional<Diagnostic>() const { return diagnostics.list().front(); }

private:
  SourceRange range(int line, size_t begin, size_t end) const;
  const MistakePlace &at;
  Diagnostics diagnostics;
};

using MistakeRule = std::optional<Diagnostic> (*)(const MistakePlace &);

// Each file has a list of rules; the first that applies counts.
const std::vector<MistakeRule> &rulesOfC();          // c_words.cpp
const std::vector<MistakeRule> &rulesOfBlocks();     // c_blocks.cpp
const std::vector<MistakeRule> &rulesOfStatements(); // statements.cpp
const std::vector<MistakeRule> &rulesOfHeads();      // heads.cpp
const std::vector<MistakeRule> &rulesOfValues();     // values.cpp
const std::vector<MistakeRule> &rulesOfWords();      // missing_words.cpp
const std::vector<MistakeRule> &rulesOfCalls();      // calls.cpp
const std::vector<MistakeRule> &rulesOfEnds();       // ends.cpp
const std::vector<MistakeRule> &rulesOfNames();      // names.cpp
std::optional<Diagnostic> wrongForm(const MistakeText &text);
std::optional<Diagnostic> cudaOff(const MistakeText &text);

} // namespace cufc
#endif // CUFC_SOURCE_MISTAKES_MISTAKE_TEXT_H
