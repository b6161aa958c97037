// A configuration is divided at the commas that are in no parentheses; of a variable of type dim3
// the one assignment that the file has counts. Numbers are looked for in the text, since an
// analysis knows names alone.
#include "ide/launch_edits.h"
#include "base/source_text.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <set>

namespace cufc {
namespace {

bool belongsToName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '%';
}

struct Piece { // of a text that begins at `offset` of the document
  size_t offset = 0;
  std::string text;
};

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
}

// At the commas that are in no parentheses.
std::vector<Piece> split(const Piece &whole) {
  std::vector<Piece> parts(1, {whole.offset, ""});
  int depth = 0;
  for (size_t at = 0; at < whole.text.size(); ++at) {
    char c = whole.text[at];
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.push_back({whole.offset + at + 1, ""});
    else
      parts.back().text += c;
  }
  return parts;
}

// The values between the chevrons of a statement.
std::vector<Piece> valuesOf(const Document &document, const Place &place) {
  TextRange range{{place.line, place.column}, {place.endLine, place.endColumn}};
  std::string text(document.slice(range));
  size_t begin = text.find("<<<"), end = text.find(">>>");
  if (begin == std::string::npos || end == std::string::npos)
    return {};
  return split(
      {document.offsetOf(range.begin) + begin + 3, text.substr(begin + 3, end - begin - 3)});
}

// The whole numbers of a text that have a value.
std::vector<TextRange> numbersIn(const Document &document, const Piece &piece, int value) {
  std::vector<TextRange> found;
  const std::string &text = piece.text;
  for (size_t at = 0; at < text.size(); ++at) {
    if (!std::isdigit(static_cast<unsigned char>(text[at])) ||
        (at > 0 && belongsToName(text[at - 1])))
      continue;
    size_t end = at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])))
      ++end;
    bool whole = end == text.size() || !belongsToName(text[end]);
    if (whole && text.substr(at, end - at) == std::to_string(value))
      found.push_back(
          {document.positionAt(piece.offset + at), document.positionAt(piece.offset + end)});
    at = end;
  }
  return found;
}

// Whether the number at a place of a statement says how many bytes a value has: real(8), kind=8,
// int(n, 8).
bool isKind(const std::string &statement, size_t at, size_t end) {
  size_t behind = statement.find_first_not_of(' ', end);
  std::string before = lowerCase(trimmed(statement.substr(0, at)));
  if (before.ends_with("=")) {
    before = trimmed(before.substr(0, before.size() - 1));
    return before.ends_with("kind") && (before.size() == 4 || !belongsToName(before.end()[-5]));
  }
  if (behind == statement.npos || statement[behind] != ')')
    return false;
  size_t open = before.size();
  for (int depth = 1; depth > 0 && open > 0;) {
    --open;
    depth += before[open] == ')' ? 1 : before[open] == '(' ? -1 : 0;
  }
  std::string callee = trimmed(before.substr(0, open));
  size_t begin = callee.size();
  while (begin > 0 && belongsToName(callee[begin - 1]))
    --begin;
  callee.erase(0, begin);
  static constexpr std::string_view types[] = {"real", "integer", "complex", "logical"},
                                    conversions[] = {"real",  "int",     "nint",  "cmplx",  "aint",
                                                     "anint", "logical", "floor", "ceiling"};
  return before.ends_with("(")
             ? std::ranges::count(types, callee) > 0
             : before.ends_with(",") && std::ranges::count(conversions, callee) > 0;
}

