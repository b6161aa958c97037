// A sum is terms, a term is factors: a recursive descent of three levels.
#include "mpi/expression.h"
#include <cctype>
#include <cstdlib>

namespace cufc {
namespace {

class Evaluator {
public:
  Evaluator(std::string_view text, const NamedValue &named) : text(text), named(named) {}

  std::optional<long long> run() {
    std::optional<long long> value = sum();
    skip();
    return at == text.size() ? value : std::nullopt;
  }

private:
  void skip() {
    while (at < text.size() && text[at] == ' ')
      ++at;
  }
  bool take(char c) {
    skip();
    bool there = at < text.size() && text[at] == c;
    at += there;
    return there;
  }

  std::optional<long long> sum() {
    bool negative = take('-');
    if (!negative)
      take('+');
    std::optional<long long> value = term();
    if (value && negative)
      value = -*value;
    while (value) {
      bool minus = take('-');
      if (!minus && !take('+'))
        break;
      std::optional<long long> other = term();
      value = other ? std::optional(minus ? *value - *other : *value + *other) : std::nullopt;
    }
    return value;
  }

  std::optional<long long> term() {
    std::optional<long long> value = factor();
    while (value) {
      bool quotient = take('/');
      if (!quotient && !take('*'))
        break;
      std::optional<long long> other = factor();
      bool usable = other && !(quotient && *other == 0);
      value = usable ? std::optional(quotient ? *value / *other : *value * *other) : std::nullopt;
    }
    return value;
  }

  std::optional<long long> factor() {
    skip();
    if (take('(')) {
      std::optional<long long> value = sum();
      return take(')') ? value : std::nullopt;
    }
    if (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])))
      return number();
    std::string name = word();
    if (name.empty())
      return std::nullopt;
    if (!take('('))
      return named(name);
    std::optional<long long> argument = sum();
    if (!argument || !take(')') || name != "SELECTED_INT_KIND")
      return std::nullopt;
    return *argument > 18 ? 16 : *argument > 9 ? 8 : *argument > 4 ? 4 : *argument > 2 ? 2 : 1;
  }

  // With its kind, such as 0_8, which says nothing more here.
  long long number() {
    size_t end = text.find_first_not_of("0123456789", at);
    std::string digits(text.substr(at, end - at));
    at = std::min(end, text.size());
    if (at < text.size() && text[at] == '_') {
      ++at;
      word();
    }
    return std::strtoll(digits.c_str(), nullptr, 10);
  }

  std::string word() {
    size_t begin = at;
    while (at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_'))
      ++at;
    return std::string(text.substr(begin, at - begin));
  }

  std::string_view text;
  const NamedValue &named;
  size_t at = 0;
};

} // namespace

std::optional<long long> integerValue(std::string_view text, const NamedValue &named) {
  return Evaluator(text, named).run();
}

} // namespace cufc
