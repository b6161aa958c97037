// A stack of what is open (Fortran 2018, clauses 5.2 and 15.6). Statements are read as words and
// groups in parentheses; interface blocks and derived types are skipped, since CONTAINS and
// SUBROUTINE mean something else there.
#include "source/program_units.h"
#include "source/statement_words.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>
#include <string_view>

namespace cufc {
namespace {

using Words = std::vector<std::string>; // "(" stands for a group, "=" and so on for themselves

bool isName(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// At most the first `most` words, in lower case.
Words wordsOf(const std::string &text, size_t most) {
  Words words;
  for (size_t at = 0; at < text.size() && words.size() < most;) {
    char c = text[at];
    if (c == ' ' || c == '\t') {
      ++at;
    } else if (isName(c)) {
      std::string word;
      for (; at < text.size() && isName(text[at]); ++at)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
      words.push_back(word);
    } else if (c == '(') {
      int depth = 0;
      do {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        ++at;
      } while (at < text.size() && depth > 0);
      words.push_back("(");
    } else {
      words.emplace_back(1, c);
      ++at;
    }
  }
  return words;
}

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool isPrefix(const std::string &word) {
  return word == "(" || word == "*" || isBeforeProcedure(word) ||
         std::isdigit(static_cast<unsigned char>(word[0]));
}

// The name of the procedure that the statement begins, or empty.
std::string procedureName(const Words &words) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    bool begins = isOneOf(words[i], {"subroutine", "function"}) ||
                  (i == 1 && words[0] == "module" && words[1] == "procedure");
    if (begins && isName(words[i + 1][0]))
      return i + 2 == words.size() || isOneOf(words[i + 2], {"(", "result", "bind"}) ? words[i + 1]
                                                                                     : "";
    if (!isPrefix(words[i]))
      return {};
  }
  return {};
}

bool endsUnit(const Words &words) {
  const std::string &first = words[0];
  if (first == "end" && words.size() > 1 && words[1] == "block")
    return words.size() > 2 && words[2] == "data";
  if (first == "end")
    return words.size() == 1 || isOneOf(words[1], {"program", "module", "submodule", "subroutine",
                                                   "function", "procedure", "blockdata"});
  return words.size() <= 2 &&
         isOneOf(first, {"endprogram", "endmodule", "endsubmodule", "endsubroutine", "endfunction",
                         "endprocedure", "endblockdata"});
}

class Scanner {
public:
  void statement(const Statement &statement) {
    Words words = wordsOf(statement.text, 24);
    if (words.empty())
      return;
    int line = statement.places.front().line;
    int last = statement.places.back().line;
    bool shares = line == lastLine;
    lastLine = last;
    if (shares && boundary)
      sound = false;
    boundary = false;
    if (skip(words))
      return;
    bool bounds = boundaryStatement(words, line, last);
    if (bounds && shares)
      sound = false;
    boundary = bounds;
  }

  std::vector<ProgramUnit> finish() {
    if (!sound || !open.empty())
      units.clear();
    return std::move(units);
  }

private:
  // In an interface block or a derived type.
  bool skip(const Words &words) {
    const std::string &first = words[0];
    bool isEnd = first == "end" && words.size() > 1;
    if (interfaces > 0 || types > 0) {
      if (first == "endinterface" || (isEnd && words[1] == "interface"))
        --interfaces;
      else if (first == "endtype" || (isEnd && words[1] == "type"))
        --types;
      return true;
    }
    if (first == "interface" ||
        (first == "abstract" && words.size() > 1 && words[1] == "interface"))
      interfaces += words.size() < 2 || words[1] != "=" ? 1 : 0;
    else if (first == "type" && words.size() > 1 && !isOneOf(words[1], {"(", "is", "="}))
      types += open.empty() ? 0 : 1;
    return interfaces > 0 || types > 0;
  }

  bool boundaryStatement(const Words &words, int line, int last) {
    if (endsUnit(words))
      return end(last);
    std::string procedure = procedureName(words);
    if (!procedure.empty())
      return begin(ProgramUnit::Kind::Procedure, procedure, line);
    const std::string &first = words[0];
    bool named = words.size() == 2 && isName(words[1][0]);
    if (open.empty()) {
      if (first == "module" && named)
        return begin(ProgramUnit::Kind::Module, words[1], line);
      if (first == "submodule" && words.size() == 3 && words[1] == "(")
        return begin(ProgramUnit::Kind::Submodule, words[2], line);
      if (first == "program" && named)
        return begin(ProgramUnit::Kind::Program, words[1], line);
      if (first == "blockdata" || (first == "block" && words.size() > 1 && words[1] == "data"))
        return begin(ProgramUnit::Kind::BlockData, "", line);
      begin(ProgramUnit::Kind::Program, "", line); // without a PROGRAM statement
      return false;
    }
    if (open.size() == 1 && open.back() >= 0)
      specification(words, line);
    return first == "contains" && words.size() == 1;
  }

  void specification(const Words &words, int line) {
    ProgramUnit &unit = units[static_cast<size_t>(open.back())];
    if (words[0] == "contains" && words.size() == 1)
      unit.contains = line;
    else if (words[0] == "implicitnone" ||
             (words.size() > 1 && words[0] == "implicit" && words[1] == "none"))
      unit.implicitNone = true;
  }

  bool begin(ProgramUnit::Kind kind, const std::string &name, int line) {
    bool inModule = open.size() == 1 && open.back() >= 0 && holdsModuleProcedures(open.back());
    if (open.empty() || inModule) {
      units.push_back({kind, name, open.empty() ? -1 : open.back(), line, line});
      open.push_back(static_cast<int>(units.size()) - 1);
    } else {
      open.push_back(-1); // an internal procedure
    }
    return true;
  }

  bool holdsModuleProcedures(int unit) const {
    ProgramUnit::Kind kind = units[static_cast<size_t>(unit)].kind;
    return kind == ProgramUnit::Kind::Module || kind == ProgramUnit::Kind::Submodule;
  }

  bool end(int line) {
    if (open.empty()) {
      sound = false;
      return false;
    }
    if (open.back() >= 0)
      units[static_cast<size_t>(open.back())].lastLine = line;
    open.pop_back();
    return true;
  }

  std::vector<ProgramUnit> units;
  std::vector<int> open; // indices of units; -1 for internal procedures
  int interfaces = 0, types = 0;
  int lastLine = 0;
  bool boundary = false; // the statement before began or ended something
  bool sound = true;
};

bool hasDirectives(const std::string &text) {
  return text.starts_with("#") || text.find("\n#") != std::string::npos;
}

} // namespace

std::vector<ProgramUnit> programUnits(const std::string &text, bool fixedForm, int fixedColumns) {
  if (hasDirectives(text))
    return {};
  Scanner scanner;
  forEachStatement(text, fixedForm, fixedColumns,
                   [&](const Statement &statement) { scanner.statement(statement); });
  return scanner.finish();
}

} // namespace cufc
