// What a file defines and uses, by the words of its statements. The stack of open program units
// tells external procedures from others, and shows a main program that has no PROGRAM statement.
#include "project/module_graph.h"
#include "project/scan_lines.h"
#include "source/conditional_lines.h"
#include "source/dialect_rewrite.h"
#include "source/statement_words.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool isName(const std::string &word) {
  return !word.empty() && (std::isalpha(static_cast<unsigned char>(word[0])) || word[0] == '_');
}
bool isBlank(char c) { return std::isspace(static_cast<unsigned char>(c)); }

// Reads words and punctuation of one statement, in lower case.
class Words {
public:
  explicit Words(const Statement &statement) : statement(statement), text(statement.text) {}

  // The next name, or one punctuation character, or empty at the end.
  std::string next() {
    while (at < text.size() && isBlank(text[at]))
      ++at;
    start = at;
    if (at == text.size())
      return {};
    if (!isNameCharacter(text[at]))
      return std::string(1, text[at++]);
    std::string word;
    while (at < text.size() && isNameCharacter(text[at]))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at++])));
    return word;
  }

  // After an opening parenthesis was read: to behind the closing one.
  void skipGroup() {
    int depth = 1;
    for (char quote = 0; at < text.size() && depth > 0; ++at) {
      char c = text[at];
      if (quote)
        quote = c == quote ? '\0' : quote;
      else if (c == '\'' || c == '"')
        quote = c;
      else
        depth += (c == '(') - (c == ')');
    }
  }

  // A character constant, or empty.
  std::string quoted() {
    std::string mark = next();
    size_t end = mark == "'" || mark == "\"" ? text.find(mark[0], at) : std::string_view::npos;
    return end == std::string_view::npos ? "" : std::string(text.substr(at, end - at));
  }

  // Where the word that `next` returned last stands; it is not empty.
  Statement::Place place() const { return statement.places[start]; }

private:
  const Statement &statement;
  std::string_view text;
  size_t at = 0, start = 0;
};

// Which lines are under #if; the preprocessor may leave them out.
std::vector<bool> conditionalLines(const std::string &text) {
  std::vector<bool> lines{false};
  int depth = 0;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    if (!line.empty() && line[0] == '#') {
      line.remove_prefix(std::min(line.find_first_not_of("# \t"), line.size()));
      if (line.starts_with("if"))
        ++depth;
      else if (line.starts_with("endif"))
        depth = std::max(0, depth - 1);
    }
    lines.push_back(depth > 0);
    begin = end + 1;
  }
  return lines;
}

// real, device :: a; device :: a
bool declaresForDevice(const Statement &text) {
  Words words(text);
  std::string word = words.next(), before = ",";
  if (!hasRole(word, word_role::Type | word_role::Memory))
    return false;
  bool found = false;
  for (; !word.empty() && word != ":" && word != "="; before = word, word = words.next()) {
    found |= before == "," && hasRole(word, word_role::Memory);
    if (word == "(")
      words.skipGroup();
  }
  return found && word == ":";
}

class Scanner {
public:
  Scanner(const std::string &path, const std::string &text, ModuleFacts &facts)
      : path(path), conditional(conditionalLines(text)), facts(facts) {}

  void statement(const Statement &text) {
    read(text);
    if (!text.places.empty() && units.empty() != borders.back().second)
      borders.emplace_back(text.places.back().line, units.empty());
  }

  // Whether no program unit is around a line.
  bool isBetweenUnits(int line) const {
    auto behind = std::find_if(borders.begin(), borders.end(),
                               [&](const auto &border) { return border.first >= line; });
    return std::prev(behind)->second; // lines count from 1
  }

private:
  void read(const Statement &text) {
    Words words(text);
    std::string first = words.next();
    if (first.starts_with("end") && end(text, first))
      return;
    if (first == "include")
      return include(words);
    if (!opens(text, first) && units.empty())
      open(Unit::Program, at(words, "program"));
    facts.cuda |= first == "attributes" || text.text.find("<<<") != std::string::npos ||
                  declaresForDevice(text);
    if (first == "use")
      use(words);
    else if (first == "call")
      call(words);
    else if (first == "if" && words.next() == "(") {
      words.skipGroup();
      if (words.next() == "call")
        call(words);
    } else if (first == "external")
      external(words);
  }

