// The declaration comes from where a symbol is declared, since only there its comments are known;
// what no file declares is looked up in the table. Without an occurrence (the text is broken, or
// newer than the analysis) the word at the cursor is looked up as the compiler would.
#include "ide/hover.h"
#include "base/source_text.h"
#include "ide/cursor_context.h"
#include "ide/declaration.h"
#include "ide/macros.h"
#include "ide/openmp_words.h"
#include "ide/visible_names.h"
#include <algorithm>

namespace cufc {
namespace {

// What is known of a kernel beside its declaration. Registers and occupancy will stand here too.
std::string kernelFacts(const Analysis &analysis, int symbol) {
  auto isIt = [&](const KernelInfo &kernel) { return kernel.symbol == symbol; };
  auto kernel = std::find_if(analysis.kernels.begin(), analysis.kernels.end(), isIt);
  if (kernel == analysis.kernels.end())
    return {};
  std::string text = "kernel";
  auto add = [&](const std::string &fact) { text += "; " + fact; };
  if (!kernel->sharedBytes)
    add("static shared memory whose size is not constant");
  else if (*kernel->sharedBytes > 0)
    add(std::to_string(*kernel->sharedBytes) + " bytes of static shared memory");
  if (kernel->dynamicShared)
    add("dynamic shared memory");
  if (kernel->maxThreads)
    add("blocks of at most " + std::to_string(*kernel->maxThreads) + " threads");
  if (kernel->minBlocks && *kernel->minBlocks > 0)
    add("at least " + std::to_string(*kernel->minBlocks) + " blocks on a multiprocessor");
  if (!kernel->cluster.empty()) {
    std::string extents;
    for (std::int64_t extent : kernel->cluster)
      extents += (extents.empty() ? "" : " x ") + std::to_string(extent);
    add("clusters of " + extents + " blocks");
  }
  if (kernel->grid)
    add("all blocks run at the same time");
  return text;
}

std::string restOfLine(const Document &document, TextPosition place) {
  int end = static_cast<int>(document.line(place.line).size()) + 1;
  return std::string(document.slice({place, {place.line, end}}));
}

std::string describe(const Analysis &analysis, int symbol) {
  const SymbolInfo &info = analysis.symbols[static_cast<size_t>(symbol)];
  std::string text = "```cuf\n" + declarationOf(analysis, info, true) + "\n```\n";
  std::string facts = ownerOf(analysis, info);
  if (std::string memory = memoryOf(info); !memory.empty())
    facts += (facts.empty() ? "" : "; ") + memory;
  if (info.implicit)
    facts += std::string(facts.empty() ? "" : "; ") + "implicitly typed by its first letter";
  if (!facts.empty())
    text += facts + "\n";
  if (std::string kernel = kernelFacts(analysis, symbol); !kernel.empty())
    text += "\n" + kernel + "\n";
  if (!info.documentation.empty())
    text += "\n---\n" + info.documentation + "\n";
  return text;
}

// The whole word of the language that the cursor's word is a part of: "<<<", "!$cuf kernel do".
const ApiEntry *wordOfLanguage(const CursorContext &context, const ApiTable &api,
                               const std::string &word) {
  std::vector<const ApiEntry *> all = api.findAll(word);
  auto of = [&](ApiKind kind) -> const ApiEntry * {
    for (const ApiEntry *entry : all)
      if (entry->kind == kind)
        return entry;
    return nullptr;
  };
  if (context.directive == "cuf") {
    if (word == "kernel" || word == "do" || word == "cuf")
      return api.find("!$cuf kernel do");
    return of(ApiKind::Clause);
  }
  if (!context.open.empty() && context.open.back().token > 0 &&
      context.tokens[context.open.back().token - 1].is("attributes"))
    return of(ApiKind::Prefix) ? of(ApiKind::Prefix) : of(ApiKind::Attribute);
  const ApiEntry *prefix = of(ApiKind::Prefix);
  if (prefix && context.next == '(')
    return prefix;
  const Token *last = context.last();
  return last && last->is(",") && context.open.empty() ? of(ApiKind::Attribute) : nullptr;
}

const ApiEntry *byName(const CursorContext &context, const VisibleNames &names, const ApiTable &api,
                       const std::string &word) {
  bool module = context.startsWith("use");
  const ApiEntry *best = nullptr;
  for (const ApiEntry *entry : api.findAll(word)) {
    bool name = entry->isProcedure() || entry->kind == ApiKind::Type ||
                entry->kind == ApiKind::Constant || entry->kind == ApiKind::Variable;
    if (!name && !(module && entry->kind == ApiKind::Module))
      continue;
    bool visible = !needsUse(*entry) || names.isUsed(*entry);
    if (visible && (!best || entry->deviceOnly() == names.inDeviceCode()))
      return entry;
    best = best ? best : entry;
  }
  return best;
}

// The row for an occurrence of what no file declares: under the name that is written there (some
// procedures have several), and of rows of one name that of a module that is used.
const ApiEntry *entryAt(const Query &query, const ApiTable &api, const OccurrenceAt &at) {
  const ApiEntry *entry = entryOf(query.workspace, at.symbol, api);
  if (!entry)
    return nullptr;
  std::string word = lowerCase(query.document().slice(at.range));
  for (const ApiEntry *other : api.findAll(word))
    if (other->module == entry->module)
      entry = other;
  if (entry->module == lowerCase(at.symbol.info().module) || api.findAll(word).size() < 2)
    return entry;
  VisibleNames names(query, api);
  const ApiEntry *best = byName(cursorContext(query.file, at.range.end), names, api, word);
  return best ? best : entry;
}

std::optional<Hover> atWord(const Query &query, const ApiTable &api) {
  TextRange range = wordAt(query.document(), query.position);
  CursorContext context = cursorContext(query.file, range.end);
  if (range.begin == range.end || !context.code)
    return std::nullopt;
  std::string word = lowerCase(query.document().slice(range));
  if (context.directive == "omp")
    if (const ApiEntry *entry = openmpWord(context, restOfLine(query.document(), range.end), api))
      return Hover{documentationOf(*entry), range};
  if (const ApiEntry *entry = wordOfLanguage(context, api, word))
    return Hover{documentationOf(*entry), range};
  VisibleNames names(query, api);
  std::vector<std::string> chain{word};
  if (const Token *last = context.last(); last && last->is("%")) {
    chain = designatorBefore(context.tokens, context.tokens.size() - 1).names;
    chain.push_back(word);
  }
  if (NamedThing thing = chain.empty() ? NamedThing{} : names.resolve(chain); thing.symbol)
    return Hover{documentationOf(query.workspace, thing.symbol, api), range};
  if (chain.size() != 1)
    return std::nullopt;
  const ApiEntry *entry = byName(context, names, api, word);
  return entry ? std::optional(Hover{documentationOf(*entry), range}) : std::nullopt;
}

// On chevrons and on the mark of a directive, which are no words.
std::optional<Hover> atSign(const Query &query, const ApiTable &api) {
  std::string_view line = query.document().line(query.position.line);
  auto column = static_cast<size_t>(std::max(1, query.position.column) - 1);
  for (const char *sign : {"<<<", ">>>"})
    for (size_t at = line.find(sign); at != line.npos; at = line.find(sign, at + 3)) {
      TextRange range{{query.position.line, static_cast<int>(at) + 1},
                      {query.position.line, static_cast<int>(at) + 4}};
      if (column >= at && column < at + 3 && cursorContext(query.file, range.end).code)
        if (const ApiEntry *entry = api.find("<<<"))
          return Hover{documentationOf(*entry), range};
    }
  return std::nullopt;
}

} // namespace

// Of omp_lib there is a module file, so that it has a view, which explains nothing.
const ApiEntry *entryOfOpenmp(const SymbolInfo &info, const ApiTable &api) {
  bool module = info.kind == SymbolKind::Module;
  if (!lowerCase(module ? info.name : info.module).starts_with("omp_lib") || info.dummyOf >= 0)
    return nullptr;
  const ApiEntry *entry = api.find(info.name, "omp_lib");
  bool found = entry && (entry->module == "omp_lib" || entry->kind == ApiKind::Module);
  return found ? entry : nullptr;
}

const ApiEntry *entryOf(const Workspace &workspace, SymbolRef symbol, const ApiTable &api) {
  const SymbolInfo &info = symbol.info();
  if (const ApiEntry *entry = entryOfOpenmp(info, api))
    return entry;
  bool foreign =
      info.intrinsic || (!info.module.empty() && !workspace.moduleFile(info.module, symbol.file));
  if (info.kind == SymbolKind::Module)
    foreign = !workspace.moduleFile(info.name, symbol.file);
  // With mpif.h procedures have no interface.
  if (!foreign && (info.kind == SymbolKind::Subroutine || info.kind == SymbolKind::Function) &&
      info.ownScope < 0 && info.dummyOf < 0 && lowerCase(info.name).starts_with("mpi_"))
    return api.find(info.name, "mpi");
  if (!foreign || info.kind == SymbolKind::Component || info.dummyOf >= 0)
    return nullptr;
  return api.find(info.name, info.intrinsic ? "intrinsic" : info.module);
}

// A component of a type that the table knows: "x" of dim3.
std::string componentText(SymbolRef symbol, const ApiTable &api) {
  const SymbolInfo &info = symbol.info();
  if (info.kind != SymbolKind::Component || info.module.empty() || info.owner < 0)
    return {};
  const SymbolInfo &owner = symbol.file->analysis->symbols[static_cast<size_t>(info.owner)];
  for (const ApiEntry *entry : api.findAll(owner.name))
    for (const ApiArgument &component : entry->components)
      if (lowerCase(component.name.substr(0, component.name.find('('))) == lowerCase(info.name))
        return "```cuf\n" + component.type + " :: " + component.name + "\n```\nin type " +
               entry->name + "\n" + (component.about.empty() ? "" : "\n" + component.about + "\n");
  return {};
}

std::string documentationOf(const Workspace &workspace, SymbolRef symbol, const ApiTable &api) {
  if (std::string text = componentText(symbol, api);
      !text.empty() && !workspace.moduleFile(symbol.info().module, symbol.file))
    return text;
  if (const ApiEntry *entry = entryOf(workspace, symbol, api))
    return documentationOf(*entry);
  SymbolRef declared = workspace.declarationOf(symbol);
  SymbolRef best = declared ? declared : symbol;
  return describe(*best.file->analysis, best.symbol);
}

std::optional<Hover> hover(const Query &query, const ApiTable &api) {
  std::vector<OccurrenceAt> all = occurrencesAt(query);
  for (const OccurrenceAt &at : all) // a generic name of the API before its specific procedure
    if (const ApiEntry *entry = entryAt(query, api, at))
      return Hover{documentationOf(*entry), at.range};
  if (std::optional<OccurrenceAt> at = occurrenceAt(query)) {
    const SymbolInfo &info = at->symbol.info();
    std::string word(query.document().slice(at->range));
    bool ours = !info.module.empty() && !query.workspace.moduleFile(info.module, &query.file);
    if (ours && info.kind != SymbolKind::Component) // a specific procedure of a generic name
      if (const ApiEntry *entry = api.find(word))
        return Hover{documentationOf(*entry), at->range};
    return Hover{documentationOf(query.workspace, at->symbol, api), at->range};
  }
  if (std::optional<Hover> sign = atSign(query, api))
    return sign;
  if (std::optional<Hover> word = atWord(query, api))
    return word;
  if (std::string text = macroText(query); !text.empty())
    return Hover{"```cuf\n" + text + "\n```", wordAt(query.document(), query.position)};
  return std::nullopt;
}

} // namespace cufc
