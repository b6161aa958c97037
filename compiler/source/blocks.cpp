// See blocks.h. Fortran has no reserved words: a keyword that an assignment or a reference follows,
// as in "end = 1", is a name. Statements may be broken, so nothing is expected of what stands
// behind the words that tell.
#include "source/blocks.h"
#include "source/statement_words.h"
#include <algorithm>
#include <cctype>
#include <iterator>

namespace cufc {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Words and other characters of a statement, in lower case.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) { skipBlanks(); }

  bool atEnd() const { return at >= text.size(); }
  char next() const { return atEnd() ? '\0' : text[at]; }
  size_t place() const { return at; }
  void moveTo(size_t place) {
    at = place;
    skipBlanks();
  }

  // The word here, which may be empty, and what follows it becomes next.
  std::string word() {
    std::string result;
    for (; !atEnd() && isWordCharacter(text[at]); ++at)
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
    skipBlanks();
    return result;
  }

  // Behind the parenthesis that opens here; at the end if none closes it.
  void skipParentheses() {
    int depth = 0;
    char quote = 0;
    for (; !atEnd(); ++at) {
      char c = text[at];
      if (quote)
        quote = c == quote ? 0 : quote;
      else if (c == '\'' || c == '"')
        quote = c;
      else if (c == '(')
        ++depth;
      else if (c == ')' && --depth == 0) {
        ++at;
        break;
      }
    }
    skipBlanks();
  }

  void advance() {
    ++at;
    skipBlanks();
  }

private:
  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }
  std::string_view text;
  size_t at = 0;
};

struct Ending {
  const char *word; // behind END, without blanks
  Block block;
};
constexpr Ending endings[] = {{"program", Block::Program},
                              {"module", Block::Module},
                              {"submodule", Block::Submodule},
                              {"blockdata", Block::BlockData},
                              {"subroutine", Block::Subroutine},
                              {"function", Block::Function},
                              {"procedure", Block::Procedure},
                              {"interface", Block::Interface},
                              {"type", Block::Type},
                              {"enum", Block::Enum},
                              {"do", Block::Do},
                              {"if", Block::If},
                              {"select", Block::Select},
                              {"where", Block::Where},
                              {"forall", Block::Forall},
                              {"associate", Block::Associate},
                              {"block", Block::Block},
                              {"critical", Block::Critical},
                              {"team", Block::Team}};

// What follows says that the word before is a variable.
bool isName(const Scanner &scanner) {
  return scanner.next() == '=' || scanner.next() == '(' || scanner.next() == '%' ||
         scanner.next() == ',';
}

StatementRole closing(const std::string &word, Scanner scanner) {
  StatementRole role;
  std::string rest = word.substr(3);
  if (rest.empty() && !isName(scanner))
    rest = scanner.word();
  else if (isName(scanner))
    return role;
  if (rest == "block" && !scanner.atEnd()) {
    Scanner ahead = scanner;
    if (ahead.word() == "data")
      rest = "blockdata";
  }
  if (rest.empty()) {
    role.kind = scanner.atEnd() ? StatementRole::Closes : StatementRole::Other;
    return role;
  }
  for (const Ending &ending : endings)
    if (rest == ending.word) {
      role.kind = StatementRole::Closes;
      role.block = ending.block;
    }
  return role;
}

StatementRole opens(Block block, Scanner scanner) {
  StatementRole role{StatementRole::Opens, block, scanner.place(), scanner.place()};
  role.nameEnd = role.name + scanner.word().size();
  return role;
}

// [prefixes] SUBROUTINE or FUNCTION name.
StatementRole procedure(Scanner scanner) {
  while (!scanner.atEnd()) {
    std::string word = scanner.word();
    if ((word == "subroutine" || word == "function") && !isName(scanner))
      return opens(word == "function" ? Block::Function : Block::Subroutine, scanner);
    if (!isBeforeProcedure(word))
      break;
    if (scanner.next() == '*') { // real*8
      scanner.advance();
      scanner.word();
    }
    if (scanner.next() == '(')
      scanner.skipParentheses();
  }
  return {};
}

StatementRole typeStatement(Scanner scanner, std::string_view statement) {
  if (scanner.next() == '(' || scanner.next() == '=' || scanner.next() == '%')
    return {};
  if (size_t colons = statement.find("::", scanner.place());
      (scanner.next() == ',' || scanner.next() == ':') && colons != std::string_view::npos)
    scanner.moveTo(colons + 2);
  Scanner ahead = scanner;
  if (ahead.word() == "is")
    return {};
  return opens(Block::Type, scanner);
}

// IF, WHERE and FORALL open a block unless a statement follows the parentheses.
StatementRole conditional(const std::string &word, Scanner scanner, std::string_view statement) {
  if (scanner.next() != '(')
    return {};
  if (word == "if") {
    size_t last = statement.find_last_not_of(" \t");
    std::string end;
    for (size_t i = last + 1; i > 0 && isWordCharacter(statement[i - 1]); --i)
      end.insert(end.begin(),
                 static_cast<char>(std::tolower(static_cast<unsigned char>(statement[i - 1]))));
    return end == "then" ? StatementRole{StatementRole::Opens, Block::If} : StatementRole{};
  }
  scanner.skipParentheses();
  if (!scanner.atEnd())
    return {};
  return {StatementRole::Opens, word == "where" ? Block::Where : Block::Forall};
}