  enum class Unit { Program, Module, Procedure, Interface };

  ModuleStatement at(const Words &words, const std::string &name) {
    auto [line, column] = words.place();
    bool maybe = static_cast<size_t>(line) < conditional.size() && conditional[line];
    return {name, {path, line, column, line, column + static_cast<int>(name.size())}, maybe};
  }

  void open(Unit unit, const ModuleStatement &statement) {
    if (unit == Unit::Program) // nothing holds one: an END is missing
      units.clear();
    if (unit == Unit::Program)
      facts.programs.push_back(statement);
    else if (unit == Unit::Procedure && units.empty())
      facts.procedures.push_back(statement);
    else if (unit == Unit::Procedure && units.back() == Unit::Interface)
      facts.calls.push_back(statement.name);
    units.push_back(unit);
  }

  // Whether the statement opens a program unit, a procedure or an interface block.
  bool opens(const Statement &text, const std::string &first) {
    Words words(text);
    words.next();
    if (first == "module" && module(words))
      return true;
    if (first == "submodule")
      return submodule(words);
    Words again(text);
    again.next();
    if (first == "program" || (first == "block" && again.next() == "data")) {
      std::string name = again.next();
      ModuleStatement statement = name.empty() ? at(again, "program") : at(again, name);
      bool alone = again.next().empty() && (name.empty() || isName(name));
      if (alone)
        open(first == "program" ? Unit::Program : Unit::Module, statement);
      return alone;
    }
    if (first == "blockdata")
      return units.push_back(Unit::Module), true;
    if (first == "interface" || first == "abstract")
      return interfaceBlock(text);
    return procedure(text);
  }

  bool interfaceBlock(const Statement &text) {
    Words words(text);
    std::string word = words.next();
    if (word == "abstract" && words.next() != "interface")
      return false;
    word = words.next();
    if (!word.empty() && !isName(word))
      return false;
    units.push_back(Unit::Interface);
    return true;
  }

  // [prefix words] subroutine name | [prefix words] function name (; module procedure name
  bool procedure(const Statement &text) {
    Words words(text);
    std::string before;
    for (std::string word; !(word = words.next()).empty();) {
      bool keyword = word == "subroutine" || word == "function" ||
                     (word == "procedure" && before == "module" && !units.empty() &&
                      units.back() != Unit::Interface);
      if (keyword) {
        std::string name = words.next();
        if (!isName(name))
          return false;
        ModuleStatement statement = at(words, name);
        std::string rest = words.next();
        if (rest == "(" || (rest.empty() && word != "function"))
          return open(Unit::Procedure, statement), true;
        return false;
      }
      if (word == "(")
        words.skipGroup();
      else if (!isNameCharacter(word[0]) && word != "*")
        return false;
      if (word == "attributes")
        facts.cuda = true;
      before = word;
    }
    return false;
  }

  // use m | use :: m | use, intrinsic :: m
  void use(Words &words) {
    std::string word = words.next();
    if (word == ",") {
      if (words.next() == "intrinsic")
        return;
      word = words.next();
    }
    while (word == ":")
      word = words.next();
    if (word.empty() || !isNameCharacter(word[0]))
      return;
    ModuleStatement statement = at(words, word);
    std::string rest = words.next();
    if (!rest.empty() && rest != ",")
      return; // a variable called use...
    facts.cuda |= word == "cudafor" || word == "cudadevice";
    (word == inside && !units.empty() && units.front() != Unit::Program ? facts.usesItself
                                                                        : facts.uses)
        .push_back(statement);
  }

  // call name, or call object%name, which is no external procedure
  void call(Words &words) {
    std::string name = words.next();
    if (isName(name) && words.next() != "%")
      facts.calls.push_back(name);
  }

  void external(Words &words) {
    for (std::string word; !(word = words.next()).empty();)
      if (isName(word))
        facts.calls.push_back(word);
  }

  void include(Words &words) {
    if (std::string name = words.quoted(); !name.empty())
      facts.includes.push_back({name, units.empty()});
  }