// The first line of a kernel's text with a number that an array or a loop may owe to the block
// size; 0: none.
int lineWithNumber(const Piece &kernel, bool fixedForm, int firstLine, int value) {
  constexpr int columns = 132; // of fixed form, whatever the options say: more is read then
  int found = 0;
  forEachStatement(kernel.text, fixedForm, columns, [&](const Statement &statement) {
    const std::string &text = statement.text, digits = std::to_string(value);
    char quote = 0;
    for (size_t at = 0; at < text.size() && found == 0; ++at) {
      quote = quote                                 ? (text[at] == quote ? 0 : quote)
              : text[at] == '\'' || text[at] == '"' ? text[at]
                                                    : 0;
      bool isNumber =
          !quote && text.compare(at, digits.size(), digits) == 0 &&
          (at == 0 || !belongsToName(text[at - 1])) &&
          (at + digits.size() == text.size() || !belongsToName(text[at + digits.size()]));
      if (isNumber && !isKind(text, at, at + digits.size()))
        found = firstLine + statement.places[at].line - 1;
    }
  });
  return found;
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.size() < 6 &&
         std::all_of(
             text.begin(), text.end(),
             [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
}

bool hasName(const std::string &text, const std::string &name) {
  std::string lower = lowerCase(text), wanted = lowerCase(name);
  for (size_t at = lower.find(wanted); at != lower.npos; at = lower.find(wanted, at + 1))
    if ((at == 0 || !belongsToName(lower[at - 1])) &&
        (at + wanted.size() == lower.size() || !belongsToName(lower[at + wanted.size()])))
      return true;
  return false;
}

// The parts of `dim3(16, 16, 1)`; nothing if the text is something else.
std::vector<Piece> extentsIn(const Piece &piece) {
  std::string lower = lowerCase(piece.text);
  size_t word = lower.find_first_not_of(" \t"), open = lower.find('('), close = lower.rfind(')');
  if (word == lower.npos || lower.compare(word, 4, "dim3") != 0 || open == lower.npos ||
      close == lower.npos || !trimmed(lower.substr(word + 4, open - word - 4)).empty() ||
      !trimmed(lower.substr(close + 1)).empty())
    return {};
  return split({piece.offset + open + 1, piece.text.substr(open + 1, close - open - 1)});
}

// What the only assignment to a variable in the file gives it, in one line.
std::optional<Piece> assigned(const Document &document, const std::string &name) {
  std::optional<Piece> found;
  for (int number = 1; number <= document.lineCount(); ++number) {
    std::string line(document.line(number));
    std::string lower = lowerCase(line.substr(0, line.find('!')));
    size_t begin = std::min(lower.find_first_not_of(" \t"), lower.size());
    if (lower.compare(begin, name.size(), lowerCase(name)) != 0)
      continue;
    size_t next = lower.find_first_not_of(" \t", begin + name.size());
    if (next == lower.npos || (lower[next] != '=' && lower[next] != '%') ||
        lower.compare(next, 2, "==") == 0)
      continue;
    if (found || lower[next] == '%' || lower.find('&') != lower.npos)
      return std::nullopt;
    size_t length = std::min(lower.find(';', next), lower.size()) - next - 1;
    found = Piece{document.offsetOf({number, static_cast<int>(next) + 2}),
                  line.substr(next + 1, length)};
  }
  return found;
}

// A grid or block: its extents, and the variable of type dim3 that holds them.
struct Extents {
  std::vector<Piece> pieces;
  std::string variable;
};

Extents extentsOf(const Document &document, const Piece &value) {
  if (std::vector<Piece> direct = extentsIn(value); !direct.empty())
    return {direct, {}};
  std::string name = trimmed(value.text);
  if (!name.empty() && std::all_of(name.begin(), name.end(), belongsToName))
    if (std::optional<Piece> given = assigned(document, name))
      if (std::vector<Piece> parts = extentsIn(*given); !parts.empty())
        return {parts, name};
  return {{value}, {}};
}

// `integer, parameter :: threads = 256`, declared in the file: its value, and where it stands.
std::optional<std::pair<int, TextRange>>
constantOf(const Analysis &analysis, const Document &document, const std::string &name) {
  for (const SymbolInfo &symbol : analysis.symbols) {
    if (symbol.kind != SymbolKind::Constant || lowerCase(symbol.name) != lowerCase(name) ||
        symbol.declared.file != 0 || !isNumber(symbol.value))
      continue;
    TextPosition end{symbol.declared.endLine, symbol.declared.endColumn};
    std::string rest(document.line(end.line).substr(static_cast<size_t>(end.column) - 1));
    rest.resize(std::min(rest.find_first_of(",!;"), rest.size()));
    std::vector<TextRange> numbers =
        numbersIn(document, {document.offsetOf(end), rest}, std::stoi(symbol.value));
    if (numbers.size() == 1 && trimmed(rest).find('=') == 0)
      return std::pair(std::stoi(symbol.value), numbers.front());
  }
  return std::nullopt;
}

// Finds the numbers of one launch.
class SiteFinder {
public:
  SiteFinder(const Analysis &analysis, const Document &document, const LaunchInfo &launch)
      : analysis(analysis), document(document), values(valuesOf(document, launch.place)) {
    site.line = launch.place.line;
  }

  LaunchSite find() {
    if (values.size() < 2) {
      site.reason = "its configuration cannot be read";
      return site;
    }
    grid = extentsOf(document, values[0]);
    block = extentsOf(document, values[1]);
    for (int d = 0; d < 3 && d < static_cast<int>(block.pieces.size()); ++d)
      findExtent(d);
    checkShared();
    std::sort(site.numbers.begin(), site.numbers.end());
    return std::move(site);
  }

private:
  // The first reason is the one that is said.
  void refuse(const std::string &reason) {
    if (site.reason.empty())
      site.reason = reason;
  }

  bool add(const Piece &piece, int dimension, bool oneLess) {
    int value = site.block[static_cast<size_t>(dimension)] - (oneLess ? 1 : 0);
    std::vector<TextRange> found = numbersIn(document, piece, value);
    for (const TextRange &range : found)
      site.numbers.push_back({range, dimension, oneLess});
    return !found.empty();
  }

  // An extent of 1 beside others stays.
  void findExtent(int d) {
    auto at = static_cast<size_t>(d);
    std::string text = trimmed(block.pieces[at].text);
    if (isNumber(text)) {
      site.block[at] = std::stoi(text);
      if (site.block[at] == 1 && block.pieces.size() > 1)
        return;
      site.free[at] = true;
      add(block.pieces[at], d, false);
      followInGrid(d);
    } else if (!text.empty() && std::all_of(text.begin(), text.end(), belongsToName)) {
      std::optional<std::pair<int, TextRange>> constant = constantOf(analysis, document, text);
      if (!constant)
        return refuse("'" + text +
                      "' is no number, and no constant that this file declares as one");
      site.block[at] = constant->first;
      site.free[at] = true;
      site.constants[at] = lowerCase(text);
      for (int other = 0; other < d; ++other)
        if (site.constants[static_cast<size_t>(other)] == site.constants[at])
          site.sameAs[at] = site.sameAs[static_cast<size_t>(other)];
      site.numbers.push_back({constant->second, d, false});
    } else {
      refuse("its block '" + text + "' is neither a number nor a named constant");
    }
  }

  // What stands along the same axis of the grid names the extent, or the variable that holds it.
  void followInGrid(int d) {
    auto at = static_cast<size_t>(d);
    std::string text = at < grid.pieces.size() ? trimmed(grid.pieces[at].text) : "";
    bool byVariable =
        !block.variable.empty() &&
        hasName(text, block.variable + "%" + std::string(1, static_cast<char>('x' + d)));
    bool byNumber = at < grid.pieces.size() && add(grid.pieces[at], d, false);
    if (byNumber)
      add(grid.pieces[at], d, true);
    if (!byNumber && !byVariable)
      refuse("its grid '" + text + "' does not name the block size; a named constant in both does");
  }

  void checkShared() {
    std::string shared = values.size() > 2 ? trimmed(values[2].text) : "";
    if (shared.empty() || shared == "0")
      return;
    for (int d = 0; d < 3; ++d) {
      auto at = static_cast<size_t>(d);
      if (!site.free[at])
        continue;
      if (!site.constants[at].empty() && !hasName(shared, site.constants[at]))
        refuse("its dynamic shared memory does not follow from " + site.constants[at]);
      bool byVariable =
          !block.variable.empty() &&
          hasName(shared, block.variable + "%" + std::string(1, static_cast<char>('x' + d)));
      if (site.constants[at].empty() && !byVariable &&
          (isEqualToOther(at) || !add(values[2], d, false)))
        refuse("its dynamic shared memory does not follow from the block size");
    }
  }

  // Then the number in a text does not say which extent it is.
  bool isEqualToOther(size_t d) const {
    for (size_t other = 0; other < 3; ++other)
      if (other != d && site.free[other] && site.block[other] == site.block[d])
        return true;
    return false;
  }

  const Analysis &analysis;
  const Document &document;
  std::vector<Piece> values;
  Extents grid, block;
  LaunchSite site;
};

} // namespace

bool LaunchSite::allows(const BlockShape &shape) const {
  for (size_t d = 0; d < 3; ++d)
    if ((!free[d] && shape[d] != block[d]) || shape[d] != shape[static_cast<size_t>(sameAs[d])])
      return false;
  return true;
}

std::vector<LaunchSite> launchSites(const Analysis &analysis, const Document &document,
                                    int symbol) {
  std::vector<LaunchSite> sites;
  for (const LaunchInfo &launch : analysis.launches)
    if (launch.kernel == symbol && launch.place.file == 0)
      sites.push_back(SiteFinder(analysis, document, launch).find());
  return sites;
}

std::string reasonInKernel(const Analysis &analysis, const Document &document, bool fixedForm,
                           const KernelInfo &kernel, const LaunchSite &site) {
  if (kernel.grid || !kernel.cluster.empty())
    return "its blocks work together, as a grid or in clusters";
  const SymbolInfo &info = analysis.symbols[static_cast<size_t>(kernel.symbol)];
  if (info.definition.file != 0)
    return "its text is in an included file";
  TextRange range{{info.definition.line, info.definition.column},
                  {info.definition.endLine, info.definition.endColumn}};
  Piece text{document.offsetOf(range.begin), std::string(document.slice(range))};
  for (size_t d = 0; d < 3; ++d) {
    if (!site.free[d])
      continue;
    const std::string axis(1, "xyz"[d]);
    bool byConstant = !site.constants[d].empty();
    if (!hasName(text.text, "blockdim%" + axis) && !hasName(text.text, "griddim%" + axis) &&
        !(byConstant && hasName(text.text, site.constants[d])))
      return d == 0 ? "it does not use blockDim, so its threads are counted for one block size"
                    : "it does not use blockDim%" + axis +
                          ", so its threads are counted for one block size";
    if (byConstant)
      continue;
    if (int line = lineWithNumber(text, fixedForm, range.begin.line, site.block[d]))
      return fmt::format("it has the number {} in line {}, which an array or a loop may owe to the "
                         "block size; a named constant in both would follow",
                         site.block[d], line);
  }
  return {};
}

std::vector<TextChange> blockEdits(const std::vector<LaunchSite> &sites, const BlockShape &block) {
  std::set<BlockNumber> numbers;
  for (const LaunchSite &site : sites)
    numbers.insert(site.numbers.begin(), site.numbers.end());
  std::vector<TextChange> edits;
  for (const BlockNumber &number : numbers)
    edits.push_back({number.range, std::to_string(block[static_cast<size_t>(number.dimension)] -
                                                  (number.oneLess ? 1 : 0))});
  return edits;
}

std::optional<TextChange> boundsEdit(const Analysis &analysis, const Document &document,
                                     const KernelInfo &kernel, const std::string &bounds) {
  const SymbolInfo &info = analysis.symbols[static_cast<size_t>(kernel.symbol)];
  if (info.definition.file != 0 || info.declared.file != 0)
    return std::nullopt;
  // From the statement's beginning to the name: it may be divided over lines.
  TextRange range{{info.definition.line, 1}, {info.declared.line, info.declared.column}};
  if (range.end < range.begin)
    return std::nullopt;
  std::string head = lowerCase(document.slice(range));
  size_t offset = document.offsetOf(range.begin);
  auto at = [&](size_t place) { return document.positionAt(offset + place); };
  if (size_t old = head.find("launch_bounds"); old != head.npos) {
    size_t end = head.find(')', old);
    if (end == head.npos)
      return std::nullopt;
    end = std::min(head.find_first_not_of(' ', end + 1), head.size());
    return TextChange{{at(old), at(end)}, bounds.empty() ? "" : bounds + " "};
  }
  size_t word = head.rfind("subroutine");
  if (word == head.npos || bounds.empty())
    return std::nullopt;
  return TextChange{{at(word), at(word)}, bounds + " "};
}

} // namespace cufc
