// PASS(name) of bindings and procedure components names a dummy, without an occurrence.
#include "ide/rename_words.h"
#include "ide/same_symbol.h"
#include <algorithm>

namespace cufc {
namespace {

// Whether the procedure of a binding has the dummy that is renamed.
bool passesIt(const Renaming &renaming, const SourceFile &file, const SymbolInfo &binding) {
  return std::any_of(binding.specifics.begin(), binding.specifics.end(), [&](int procedure) {
    if (procedure < 0)
      return false;
    std::vector<SymbolRef> rows = declarationsOf(renaming.workspace, {&file, procedure});
    rows.push_back({&file, procedure});
    for (SymbolRef row : rows)
      for (int dummy : row.info().dummies)
        if (dummy >= 0 && renaming.keys.contains(row.file->keys()[static_cast<size_t>(dummy)]))
          return true;
    return false;
  });
}

// The name in PASS(name) of the statement that declares something; nothing if there is none.
std::optional<TextRange> passedName(const Renaming &renaming, const SourceFile &file,
                                    const TextRange &declared) {
  std::optional<TextRange> found;
  forEachStatementOf(renaming, file, [&](const Statement &statement) {
    std::string before;
    if (standsAt(statement, declared))
      forEachWord(statement, [&](const std::string &word, const TextRange &range) {
        if (before == "pass" && word == renaming.oldName)
          found = range;
        before = word;
      });
  });
  return found;
}

} // namespace

void findPassedNames(Renaming &renaming) {
  if (renaming.symbol.info().dummyOf < 0)
    return;
  for (const auto &[path, file] : renaming.workspace.files()) {
    if (!file->analysis || !ofOneProject(file.get(), renaming.symbol.file))
      continue;
    for (const SymbolInfo &symbol : file->analysis->symbols) {
      bool isBinding = symbol.kind == SymbolKind::Binding;
      const std::vector<std::string> &attributes = symbol.attributes;
      if ((!isBinding && symbol.kind != SymbolKind::Component) || !symbol.module.empty() ||
          std::find(attributes.begin(), attributes.end(), "pass") == attributes.end() ||
          (isBinding && !passesIt(renaming, *file, symbol)))
        continue;
      std::optional<Location> place = locationOf(*file, symbol.declared);
      std::optional<TextRange> name =
          place ? passedName(renaming, *file, place->range) : std::nullopt;
      if (name && isBinding)
        renaming.sites.push_back({file.get(), -1, {place->path, *name}, ""});
      else if (name) // of a procedure that the component does not say
        return renaming.refuse("PASS(" + renaming.oldName + ") names it at " + placeText(*place));
    }
  }
}

} // namespace cufc
