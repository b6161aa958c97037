// Ranges are collected from inner to outer; one that does not grow the last is left out.
#include "ide/selection.h"
#include "ide/block_tree.h"
#include "ide/keywords.h"
#include <algorithm>

namespace cufc {
namespace {

constexpr size_t mostRanges = 200; // around one position; they nest in the answer

// The ranges around one position. Only what is larger than the last one is taken.
class Chain {
public:
  Chain(const Lexemes &lexemes, TextPosition position) : lexemes(lexemes), position(position) {}

  void add(TextRange range) {
    if (range.begin >= range.end || !range.touches(position) || ranges.size() >= mostRanges)
      return;
    if (!ranges.empty()) {
      range.begin = std::min(range.begin, ranges.back().begin);
      range.end = std::max(range.end, ranges.back().end);
      if (range == ranges.back())
        return;
    }
    ranges.push_back(range);
  }

  void addExpressions(const StatementSpan &span) {
    code = lexemes.code(span);
    struct Group {
      size_t open, close; // numbers of `code`
    };
    std::vector<Group> groups; // inner before outer
    std::vector<size_t> stack;
    for (size_t i = 0; i < code.size(); ++i) {
      if (isOpening(i)) {
        stack.push_back(i);
      } else if (isClosing(i) && !stack.empty()) {
        if (around(stack.back(), i))
          groups.push_back({stack.back(), i});
        stack.pop_back();
      }
    }
    for (const Group &group : groups) {
      if (ranges.size() > mostRanges / 2)
        break; // the statement and the blocks around it are wanted too
      addParts(group.open + 1, group.close);
      addCode(group.open, group.close + 1);
      addCode(beginOfDesignator(group.open), group.close + 1);
    }
    addParts(0, code.size());
  }

  std::vector<TextRange> take() { return std::move(ranges); }

private:
  std::string_view text(size_t i) const { return lexemes.textOf(lexemes.all[code[i]]); }
  TextRange rangeOf(size_t i) const { return lexemes.all[code[i]].range(); }
  bool isOpening(size_t i) const { return text(i) == "(" || text(i) == "[" || text(i) == "<<<"; }
  bool isClosing(size_t i) const { return text(i) == ")" || text(i) == "]" || text(i) == ">>>"; }
  bool around(size_t first, size_t last) const {
    return rangeOf(first).begin <= position && position <= rangeOf(last).end;
  }

  void addCode(size_t first, size_t end) {
    if (first < end)
      add({rangeOf(first).begin, rangeOf(end - 1).end});
  }

  // Between the separators of one level: an argument, then all of them; at the top level the sides
  // of an assignment.
  void addParts(size_t first, size_t end) {
    auto separates = [&](size_t i) {
      return text(i) == "," || text(i) == "=" || text(i) == "=>" || text(i) == "::" ||
             text(i) == ":";
    };
    partAround(first, end, separates, [&](size_t a, size_t b) { addDesignatorThenAll(a, b); });
    addCode(first, end);
  }

  // The operand between operators, then the expression.
  void addDesignatorThenAll(size_t first, size_t end) {
    auto separates = [&](size_t i) {
      return !isOpening(i) && !isClosing(i) && lexemes.all[code[i]].kind == LexemeKind::Operator;
    };
    partAround(first, end, separates, [&](size_t a, size_t b) { addCode(a, b); });
    addCode(first, end);
  }

  // Gives each part between separators outside of parentheses that the place is in.
  template <typename Separates, typename Add>
  void partAround(size_t first, size_t end, const Separates &separates, const Add &add) {
    size_t begin = first;
    int depth = 0;
    for (size_t i = first; i <= end; ++i)
      if (i == end || (depth == 0 && separates(i))) {
        if (begin < i && around(begin, i - 1))
          add(begin, i);
        begin = i + 1;
      } else if (isOpening(i)) {
        ++depth;
      } else if (isClosing(i)) {
        --depth;
      }
  }

