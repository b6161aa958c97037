// One pass over the statements with a stack of open blocks. Branches of the preprocessor begin with
// the stack of their #if, and what follows #endif goes on with that of the first branch. An END
// that closes nothing and blocks that nothing closes move nothing but themselves.
#include "ide/format/layout.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

constexpr int deepest = 50; // what is deeper is broken

std::string lowerWord(std::string_view text, size_t &at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
  std::string word;
  for (;
       at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
       ++at)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
  return word;
}

bool isNumber(const std::string &word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// TYPE IS, CLASS DEFAULT, RANK (1) and the like in a SELECT.
bool isTypeBranch(std::string_view text) {
  size_t at = 0;
  std::string word = lowerWord(text, at);
  if (word == "rank")
    return at < text.size() && (text[at] == '(' || std::tolower(text[at]) == 'd');
  if (word != "type" && word != "class")
    return false;
  std::string second = lowerWord(text, at);
  return second == "is" || second == "default";
}

struct ScannedStatement {
  int first = 0, last = 0;
  int column = 0;
  StatementRole role;
  std::string doLabel;
  bool format = false;
};

struct OpenBlock {
  Block block = Block::None;
  int level = 0, body = 0;
  std::string label; // of a DO that ends at a label
};

class LayoutMaker {
public:
  LayoutMaker(const Document &document, const SourceReading &reading, const LayoutOptions &options,
              int lastLine)
      : document(document), reading(reading), options(options),
        count(lastLine > 0 ? std::min(lastLine, document.lineCount()) : document.lineCount()) {}

  Layout run() {
    layout.lines.resize(static_cast<size_t>(count));
    scan();
    for (int line = 1; line <= count; ++line)
      place(line);
    layout.depthAtEnd = std::min(body(), deepest);
    if (!stack.empty())
      layout.openAtEnd = stack.back().block;
    return std::move(layout);
  }

private:
  LineLayout &at(int line) { return layout.lines[static_cast<size_t>(line) - 1]; }
  int body() const { return stack.empty() ? 0 : stack.back().body; }

  // Statements and comments; the roles need to know whether an interface is open.
  void scan() {
    std::string text;
    for (int line = 1; line <= count; ++line)
      text.append(document.line(line)) += '\n';
    std::vector<Block> open;
    forEachStatementAndComment(
        text, reading.fixedForm, reading.columns,
        [&](const Statement &statement) { take(statement, open); },
        [&](const SourceComment &comment) {
          if (comment.alone && comment.line <= count)
            at(comment.line).kind = LineLayout::Comment;
        });
    size_t end = text.find_last_not_of(" \t\n");
    layout.endContinues = !reading.fixedForm && end != std::string::npos && text[end] == '&';
  }

  void take(const Statement &statement, std::vector<Block> &open) {
    size_t begin = statement.text.find_first_not_of(" \t");
    ScannedStatement found;
    found.first = statement.places[begin].line;
    found.column = statement.places[begin].column;
    found.last = statement.places.back().line;
    bool inInterface = !open.empty() && open.back() == Block::Interface;
    std::string_view text = std::string_view(statement.text).substr(begin);
    found.role = quickRoleOf(text, inInterface);
    if (found.role.kind == StatementRole::Opens)
      open.push_back(found.role.block);
    else if (found.role.kind == StatementRole::Closes && !open.empty())
      open.pop_back();
    else if (found.role.kind == StatementRole::Other && isTypeBranch(text))
      found.role = {StatementRole::Branch, Block::Select};
    size_t place = 0;
    std::string word = lowerWord(text, place);
    found.format = word == "format" && place < text.size() && text[place] == '(';
    if (found.role.kind == StatementRole::Other)
      found.doLabel = labelOfDo(word, text.substr(place));
    statements.push_back(std::move(found));
  }

  // "do 10 i = 1, n", in fixed form also "do10i=1,n" which is left alone.
  static std::string labelOfDo(const std::string &word, std::string_view rest) {
    size_t place = 0;
    std::string label = word == "do" ? lowerWord(rest, place) : std::string();
    bool more = place < rest.size() &&
                (std::isalpha(static_cast<unsigned char>(rest[place])) || rest[place] == ',');
    return isNumber(label) && more ? label : std::string();
  }

  void place(int line) {
    std::string_view text = document.line(line);
    LineLayout &row = at(line);
    row.depth = std::min(body(), deepest);
    while (nextStatement < statements.size() && statements[nextStatement].first < line)
      ++nextStatement; // what seemed to be one in a macro
    if ((!text.empty() && text[0] == '#') || inPreprocessor) {
      row.kind = LineLayout::Preprocessor;
      if (!inPreprocessor)
        condition(text);
      inPreprocessor = !text.empty() && text.back() == '\\';
      return;
    }
    if (nextStatement < statements.size() && statements[nextStatement].first == line)
      return placeStatements(line);
    if (row.kind == LineLayout::Comment || text.find_first_not_of(" \t") == std::string_view::npos)
      return;
    row.kind = LineLayout::Continuation;
    row.first = lastFirst > 0 && line <= lastLine + 1 ? lastFirst : line;
  }

  void placeStatements(int line) {
    bool first = true;
    for (; nextStatement < statements.size() && statements[nextStatement].first == line;
         ++nextStatement) {
      const ScannedStatement &statement = statements[nextStatement];
      bool inside = line <= lastLine; // behind a semicolon of a continued line
      int depth = perform(statement, labelAt(line, statement.column));
      LineLayout &row = at(line);
      if (first) {
        row.kind = inside ? LineLayout::Continuation : LineLayout::Statement;
        row.first = lastFirst;
        row.depth = inside ? row.depth : std::min(depth, deepest);
        row.role = statement.role;
        row.format = statement.format;
      }
      if (!inside)
        lastFirst = line;
      lastLine = std::max(lastLine, statement.last);
      first = false;
    }
  }

  std::string labelAt(int line, int column) const {
    size_t place = 0;
    std::string_view text = document.line(line);
    std::string word = lowerWord(text.substr(0, static_cast<size_t>(column) - 1), place);
    return isNumber(word) ? word : std::string();
  }

  // Changes the stack and gives the depth of the statement itself.
  int perform(const ScannedStatement &statement, const std::string &label) {
    int depth = body();
    switch (statement.role.kind) {
    case StatementRole::Opens:
      open(statement.role.block, {});
      break;
    case StatementRole::Closes:
      depth = close(statement.role.block);
      break;
    case StatementRole::Contains:
      depth = contains();
      break;
    case StatementRole::Branch:
      for (size_t i = stack.size(); i > 0 && !isUnit(stack[i - 1].block); --i)
        if (const auto &around = stack[i - 1]; around.block == statement.role.block)
          return around.level + (around.block == Block::Select && options.caseBranches ? 1 : 0);
      break;
    case StatementRole::Other:
      if (!statement.doLabel.empty())
        open(Block::Do, statement.doLabel);
      break;
    }
    if (!label.empty())
      depth = std::min(depth, closeLabel(label));
    return depth;
  }

  void open(Block block, const std::string &label) {
    if (block == Block::Module || block == Block::Submodule || block == Block::Program)
      stack.clear(); // these stand in nothing, whatever was left open
    int level = body();
    int steps = 1;
    if ((block == Block::Module || block == Block::Submodule || block == Block::Program) &&
        !options.moduleBody)
      steps = 0;
    if (block == Block::Select && options.caseBranches)
      steps = 2;
    stack.push_back({block, level, level + steps, label});
  }

  int close(Block block) {
    for (size_t i = stack.size(); i-- > 0;) {
      bool unit = isUnit(stack[i].block);
      // END FUNCTION of a subroutine still ends it; END DO does not end the subroutine.
      bool match = block == Block::None ? unit
                   : isProcedure(block) ? isProcedure(stack[i].block)
                                        : stack[i].block == block;
      if (match) {
        int level = stack[i].level;
        stack.resize(i);
        return level;
      }
      if (unit && !isUnit(block))
        break;
    }
    return body();
  }

  int contains() {
    if (stack.empty())
      return 0;
    for (size_t i = stack.size(); i-- > 0;)
      if (isUnit(stack[i].block) || stack[i].block == Block::Type) {
        stack.resize(i + 1);
        break;
      }
    stack.back().body = stack.back().level + (options.containsBody ? 1 : 0);
    return stack.back().level;
  }

  // Ends the loops of a label; the level of the outermost.
  int closeLabel(const std::string &label) {
    int depth = body();
    while (!stack.empty() && stack.back().label == label) {
      depth = stack.back().level;
      stack.pop_back();
    }
    return depth;
  }

  void condition(std::string_view text) {
    size_t place = 1;
    std::string word = lowerWord(text, place);
    if (word.starts_with("if")) {
      conditions.push_back({stack, {}, false});
    } else if (conditions.empty()) {
      return;
    } else if (word == "else" || word == "elif") {
      if (!conditions.back().hasFirst)
        conditions.back().afterFirst = stack;
      conditions.back().hasFirst = true;
      stack = conditions.back().before;
    } else if (word == "endif") {
      if (conditions.back().hasFirst)
        stack = conditions.back().afterFirst;
      conditions.pop_back();
    }
  }

  struct Condition {
    std::vector<OpenBlock> before, afterFirst;
    bool hasFirst = false;
  };

  const Document &document;
  const SourceReading reading;
  const LayoutOptions options;
  const int count;
  Layout layout;
  std::vector<ScannedStatement> statements;
  size_t nextStatement = 0;
  int lastFirst = 0, lastLine = 0;
  bool inPreprocessor = false;
  std::vector<OpenBlock> stack;
  std::vector<Condition> conditions;
};

} // namespace

