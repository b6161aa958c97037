// The declaration comes from where a symbol is declared, since only there its comments are known.
#include "ide/hover.h"
#include "ide/declaration.h"

namespace cufc {
namespace {

std::string describe(const Query &query, SymbolRef symbol) {
  SymbolRef declared = query.workspace.declarationOf(symbol);
  SymbolRef best = declared ? declared : symbol;
  const Analysis &analysis = *best.file->analysis;
  const SymbolInfo &info = best.info();
  std::string text = "```cuf\n" + declarationOf(analysis, info, true) + "\n```\n";
  std::string facts = ownerOf(analysis, info);
  if (std::string memory = memoryOf(info); !memory.empty())
    facts += (facts.empty() ? "" : "; ") + memory;
  if (info.implicit)
    facts += std::string(facts.empty() ? "" : "; ") + "implicitly typed by its first letter";
  if (!facts.empty())
    text += facts + "\n";
  if (!info.documentation.empty())
    text += "\n---\n" + info.documentation + "\n";
  return text;
}

} // namespace

std::optional<Hover> hover(const Query &query) {
  std::optional<OccurrenceAt> at = occurrenceAt(query);
  if (!at)
    return std::nullopt;
  return Hover{describe(query, at->symbol), at->range};
}

} // namespace cufc
