// A stack of the blocks that are open, each with its keywords so far. Keywords are the words
// outside of parentheses that are in the list of the block's kind, up to its name.
#include "ide/control_flow.h"
#include "base/source_text.h"
#include "ide/query.h"
#include "source/blocks.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

struct Word {
  std::string text; // lower case
  size_t begin, end;
  bool afterParentheses; // right behind ")"
};

bool isLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::vector<Word> wordsOf(std::string_view text) {
  std::vector<Word> result;
  int depth = 0;
  char quote = 0, last = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      quote = c == quote ? char(0) : quote;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (isLetter(c)) {
      size_t end = i;
      while (end < text.size() && isLetter(text[end]))
        ++end;
      if (depth == 0)
        result.push_back({lowerCase(text.substr(i, end - i)), i, end, last == ')'});
      i = end - 1;
      last = 'a';
      continue;
    } else {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    if (c != ' ' && c != '\t')
      last = c;
  }
  return result;
}

bool isOneOf(const std::string &word, std::initializer_list<const char *> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool isKeywordOf(Block block, const std::string &word) {
  switch (block) {
  case Block::Program:
    return word == "program";
  case Block::Module:
    return word == "module";
  case Block::Submodule:
    return word == "submodule";
  case Block::BlockData:
    return isOneOf(word, {"block", "data", "blockdata"});
  case Block::Subroutine:
    return word == "subroutine";
  case Block::Function:
    return word == "function";
  case Block::Procedure:
    return isOneOf(word, {"module", "procedure"});
  case Block::Interface:
    return isOneOf(word, {"abstract", "interface"});
  case Block::Type:
    return word == "type";
  case Block::Enum:
    return word == "enum";
  case Block::Do:
    return isOneOf(word, {"do", "while", "concurrent", "dowhile"});
  case Block::If:
    return isOneOf(word, {"if", "then", "else", "elseif"});
  case Block::Select:
    return isOneOf(word, {"select", "selectcase", "selecttype", "selectrank", "case", "default",
                          "type", "class", "rank", "is"});
  case Block::Where:
    return isOneOf(word, {"where", "elsewhere", "else"});
  case Block::Forall:
    return word == "forall";
  case Block::Associate:
    return word == "associate";
  case Block::Block:
    return word == "block";
  case Block::Critical:
    return word == "critical";
  case Block::Team:
    return isOneOf(word, {"change", "team"});
  case Block::None:
    break;
  }
  return false;
}

class Blocks {
public:
  explicit Blocks(TextPosition position) : position(position) {}

  void visit(const Statement &statement) {
    if (found)
      return;
    bool inInterface = !open.empty() && open.back().block == Block::Interface;
    StatementRole role = roleOf(statement.text, inInterface);
    words = wordsOf(statement.text);
    if (role.kind == StatementRole::Opens) {
      open.push_back({role.block, constructName(statement), {}});
      addKeywords(statement, role.nameEnd > role.name ? role.name : statement.text.size());
    } else if (open.empty()) {
      return;
    } else if (role.kind == StatementRole::Closes) {
      close(statement, role);
    } else if (role.kind == StatementRole::Branch || isTypeGuard()) {
      addKeywords(statement, statement.text.size());
    } else if (role.kind == StatementRole::Contains) {
      add(statement, open.back(), words.front());
    } else {
      addJump(statement);
    }
  }

  // What is still open at the end counts too: the text may be broken.
  std::vector<TextRange> result() {
    while (!found && !open.empty())
      leave();
    return found ? std::move(*found) : std::vector<TextRange>{};
  }

private:
  struct Open {
    Block block;
    std::string name;
    std::vector<TextRange> keywords;
  };

  std::string constructName(const Statement &statement) const {
    if (words.empty())
      return {};
    size_t colon = statement.text.find_first_not_of(" \t", words.front().end);
    return colon != std::string::npos && statement.text[colon] == ':' ? words.front().text
                                                                      : std::string();
  }

  bool isTypeGuard() const {
    return open.back().block == Block::Select && words.size() > 1 &&
           isOneOf(words[0].text, {"type", "class", "rank"}) &&
           isOneOf(words[1].text, {"is", "default"});
  }

  void add(const Statement &statement, Open &block, const Word &word) const {
    const Statement::Place &begin = statement.places[word.begin];
    const Statement::Place &last = statement.places[word.end - 1];
    TextRange range{{begin.line, begin.column}, {last.line, last.column + 1}};
    // "end do" is one.
    if (!block.keywords.empty() && word.begin > 0) {
      TextRange &before = block.keywords.back();
      size_t end = statement.text.find_last_not_of(" \t", word.begin - 1);
      if (end != std::string::npos && before.end.line == begin.line &&
          statement.places[end].line == before.end.line &&
          statement.places[end].column + 1 == before.end.column) {
        before.end = range.end;
        return;
      }
    }
    block.keywords.push_back(range);
  }

  void addKeywords(const Statement &statement, size_t end) {
    Open &block = open.back();
    for (size_t i = 0; i < words.size() && words[i].begin < end; ++i)
      if (isKeywordOf(block.block, words[i].text) && words[i].text != block.name)
        add(statement, block, words[i]);
  }

  void close(const Statement &statement, const StatementRole &role) {
    // Blocks in between that have no end are broken code.
    if (role.block != Block::None)
      while (open.size() > 1 && open.back().block != role.block &&
             std::any_of(open.begin(), open.end(),
                         [&](const Open &o) { return o.block == role.block; }))
        leave();
    if (found || open.empty())
      return;
    for (size_t i = 0; i < words.size() && i < 3; ++i)
      if (i == 0 ||
          (role.block != Block::None && isKeywordOf(role.block, words[i].text) &&
           words[i - 1].text.starts_with("end") && i == 1) ||
          (i == 2 && role.block == Block::BlockData))
        add(statement, open.back(), words[i]);
    leave();
  }

  void leave() {
    for (const TextRange &keyword : open.back().keywords)
      if (keyword.touches(position))
        found = open.back().keywords;
    open.pop_back();
  }

  // EXIT, CYCLE and RETURN, also as what an IF statement does.
  void addJump(const Statement &statement) {
    for (size_t i = 0; i < words.size() && i < 2; ++i) {
      const Word &word = words[i];
      bool stands = i == 0 || (words[0].text == "if" && word.afterParentheses);
      if (!stands || !isOneOf(word.text, {"exit", "cycle", "return"}))
        continue;
      size_t next = statement.text.find_first_not_of(" \t", word.end);
      if (next != std::string::npos && !isLetter(statement.text[next]))
        return; // a variable
      std::string name = i + 1 < words.size() ? words[i + 1].text : "";
      for (size_t b = open.size(); b-- > 0;)
        if (word.text == "return" ? isProcedure(open[b].block)
            : name.empty()        ? open[b].block == Block::Do
                                  : open[b].name == name)
          return add(statement, open[b], word);
    }
  }

  TextPosition position;
  std::vector<Open> open;
  std::vector<Word> words;
  std::optional<std::vector<TextRange>> found;
};

bool mayBelongToABlock(const std::string &word) {
  if (word.starts_with("end") || isOneOf(word, {"exit", "cycle", "return", "contains"}))
    return true;
  for (int block = 0; block <= static_cast<int>(Block::Team); ++block)
    if (isKeywordOf(static_cast<Block>(block), word))
      return true;
  return false;
}

} // namespace

std::vector<TextRange> blockKeywords(const SourceFile &file, TextPosition position) {
  TextRange word = wordAt(file.document, position);
  if (!mayBelongToABlock(lowerCase(file.document.slice(word))))
    return {};
  Blocks blocks(position);
  forEachStatement(file.document.text(), file.reading.fixedForm, file.reading.columns,
                   [&](const Statement &statement) { blocks.visit(statement); });
  return blocks.result();
}

} // namespace cufc
