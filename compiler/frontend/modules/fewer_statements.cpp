// See fewer_statements.h. Lines that are not known stay as they are and end what could be joined.
#include "frontend/modules/fewer_statements.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <vector>

namespace cufc {
namespace {

constexpr size_t longestList = 2000; // characters
constexpr std::string_view directive = "!dir$ ignore_tkr";
constexpr std::string_view privateBegin = "private::";
constexpr std::string_view attributesBegin = "attributes(";

// Up to and with the "::" outside of parentheses; nothing if there is none.
std::string_view headOf(std::string_view line) {
  int depth = 0;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    depth += line[i] == '(' ? 1 : line[i] == ')' ? -1 : 0;
    if (line[i] == '\'' || line[i] == '"')
      return {};
    if (depth == 0 && line[i] == ':' && line[i + 1] == ':')
      return line.substr(0, i + 2);
  }
  return {};
}

// The head of a statement whose list can go on; nothing for other lines.
std::string_view joinableHead(std::string_view line) {
  static constexpr std::array<std::string_view, 9> begins{"integer(", "real(",       "complex(",
                                                          "logical(", "character(",  "type(",
                                                          "class(",   "procedure::", "import::"};
  bool known = std::any_of(begins.begin(), begins.end(),
                           [&](std::string_view begin) { return line.starts_with(begin); });
  std::string_view head = known ? headOf(line) : std::string_view();
  bool ofOne = head.find("bind(") != head.npos || line.find("=>") != line.npos;
  return ofOne ? std::string_view() : head;
}

bool isNumber(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "real(8)" and the like, which mean the same in a FUNCTION statement.
bool isNumericType(std::string_view text) {
  for (std::string_view begin : {"integer(", "real(", "complex(", "logical("})
    if (text.starts_with(begin) && text.ends_with(')'))
      return isNumber(text.substr(begin.size(), text.size() - begin.size() - 1));
  return false;
}

// A FUNCTION statement that was written.
struct Function {
  size_t line;        // of the result
  size_t keyword;     // where FUNCTION stands in it
  std::string result; // the variable
};

std::optional<Function> functionIn(std::string_view line, size_t number) {
  constexpr std::string_view keyword = "function ", result = " result(";
  size_t at = line.starts_with(keyword) ? 0 : line.find(" function ");
  if (at == line.npos)
    return std::nullopt;
  at += at > 0 ? 1 : 0;
  size_t name = at + keyword.size(), end = line.find('(', name);
  if (end == line.npos || line.substr(0, at).find_first_of("'\"=") != line.npos)
    return std::nullopt;
  std::string_view variable = line.substr(name, end - name);
  if (size_t own = line.find(result, end); own != line.npos) {
    own += result.size();
    variable = line.substr(own, line.find(')', own) - own);
  }
  return Function{number, at, std::string(variable)};
}

bool isSubroutine(std::string_view line) {
  constexpr std::string_view keyword = "subroutine ";
  size_t at = line.starts_with(keyword) ? 0 : line.find(" subroutine ");
  return at != line.npos && line.substr(0, at).find_first_of("'\"=") == line.npos;
}

// Whether a list of entities mentions nothing but their own names: no bounds or values of others.
bool isSimple(std::string_view entities) {
  int depth = 0;
  for (char c : entities) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == '=' || (depth > 0 && std::isalpha(static_cast<unsigned char>(c))))
      return false;
  }
  return true;
}

