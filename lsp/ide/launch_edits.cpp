// A configuration is divided at the commas that are in no parentheses. Numbers are looked for in
// the text, since an analysis knows names alone.
#include "ide/launch_edits.h"
#include "base/source_text.h"
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

// The values between the chevrons of a statement.
std::vector<Piece> valuesOf(const Document &document, const Place &place) {
  TextRange range{{place.line, place.column}, {place.endLine, place.endColumn}};
  std::string text(document.slice(range));
  size_t begin = text.find("<<<"), end = text.find(">>>");
  if (begin == std::string::npos || end == std::string::npos)
    return {};
  size_t offset = document.offsetOf(range.begin);
  std::vector<Piece> values(1, {offset + begin + 3, ""});
  int depth = 0;
  for (size_t at = begin + 3; at < end; ++at) {
    depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (text[at] == ',' && depth == 0)
      values.push_back({offset + at + 1, ""});
    else
      values.back().text += text[at];
  }
  return values;
}

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  text.erase(text.find_last_not_of(" \t") + 1);
  return text;
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

// `integer, parameter :: threads = 256`, declared in the file.
void siteOfConstant(const Analysis &analysis, const Document &document, const LaunchInfo &launch,
                    const std::string &name, LaunchSite &site) {
  for (const SymbolInfo &symbol : analysis.symbols) {
    if (symbol.kind != SymbolKind::Constant || lowerCase(symbol.name) != lowerCase(name) ||
        symbol.declared.file != 0 || !isNumber(symbol.value))
      continue;
    TextPosition end{symbol.declared.endLine, symbol.declared.endColumn};
    std::string rest(document.line(end.line).substr(static_cast<size_t>(end.column) - 1));
    rest.resize(std::min(rest.find_first_of(",!;"), rest.size()));
    std::vector<TextRange> numbers =
        numbersIn(document, {document.offsetOf(end), rest}, std::stoi(symbol.value));
    if (numbers.size() != 1 || trimmed(rest).find('=') != 0)
      continue;
    site.block = std::stoi(symbol.value);
    site.byConstant = true;
    site.numbers = {{numbers.front(), false}};
    if (!launch.shared.empty() && launch.shared != "0" && !hasName(launch.shared, name))
      site.reason = "its dynamic shared memory does not follow from " + name;
    return;
  }
  site.reason = "'" + name + "' is no number, and no constant that this file declares as one";
}

void siteOfNumber(const Document &document, const std::vector<Piece> &values, LaunchSite &site) {
  site.block = std::stoi(trimmed(values[1].text));
  auto add = [&](const Piece &piece, int value, bool oneLess) {
    std::vector<TextRange> found = numbersIn(document, piece, value);
    for (const TextRange &range : found)
      site.numbers.push_back({range, oneLess});
    return !found.empty();
  };
  bool grid = add(values[0], site.block, false);
  add(values[0], site.block - 1, true);
  add(values[1], site.block, false);
  if (!grid)
    site.reason = "its grid '" + trimmed(values[0].text) +
                  "' does not name the block size; a named constant in both does";
  std::string shared = values.size() > 2 ? trimmed(values[2].text) : "";
  if (!shared.empty() && shared != "0" && !add(values[2], site.block, false))
    site.reason = "its dynamic shared memory does not follow from the block size";
  std::sort(site.numbers.begin(), site.numbers.end());
}

} // namespace

std::vector<LaunchSite> launchSites(const Analysis &analysis, const Document &document,
                                    int symbol) {
  std::vector<LaunchSite> sites;
  for (const LaunchInfo &launch : analysis.launches) {
    if (launch.kernel != symbol || launch.place.file != 0)
      continue;
    LaunchSite &site = sites.emplace_back();
    site.line = launch.place.line;
    std::vector<Piece> values = valuesOf(document, launch.place);
    std::string block = values.size() > 1 ? trimmed(values[1].text) : "";
    if (isNumber(block))
      siteOfNumber(document, values, site);
    else if (!block.empty() && std::all_of(block.begin(), block.end(), belongsToName))
      siteOfConstant(analysis, document, launch, block, site);
    else
      site.reason = "its block '" + block + "' is neither a number nor a named constant";
  }
  return sites;
}

std::string reasonInKernel(const Analysis &analysis, const Document &document,
                           const KernelInfo &kernel, const LaunchSite &site) {
  if (kernel.grid || !kernel.cluster.empty())
    return "its blocks work together, as a grid or in clusters";
  const SymbolInfo &info = analysis.symbols[static_cast<size_t>(kernel.symbol)];
  if (info.definition.file != 0)
    return "its text is in an included file";
  TextRange range{{info.definition.line, info.definition.column},
                  {info.definition.endLine, info.definition.endColumn}};
  Piece text{document.offsetOf(range.begin), std::string(document.slice(range))};
  if (!hasName(text.text, "blockdim%x") && !hasName(text.text, "griddim%x"))
    return "it does not use blockDim, so its threads are counted for one block size";
  if (site.byConstant)
    return {};
  std::vector<TextRange> numbers = numbersIn(document, text, site.block);
  if (numbers.empty())
    return {};
  return fmt::format("it has the number {} in line {}, which an array or a loop may owe to the "
                     "block size; a named constant in both would follow",
                     site.block, numbers.front().begin.line);
}

std::vector<TextChange> blockEdits(const std::vector<LaunchSite> &sites, int block) {
  std::set<BlockNumber> numbers;
  for (const LaunchSite &site : sites)
    numbers.insert(site.numbers.begin(), site.numbers.end());
  std::vector<TextChange> edits;
  for (const BlockNumber &number : numbers)
    edits.push_back({number.range, std::to_string(block - (number.oneLess ? 1 : 0))});
  return edits;
}

} // namespace cufc
