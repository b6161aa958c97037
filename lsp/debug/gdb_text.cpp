// See gdb_text.h.
#include "debug/gdb_text.h"
#include <charconv>

namespace cufc::debug {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

std::optional<int64_t> numberOf(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return number;
}

// "2" or "-1:1". Nothing for ":" and "*".
std::optional<Bounds> boundsOf(std::string_view text) {
  size_t colon = text.find(':');
  std::optional<int64_t> upper =
      numberOf(colon == std::string_view::npos ? text : text.substr(colon + 1));
  std::optional<int64_t> lower =
      colon == std::string_view::npos ? 1 : numberOf(text.substr(0, colon));
  if (!lower || !upper)
    return std::nullopt;
  return Bounds{*lower, *upper};
}

// Where a string in quotes that begins at `start` ends: behind its closing quote.
size_t endOfString(std::string_view text, size_t start) {
  size_t at = start + 1;
  while (at < text.size() && text[at] != '\'')
    at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

// The number of a letter that stands alone, as in "97 'a'".
void dropCode(std::string &text) {
  if (!text.ends_with(' '))
    return;
  size_t digits = text.find_last_not_of("0123456789", text.size() - 2);
  size_t start = digits == std::string::npos ? 0 : digits + 1;
  bool standsAlone =
      start < text.size() - 1 && (start == 0 || text[start - 1] == '(' || text[start - 1] == ' ');
  if (standsAlone)
    text.resize(start);
}

} // namespace

TypeText parseType(std::string_view text) {
  TypeText result;
  text = trimmed(text);
  if (constexpr std::string_view pointer = "PTR TO -> ("; text.starts_with(pointer)) {
    result.isPointer = true;
    result.element = text;
    text.remove_prefix(pointer.size());
    result.target = trimmed(text.substr(0, text.rfind(')')));
    return result;
  }
  size_t open = text.ends_with(')') ? text.rfind(" (") : std::string_view::npos;
  if (open != std::string_view::npos) {
    result.isArray = true;
    std::string_view list = text.substr(open + 2, text.size() - open - 3);
    text = text.substr(0, open);
    while (!list.empty()) {
      size_t comma = list.find(',');
      std::optional<Bounds> bounds = boundsOf(trimmed(list.substr(0, comma)));
      if (!bounds) {
        result.dimensions.clear();
        break;
      }
      result.dimensions.push_back(*bounds);
      list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    }
  }
  size_t comma = text.find(',');
  result.element = trimmed(text.substr(0, comma));
  if (comma != std::string_view::npos)
    result.attributes = text.substr(comma);
  result.isDerived = result.element.starts_with("Type ");
  return result;
}

std::vector<std::pair<std::string, std::string>> partsOf(std::string_view value) {
  std::vector<std::pair<std::string, std::string>> parts;
  value = trimmed(value);
  if (!value.starts_with('(') || !value.ends_with(')'))
    return parts;
  value = trimmed(value.substr(1, value.size() - 2));
  auto add = [&](std::string_view part) {
    part = trimmed(part);
    size_t equals = part.find(" = ");
    bool isNamed = equals != std::string_view::npos &&
                   part.substr(0, equals).find_first_of("('") == std::string_view::npos;
    if (isNamed)
      parts.emplace_back(part.substr(0, equals), part.substr(equals + 3));
    else if (!part.empty())
      parts.emplace_back("", part);
  };
  size_t start = 0;
  int depth = 0;
  for (size_t at = 0; at < value.size();) {
    char letter = value[at];
    if (letter == '\'') {
      at = endOfString(value, at);
      continue;
    }
    depth += letter == '(' || letter == '{' || letter == '<';
    depth -= letter == ')' || letter == '}' || (letter == '>' && (at == 0 || value[at - 1] != '-'));
    bool isEnd = depth == 0 && letter == ',';
    // Columns of an array with several dimensions stand beside each other: "((1, 2) (3, 4))".
    bool isGap = depth == 0 && letter == ')' && value.substr(at + 1).starts_with(" (");
    ++at;
    if (isEnd || isGap) {
      add(value.substr(start, at - start - (isEnd ? 1 : 0)));
      start = at;
    }
  }
  add(value.substr(std::min(start, value.size())));
  return parts;
}

std::string shownValue(std::string_view value) {
  std::string result;
  for (size_t at = 0; at < value.size();) {
    if (value[at] == '\'') {
      dropCode(result);
      size_t end = std::min(endOfString(value, at), value.size());
      for (; at < end; ++at) {
        bool escapes =
            value[at] == '\\' && at + 1 < end && (value[at + 1] == '\'' || value[at + 1] == '\\');
        at += escapes ? 1 : 0;
        if (escapes && value[at] == '\'')
          result += '\'';
        result += value[at];
      }
      continue;
    }
    bool isInside = value[at] == ' ' && ((at > 0 && value[at - 1] == '(') ||
                                         (at + 1 < value.size() && value[at + 1] == ')'));
    if (!isInside)
      result += value[at];
    ++at;
  }
  return result;
}

int64_t characterLength(std::string_view type) {
  constexpr std::string_view start = "character*";
  return type.starts_with(start) ? numberOf(type.substr(start.size())).value_or(0) : 0;
}

} // namespace cufc::debug