  // "a%b" before "(i)", and in "s<<<1, 2>>>(x)" what stands before the chevrons.
  size_t beginOfDesignator(size_t open) const {
    size_t at = open;
    while (at > 0) {
      if (isClosing(at - 1)) {
        int depth = 0;
        size_t i = at - 1;
        for (;; --i) {
          depth += isClosing(i) ? 1 : isOpening(i) ? -1 : 0;
          if (depth == 0 || i == 0)
            break;
        }
        at = i;
      } else if (lexemes.all[code[at - 1]].kind == LexemeKind::Name || text(at - 1) == "%") {
        --at;
      } else {
        break;
      }
    }
    return at;
  }

  const Lexemes &lexemes;
  TextPosition position;
  std::vector<size_t> code;
  std::vector<TextRange> ranges;
};

void addBlocks(Chain &chain, const Lexemes &lexemes, const std::vector<TextBlock> &blocks,
               int statement) {
  auto rangeOf = [&](int number) {
    return lexemes.rangeOf(lexemes.statements[static_cast<size_t>(number)]);
  };
  for (int i = blockAround(blocks, statement); i >= 0; i = blocks[static_cast<size_t>(i)].parent) {
    const TextBlock &block = blocks[static_cast<size_t>(i)];
    int first = block.open >= 0 ? block.open + 1 : block.first;
    int last = block.close >= 0 ? block.close - 1 : block.last;
    int from = first, to = last; // the branch
    for (int branch : block.branches) {
      if (branch <= statement)
        from = branch + 1;
      else
        to = std::min(to, branch - 1);
    }
    if (from <= statement && statement <= to)
      chain.add({rangeOf(from).begin, rangeOf(to).end});
    if (first <= statement && statement <= last)
      chain.add({rangeOf(first).begin, rangeOf(last).end});
    chain.add(cufc::rangeOf(block, lexemes));
  }
}

} // namespace

std::vector<std::vector<TextRange>> selectionRanges(const Query &query,
                                                    const std::vector<TextPosition> &positions) {
  std::vector<std::vector<TextRange>> result;
  Lexemes lexemes = lexemesOf(query.document(), query.file.reading);
  std::vector<TextBlock> blocks = textBlocks(lexemes);
  for (TextPosition position : positions) {
    Chain chain(lexemes, position);
    chain.add(wordAt(query.document(), position));
    size_t next = lexemes.firstBehind({position.line, position.column - 1});
    if (next < lexemes.all.size() && lexemes.all[next].kind != LexemeKind::Punctuation)
      chain.add(lexemes.all[next].range());
    int statement = lexemes.statementAt(position);
    if (statement >= 0) {
      const StatementSpan &span = lexemes.statements[static_cast<size_t>(statement)];
      if (lexemes.rangeOf(span).touches(position)) {
        chain.addExpressions(span);
        chain.add(lexemes.rangeOf(span));
      }
      addBlocks(chain, lexemes, blocks, statement);
    }
    chain.add(query.document().all());
    result.push_back(chain.take());
    if (result.back().empty())
      result.back().push_back({position, position});
  }
  return result;
}

std::vector<TextRange> linkedNames(const Query &query) {
  Lexemes lexemes = lexemesOf(query.document(), query.file.reading);
  auto touches = [&](int lexeme) {
    return lexeme >= 0 && lexemes.all[static_cast<size_t>(lexeme)].range().touches(query.position);
  };
  for (const TextBlock &block : textBlocks(lexemes)) {
    if (block.name < 0)
      continue;
    std::vector<int> names{block.name};
    std::string word = lexemes.wordOf(lexemes.all[static_cast<size_t>(block.name)]);
    if (block.endName >= 0 &&
        lexemes.wordOf(lexemes.all[static_cast<size_t>(block.endName)]) == word)
      names.push_back(block.endName);
    names.insert(names.end(), block.nameUses.begin(), block.nameUses.end());
    if (names.size() < 2 || std::none_of(names.begin(), names.end(), touches))
      continue;
    std::sort(names.begin(), names.end());
    std::vector<TextRange> ranges;
    for (int name : names)
      ranges.push_back(lexemes.all[static_cast<size_t>(name)].range());
    return ranges;
  }
  return {};
}

} // namespace cufc
