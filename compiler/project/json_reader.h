// JSON with places: what project files and compilation databases are read with. A mistake in such
// a file is reported like one in a source, so each value knows where it stands.
#ifndef CUFC_PROJECT_JSON_READER_H
#define CUFC_PROJECT_JSON_READER_H

#include "base/diagnostics.h"
#include <string>
#include <string_view>
#include <vector>

namespace cufc {

struct JsonMember;

struct JsonValue {
  enum class Kind { Null, Boolean, Number, String, Array, Object };
  Kind kind = Kind::Null;
  bool boolean = false;
  std::string text; // of a string without escapes in UTF-8; of a number as written
  std::vector<JsonValue> items;
  std::vector<JsonMember> members; // in the order of the file; a name may stand twice
  SourceRange range;

  // Null if there is none.
  const JsonValue *find(std::string_view name) const;
  bool is(Kind wanted) const { return kind == wanted; }
  // The string under a name, or `otherwise`.
  std::string string(std::string_view name, std::string_view otherwise = {}) const;
  // The number under a name, or 0.
  long long integer(std::string_view name) const;
};

struct JsonMember {
  std::string name;
  SourceRange nameRange;
  JsonValue value;
};

// Reads text as RFC 8259 says, with a byte order mark in front if there is one. The first mistake
// is reported with its place; the result is then null. `file` names the text in ranges.
bool readJson(const std::string &file, std::string_view text, JsonValue &result,
              Diagnostics &diagnostics);

// A string with quotes and escapes.
std::string quoteJson(std::string_view text);

} // namespace cufc
#endif // CUFC_PROJECT_JSON_READER_H
