// The text of each line as it should be, and the edits that lead there.
#include "ide/format.h"
#include "base/source_text.h"
#include <algorithm>

namespace cufc {
namespace {

size_t firstCharacter(std::string_view text) {
  return std::min(text.find_first_not_of(" \t"), text.size());
}

std::string_view trimmedEnd(std::string_view text) {
  return text.substr(0, text.find_last_not_of(" \t") + 1);
}

// The names that #define makes.
void collectMacros(std::string_view line, std::set<std::string> &macros) {
  size_t at = line.find("define");
  if (line.empty() || line[0] != '#' || at == std::string_view::npos)
    return;
  at = line.find_first_not_of(" \t", at + 6);
  if (at == std::string_view::npos)
    return;
  size_t end = line.find_first_of(" \t(", at);
  macros.insert(lowerCase(line.substr(at, end == std::string_view::npos ? end : end - at)));
}

class Formatter {
public:
  Formatter(const Document &document, const SourceReading &reading, const FormatOptions &options,
            int lastLine = 0)
      : document(document), reading(reading), options(options),
        layout(layoutOf(document, reading, options.layout, lastLine)) {
    if (options.spacing.keywords != KeywordCase::Keep)
      for (int line = 1; line <= document.lineCount(); ++line)
        collectMacros(document.line(line), this->options.spacing.macros);
  }

  int count() const { return static_cast<int>(layout.lines.size()); }
  const Layout &lines() const { return layout; }
  const LineLayout &row(int line) const { return layout.lines[static_cast<size_t>(line) - 1]; }

  // The line from which on a line can be formatted: where its statement begins.
  int statementAt(int line) const {
    line = std::clamp(line, 1, count());
    while (line > 1 && row(line).kind != LineLayout::Statement)
      --line;
    return line;
  }

  // Called for lines in order, the first one that of a statement.
  std::string next(int line) {
    std::string_view text = document.line(line);
    const LineLayout &row = this->row(line);
    switch (row.kind) {
    case LineLayout::Blank:
      return trimmed(text);
    case LineLayout::Preprocessor:
      return std::string(text);
    case LineLayout::Comment:
      return reading.fixedForm ? trimmed(text) : comment(line);
    case LineLayout::Statement:
      return reading.fixedForm ? fixedStatement(line) : statement(line);
    case LineLayout::Continuation:
      return reading.fixedForm ? std::string(text) : continuation(line);
    }
    return std::string(text);
  }

  std::string indentation(int columns) const {
    if (options.insertSpaces)
      return std::string(static_cast<size_t>(std::max(0, columns)), ' ');
    int tab = std::max(1, options.tabSize);
    return std::string(static_cast<size_t>(columns / tab), '\t') +
           std::string(static_cast<size_t>(columns % tab), ' ');
  }

  // The statement's line with another indentation, and nothing else changed.
  std::string indented(int line) const {
    std::string_view text = document.line(line);
    if (reading.fixedForm)
      return fixedStatement(line);
    return reindented(text, wanted(line));
  }

  int columnsOf(std::string_view text) const { // of the blanks at its begin
    int columns = 0;
    int tab = std::max(1, options.tabSize);
    for (char c : text)
      if (c == '\t')
        columns += tab - columns % tab;
      else if (c == ' ')
        ++columns;
      else
        break;
    return columns;
  }

private:
  int wanted(int line) const { return row(line).depth * options.step; }
  std::string trimmed(std::string_view text) const {
    return std::string(options.trimTrailingBlanks ? trimmedEnd(text) : text);
  }
  bool tooLong(const std::string &text) const { return text.size() > 10000; }

  // A label stays in column 1, and the statement behind it is indented.
  std::string reindented(std::string_view text, int columns) const {
    size_t first = firstCharacter(text), end = first;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    if (end == first || end >= text.size() || (text[end] != ' ' && text[end] != '\t'))
      return indentation(columns) + std::string(text.substr(first));
    std::string label(text.substr(first, end - first));
    size_t pad = static_cast<size_t>(std::max(1, columns - static_cast<int>(label.size())));
    std::string_view rest = text.substr(end);
    return label + std::string(pad, ' ') + std::string(rest.substr(firstCharacter(rest)));
  }

  std::string statement(int line) {
    state = SpacingState{};
    std::string_view text = document.line(line);
    int before = columnsOf(text);
    std::string result = lexed(reindented(text, wanted(line)), text);
    moved = columnsOf(result) - before;
    firstIndentation = columnsOf(result);
    return result;
  }

