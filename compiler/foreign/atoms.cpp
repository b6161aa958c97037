// See atoms.h.
#include "foreign/atoms.h"
#include <cctype>
#include <charconv>

namespace cufc::foreign {
namespace {

// Expressions nest, a few lists for each operator; readers recurse over them.
constexpr size_t deepest = 4000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '$';
}

} // namespace

bool Atoms::parse(std::string text) {
  source = std::move(text);
  atoms.clear();
  if (source.size() >= UINT32_MAX)
    return false;
  atoms.reserve(source.size() / 6);
  std::vector<std::uint32_t> open;
  for (size_t at = 0; at < source.size();)
    if (std::isspace(static_cast<unsigned char>(source[at])) != 0)
      ++at;
    else if (!add(at, open))
      return false;
  return open.empty();
}

bool Atoms::add(size_t &at, std::vector<std::uint32_t> &open) {
  char c = source[at];
  auto begin = static_cast<std::uint32_t>(at);
  if (c == '(') {
    open.push_back(static_cast<std::uint32_t>(atoms.size()));
    atoms.push_back({Atom::Open, begin, 0});
    ++at;
    return open.size() < deepest;
  }
  if (c == ')') {
    if (open.empty())
      return false;
    atoms[open.back()].size = static_cast<std::uint32_t>(atoms.size());
    open.pop_back();
    atoms.push_back({Atom::Close, begin, 1});
    ++at;
    return true;
  }
  if (c == '\'')
    return addString(at);
  bool number = isDigit(c) || c == '-';
  if (!number && !isNameCharacter(c))
    return false;
  do
    ++at;
  while (at < source.size() && (number ? isDigit(source[at]) : isNameCharacter(source[at])));
  atoms.push_back(
      {number ? Atom::Integer : Atom::Name, begin, static_cast<std::uint32_t>(at) - begin});
  return true;
}

bool Atoms::addString(size_t &at) {
  size_t begin = ++at;
  for (;; at += 2) { // a quote in the string is doubled
    at = source.find('\'', at);
    if (at == std::string::npos)
      return false;
    if (at + 1 >= source.size() || source[at + 1] != '\'')
      break;
  }
  atoms.push_back(
      {Atom::String, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at - begin)});
  ++at;
  return true;
}

const Atom *ListReader::take(Atom::Kind kind) {
  if (!isKind(kind)) {
    *damaged = true;
    at = end;
    return nullptr;
  }
  return &atoms->list()[at++];
}

ListReader ListReader::list() {
  ListReader inside = *this;
  const Atom *open = take(Atom::Open);
  inside.at = open ? at : end;
  inside.end = open ? open->size : end;
  if (open)
    at = open->size + 1;
  return inside;
}

ListReader ListReader::from(std::uint32_t place) const {
  ListReader other = *this;
  other.at = place;
  other.end = static_cast<std::uint32_t>(atoms->list().size());
  return other;
}

std::string_view ListReader::name() {
  const Atom *atom = take(Atom::Name);
  return atom ? atoms->text(*atom) : std::string_view{};
}

long long ListReader::integer() {
  const Atom *atom = take(Atom::Integer);
  long long value = 0;
  if (!atom)
    return value;
  std::string_view digits = atoms->text(*atom);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc{})
    *damaged = true;
  return value;
}

std::string ListReader::string() {
  std::string result;
  const Atom *atom = take(Atom::String);
  if (!atom)
    return result;
  std::string_view text = atoms->text(*atom);
  for (size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\'')
      ++i;
  }
  return result;
}

void ListReader::skip() {
  if (at >= end) {
    *damaged = true;
    return;
  }
  const Atom &atom = atoms->list()[at];
  at = atom.kind == Atom::Open ? atom.size + 1 : at + 1;
}

} // namespace cufc::foreign
