// What each word of a text is, for its colour.
//
// Names come from the occurrences of the last analysis, moved to the text now; all else from the
// lexemes of the text now, so that there are no holes while one types. Lines that the preprocessor
// leaves out are comments.
#ifndef CUFLS_IDE_SEMANTIC_TOKENS_H
#define CUFLS_IDE_SEMANTIC_TOKENS_H

#include "ide/conditions.h"
#include "ide/query.h"

namespace cufc {

enum class TokenType : std::uint8_t {
  Namespace,
  Type,
  Function,
  Method,
  Property,
  Variable,
  Parameter,
  Macro,
  Keyword,
  Comment,
  String,
  Number,
  Operator,
  Label,
};
inline constexpr const char *tokenTypeNames[] = {
    "namespace", "type",    "function", "method", "property", "variable", "parameter",
    "macro",     "keyword", "comment",  "string", "number",   "operator", "label"};

namespace token_modifier {
enum : std::uint32_t {
  Declaration = 1,
  Definition = 2,
  Readonly = 4,
  Static = 8, // SAVE
  Modification = 16,
  DefaultLibrary = 32, // intrinsic, or of a module that comes with the compiler
  Host = 64,
  Device = 128,
  Shared = 256,
  Constant = 512,
  Managed = 1024,
  Pinned = 2048,
  Kernel = 4096,
  Launch = 8192,
};
}
inline constexpr const char *tokenModifierNames[] = {
    "declaration", "definition", "readonly", "static",  "modification", "defaultLibrary", "host",
    "device",      "shared",     "constant", "managed", "pinned",       "kernel",         "launch"};

struct SemanticToken {
  int line, column, endColumn; // from 1, in bytes, end exclusive
  TokenType type;
  std::uint32_t modifiers = 0;
};

// Sorted, each within a line, none overlapping. Those that touch `range`.
std::vector<SemanticToken> semanticTokens(const Query &query, const TextRange &range,
                                          const ReadText &read);

} // namespace cufc
#endif // CUFLS_IDE_SEMANTIC_TOKENS_H
