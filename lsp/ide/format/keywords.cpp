// See keywords.h.
#include "ide/format/keywords.h"
#include <algorithm>
#include <iterator>

namespace cufc {
namespace {

template <size_t N>
bool isIn(const std::string_view (&list)[N], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// Words that begin a statement.
constexpr std::string_view beginnings[] = {"abstract",     "allocatable",
                                           "allocate",     "associate",
                                           "asynchronous", "attributes",
                                           "backspace",    "block",
                                           "byte",         "call",
                                           "case",         "change",
                                           "character",    "class",
                                           "close",        "codimension",
                                           "common",       "complex",
                                           "concurrent",   "constant",
                                           "contains",     "contiguous",
                                           "continue",     "critical",
                                           "cycle",        "data",
                                           "deallocate",   "device",
                                           "dimension",    "do",
                                           "double",       "doubleprecision",
                                           "elemental",    "else",
                                           "elseif",       "elsewhere",
                                           "end",          "endassociate",
                                           "endblock",     "endblockdata",
                                           "endcritical",  "enddo",
                                           "endenum",      "endfile",
                                           "endforall",    "endfunction",
                                           "endif",        "endinterface",
                                           "endmodule",    "endprocedure",
                                           "endprogram",   "endselect",
                                           "endsubmodule", "endsubroutine",
                                           "endteam",      "endtype",
                                           "endwhere",     "entry",
                                           "enum",         "enumerator",
                                           "equivalence",  "error",
                                           "event",        "exit",
                                           "external",     "fail",
                                           "final",        "flush",
                                           "forall",       "form",
                                           "format",       "function",
                                           "generic",      "goto",
                                           "if",           "implicit",
                                           "import",       "impure",
                                           "include",      "inquire",
                                           "integer",      "intent",
                                           "interface",    "intrinsic",
                                           "lock",         "logical",
                                           "managed",      "module",
                                           "namelist",     "non_recursive",
                                           "nullify",      "open",
                                           "optional",     "parameter",
                                           "pause",        "pinned",
                                           "pointer",      "print",
                                           "private",      "procedure",
                                           "program",      "protected",
                                           "public",       "pure",
                                           "read",         "real",
                                           "recursive",    "return",
                                           "rewind",       "save",
                                           "select",       "selectcase",
                                           "selecttype",   "sequence",
                                           "shared",       "stop",
                                           "submodule",    "subroutine",
                                           "sync",         "target",
                                           "texture",      "type",
                                           "unified",      "unlock",
                                           "use",          "value",
                                           "volatile",     "wait",
                                           "where",        "while",
                                           "write"};

// Attributes before "::".
constexpr std::string_view attributes[] = {
    "abstract",   "allocatable", "asynchronous",   "bind",      "codimension", "constant",
    "contiguous", "deferred",    "device",         "dimension", "extends",     "external",
    "intent",     "intrinsic",   "managed",        "nopass",    "optional",    "parameter",
    "pass",       "pinned",      "pointer",        "private",   "protected",   "public",
    "save",       "shared",      "target",         "texture",   "unified",     "value",
    "volatile",   "precision",   "non_overridable"};

// Words behind END, and behind prefixes of procedures.
constexpr std::string_view blocks[] = {
    "associate",  "block",     "critical", "do",        "enum",    "forall", "function",
    "if",         "interface", "module",   "procedure", "program", "select", "submodule",
    "subroutine", "team",      "type",     "where",     "data",    "file"};
constexpr std::string_view prefixes[] = {"pure",          "elemental",       "impure",  "recursive",
                                         "non_recursive", "integer",         "real",    "complex",
                                         "byte",          "doubleprecision", "logical", "double",
                                         "precision",     "character",       "module",  ")"};

bool isSecond(const KeywordContext &c) {
  const std::string &before = c.previous;
  if (before == "end")
    return isIn(blocks, c.word);
  if (before == "else")
    return c.word == "if" || c.word == "where";
  if (before == "select")
    return c.word == "case" || c.word == "type" || c.word == "rank";
  if (before == "do")
    return c.word == "while" || c.word == "concurrent";
  if (before == "implicit")
    return c.word == "none";
  if (before == "error")
    return c.word == "stop";
  if (before == "go")
    return c.word == "to";
  if (before == "double")
    return c.word == "precision";
  if (before == "type" || before == "class")
    return c.word == "is" || c.word == "default";
  if (before == "case")
    return c.word == "default";
  if (before == "abstract")
    return c.word == "interface";
  if (before == "module")
    return c.word == "procedure" || c.word == "subroutine" || c.word == "function";
  return isIn(prefixes, before) && (c.word == "subroutine" || c.word == "function" ||
                                    c.word == "pure" || c.word == "elemental");
}

} // namespace

bool isKeyword(const KeywordContext &c) {
  if (c.beginsStatement)
    return !c.assignment && c.next != "%" && c.next != "=" && c.next != "=>" &&
           isIn(beginnings, c.word);
  if (c.depth > 0)
    return c.declaration &&
           ((c.previous == "(" && (c.word == "in" || c.word == "out" || c.word == "inout")) ||
            (c.word == "kind" && c.next == "="));
  if (c.word == "only")
    return c.previous == "," && c.next == ":";
  if (c.word == "then")
    return c.last && (c.previous == ")" || c.previous.empty());
  if (c.word == "result" || c.word == "bind")
    return c.previous == ")" && c.next == "(";
  if (c.declaration && c.previous == "," && isIn(attributes, c.word))
    return c.next == "," || c.next == "::" || c.next == "(";
  return isSecond(c);
}

} // namespace cufc
