// PTX at the level of a module is a list of directives that end with a semicolon, with the closing
// brace of a body, or with their line (PTX ISA manual, "Directives"). What belongs to a kernel is
// found by the names in its body, then in the bodies of those.
#include "occupancy/ptx_module.h"
#include <algorithm>
#include <cctype>
#include <set>

namespace cufc {
namespace {

bool isNamePart(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

// Calls `take` with each name of the text.
template <typename Take>
void forNames(std::string_view text, Take take) {
  for (size_t at = 0; at < text.size();) {
    if (!isNamePart(text[at])) {
      ++at;
      continue;
    }
    size_t begin = at;
    while (at < text.size() && isNamePart(text[at]))
      ++at;
    take(text.substr(begin, at - begin));
  }
}

std::string_view lineAt(std::string_view text, size_t at) {
  return text.substr(at, std::min(text.find('\n', at), text.size()) - at);
}

std::string_view trimmed(std::string_view line) {
  size_t begin = line.find_first_not_of(" \t\r");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

bool endsWithItsLine(std::string_view line) {
  for (std::string_view word : {".version", ".target", ".address_size", ".file", ".loc"})
    if (line.starts_with(word) && line.size() > word.size() && !isNamePart(line[word.size()]))
      return true;
  return false;
}

// The end of a directive that begins at `at`: behind its semicolon or closing brace, outside of
// quotes and comments.
size_t endOfDirective(std::string_view text, size_t at) {
  bool section = text.substr(at).starts_with(".section");
  bool body = text.substr(at, lineAt(text, at).size()).find('=') == std::string_view::npos;
  int depth = 0;
  for (; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"')
      at = std::min(text.find('"', at + 1), text.size());
    else if (c == '/' && text.substr(at).starts_with("//"))
      at = std::min(text.find('\n', at), text.size());
    else if (c == '{')
      ++depth;
    else if (c == '}') {
      --depth;
      if (depth <= 0 && (body || section))
        return at + 1;
    } else if (c == ';' && depth == 0)
      return at + 1;
  }
  return text.size();
}

// Digits behind these differ with the place in the module.
constexpr std::string_view numbered[] = {"$L__BB", "__local_depot", "prototype_", "$L__tmp",
                                         "$L__func_"};

} // namespace

PtxModule::PtxModule(std::string text) : ptx(std::move(text)) {
  takeApart();
  findUses();
}

void PtxModule::takeApart() {
  std::string_view text = ptx;
  for (size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    std::string_view line = lineAt(text, at);
    size_t end = line.starts_with("//")  ? at + line.size()
                 : endsWithItsLine(line) ? at + line.size()
                                         : endOfDirective(text, at);
    if (!line.starts_with("//"))
      addItem(text.substr(at, end - at));
    at = std::max(end, at + 1);
  }
}

// The name of a function stands before its parameters, behind those that it returns; that of a
// variable is the last word before its extents or value.
void PtxModule::addItem(std::string_view text) {
  Item item{Kind::Header, false, {}, text, {}};
  auto has = [&](std::string_view word) {
    return text.substr(0, text.find('(')).find(word) != text.npos;
  };
  auto wordEndingAt = [&](size_t end) {
    end = std::min(end, text.size()); // what ends the name may be missing
    while (end > 0 && !isNamePart(text[end - 1]))
      --end;
    size_t begin = end;
    while (begin > 0 && isNamePart(text[begin - 1]))
      --begin;
    return std::string(text.substr(begin, end - begin));
  };
  if (text.starts_with(".section"))
    return;
  item.entry = has(".entry ");
  if (item.entry || has(".func ") || has(".func\t")) {
    size_t open = text.find('(');
    size_t result = text.find(".func");
    if (result != text.npos && open != text.npos &&
        text.find_first_not_of(" \t", result + 5) == open) // what it returns comes first
      open = text.find('(', text.find(')', open));
    item.name = wordEndingAt(std::min(open, text.find_first_of("{;")));
    item.kind = text.find('{') == text.npos ? Kind::Declaration : Kind::Function;
  } else if (text.starts_with(".file")) {
    item.kind = Kind::File;
  } else if (!endsWithItsLine(text)) {
    item.kind = Kind::Variable;
    item.name = wordEndingAt(std::min(text.find('['), text.find('=')));
  }
  if (item.entry && item.kind == Kind::Function)
    names.push_back(item.name);
  if (!item.name.empty())
    byName.emplace(item.name, items.size());
  items.push_back(std::move(item));
}

void PtxModule::findUses() {
  for (Item &item : items) {
    std::set<size_t> found;
    if (!item.name.empty())
      forNames(item.text, [&](std::string_view name) {
        for (auto [at, end] = byName.equal_range(name); at != end; ++at)
          found.insert(at->second);
      });
    item.uses.assign(found.begin(), found.end());
  }
}

std::vector<bool> PtxModule::reached(const std::vector<std::string> &kernels) const {
  std::vector<bool> result(items.size());
  std::vector<size_t> open;
  for (const std::string &kernel : kernels)
    for (auto [at, end] = byName.equal_range(kernel); at != end; ++at)
      open.push_back(at->second);
  while (!open.empty()) {
    size_t item = open.back();
    open.pop_back();
    if (result[item])
      continue;
    result[item] = true;
    open.insert(open.end(), items[item].uses.begin(), items[item].uses.end());
  }
  return result;
}

std::string PtxModule::textOf(const std::vector<std::string> &kernels, bool lines) const {
  std::vector<bool> wanted = reached(kernels);
  std::string text;
  for (size_t i = 0; i < items.size(); ++i)
    if (wanted[i] || items[i].kind == Kind::Header || (lines && items[i].kind == Kind::File))
      text += std::string(items[i].text) + "\n";
  return lines ? text : withoutLines(text);
}

std::string PtxModule::keyOf(const std::string &kernel) const {
  std::string text = textOf({kernel}, false), key;
  for (size_t at = 0; at < text.size();) {
    size_t digits = 0;
    for (std::string_view word : numbered)
      if (std::string_view(text).substr(at).starts_with(word)) {
        key += word;
        at += word.size();
        while (at + digits < text.size() &&
               std::isdigit(static_cast<unsigned char>(text[at + digits])))
          ++digits;
        at += digits;
      }
    if (at < text.size())
      key += text[at++];
  }
  return key;
}

bool PtxModule::callsOthers(const std::string &kernel) const {
  std::vector<bool> wanted = reached({kernel});
  for (size_t i = 0; i < items.size(); ++i) {
    if (!wanted[i] || items[i].kind != Kind::Declaration ||
        items[i].text.find(".extern") == std::string_view::npos)
      continue;
    // The system's own functions take registers of no kernel.
    if (items[i].name != "vprintf" && items[i].name != "malloc" && items[i].name != "free" &&
        items[i].name != "__assertfail")
      return true;
  }
  return false;
}

namespace {

// ".loc" and ".file", but not ".local".
bool isPlace(std::string_view line) {
  return endsWithItsLine(line) && (line.starts_with(".loc") || line.starts_with(".file"));
}

} // namespace

std::string withoutLines(std::string_view ptx) {
  std::string text;
  for (size_t at = 0; at < ptx.size();) {
    std::string_view line = lineAt(ptx, at);
    at += line.size() + 1;
    std::string_view content = trimmed(line);
    bool label = content.starts_with("$L__tmp") || content.starts_with("$L__func_");
    if (content.empty() || content.starts_with("//") || isPlace(content) || label)
      continue;
    // No comment of LLVM's stands in quotes, and no text of PRINT has one of its own.
    size_t comment = content.find('"') == content.npos ? content.find("//") : content.npos;
    content = content.substr(0, comment);
    while (!content.empty() && std::isspace(static_cast<unsigned char>(content.back())))
      content.remove_suffix(1);
    text += std::string(content) + "\n";
  }
  return text;
}

} // namespace cufc
