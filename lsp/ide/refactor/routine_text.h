// A program unit or procedure as statements with the blocks around them and the names in them.
//
// Statements come from the text as it is now, names from the last analysis. Labelled DO loops are
// blocks here, which end with their last statement.
#ifndef CUFLS_IDE_REFACTOR_ROUTINE_TEXT_H
#define CUFLS_IDE_REFACTOR_ROUTINE_TEXT_H

#include "ide/refactor/refactoring.h"
#include "source/statements.h"
#include <set>

namespace cufc {

struct Piece {
  std::string text;                     // in one piece, without its label
  std::vector<Statement::Place> places; // of each byte of the text
  int first = 0, last = 0;              // lines
  int label = 0;
  std::string word; // the first one, lower case, behind the name of a construct
  StatementRole role;
  bool sharesLine = false;
  bool named = false;      // begins with the name of a construct
  int partner = -1;        // the statement that closes what this one opens, and the reverse
  std::vector<int> blocks; // around it, from outside: number of the opening statement and branch
  bool isDo() const { return word == "do"; }
};

struct NameAt {
  size_t piece = 0, offset = 0, length = 0;
  int symbol = -1;
  Role role = Role::Reference;
  bool reads() const { return role == Role::Read || role == Role::ReadWrite; }
  bool writes() const { return role == Role::Write || role == Role::ReadWrite; }
};

// "(i, j + 1)" behind a name: where it stands and its parts.
struct Subscripts {
  size_t open = 0, close = 0; // of the parentheses in the text
  std::vector<std::string> parts;
  explicit operator bool() const { return close > open; }
};
Subscripts subscriptsIn(const std::string &text, size_t behindName);

// Calls visit(word in lower case, offset) for the words of a statement outside of strings.
template <typename Visit>
void forEachWordIn(const std::string &text, const Visit &visit);

class RoutineText {
public:
  RoutineText(const ActionContext &context, const UnitAround &unit);

  const ActionContext &context;
  const UnitAround unit;
  std::vector<Piece> pieces;
  std::vector<NameAt> names; // by statement and offset; generic names before the specific ones
  size_t contains = 0;       // number of CONTAINS, or of the last statement
  bool balanced = true;

  const SymbolInfo &row(int symbol) const;
  const ScopeInfo &scope() const;
  std::vector<NameAt> namesIn(size_t first, size_t last) const;
  TextRange rangeOf(size_t piece, size_t offset, size_t length) const;
  TextRange linesOf(size_t first, size_t last) const; // whole lines, without the last end
  int pieceAt(int line) const;                        // -1: none
  // Whether a statement is always executed before another one of its iteration.
  bool dominates(size_t before, size_t after) const;
  // A scalar or array that only this procedure knows, which no statement gives to others.
  bool isOwn(int symbol) const;
  bool isNamedBy(const std::set<std::string> &words, int symbol) const;
  // Whether a value that these statements give it may be used outside of them.
  bool usedOutside(int symbol, size_t first, size_t last) const;
  // Why lines cannot be changed: directives, preprocessor, several statements on a line; or "".
  std::string fixedLines(size_t first, size_t last) const;
  // The line of a directive over these statements or around them, or 0.
  int directiveFor(size_t first, size_t last) const;
  std::string indentation(size_t piece) const;
  // The first word that no symbol stands for, or "".
  std::string unknownWord(size_t piece) const;
  // The statement behind the last declaration, and the last line of those.
  SpecificationPart specification() const { return specificationOf(context, unit); }

private:
  void readStatements();
  void findBlocks();
  void findNames();
};

// The procedure around the place of the context.
RoutineText routineAt(const ActionContext &context);

std::string withoutBlanksAt(std::string_view text); // and in lower case
bool isOnDeviceOnly(const SymbolInfo &symbol);
bool hasAttribute(const SymbolInfo &symbol, std::string_view attribute);

template <typename Visit>
void forEachWordIn(const std::string &text, const Visit &visit) {
  auto isPart = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote || c == '\'' || c == '"') {
      quote = !quote ? c : c == quote ? char(0) : quote;
    } else if (isPart(c)) {
      size_t end = i;
      while (end < text.size() && isPart(text[end]))
        ++end;
      std::string word = text.substr(i, end - i);
      for (char &letter : word)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
      visit(word, i);
      i = end - 1;
    }
  }
}

} // namespace cufc
#endif // CUFLS_IDE_REFACTOR_ROUTINE_TEXT_H
