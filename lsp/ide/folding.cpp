// Blocks come from the tree of statements (block_tree.h), the rest from the lexemes directly.
#include "ide/folding.h"
#include "ide/block_tree.h"
#include "ide/keywords.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

class Folder {
public:
  Folder(const Query &query, bool linesOnly, const ReadText &read)
      : query(query), linesOnly(linesOnly),
        lexemes(lexemesOf(query.document(), query.file.reading)), read(read) {}

  std::vector<Fold> all() {
    for (const TextBlock &block : textBlocks(lexemes))
      foldBlock(block);
    foldComments();
    foldStatements();
    foldConditions();
    std::sort(folds.begin(), folds.end(), [](const Fold &a, const Fold &b) {
      return std::tie(a.range.begin, b.range.end, a.kind) <
             std::tie(b.range.begin, a.range.end, b.kind);
    });
    return std::move(folds);
  }

private:
  const StatementSpan &statement(int number) const {
    return lexemes.statements[static_cast<size_t>(number)];
  }
  TextRange rangeOf(int number) const { return lexemes.rangeOf(statement(number)); }

  void add(TextPosition begin, TextPosition end, FoldKind kind) {
    if (begin.line < end.line)
      folds.push_back({{begin, end}, kind});
  }

  TextPosition endOfLine(int line) const {
    return {line, static_cast<int>(query.document().line(line).size()) + 1};
  }

  // Where the fold of a block begins: a head that goes over several lines is folded with it, since
  // folds that share a line overlap.
  TextPosition behindHead(int opening) {
    TextRange head = rangeOf(opening);
    if (head.begin.line == head.end.line)
      return head.end;
    heads.insert(opening);
    return endOfLine(head.begin.line);
  }

  // From behind a statement to the statement that ends the block: with columns up to its first
  // letter, with lines up to the line before.
  void addUpTo(int from, int to, FoldKind kind) {
    TextPosition begin = behindHead(from), end = rangeOf(to).begin;
    if (linesOnly)
      end = endOfLine(end.line - 1);
    add(begin, end, kind);
  }

  // Units and SELECT as a whole; of IF and its like each branch, since the first begins where the
  // whole does; of SELECT each case also.
  void foldBlock(const TextBlock &block) {
    if (block.open < 0)
      return;
    bool whole = isUnit(block.kind) || block.kind == Block::Select || block.branches.empty();
    if (whole)
      foldToEnd(block, block.open);
    if (isUnit(block.kind) || block.branches.empty())
      return;
    int from = block.open;
    for (int branch : block.branches) {
      if (from != block.open || !whole)
        addUpTo(from, branch, FoldKind::Code);
      from = branch;
    }
    foldToEnd(block, from);
  }

  void foldToEnd(const TextBlock &block, int from) {
    if (block.close >= 0)
      addUpTo(from, block.close, FoldKind::Code);
    else if (block.last >= 0)
      add(behindHead(from), rangeOf(block.last).end, FoldKind::Code);
  }

  bool alone(size_t comment) const {
    return comment == 0 || lexemes.all[comment - 1].line != lexemes.all[comment].line;
  }

  // Comments on lines of their own, two or more in a row.
  void foldComments() {
    size_t first = 0;
    for (size_t i = 0; i < lexemes.all.size(); ++i) {
      if (lexemes.all[i].kind != LexemeKind::Comment || !alone(i))
        continue;
      bool goesOn = i > first && lexemes.all[i - 1].kind == LexemeKind::Comment && alone(i - 1) &&
                    lexemes.all[i - 1].line + 1 == lexemes.all[i].line;
      if (!goesOn)
        first = i;
      bool last = i + 1 >= lexemes.all.size() || lexemes.all[i + 1].kind != LexemeKind::Comment ||
                  lexemes.all[i + 1].line != lexemes.all[i].line + 1;
      if (last)
        add(lexemes.all[first].range().end, lexemes.all[i].range().end, FoldKind::Comment);
    }
  }

  // Continued statements, and neighbouring USE statements.
  void foldStatements() {
    int firstUse = -1, lastUse = -1;
    auto endGroup = [&] {
      if (firstUse >= 0 && lastUse > firstUse)
        add(rangeOf(firstUse).end, rangeOf(lastUse).end, FoldKind::Imports);
      firstUse = -1;
    };
    for (size_t i = 0; i < lexemes.statements.size(); ++i) {
      const StatementSpan &span = lexemes.statements[i];
      const Lexeme &first = lexemes.all[span.first];
      bool use = span.kind == StatementSpan::Statement && first.kind == LexemeKind::Keyword &&
                 first.endColumn - first.column == 3 && lexemes.wordOf(first) == "use";
      if (use) {
        firstUse = firstUse < 0 ? static_cast<int>(i) : firstUse;
        lastUse = static_cast<int>(i);
      } else {
        endGroup();
      }
      TextRange range = lexemes.rangeOf(span);
      if (range.begin.line < range.end.line && !heads.contains(static_cast<int>(i)))
        add(endOfLine(range.begin.line), range.end, FoldKind::Code);
    }
    endGroup();
  }

  // From each #if and #else to before the directive that ends it.
  void foldConditions() {
    Conditions conditions =
        conditionsOf(query.document(), query.file.path, query.file.reading, read);
    for (const LineRange &branch : conditions.branches)
      add(endOfLine(branch.first), endOfLine(branch.last - 1), FoldKind::Region);
  }

  const Query &query;
  bool linesOnly;
  Lexemes lexemes;
  const ReadText &read;
  std::vector<Fold> folds;
  std::set<int> heads; // statements over several lines that open blocks
};

} // namespace

std::vector<Fold> foldingRanges(const Query &query, bool linesOnly, const ReadText &read) {
  return Folder(query, linesOnly, read).all();
}

} // namespace cufc