StatementRole quickRoleOf(std::string_view statement, bool inInterface) {
  // The first letters of END, IF, DO, CASE and the like, of prefixes of procedures, and of units.
  static constexpr std::string_view words[] = {
      "end",      "if",     "do",         "else",      "case",      "select",
      "where",    "forall", "block",      "associate", "critical",  "change",
      "contains", "module", "submodule",  "program",   "interface", "abstract",
      "enum",     "type",   "subroutine", "function"};
  size_t begin = std::min(statement.find_first_not_of(" \t"), statement.size());
  size_t end = begin;
  char word[16] = {};
  for (; end < statement.size() &&
         (std::isalnum(static_cast<unsigned char>(statement[end])) || statement[end] == '_');
       ++end)
    if (end - begin < sizeof word - 1)
      word[end - begin] =
          static_cast<char>(std::tolower(static_cast<unsigned char>(statement[end])));
  std::string_view first(word);
  for (std::string_view known : words)
    if (first.starts_with(known))
      return roleOf(statement, inInterface);
  size_t next = statement.find_first_not_of(" \t", end);
  if (next != statement.npos && statement[next] == ':') // the name of a construct
    return roleOf(statement, inInterface);
  // No prefix of a procedure stands in front of these.
  if (next == statement.npos || statement[next] == '=' || statement[next] == '%' ||
      statement.find("::") != statement.npos || first == "call" || first == "use")
    return {};
  return roleOf(statement, inInterface);
}

Layout layoutOf(const Document &document, const SourceReading &reading,
                const LayoutOptions &options, int lastLine) {
  return LayoutMaker(document, reading, options, lastLine).run();
}

} // namespace cufc