  // module m, but not "module procedure" and the like.
  bool module(Words &words) {
    std::string name = words.next();
    if (!isName(name))
      return false;
    ModuleStatement statement = at(words, name);
    if (!words.next().empty())
      return false;
    facts.defines.push_back(statement);
    inside = name;
    units.push_back(Unit::Module);
    return true;
  }

  // submodule (ancestor[:parent]) name
  bool submodule(Words &words) {
    inside.clear();
    if (words.next() != "(")
      return false;
    std::string ancestor = words.next();
    if (ancestor.empty())
      return false;
    std::string parent = ancestor;
    ModuleStatement used = at(words, ancestor);
    if (words.next() == ":") {
      parent += ":" + words.next();
      words.next();
    }
    used.name = parent;
    std::string name = words.next();
    if (name.empty())
      return false;
    facts.uses.push_back(used);
    ModuleStatement defined = at(words, name);
    defined.name = ancestor + ":" + name;
    facts.defines.push_back(defined);
    units.push_back(Unit::Module);
    return true;
  }

  // Whether the statement ends a unit or a construct. A bare END may be that of the module or of a
  // procedure in it; then the module that is open is not known any more.
  bool end(const Statement &text, const std::string &first) {
    Words words(text);
    words.next();
    std::string word = first == "end" ? words.next() : first.substr(3);
    std::string rest = words.next();
    if (rest == "=" || rest == "(" || rest == "%" || word == "=" || word == "(" || word == "%")
      return word == "interface" && closeUnit(); // otherwise a variable called end...
    if (word.empty() || word == "module")
      inside.clear();
    static constexpr std::string_view units[] = {
        "", "program", "module", "submodule", "subroutine", "function", "procedure", "interface"};
    bool unit = std::find(std::begin(units), std::end(units), word) != std::end(units) ||
                word == "blockdata" || (word == "block" && rest == "data");
    return unit ? closeUnit() : true;
  }

  bool closeUnit() {
    if (!units.empty())
      units.pop_back();
    return true;
  }

  const std::string &path;
  std::vector<bool> conditional; // by line, from 1
  ModuleFacts &facts;
  std::string inside; // the module that the statements belong to, as far as that is certain
  std::vector<Unit> units;
  std::vector<std::pair<int, bool>> borders{
      {0, true}}; // behind which lines `units` is empty, or not
};

// The names in #include "name", and whether a directive of CUF kernels is there.
void scanLines(const std::string &text, const Scanner &scanner, ModuleFacts &facts) {
  int number = 0;
  for (size_t begin = 0; begin < text.size();) {
    ++number;
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line(text.data() + begin, end - begin);
    begin = end + 1;
    size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || (line[first] != '#' && line[first] != '!'))
      continue;
    if (line[first] == '!') {
      auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
      std::string_view mark = line.substr(first, 5);
      constexpr std::string_view cuf = "!$cuf";
      facts.cuda |= std::equal(mark.begin(), mark.end(), cuf.begin(), cuf.end(), same);
      continue;
    }
    line.remove_prefix(std::min(line.find_first_not_of("# \t", first), line.size()));
    size_t open = line.starts_with("include") ? line.find('"') : std::string_view::npos;
    size_t close = open == std::string_view::npos ? open : line.find('"', open + 1);
    if (close != std::string_view::npos)
      facts.includes.push_back(
          {std::string(line.substr(open + 1, close - open - 1)), scanner.isBetweenUnits(number)});
  }
}

} // namespace

ModuleFacts scanModules(const std::string &path, const std::string &whole, bool fixedForm,
                        int fixedColumns) {
  ModuleFacts facts;
  std::string text = linesOfInterest(whole, fixedForm);
  Scanner scanner(path, text, facts);
  // After the rewrite, since `!@cuf use m` is a statement; so are `!@acc use m` and `!$ use m`.
  std::string statements = rewriteDialect(text, fixedForm).text;
  openConditionalLines(statements, fixedForm, {true, true});
  forEachStatement(statements, fixedForm, fixedColumns,
                   [&](const Statement &statement) { scanner.statement(statement); });
  scanLines(text, scanner, facts);
  std::sort(facts.calls.begin(), facts.calls.end());
  facts.calls.erase(std::unique(facts.calls.begin(), facts.calls.end()), facts.calls.end());
  return facts;
}

} // namespace cufc
