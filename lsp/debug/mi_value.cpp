// See mi_value.h. A parser by recursive descent; what it does not understand ends the record.
#include "debug/mi_value.h"
#include <algorithm>
#include <cctype>
#include <charconv>

namespace cufc::debug {
namespace {

class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  std::optional<MiRecord> record() {
    MiRecord result;
    size_t digits = 0;
    while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits])))
      ++digits;
    std::string_view number = text.substr(0, digits);
    std::from_chars(number.data(), number.data() + number.size(), result.token);
    text.remove_prefix(digits);
    if (text.empty() || std::string_view("^*+=~@&").find(text[0]) == std::string_view::npos)
      return std::nullopt;
    result.type = take();
    if (result.type == '~' || result.type == '@' || result.type == '&') {
      if (peek() != '"')
        return std::nullopt;
      result.text = string();
      return result;
    }
    result.name = word();
    while (peek() == ',') {
      take();
      result.results.items.push_back(item());
    }
    return result;
  }

private:
  char peek() const { return text.empty() ? '\0' : text[0]; }
  char take() {
    char first = peek();
    if (!text.empty())
      text.remove_prefix(1);
    return first;
  }

  std::string word() {
    size_t end = text.find_first_of(",=\"{}[]");
    std::string result(text.substr(0, end));
    text.remove_prefix(std::min(result.size(), text.size()));
    return result;
  }

  // name=value, or a value alone.
  MiItem item() {
    std::string name;
    if (peek() != '"' && peek() != '{' && peek() != '[') {
      name = word();
      if (peek() == '=')
        take();
    }
    return {name, value()};
  }

  MiValue value() {
    MiValue result;
    if (peek() == '"') {
      result.text = string();
      return result;
    }
    char close = peek() == '{' ? '}' : peek() == '[' ? ']' : '\0';
    if (!close) {
      text = {};
      return result;
    }
    take();
    while (!text.empty() && peek() != close) {
      result.items.push_back(item());
      if (peek() == ',')
        take();
    }
    take();
    return result;
  }

  std::string string() {
    take();
    std::string result;
    while (!text.empty() && peek() != '"')
      result += peek() == '\\' ? escaped() : take();
    take();
    return result;
  }

  // As in C; bytes beyond ASCII are octal.
  char escaped() {
    take();
    char letter = take();
    if (letter >= '0' && letter <= '7') {
      int code = letter - '0';
      for (int i = 0; i < 2 && peek() >= '0' && peek() <= '7'; ++i)
        code = code * 8 + (take() - '0');
      return static_cast<char>(code);
    }
    constexpr std::string_view names = "ntrabfve", codes = "\n\t\r\a\b\f\v\033";
    size_t known = names.find(letter);
    return known == std::string_view::npos ? letter : codes[known];
  }

  std::string_view text;
};

const MiValue none;

} // namespace

const MiValue &MiValue::operator[](std::string_view name) const {
  for (const auto &[known, value] : items)
    if (known == name)
      return value;
  return none;
}

bool MiValue::has(std::string_view name) const {
  return std::any_of(items.begin(), items.end(), [&](auto &item) { return item.name == name; });
}

int64_t MiValue::number(std::string_view name, int64_t otherwise) const {
  const std::string &digits = (*this)[name].text;
  int64_t result = otherwise;
  std::from_chars(digits.data(), digits.data() + digits.size(), result);
  return result;
}

std::optional<MiRecord> parseMiLine(std::string_view line) { return Parser(line).record(); }

std::string miQuoted(std::string_view text) {
  std::string result = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\')
      result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + "\"";
}

uint64_t addressOf(std::string_view text) {
  uint64_t result = 0;
  bool isHex = text.starts_with("0x");
  if (isHex)
    text.remove_prefix(2);
  std::from_chars(text.data(), text.data() + text.size(), result, isHex ? 16 : 10);
  return result;
}

} // namespace cufc::debug