  std::string continuation(int line) {
    std::string_view text = document.line(line);
    // Without "&" the blanks at its begin belong to a string.
    if (state.lexer.quote && text.substr(firstCharacter(text)).substr(0, 1) != "&") {
      lexed(std::string(text), text);
      return std::string(text);
    }
    int before = columnsOf(text);
    // At least a step further than the statement; what is aligned further in stays so.
    int columns = std::max(before + moved, firstIndentation + options.step);
    if (row(line).first == line) // nothing goes before it
      columns = before;
    return lexed(indentation(columns) + std::string(text.substr(firstCharacter(text))), text);
  }

  // A line that would go beyond the last column keeps its blanks, and if need be its place.
  std::string lexed(const std::string &text, std::string_view original) {
    constexpr size_t lastColumn = 132; // Fortran 2018, 6.3.2.1
    std::string result = spacedLine(text, original);
    if (result.size() <= lastColumn || original.size() > lastColumn)
      return result;
    std::string moved = text.substr(0, firstCharacter(text)) +
                        std::string(original.substr(firstCharacter(original)));
    return moved.size() <= lastColumn ? moved : std::string(original);
  }

  std::string spacedLine(const std::string &text, std::string_view original) {
    SpacingState before = state;
    size_t first = firstCharacter(text);
    std::string body = spaced(std::string_view(text).substr(first), state, options.spacing);
    if (state.lexer.broken)
      return std::string(original);
    std::string result = text.substr(0, first) + body;
    result = state.lexer.quote ? result : trimmed(result);
    if (body == text.substr(first) && firstCharacter(original) > 0 && !before.lexer.quote &&
        trimmedEnd(original).ends_with(trimmedEnd(body)))
      return result; // only its indentation is another
    bool anyCase = options.spacing.keywords != KeywordCase::Keep;
    return sameTokens(original, result, before.lexer, anyCase) ? result : std::string(original);
  }

  // A comment goes with the next statement if it stands in its column, otherwise with the block.
  std::string comment(int line) const {
    std::string_view text = document.line(line);
    if (firstCharacter(text) == 0)
      return trimmed(text);
    int columns = wanted(line);
    for (int next = line + 1; next <= count(); ++next) {
      LineLayout::Kind kind = row(next).kind;
      if (kind == LineLayout::Comment || kind == LineLayout::Blank)
        continue;
      if (kind == LineLayout::Statement && columnsOf(document.line(next)) == columnsOf(text))
        columns = wanted(next);
      else if (kind == LineLayout::Continuation) // inside of a statement
        columns = std::max(columnsOf(text), columns + options.step);
      break;
    }
    return indentation(columns) + trimmed(text.substr(firstCharacter(text)));
  }

  // Columns 1 to 6 stay. Continued statements too: their lines may be parts of strings.
  std::string fixedStatement(int line) const {
    std::string_view text = document.line(line);
    bool continued = line < count() && row(line + 1).kind == LineLayout::Continuation;
    if (continued || text.size() < 7 || text.substr(0, 6).find('\t') != std::string_view::npos ||
        text.size() > static_cast<size_t>(reading.columns))
      return std::string(text);
    std::string_view body = text.substr(6);
    std::string result = std::string(text.substr(0, 6)) +
                         std::string(static_cast<size_t>(wanted(line)), ' ') +
                         std::string(body.substr(firstCharacter(body)));
    if (options.trimTrailingBlanks)
      result = trimmedEnd(result);
    return result.size() > static_cast<size_t>(reading.columns) ? std::string(text) : result;
  }