StatementRole doStatement(Scanner scanner) {
  if (scanner.next() == '=' || scanner.next() == '(' || scanner.next() == '%')
    return {};
  if (std::isdigit(static_cast<unsigned char>(scanner.next())))
    return {}; // ends at its label
  return {StatementRole::Opens, Block::Do};
}

StatementRole moduleStatement(Scanner scanner, bool inInterface) {
  Scanner ahead = scanner;
  std::string second = ahead.word();
  if (second == "procedure" && !ahead.atEnd() && ahead.next() != ':' && ahead.next() != ',')
    return inInterface ? StatementRole{} : opens(Block::Procedure, ahead);
  if (isName(scanner) || second.empty())
    return {};
  return opens(Block::Module, scanner);
}

} // namespace

bool isProcedure(Block block) {
  return block == Block::Subroutine || block == Block::Function || block == Block::Procedure;
}

bool isUnit(Block block) {
  return isProcedure(block) || block == Block::Program || block == Block::Module ||
         block == Block::Submodule || block == Block::BlockData;
}

const char *endOf(Block block) {
  switch (block) {
  case Block::None:
    return "end";
  case Block::Program:
    return "end program";
  case Block::Module:
    return "end module";
  case Block::Submodule:
    return "end submodule";
  case Block::BlockData:
    return "end block data";
  case Block::Subroutine:
    return "end subroutine";
  case Block::Function:
    return "end function";
  case Block::Procedure:
    return "end procedure";
  case Block::Interface:
    return "end interface";
  case Block::Type:
    return "end type";
  case Block::Enum:
    return "end enum";
  case Block::Do:
    return "end do";
  case Block::If:
    return "end if";
  case Block::Select:
    return "end select";
  case Block::Where:
    return "end where";
  case Block::Forall:
    return "end forall";
  case Block::Associate:
    return "end associate";
  case Block::Block:
    return "end block";
  case Block::Critical:
    return "end critical";
  case Block::Team:
    return "end team";
  }
  return "end";
}

namespace {

StatementRole constructOf(const std::string &word, const Scanner &scanner,
                          std::string_view statement) {
  Scanner ahead = scanner;
  if (word == "if" || word == "where" || word == "forall")
    return conditional(word, scanner, statement);
  if (word == "do")
    return doStatement(scanner);
  if ((word == "select" || word == "change") && !isName(scanner)) {
    std::string second = ahead.word();
    if (word == "change")
      return {second == "team" ? StatementRole::Opens : StatementRole::Other, Block::Team};
    bool known = second == "case" || second == "type" || second == "rank";
    return {known ? StatementRole::Opens : StatementRole::Other, Block::Select};
  }
  if (word == "selectcase" || word == "selecttype")
    return {StatementRole::Opens, Block::Select};
  if (word == "associate" && scanner.next() == '(')
    return {StatementRole::Opens, Block::Associate};
  if (word == "block" && scanner.atEnd())
    return {StatementRole::Opens, Block::Block};
  if (word == "critical" && scanner.atEnd())
    return {StatementRole::Opens, Block::Critical};
  return {};
}

} // namespace

StatementRole roleOf(std::string_view statement, bool inInterface) {
  Scanner scanner(statement);
  std::string word = scanner.word();
  if (scanner.next() == ':' && !word.empty()) { // the name of a construct, or "type ::"
    Scanner ahead = scanner;
    ahead.advance();
    if (ahead.next() != ':')
      return constructOf(ahead.word(), ahead, statement);
  }
  if (word.compare(0, 3, "end") == 0)
    return closing(word, scanner);
  if (word == "contains" && scanner.atEnd())
    return {StatementRole::Contains};
  if ((word == "else" || word == "elseif") && scanner.next() != '=')
    return {StatementRole::Branch, Block::If};
  if (word == "elsewhere")
    return {StatementRole::Branch, Block::Where};
  if (word == "case" && (scanner.next() == '(' || std::isalpha(scanner.next())))
    return {StatementRole::Branch, Block::Select};
  if (StatementRole role = procedure(Scanner(statement)); role.kind)
    return role;
  if (word == "module")
    if (StatementRole role = moduleStatement(scanner, inInterface); role.kind)
      return role;
  Scanner ahead = scanner;
  if (word == "program" && !isName(scanner))
    return opens(Block::Program, scanner);
  if (word == "submodule" && scanner.next() == '(') {
    ahead.skipParentheses();
    return opens(Block::Submodule, ahead);
  }
  if (word == "block" && ahead.word() == "data")
    return opens(Block::BlockData, ahead);
  if ((word == "interface" && !isName(scanner)) ||
      (word == "abstract" && Scanner(scanner).word() == "interface"))
    return {StatementRole::Opens, Block::Interface};
  if (word == "enum" && scanner.next() == ',')
    return {StatementRole::Opens, Block::Enum};
  if (word == "type")
    return typeStatement(scanner, statement);
  return constructOf(word, scanner, statement);
}

} // namespace cufc
