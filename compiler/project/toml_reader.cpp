// See toml_reader.h.
#include "project/toml_reader.h"
#include "base/flags_diag.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

class Reader {
public:
  Reader(const std::string &file, std::string_view text, Diagnostics &diagnostics)
      : file(file), text(text), diagnostics(diagnostics) {}

  bool document(JsonValue &root) {
    root.kind = JsonValue::Kind::Object;
    JsonValue *table = &root;
    for (skipLines(); at < text.size(); skipLines()) {
      bool good = peek() == '[' ? header(root, table) : keyValue(*table);
      if (!good || !endOfLine())
        return false;
    }
    return true;
  }

private:
  bool fail(const char *what) {
    int column = static_cast<int>(at - lineStart) + 1;
    diagnostics.report(FlagsDiag::TomlSyntax, {file, line, column, line, column + 1}, what);
    return false;
  }

  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool take(std::string_view what) {
    if (!text.substr(at).starts_with(what))
      return false;
    at += what.size();
    return true;
  }
  void newLine() {
    ++line;
    lineStart = at;
  }
  void skipBlanks() {
    while (peek() == ' ' || peek() == '\t')
      ++at;
    if (peek() == '#')
      at = std::min(text.find('\n', at), text.size());
  }
  // Blank lines and comments too.
  void skipLines() {
    for (skipBlanks(); peek() == '\n' || peek() == '\r'; skipBlanks())
      if (text[at++] == '\n')
        newLine();
  }
  bool endOfLine() {
    skipBlanks();
    take("\r");
    return at == text.size() || peek() == '\n' || fail("a new line is expected");
  }

  static JsonValue &member(JsonValue &table, const std::string &name) {
    for (JsonMember &known : table.members)
      if (known.name == name)
        return known.value;
    table.kind = JsonValue::Kind::Object;
    table.members.push_back({name, {}, {}});
    return table.members.back().value;
  }
  // The last table of an array of tables stands for the array.
  static JsonValue &inside(JsonValue &value) {
    return value.is(JsonValue::Kind::Array) && !value.items.empty() ? value.items.back() : value;
  }

  bool header(JsonValue &root, JsonValue *&table) {
    bool isArray = take("[[");
    if (!isArray)
      take("[");
    std::vector<std::string> names;
    if (!key(names) || !take(isArray ? "]]" : "]"))
      return fail(isArray ? "']]' is expected" : "']' is expected");
    table = &root;
    for (size_t i = 0; i + 1 < names.size(); ++i)
      table = &inside(member(*table, names[i]));
    table = &member(*table, names.back());
    if (isArray) {
      table->kind = JsonValue::Kind::Array;
      table->items.emplace_back();
    }
    table = &inside(*table);
    table->kind = JsonValue::Kind::Object;
    return true;
  }

  bool key(std::vector<std::string> &names) {
    do {
      skipBlanks();
      std::string name;
      if (peek() == '"' || peek() == '\'') {
        if (!string(name))
          return false;
      } else {
        while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '-')
          name += text[at++];
        if (name.empty())
          return fail("a key is expected");
      }
      names.push_back(std::move(name));
      skipBlanks();
    } while (take("."));
    return true;
  }

  bool keyValue(JsonValue &table) {
    std::vector<std::string> names;
    if (!key(names))
      return false;
    if (!take("="))
      return fail("'=' is expected");
    JsonValue *place = &table;
    for (const std::string &name : names)
      place = &member(*place, name);
    skipBlanks();
    return value(*place);
  }

  bool value(JsonValue &result) {
    int begin = static_cast<int>(at - lineStart) + 1, beginLine = line;
    bool good = peek() == '"' || peek() == '\'' ? textValue(result)
                : peek() == '['                 ? array(result)
                : peek() == '{'                 ? inlineTable(result)
                                                : word(result);
    result.range = {file, beginLine, begin, line, static_cast<int>(at - lineStart) + 1};
    return good;
  }

  bool textValue(JsonValue &result) {
    result.kind = JsonValue::Kind::String;
    return string(result.text);
  }

  bool string(std::string &result) {
    const char quote = peek();
    const std::string triple(3, quote);
    const bool isLong = take(triple);
    if (isLong) {
      take("\r");
      if (take("\n"))
        newLine();
    } else {
      ++at;
    }
    while (at < text.size()) {
      if (isLong ? take(triple) : take(std::string_view(&quote, 1)))
        return true;
      char c = text[at++];
      if (c == '\n' && !isLong)
        break;
      if (c == '\n')
        newLine();
      if (c == '\\' && quote == '"')
        escape(result);
      else
        result += c;
    }
    return fail("the string does not end");
  }

  void escape(std::string &result) {
    static constexpr std::string_view names = "btnfr\"\\", meant = "\b\t\n\f\r\"\\";
    char c = peek();
    at += at < text.size();
    if (size_t number = names.find(c); number != std::string_view::npos)
      result += meant[number];
    else if (c == '\n' || c == '\r')
      skipLines(); // a line that goes on
    else
      result.append("\\").append(1, c);
  }

  bool array(JsonValue &result) {
    result.kind = JsonValue::Kind::Array;
    take("[");
    for (skipAll(); !take("]"); skipAll()) {
      if (at == text.size())
        return fail("']' is expected");
      result.items.emplace_back();
      if (!value(result.items.back()))
        return false;
      skipAll();
      if (!take(",") && peek() != ']')
        return fail("',' or ']' is expected");
    }
    return true;
  }

  bool inlineTable(JsonValue &result) {
    result.kind = JsonValue::Kind::Object;
    take("{");
    for (skipAll(); !take("}"); skipAll()) {
      if (!keyValue(result))
        return false;
      skipAll();
      if (!take(",") && peek() != '}')
        return fail("',' or '}' is expected");
    }
    return true;
  }

  void skipAll() {
    skipBlanks();
    skipLines();
  }

  // Truth values, numbers, dates.
  bool word(JsonValue &result) {
    while (at < text.size() && std::string_view(" \t\r\n,]}#").find(peek()) == std::string::npos)
      result.text += text[at++];
    bool isTruth = result.text == "true" || result.text == "false";
    result.kind = isTruth ? JsonValue::Kind::Boolean : JsonValue::Kind::Number;
    result.boolean = result.text == "true";
    return !result.text.empty() || fail("a value is expected");
  }

  const std::string &file;
  std::string_view text;
  Diagnostics &diagnostics;
  size_t at = 0, lineStart = 0;
  int line = 1;
};

} // namespace

bool readToml(const std::string &file, std::string_view text, JsonValue &result,
              Diagnostics &diagnostics) {
  return Reader(file, text, diagnostics).document(result);
}

} // namespace cufc
