// ENDs: of another kind or name than what they end, misspelled, or missing. Which block is open at
// a place is found by the words of the statements above it.
#include "base/flang_phrases.h"
#include "base/mistake_diag.h"
#include "base/source_text.h"
#include "source/blocks.h"
#include "source/mistakes/mistake_text.h"
#include <algorithm>

namespace cufc {
namespace {

using Found = std::optional<Diagnostic>;

std::string endingOf(const OpenBlock &open) {
  std::string text = endOf(open.block);
  return open.name.empty() ? text : text + " " + open.name;
}

// "end function s" of a subroutine, "end subrotine s", "end for"
Found wrongEnd(const MistakePlace &at) {
  if (!isSyntax(at))
    return std::nullopt;
  size_t begin = indentationOf(at.code);
  std::string_view word = nameAt(at.code, begin);
  std::string_view code = trimmed(at.code);
  if (!word.starts_with("end") || (word != "end" && word.size() < 5))
    return std::nullopt;
  size_t equals = skipBlanks(at.code, begin + word.size());
  if (equals < at.code.size() && (at.code[equals] == '=' || at.code[equals] == '('))
    return std::nullopt;
  std::vector<OpenBlock> open = blocksAround(at.text, at.line);
  StatementRole role = roleOf(at.code, false);
  if (open.empty())
    return std::nullopt;
  bool known = role.kind == StatementRole::Closes && role.block != Block::None;
  if (known && role.block == open.back().block)
    return std::nullopt;
  auto outer = std::find_if(open.rbegin(), open.rend(),
                            [&](const OpenBlock &one) { return known && one.block == role.block; });
  if (outer != open.rend()) { // what lies between is not ended
    const OpenBlock &inner = open.back();
    std::string_view opening = at.text.raw(inner.line);
    std::string text = endOf(inner.block);
    return Finding(at, MistakeDiag::MissingEnd, begin, begin + code.size(), text, inner.line)
        .fix("insert '" + text + "'")
        .replace(at.line, 0, 0,
                 std::string(opening.substr(0, indentationOf(opening))) + text + "\n");
  }
  std::string text = endingOf(open.back());
  return Finding(at, MistakeDiag::WrongEnd, begin, begin + code.size(),
                 at.raw.substr(begin, code.size()), open.back().line, text)
      .fix("write '" + text + "'")
      .replace(begin, begin + code.size(), text);
}

// A unit begins before the one above has ended.
Found missingEnd(const MistakePlace &at) {
  StatementRole role = roleOf(at.code, false);
  bool opensUnit = isSyntax(at) && role.kind == StatementRole::Opens && isUnit(role.block);
  if (!opensUnit)
    return std::nullopt;
  std::vector<OpenBlock> open = blocksAround(at.text, at.line);
  if (open.empty())
    return std::nullopt;
  bool procedure = isProcedure(role.block);
  const OpenBlock &inner = open.back();
  if (inner.block == Block::Interface ||
      (procedure && (inner.block == Block::Module || inner.block == Block::Submodule ||
                     inner.block == Block::Program)))
    return std::nullopt; // its CONTAINS is missing
  std::string text;
  for (auto one = open.rbegin(); one != open.rend(); ++one) {
    bool keeps = procedure && (one->block == Block::Module || one->block == Block::Submodule);
    if (keeps)
      break;
    std::string_view opening = at.text.raw(one->line);
    text += std::string(opening.substr(0, indentationOf(opening))) + endingOf(*one) + "\n";
  }
  size_t begin = indentationOf(at.code);
  return Finding(at, MistakeDiag::MissingEnd, begin, begin + trimmed(at.code).size(),
                 endingOf(inner), inner.line)
      .fix("insert '" + endingOf(inner) + "'")
      .replace(at.line, 0, 0, text);
}

// The file ends inside of blocks: all of them get their ENDs.
Found endOfFile(const MistakePlace &at) {
  if (!isPhrase(at.error.message, Phrase::EndOfFile))
    return std::nullopt;
  std::vector<OpenBlock> open = blocksAround(at.text, at.text.count() + 1);
  if (open.empty())
    return std::nullopt;
  std::string text;
  for (auto one = open.rbegin(); one != open.rend(); ++one) {
    std::string_view opening = at.text.raw(one->line);
    text += std::string(opening.substr(0, indentationOf(opening))) + endingOf(*one) + "\n";
  }
  SourceRange place{at.text.file, at.line + 1, 1, at.line + 1, 1};
  return Finding(at).fix("insert '" + endingOf(open.back()) + "'").edit({place, std::move(text)});
}

// "end subroutine other"
Found wrongName(const MistakePlace &at) {
  if (at.error.code != "CUF1012")
    return std::nullopt;
  StatementRole role = roleOf(at.code, false);
  std::vector<OpenBlock> open = blocksAround(at.text, at.line);
  if (role.kind != StatementRole::Closes || open.empty() || open.back().name.empty() ||
      open.back().block != role.block)
    return std::nullopt;
  size_t begin = indentationOf(at.code), size = trimmed(at.code).size();
  size_t name = at.code.find_last_of(' ', begin + size - 1) + 1;
  return Finding(at)
      .fix("replace by '" + open.back().name + "'")
      .replace(name, begin + size, open.back().name);
}

} // namespace

std::vector<OpenBlock> blocksAround(const MistakeText &text, int line) {
  std::vector<OpenBlock> open;
  for (int at = 1; at < line; ++at) {
    std::string_view code = text.code(at);
    bool inInterface = !open.empty() && open.back().block == Block::Interface;
    StatementRole role = roleOf(code, inInterface);
    if (role.kind == StatementRole::Opens) {
      std::string_view raw = text.raw(at);
      open.push_back(
          {role.block, at, std::string(raw.substr(role.name, role.nameEnd - role.name))});
    } else if (role.kind == StatementRole::Closes && !open.empty()) {
      auto same = std::find_if(open.rbegin(), open.rend(),
                               [&](const OpenBlock &one) { return one.block == role.block; });
      if (role.block == Block::None || same == open.rend())
        open.pop_back();
      else
        open.erase(std::prev(same.base()), open.end());
    }
  }
  return open;
}

const std::vector<MistakeRule> &rulesOfEnds() {
  static const std::vector<MistakeRule> rules{endOfFile, wrongName, wrongEnd, missingEnd};
  return rules;
}

} // namespace cufc
