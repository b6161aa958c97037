// A stack of open blocks. An END statement closes the innermost block of its kind; those inside of
// that one have lost theirs. One that fits no open block is passed over.
#include "ide/block_tree.h"
#include <algorithm>

namespace cufc {
namespace {

class Builder {
public:
  explicit Builder(const Lexemes &lexemes) : lexemes(lexemes) {}

  std::vector<TextBlock> build() {
    for (size_t i = 0; i < lexemes.statements.size(); ++i)
      if (lexemes.statements[i].kind == StatementSpan::Statement)
        take(static_cast<int>(i));
    while (!open.empty())
      leave(-1);
    return std::move(blocks);
  }

private:
  struct Open {
    int block;
    std::string label; // of "do 10"
  };

  void take(int number) {
    const StatementSpan &span = lexemes.statements[static_cast<size_t>(number)];
    size_t first = firstCode(span);
    if (first == span.end)
      return;
    StatementRole role;
    if (couldMatter(lexemes.all[first]))
      role = roleOf(lexemes.joined(span), inInterface());
    bool opensUnit = role.kind == StatementRole::Opens && isUnit(role.block);
    bool closesNothing = role.kind == StatementRole::Closes && open.empty();
    programWithoutStatement(number, opensUnit || closesNothing);
    if (couldMatter(lexemes.all[first])) {
      if (role.kind == StatementRole::Opens)
        enter(number, role.block, first);
      else if (role.kind == StatementRole::Closes)
        close(number, role.block);
      else if (role.kind != StatementRole::Other && !open.empty())
        blocks[top()].branches.push_back(number);
      else if (role.kind == StatementRole::Other)
        other(number, first);
    } else {
      other(number, first);
    }
    if (!lexemes.all.empty() && lexemes.all[span.first].kind == LexemeKind::Label)
      closeLabelled(number, lexemes.wordOf(lexemes.all[span.first]));
    for (const Open &entry : open)
      blocks[static_cast<size_t>(entry.block)].last = number;
  }

  // Statements outside of program units are those of a main program, up to its END or to the next
  // unit, if CONTAINS does not say that this is inside.
  void programWithoutStatement(int number, bool outside) {
    if (open.empty() && !outside) {
      TextBlock block;
      block.kind = Block::Program;
      block.first = number;
      open.push_back({static_cast<int>(blocks.size()), {}});
      blocks.push_back(std::move(block));
    } else if (outside && open.size() == 1 && blocks[top()].open < 0 &&
               blocks[top()].branches.empty()) {
      leave(-1);
    }
  }

  // Without its label.
  size_t firstCode(const StatementSpan &span) const {
    size_t first = span.first;
    while (first < span.end && (lexemes.all[first].kind == LexemeKind::Label ||
                                lexemes.all[first].kind == LexemeKind::Comment ||
                                lexemes.all[first].kind == LexemeKind::Sentinel))
      ++first;
    return first;
  }

  // Most statements begin with a name that says that they open and close nothing.
  bool couldMatter(const Lexeme &lexeme) const {
    return lexeme.kind == LexemeKind::Keyword || isConstructName(lexeme);
  }
  bool isConstructName(const Lexeme &lexeme) const {
    auto next = static_cast<size_t>(&lexeme - lexemes.all.data()) + 1;
    return lexeme.kind == LexemeKind::Name && next < lexemes.all.size() &&
           lexemes.textOf(lexemes.all[next]) == ":";
  }

  size_t top() const { return static_cast<size_t>(open.back().block); }
  bool inInterface() const { return !open.empty() && blocks[top()].kind == Block::Interface; }

  void enter(int number, Block kind, size_t first) {
    TextBlock block;
    block.kind = kind;
    block.parent = open.empty() ? -1 : open.back().block;
    block.open = number;
    block.named = isConstructName(lexemes.all[first]);
    block.name = block.named ? static_cast<int>(first) : nameOf(number, kind);
    open.push_back({static_cast<int>(blocks.size()), {}});
    blocks.push_back(std::move(block));
  }

  // The name behind the words of a unit or type: the first name outside of parentheses that is no
  // keyword.
  int nameOf(int number, Block kind) const {
    if (!isUnit(kind) && kind != Block::Type && kind != Block::Interface)
      return -1;
    const StatementSpan &span = lexemes.statements[static_cast<size_t>(number)];
    int depth = 0;
    for (size_t i = span.first; i < span.end; ++i) {
      std::string_view text = lexemes.textOf(lexemes.all[i]);
      depth += text == "(" ? 1 : text == ")" ? -1 : 0;
      if (depth == 0 && lexemes.all[i].kind == LexemeKind::Name)
        return static_cast<int>(i);
    }
    return -1;
  }

