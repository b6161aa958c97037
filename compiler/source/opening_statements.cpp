// See opening_statements.h.
#include "source/opening_statements.h"
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool isSuffix(std::string_view word) {
  auto same = [&](std::string_view other) {
    return word.size() == other.size() &&
           std::equal(word.begin(), word.end(), other.begin(),
                      [](unsigned char a, char b) { return std::tolower(a) == b; });
  };
  return same("result") || same("bind");
}

// A statement of the original's length into which parts of it are copied.
class Copy {
public:
  explicit Copy(const std::string &original) : original(original) {
    result.text.assign(original.size(), ' ');
  }
  void keep(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      result.text[i] = original[i];
  }
  bool write(size_t at, std::string_view words) {
    if (at + words.size() > original.size())
      return false;
    std::copy(words.begin(), words.end(), result.text.begin() + static_cast<ptrdiff_t>(at));
    return true;
  }
  ReducedStatement result;

private:
  const std::string &original;
};

// The names in the parentheses that open at `at`, with parentheses and commas around them.
void copyDummies(const std::string &text, size_t at, Copy &copy) {
  char mark = '(';
  size_t separator = at;
  for (size_t i = at + 1; i < text.size();) {
    size_t end = i;
    while (end < text.size() && isWordCharacter(text[end]))
      ++end;
    std::string_view word = std::string_view(text).substr(i, end - i);
    if (isSuffix(word))
      break;
    if (end > i && std::isalpha(static_cast<unsigned char>(text[i]))) {
      copy.result.text[separator] = mark;
      copy.keep(i, end);
      mark = ',';
      separator = end;
    }
    i = std::max(end, i + 1);
  }
  if (mark == ',' && !copy.write(separator, ")"))
    copy.result.behind = ")";
}

bool hasNameOnly(Block block) { return isUnit(block) && block != Block::BlockData; }

} // namespace

std::optional<ReducedStatement> reducedOpening(const std::string &text, const StatementRole &role) {
  Copy copy(text);
  size_t first = text.find_first_not_of(" \t");
  bool named = role.nameEnd > role.name;
  if (role.block == Block::Do) {
    copy.keep(first, first + 2);
  } else if (role.block == Block::If) {
    if (!copy.write(first, "if(.true.)then") && !copy.write(first, "if(1>0)then"))
      return std::nullopt;
  } else if (role.block == Block::Type && named) {
    copy.keep(first, first + 4);
    copy.keep(role.name, role.nameEnd);
  } else if (hasNameOnly(role.block) && named) {
    copy.keep(0, role.nameEnd);
    size_t opening = text.find('(', role.nameEnd);
    if (isProcedure(role.block) && opening != std::string::npos)
      copyDummies(text, opening, copy);
  } else {
    return std::nullopt;
  }
  return std::move(copy.result);
}

} // namespace cufc
