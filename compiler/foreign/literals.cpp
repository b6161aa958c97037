// See literals.h. Values that are no numbers become bit patterns.
#include "foreign/literals.h"
#include <cstdlib>
#include <fmt/format.h>

namespace cufc::foreign {
namespace {

struct RealKind {
  int kind;
  int digits; // decimal ones that keep every value; of 4 and 8 fewer may do
  const char *infinity, *notANumber;
};

constexpr RealKind realKinds[] = {
    {4, 9, "7f800000", "7fc00000"},
    {8, 17, "7ff0000000000000", "7ff8000000000000"},
    {10, 21, "7fff8000000000000000", "7fffc000000000000000"},
};

const RealKind *findRealKind(int kind) {
  for (const RealKind &row : realKinds)
    if (row.kind == kind)
      return &row;
  return nullptr;
}

// As few as tell the value from its neighbours.
std::string digitsOf(long double value, const RealKind &row) {
  if (row.kind > 8)
    return fmt::format("{:.{}e}", value, row.digits - 1);
  std::string number = row.kind == 4 ? fmt::format("{}", static_cast<float>(value))
                                     : fmt::format("{}", static_cast<double>(value));
  bool isReal = number.find_first_of(".e") != std::string::npos;
  return isReal ? number : number + ".0";
}

// In module files flang takes backslashes for escapes.
void appendQuoted(std::string &text, char c) {
  if (c == '"' || c == '\\')
    text += c;
  text += c;
}

} // namespace

bool hasRealKind(int kind) { return findRealKind(kind) != nullptr; }

bool hasIntegerKind(int kind) {
  return kind == 1 || kind == 2 || kind == 4 || kind == 8 || kind == 16;
}

bool hasLogicalKind(int kind) { return kind == 1 || kind == 2 || kind == 4 || kind == 8; }

std::optional<std::string> integerLiteral(std::string_view digits, int kind) {
  bool negative = digits.starts_with('-');
  if (negative)
    digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos ||
      !hasIntegerKind(kind))
    return std::nullopt;
  if (!negative)
    return fmt::format("{}_{}", digits, kind);
  // The lowest value of a kind has no positive counterpart.
  if (kind == 8 && digits == "9223372036854775808")
    return "(-9223372036854775807_8-1_8)";
  if (kind == 4 && digits == "2147483648")
    return "(-2147483647_4-1_4)";
  return fmt::format("(-{}_{})", digits, kind);
}

std::optional<std::string> realLiteral(std::string_view text, int kind) {
  const RealKind *row = findRealKind(kind);
  if (!row)
    return std::nullopt;
  bool negative = text.starts_with('-');
  if (negative)
    text.remove_prefix(1);
  if (text.find("Inf") != std::string_view::npos || text.find("NaN") != std::string_view::npos) {
    bool infinite = text.find("Inf") != std::string_view::npos;
    return fmt::format("{}real(z\"{}\",kind={}){}", negative ? "(-" : "",
                       infinite ? row->infinity : row->notANumber, kind, negative ? ")" : "");
  }
  size_t at = text.find('@');
  if (at == std::string_view::npos ||
      text.substr(0, at).find_first_not_of("0123456789abcdef.") != std::string_view::npos)
    return std::nullopt;
  char *end = nullptr;
  std::string exponentText(text.substr(at + 1));
  long exponent = std::strtol(exponentText.c_str(), &end, 10);
  if (end == exponentText.c_str() || *end || exponent > 100000 || exponent < -100000)
    return std::nullopt;
  std::string c = fmt::format("0x{}p{}", text.substr(0, at), 4 * exponent);
  long double value = std::strtold(c.c_str(), &end);
  if (*end)
    return std::nullopt;
  std::string number = digitsOf(value, *row);
  return fmt::format("{}{}_{}{}", negative ? "(-" : "", number, kind, negative ? ")" : "");
}

std::optional<std::string> characterLiteral(std::string_view text, int kind) {
  if (kind != 1)
    return std::nullopt;
  std::string result = "\"";
  for (size_t at = 0; at < text.size(); ++at) {
    constexpr size_t escape = 10; // \U and eight digits
    if (text[at] == '\\' && text.substr(at, 2) == "\\U" && at + escape <= text.size()) {
      std::string digits(text.substr(at + 2, escape - 2));
      unsigned long code = std::strtoul(digits.c_str(), nullptr, 16);
      if (code > 255)
        return std::nullopt;
      result += fmt::format("\"//achar({})//\"", code);
      at += escape - 1;
    } else if (text.substr(at, 2) == "\\\\") {
      appendQuoted(result, '\\');
      ++at;
    } else {
      appendQuoted(result, text[at]);
    }
  }
  return result + "\"";
}

} // namespace cufc::foreign