  static bool closes(Block end, Block block) {
    return end == block || (end == Block::None && isUnit(block)) ||
           (isProcedure(end) && isProcedure(block));
  }

  void close(int number, Block kind) {
    auto found = std::find_if(open.rbegin(), open.rend(), [&](const Open &entry) {
      return closes(kind, blocks[static_cast<size_t>(entry.block)].kind);
    });
    if (found == open.rend())
      return;
    // The END of a construct does not end a procedure inside of it.
    if (!isUnit(kind) && kind != Block::None)
      for (auto entry = open.rbegin(); entry != found; ++entry)
        if (isUnit(blocks[static_cast<size_t>(entry->block)].kind))
          return;
    auto left = static_cast<size_t>(open.rend() - found);
    while (open.size() > left)
      leave(-1);
    leave(number);
  }

  void leave(int number) {
    TextBlock &block = blocks[top()];
    block.close = number;
    if (number >= 0) {
      block.last = number;
      block.endName = nameAtEnd(number);
    }
    open.pop_back();
  }

  int nameAtEnd(int number) const {
    const StatementSpan &span = lexemes.statements[static_cast<size_t>(number)];
    const Lexeme &word = lexemes.all[span.end - 1];
    return word.kind == LexemeKind::Name ? static_cast<int>(span.end - 1) : -1;
  }

  // Statements that open "do 10" or use the name of a construct.
  void other(int number, size_t first) {
    const StatementSpan &span = lexemes.statements[static_cast<size_t>(number)];
    if (lexemes.all[first].kind == LexemeKind::Name && isConstructName(lexemes.all[first]))
      first += 2;
    if (first + 1 >= span.end || lexemes.all[first].kind != LexemeKind::Keyword)
      return;
    std::string word = lexemes.wordOf(lexemes.all[first]);
    if (word == "do" && lexemes.all[first + 1].kind == LexemeKind::Number) {
      enter(number, Block::Do, firstCode(span));
      open.back().label = lexemes.wordOf(lexemes.all[first + 1]);
      return;
    }
    size_t end = span.end - 1; // "exit outer", "if (x) cycle outer"
    if (lexemes.all[end].kind != LexemeKind::Name ||
        lexemes.all[end - 1].kind != LexemeKind::Keyword)
      return;
    word = lexemes.wordOf(lexemes.all[end - 1]);
    if (word == "exit" || word == "cycle")
      useName(static_cast<int>(end));
  }

  void useName(int lexeme) {
    std::string name = lexemes.wordOf(lexemes.all[static_cast<size_t>(lexeme)]);
    for (auto entry = open.rbegin(); entry != open.rend(); ++entry) {
      TextBlock &block = blocks[static_cast<size_t>(entry->block)];
      if (block.named && lexemes.wordOf(lexemes.all[static_cast<size_t>(block.name)]) == name)
        return block.nameUses.push_back(lexeme);
    }
  }

  // "10 continue" ends all loops "do 10".
  void closeLabelled(int number, const std::string &label) {
    auto first = std::find_if(open.begin(), open.end(),
                              [&](const Open &entry) { return entry.label == label; });
    auto left = static_cast<size_t>(first - open.begin());
    while (open.size() > left && blocks[top()].open != number)
      leave(number);
  }

  const Lexemes &lexemes;
  std::vector<TextBlock> blocks;
  std::vector<Open> open;
};

} // namespace

std::vector<TextBlock> textBlocks(const Lexemes &lexemes) { return Builder(lexemes).build(); }

TextRange rangeOf(const TextBlock &block, const Lexemes &lexemes) {
  int first = block.open >= 0 ? block.open : block.first;
  if (first < 0 || block.last < first)
    return {};
  return {lexemes.rangeOf(lexemes.statements[static_cast<size_t>(first)]).begin,
          lexemes.rangeOf(lexemes.statements[static_cast<size_t>(block.last)]).end};
}

int blockAround(const std::vector<TextBlock> &blocks, int statement) {
  int best = -1;
  for (size_t i = 0; i < blocks.size(); ++i) {
    int first = blocks[i].open >= 0 ? blocks[i].open : blocks[i].first;
    if (first <= statement && statement <= blocks[i].last)
      best = static_cast<int>(i);
  }
  return best;
}

} // namespace cufc