class Joiner {
public:
  std::string join(std::string_view body) {
    while (!body.empty()) {
      size_t end = body.find('\n');
      take(body.substr(0, end));
      body.remove_prefix(end == body.npos ? body.size() : end + 1);
    }
    endList();
    std::string text;
    for (const std::string &line : lines)
      text.append(line).append("\n");
    return text;
  }

private:
  void take(std::string_view line) {
    if ((!head.empty() || inProcedure) && line.starts_with(directive)) {
      directives += directives.empty() ? directive : ",";
      directives += line.substr(directive.size());
    } else if (inProcedure && line.starts_with(attributesBegin)) {
      takeAttributes(line);
    } else if (line.starts_with(privateBegin)) {
      makePrivate(line);
    } else if (function && isResult(line)) {
      lines[function->line].insert(function->keyword, std::string(headOf(line)));
      lines[function->line].replace(function->keyword + headOf(line).size() - 2, 2, " ");
      function.reset();
    } else if (std::string_view joinable = joinableHead(line); joinable.empty()) {
      endList();
      takeOther(line);
    } else if (joinable == head && lines[headLine].size() < longestList &&
               (headLine + 1 == lines.size() || isSimple(line.substr(head.size())))) {
      lines[headLine].append(",").append(line.substr(head.size()));
    } else if (inProcedure) {
      takeDeclaration(line, joinable);
    } else {
      endList();
      head = joinable;
      headLine = lines.size();
      lines.emplace_back(line);
    }
  }

  // In a procedure, where their order is of no consequence, declarations join an earlier one if
  // nothing in them may stand between.
  void takeDeclaration(std::string_view line, std::string_view joinable) {
    auto [earlier, isNew] = heads.try_emplace(std::string(joinable), lines.size());
    head = joinable;
    if (isNew || !isSimple(line.substr(head.size())) ||
        lines[earlier->second].size() > longestList) {
      earlier->second = headLine = lines.size();
      lines.emplace_back(line);
    } else {
      headLine = earlier->second;
      lines[headLine].append(",").append(line.substr(head.size()));
    }
  }

  // attributes(device) x
  void takeAttributes(std::string_view line) {
    size_t name = line.find(") ") + 2;
    auto known = std::find_if(attributes.begin(), attributes.end(), [&](const std::string &each) {
      return each.starts_with(line.substr(0, name));
    });
    if (known == attributes.end())
      attributes.emplace_back(line);
    else
      known->append(",").append(line.substr(name));
  }

  // Where the first of them stands; a name may be private before it is declared.
  void makePrivate(std::string_view line) {
    if (privateLine) {
      lines[*privateLine].append(",").append(line.substr(privateBegin.size()));
      return;
    }
    endList();
    privateLine = lines.size();
    lines.emplace_back(line);
  }

  void takeOther(std::string_view line) {
    bool isPlain = line == "interface";
    if (isPlain && closedPlain && lines.back() == "end interface") {
      lines.pop_back();
      plain.push_back(true);
      return;
    }
    if (isPlain || line.starts_with("interface ") || line == "abstract interface") {
      plain.push_back(isPlain);
    } else if (line == "end interface" && !plain.empty()) {
      closedPlain = plain.back();
      plain.pop_back();
    }
    function = functionIn(line, lines.size());
    inProcedure = function || isSubroutine(line) || (inProcedure && line != "end");
    lines.emplace_back(line);
  }

  // Whether a line declares the result of the function around it and nothing more.
  bool isResult(std::string_view line) const {
    if (!function)
      return false;
    std::string_view begin = headOf(line);
    return !begin.empty() && line.substr(begin.size()) == function->result &&
           isNumericType(begin.substr(0, begin.size() - 2));
  }

  void endList() {
    lines.insert(lines.end(), attributes.begin(), attributes.end());
    if (!directives.empty())
      lines.push_back(directives);
    directives.clear();
    attributes.clear();
    heads.clear();
    head = {};
  }

  std::vector<std::string> lines;
  std::string_view head;  // of the list that goes on; empty if none does
  size_t headLine = 0;    // where that list is
  std::string directives; // for names of that list, or of the lists in `heads`
  bool inProcedure = false;
  std::map<std::string, size_t> heads; // of the procedure's lists so far, and their lines
  std::vector<std::string> attributes; // for names of those lists: a statement each
  std::optional<size_t> privateLine;
  std::optional<Function> function; // while only declarations have followed it
  std::vector<bool> plain;          // the interface blocks around, whether without a name
  bool closedPlain = false;         // whether the last one that ended was
};

} // namespace

std::string withFewerStatements(std::string_view body) { return Joiner().join(body); }

} // namespace cufc
