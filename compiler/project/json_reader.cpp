// Recursive descent with a limit of depth. Columns count bytes, as all ranges of diagnostics do.
#include "project/json_reader.h"
#include "base/diag.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>

namespace cufc {
namespace {

constexpr int deepest = 200;

void appendUtf8(std::string &text, unsigned code) {
  auto byte = [&](unsigned value) { text += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xc0 | code >> 6);
    byte(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    byte(0xe0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  } else {
    byte(0xf0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3f));
    byte(0x80 | (code >> 6 & 0x3f));
    byte(0x80 | (code & 0x3f));
  }
}

class Reader {
public:
  Reader(const std::string &file, std::string_view text, Diagnostics &diagnostics)
      : file(file), text(text), diagnostics(diagnostics) {}

  bool document(JsonValue &result) {
    if (text.starts_with("\xef\xbb\xbf"))
      at = lineStart = 3;
    if (!value(result, 0))
      return false;
    skipBlanks();
    return at == text.size() || fail("nothing may follow the end of the value");
  }

private:
  bool fail(const char *what) { return fail(what, {file, line, column(), line, column() + 1}); }
  bool fail(const char *what, const SourceRange &range) {
    diagnostics.report(Diag::JsonSyntax, range, what);
    return false;
  }

  int column() const { return static_cast<int>(at - lineStart) + 1; }
  char peek() const { return at < text.size() ? text[at] : '\0'; }
  bool digit() const { return std::isdigit(static_cast<unsigned char>(peek())) != 0; }

  void skipBlanks() {
    for (; at < text.size() && std::string_view(" \t\r\n").find(text[at]) != std::string::npos;
         ++at)
      if (text[at] == '\n') {
        ++line;
        lineStart = at + 1;
      }
  }

  bool accept(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    return true;
  }

  bool value(JsonValue &result, int depth) {
    skipBlanks();
    if (depth > deepest)
      return fail("values nest too deep");
    result.range = {file, line, column(), line, column()};
    bool good = false;
    char c = peek();
    if (at >= text.size())
      return fail("the file ends where a value should stand");
    if (c == '{')
      good = object(result, depth);
    else if (c == '[')
      good = array(result, depth);
    else if (c == '"')
      good = string(result);
    else if (c == '-' || digit())
      good = number(result);
    else
      good = word(result);
    result.range.endLine = line;
    result.range.endColumn = column();
    return good;
  }

  bool object(JsonValue &result, int depth) {
    result.kind = JsonValue::Kind::Object;
    ++at;
    if (accept('}'))
      return true;
    do {
      skipBlanks();
      if (peek() == '}')
        return fail("a comma stands before the '}'");
      if (peek() != '"')
        return fail("a key in double quotes should stand here");
      JsonMember member;
      JsonValue name;
      name.range = {file, line, column(), line, column()};
      if (!string(name))
        return false;
      member.name = std::move(name.text);
      member.nameRange = name.range;
      member.nameRange.endColumn = column();
      if (!accept(':'))
        return fail("a ':' should stand here");
      if (!value(member.value, depth + 1))
        return false;
      result.members.push_back(std::move(member));
    } while (accept(','));
    return accept('}') || fail("a ',' or '}' should stand here");
  }

  bool array(JsonValue &result, int depth) {
    result.kind = JsonValue::Kind::Array;
    ++at;
    if (accept(']'))
      return true;
    do {
      skipBlanks();
      if (peek() == ']')
        return fail("a comma stands before the ']'");
      result.items.emplace_back();
      if (!value(result.items.back(), depth + 1))
        return false;
    } while (accept(','));
    return accept(']') || fail("a ',' or ']' should stand here");
  }

  bool string(JsonValue &result) {
    result.kind = JsonValue::Kind::String;
    SourceRange start{file, line, column(), line, column() + 1};
    for (++at; at < text.size() && text[at] != '"';) {
      if (text[at] == '\n')
        break;
      if (static_cast<unsigned char>(text[at]) < 0x20)
        return fail("a control character must be written as an escape");
      if (text[at] != '\\')
        result.text += text[at++];
      else if (!escape(result.text))
        return false;
    }
    if (peek() != '"')
      return fail("this string has no closing quote", start);
    ++at;
    return true;
  }

  bool escape(std::string &result) {
    constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
    ++at;
    size_t known = at < text.size() ? from.find(text[at]) : std::string_view::npos;
    if (known != std::string_view::npos) {
      result += to[known];
      ++at;
      return true;
    }
    unsigned code = 0;
    if (!unicode(code))
      return false;
    if (code >= 0xd800 && code < 0xdc00 && text.substr(at).starts_with("\\u")) {
      unsigned low = 0;
      ++at;
      if (!unicode(low))
        return false;
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    bool valid = code <= 0x10ffff && (code < 0xd800 || code >= 0xe000);
    appendUtf8(result, valid ? code : 0xfffd);
    return true;
  }

  // At the 'u'.
  bool unicode(unsigned &code) {
    bool complete = peek() == 'u' && at + 5 <= text.size();
    const char *first = text.data() + at + 1;
    if (!complete || std::from_chars(first, first + 4, code, 16).ptr != first + 4)
      return fail("this escape is none of JSON's");
    at += 5;
    return true;
  }

  void digits() {
    while (digit())
      ++at;
  }

  bool number(JsonValue &result) {
    result.kind = JsonValue::Kind::Number;
    size_t begin = at;
    at += peek() == '-';
    bool zero = peek() == '0';
    size_t first = at;
    digits();
    bool good = at > first && (!zero || at == first + 1);
    if (peek() == '.') {
      first = ++at;
      digits();
      good &= at > first;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at;
      at += peek() == '-' || peek() == '+';
      first = at;
      digits();
      good &= at > first;
    }
    result.text = text.substr(begin, at - begin);
    return good || fail("this is not a number of JSON's");
  }

  bool word(JsonValue &result) {
    size_t end = at;
    while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end])))
      ++end;
    std::string_view name = text.substr(at, end - at);
    if (name == "true" || name == "false")
      result.kind = JsonValue::Kind::Boolean;
    else if (name != "null")
      return fail(peek() == '/'    ? "JSON has no comments"
                  : peek() == '\'' ? "strings stand in double quotes"
                                   : "a value should stand here",
                  {file, line, column(), line, column() + std::max(1, int(name.size()))});
    result.boolean = name == "true";
    at = end;
    return true;
  }

  const std::string &file;
  std::string_view text;
  Diagnostics &diagnostics;
  size_t at = 0, lineStart = 0;
  int line = 1;
};

} // namespace

const JsonValue *JsonValue::find(std::string_view name) const {
  auto found = std::find_if(members.begin(), members.end(),
                            [&](const JsonMember &member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

std::string JsonValue::string(std::string_view name, std::string_view otherwise) const {
  const JsonValue *value = find(name);
  return value && value->is(Kind::String) ? value->text : std::string(otherwise);
}

long long JsonValue::integer(std::string_view name) const {
  long long number = 0;
  if (const JsonValue *value = find(name); value && value->is(Kind::Number))
    std::from_chars(value->text.data(), value->text.data() + value->text.size(), number);
  return number;
}

bool readJson(const std::string &file, std::string_view text, JsonValue &result,
              Diagnostics &diagnostics) {
  if (Reader(file, text, diagnostics).document(result))
    return true;
  result = {};
  return false;
}

std::string quoteJson(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result + '"';
}

} // namespace cufc
