// What can be run follows from the text, what can be counted from the analysis.
#include "ide/code_lenses.h"
#include "ide/block_tree.h"
#include "ide/declaration.h"
#include "ide/keywords.h"
#include "ide/references.h"
#include <algorithm>

namespace cufc {
namespace {

// A PROGRAM statement, or statements outside of program units that END ends.
void addPrograms(const Query &query, std::vector<CodeLens> &lenses) {
  Lexemes lexemes = lexemesOf(query.document(), query.file.reading);
  for (const TextBlock &block : textBlocks(lexemes)) {
    if (block.kind != Block::Program || (block.open < 0 && block.close < 0))
      continue;
    int first = block.open >= 0 ? block.open : block.first;
    TextRange range = block.name >= 0
                          ? lexemes.all[static_cast<size_t>(block.name)].range()
                          : lexemes.rangeOf(lexemes.statements[static_cast<size_t>(first)]);
    for (LensKind kind : {LensKind::Run, LensKind::RunOnCpu, LensKind::Build})
      lenses.push_back({kind, range});
  }
}

bool isCounted(const SymbolInfo &symbol) {
  return symbol.declared.file == 0 && symbol.module.empty() && !symbol.intrinsic &&
         symbol.dummyOf < 0 &&
         (isProcedure(symbol) || symbol.kind == SymbolKind::Module ||
          symbol.kind == SymbolKind::DerivedType || symbol.kind == SymbolKind::Generic);
}

} // namespace

// The occupancy of kernels becomes a kind of its own here once it is known.
std::vector<CodeLens> codeLenses(const Query &query, const LensChoice &choice) {
  std::vector<CodeLens> lenses;
  if (choice.run)
    addPrograms(query, lenses);
  if (query.file.analysis)
    for (const SymbolInfo &symbol : query.file.analysis->symbols) {
      if (!isCounted(symbol))
        continue;
      std::optional<TextRange> name = query.file.now(symbol.declared);
      if (!name || name->begin == name->end)
        continue;
      if (choice.references)
        lenses.push_back({LensKind::References, *name});
      if (choice.launches && isKernel(symbol))
        lenses.push_back({LensKind::Launches, *name});
    }
  std::sort(lenses.begin(), lenses.end(), [](const CodeLens &a, const CodeLens &b) {
    return std::tie(a.range.begin, a.kind) < std::tie(b.range.begin, b.kind);
  });
  return lenses;
}

// The name in an END statement and the result of a function are no uses of it.
std::vector<Location> countedPlaces(const Query &query, LensKind kind) {
  std::vector<Location> places;
  std::optional<OccurrenceAt> name = occurrenceAt(query);
  std::optional<Location> own;
  if (name)
    own = locationOf(query.file, name->symbol.info().definition);
  auto isOwn = [&](const Reference &reference) {
    const TextRange &place = reference.location.range;
    bool inside = own && own->path == reference.location.path && own->range.contains(place.begin);
    bool function = inside && name->symbol.info().kind == SymbolKind::Function;
    return inside && reference.role != Role::Call && reference.role != Role::Launch &&
           (function || place.begin.line == own->range.end.line);
  };
  for (const Reference &reference : references(query, false))
    if ((kind != LensKind::Launches || reference.role == Role::Launch) && !isOwn(reference))
      places.push_back(reference.location);
  return places;
}

} // namespace cufc
