// What the text leaves unsaid, to be shown in it.
#ifndef CUFLS_IDE_INLAY_HINTS_H
#define CUFLS_IDE_INLAY_HINTS_H

#include "ide/lexemes.h"
#include "ide/query.h"

namespace cufc {

enum class HintKind : std::uint8_t { ArgumentName, ImplicitType, Memory, Launch, BlockEnd };

struct InlayHint {
  TextPosition position;
  std::string label;
  HintKind kind;
  std::string tooltip;
};

struct HintChoice {
  bool argumentNames = true;
  bool implicitTypes = true;
  bool memory = true;
  bool launches = true;
  bool blockEnds = true;
};

// Those that stand in `range`, by place.
std::vector<InlayHint> inlayHints(const Query &query, const TextRange &range,
                                  const HintChoice &choice);

// Names of the dummies at the actual arguments of a call whose procedure's name is a lexeme.
void addArgumentNames(const Lexemes &lexemes, size_t name, const Analysis &analysis,
                      const SymbolInfo &procedure, std::vector<InlayHint> &hints);

} // namespace cufc
#endif // CUFLS_IDE_INLAY_HINTS_H