  const Document &document;
  const SourceReading reading;
  FormatOptions options;
  const Layout layout;
  SpacingState state;
  int moved = 0, firstIndentation = 0; // of the last statement's first line
};

// The smallest edit of a line, if it changes.
void addEdit(const Document &document, int line, std::string_view wanted,
             std::vector<TextChange> &edits) {
  std::string_view text = document.line(line);
  if (text == wanted)
    return;
  size_t begin = 0, end = 0;
  size_t most = std::min(text.size(), wanted.size());
  while (begin < most && text[begin] == wanted[begin])
    ++begin;
  while (end < most - begin && text[text.size() - 1 - end] == wanted[wanted.size() - 1 - end])
    ++end;
  edits.push_back(
      {{{line, static_cast<int>(begin) + 1}, {line, static_cast<int>(text.size() - end) + 1}},
       std::string(wanted.substr(begin, wanted.size() - begin - end))});
}

bool isBlankLine(const Document &document, int line) {
  return document.line(line).find_first_not_of(" \t") == std::string_view::npos;
}

// Blank lines beyond those that may stand together go.
void collapseBlankLines(const Document &document, const Formatter &formatter, int first, int last,
                        int most, std::vector<TextChange> &edits) {
  int run = 0;
  for (int line = 1; line <= std::min(last, formatter.count() - 1); ++line) {
    bool blank = formatter.row(line).kind == LineLayout::Blank && isBlankLine(document, line);
    run = blank ? run + 1 : 0;
    if (run <= most || line < first)
      continue;
    std::erase_if(edits, [&](const TextChange &edit) { return edit.range.begin.line == line; });
    edits.push_back({{{line, 1}, {line + 1, 1}}, ""});
  }
}

void finishText(const Document &document, const FormatOptions &options,
                std::vector<TextChange> &edits) {
  int last = document.lineCount();
  if (options.trimFinalNewlines) {
    int kept = last;
    while (kept > 1 && isBlankLine(document, kept))
      --kept;
    if (kept + 1 < last) {
      std::erase_if(edits, [&](const TextChange &edit) { return edit.range.begin.line > kept; });
      edits.push_back({{{kept + 1, 1}, document.all().end}, ""});
    }
  }
  if (options.insertFinalNewline && !isBlankLine(document, last))
    edits.push_back({{document.all().end, document.all().end}, "\n"});
}

} // namespace

std::vector<TextChange> format(const Document &document, const SourceReading &reading,
                               const FormatOptions &options, std::optional<TextRange> range) {
  std::vector<TextChange> edits;
  Formatter formatter(document, reading, options);
  int first = 1, last = formatter.count();
  if (range) {
    first = std::max(1, range->begin.line);
    // A selection of whole lines ends in column 1 of the next.
    bool wholeLines = range->end.column <= 1 && range->end.line > range->begin.line;
    last = std::min(last, range->end.line - (wholeLines ? 1 : 0));
  }
  for (int line = formatter.statementAt(first); line <= last; ++line) {
    std::string wanted = formatter.next(line);
    if (line >= first)
      addEdit(document, line, wanted, edits);
  }
  if (options.mostBlankLines > 0)
    collapseBlankLines(document, formatter, first, last, options.mostBlankLines, edits);
  if (!range)
    finishText(document, options, edits);
  std::sort(edits.begin(), edits.end(),
            [](const TextChange &a, const TextChange &b) { return a.range.begin < b.range.begin; });
  return edits;
}

namespace {

std::vector<TextChange> afterNewline(const Document &document, const SourceReading &reading,
                                     const FormatOptions &options, int line) {
  std::vector<TextChange> edits;
  Formatter formatter(document, reading, options, line);
  for (int before = formatter.statementAt(line - 1); before < line; ++before) {
    std::string wanted = formatter.next(before);
    if (before == line - 1)
      addEdit(document, before, wanted, edits);
  }
  if (!isBlankLine(document, line)) {
    if (formatter.row(line).kind == LineLayout::Statement)
      addEdit(document, line, formatter.indented(line), edits);
    return edits;
  }
  const Layout &layout = formatter.lines();
  int depth = layout.depthAtEnd + (layout.endContinues ? 1 : 0);
  std::string blanks = formatter.indentation(depth * options.step);
  addEdit(document, line, reading.fixedForm ? "      " + blanks : blanks, edits);
  return edits;
}

} // namespace

std::vector<TextChange> formatOnType(const Document &document, const SourceReading &reading,
                                     const FormatOptions &options, TextPosition position,
                                     const std::string &typed) {
  int line = std::clamp(position.line, 1, document.lineCount());
  if (typed == "\n")
    return line > 1 ? afterNewline(document, reading, options, line) : std::vector<TextChange>();
  std::string_view text = trimmedEnd(document.line(line));
  if (text.empty() || position.column <= static_cast<int>(text.size()))
    return {};
  Formatter formatter(document, reading, options, line);
  const LineLayout &row = formatter.row(line);
  if (row.kind != LineLayout::Statement || row.role.kind == StatementRole::Other ||
      row.role.kind == StatementRole::Opens)
    return {};
  // "end" alone may be the begin of "end do".
  bool plainEnd = row.role.kind == StatementRole::Closes && row.role.block == Block::None;
  if (plainEnd && line > 1 &&
      !isUnit(layoutOf(document, reading, options.layout, line - 1).openAtEnd))
    return {};
  std::vector<TextChange> edits;
  addEdit(document, line, formatter.indented(line), edits);
  return edits;
}

} // namespace cufc
