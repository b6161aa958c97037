// Most of the time goes into names of modules and of the table, so the prefix is compared first and
// nothing is copied before. Names are case-insensitive: each is offered once, the innermost.
//
// An item's weight is what its rank gives, times how its type and memory fit, and the uses of its
// name in the text, near ones more.
#include "ide/completion_items.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/keywords.h"
#include <algorithm>
#include <cmath>

namespace cufc {
namespace {

constexpr size_t mostItems = 300;
constexpr double commonName = 2.5, rareConstant = 0.5; // of the table
constexpr double usedByAFile = 0.15; // for each doubling of the files that use a name

double weightOfRank(Rank rank) {
  switch (rank) {
  case Rank::Best:
    return 8;
  case Rank::Local:
    return 1.2;
  case Rank::DeviceWord:
    return 1;
  case Rank::Host:
    return 0.8;
  case Rank::Imported:
    return 0.6;
  case Rank::CommonKeyword:
    return 0.9;
  case Rank::Keyword:
    return 0.5;
  case Rank::Snippet:
    return 0.45;
  case Rank::Table:
    return 0.2;
  case Rank::Intrinsic:
    return 0.3;
  case Rank::NotImported:
    return 0.06;
  case Rank::Elsewhere:
    return 0.02;
  }
  return 0;
}

// The text that clients compare with what is typed: the case of letters shall not count.
std::string filterText(const std::string &label, const std::string &prefix) {
  if (prefix.empty() || label.starts_with(prefix))
    return {};
  bool small =
      std::any_of(prefix.begin(), prefix.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  std::string text = lowerCase(label);
  if (!small)
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

std::string headOf(const std::string &label) {
  return lowerCase(label.substr(0, label.find_first_of(" (=<")));
}

bool isName(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) && text.find('(') == std::string_view::npos &&
         text.find(' ') == std::string_view::npos;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

CompletionKind kindOf(const SymbolInfo &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Subroutine:
    return isKernel(symbol) ? CompletionKind::Kernel : CompletionKind::Subroutine;
  case SymbolKind::Function:
  case SymbolKind::Generic:
    return CompletionKind::Function;
  case SymbolKind::DerivedType:
    return CompletionKind::Type;
  case SymbolKind::Constant:
    return CompletionKind::Constant;
  case SymbolKind::Component:
    return CompletionKind::Component;
  case SymbolKind::Binding:
    return CompletionKind::Binding;
  case SymbolKind::Program:
  case SymbolKind::Module:
  case SymbolKind::Submodule:
    return CompletionKind::Module;
  default:
    return CompletionKind::Variable;
  }
}

// Of a generic name: whether its procedures are.
bool isFunction(SymbolRef symbol) {
  const SymbolInfo &info = symbol.info();
  if (info.kind == SymbolKind::Generic && !info.specifics.empty() && info.specifics[0] >= 0)
    return symbol.file->analysis->symbols[static_cast<size_t>(info.specifics[0])].kind ==
           SymbolKind::Function;
  return info.kind != SymbolKind::Subroutine;
}

std::string moduleOf(SymbolRef symbol) {
  const Analysis &analysis = *symbol.file->analysis;
  if (!symbol.info().module.empty() || symbol.info().scope < 0)
    return symbol.info().module;
  int unit = analysis.scopes[static_cast<size_t>(symbol.info().scope)].symbol;
  return unit < 0 ? std::string() : analysis.symbols[static_cast<size_t>(unit)].name;
}

CompletionKind kindOf(const ApiEntry &entry) {
  switch (entry.kind) {
  case ApiKind::Function:
    return CompletionKind::Function;
  case ApiKind::Subroutine:
    return CompletionKind::Subroutine;
  case ApiKind::Type:
    return CompletionKind::Type;
  case ApiKind::Constant:
    return CompletionKind::Constant;
  case ApiKind::Module:
    return CompletionKind::Module;
  case ApiKind::Variable:
    return CompletionKind::Variable;
  default:
    return CompletionKind::Keyword;
  }
}

} // namespace

bool Wanted::accepts(const SymbolInfo &symbol) const {
  switch (symbol.kind) {
  case SymbolKind::Variable:
    return data || (objects && symbol.typeSymbol >= 0);
  case SymbolKind::Constant:
    return constants;
  case SymbolKind::Function:
    return functions;
  case SymbolKind::Subroutine:
    return subroutines;
  case SymbolKind::Generic:
    return functions || subroutines;
  case SymbolKind::DerivedType:
    return types || functions; // its constructor
  default:
    return false;
  }
}

bool Wanted::accepts(const ApiEntry &entry) const {
  switch (entry.kind) {
  case ApiKind::Function:
    return functions;
  case ApiKind::Subroutine:
    return subroutines;
  case ApiKind::Type:
    return types || (functions && entry.name == "dim3");
  case ApiKind::Constant:
    return constants;
  case ApiKind::Variable:
    return data;
  default:
    return false;
  }
}

bool writesCapitals(const Document &document, TextPosition position) {
  constexpr int around = 150;
  int capitals = 0, others = 0;
  for (int line = position.line - around; line <= position.line + around; ++line) {
    if (line == position.line)
      continue;
    std::string_view text = document.line(line);
    size_t first = text.find_first_not_of(" \t0123456789");
    if (first == std::string_view::npos)
      continue;
    for (std::string_view word :
         {"end", "call", "if", "do", "use", "integer", "real", "subroutine"})
      if (std::string_view start = text.substr(first, word.size()); lowerCase(start) == word)
        ++(start[0] >= 'A' && start[0] <= 'Z' && start[1] >= 'A' && start[1] <= 'Z' ? capitals
                                                                                    : others);
  }
  return capitals > others;
}

std::string escaped(const std::string &text) {
  std::string result;
  for (char c : text)
    result += c == '$' || c == '}' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result;
}

CompletionItems::CompletionItems(const Query &query, const ApiTable &api,
                                 const CursorContext &context, bool snippets)
    : query(query), api(api), context(context), snippets(snippets), visible(query, api),
      inCapitals(writesCapitals(query.document(), query.position)), device(visible.inDeviceCode()),
      uses(query, visible, inCapitals), use(query, context), expected(visible, context, device) {
  countFiles();
  list.range = {context.word.begin, query.position};
  list.range.begin = std::min(list.range.begin, list.range.end);
}

bool CompletionItems::matches(std::string_view name) const {
  const std::string &prefix = context.prefix;
  if (name.size() < prefix.size())
    return false;
  for (size_t i = 0; i < prefix.size(); ++i)
    if (lower(name[i]) != lower(prefix[i]))
      return false;
  return true;
}

// Names that other files use, also those that this one does not know yet.
void CompletionItems::countFiles() {
  if (context.prefix.empty())
    return;
  for (const auto &[path, file] : query.workspace.files())
    if (file->analysis && file.get() != &query.file && ofOneProject(file.get(), &query.file))
      for (const SymbolInfo &info : file->analysis->symbols)
        if (matches(info.name) && (info.exported || !info.module.empty() || info.intrinsic))
          ++files[lowerCase(info.name)];
}

double CompletionItems::weightOf(const CompletionItem &item, Rank rank, double fit) const {
  std::string head = headOf(item.label);
  auto other = files.find(head);
  double inFiles = other == files.end() ? 0 : usedByAFile * std::log2(1 + other->second);
  return (weightOfRank(rank) + use.of(head) + inFiles) * fit;
}

void CompletionItems::add(CompletionItem item, Rank rank, double fit) {
  item.weight = weightOf(item, rank, fit);
  item.filter = filterText(item.label, context.prefix);
  if (item.insert.empty())
    item.insert = item.label;
  list.items.push_back(std::move(item));
}

void CompletionItems::word(const std::string &text, Rank rank, const std::string &entry,
                           const std::string &module, CompletionKind kind) {
  if (!matches(text) || !seen.insert(lowerCase(text)).second)
    return;
  CompletionItem item;
  item.label = text;
  item.kind = kind;
  item.entry = entry;
  item.module = module;
  add(std::move(item), rank);
}

std::string CompletionItems::inCase(const std::string &word) const {
  std::string cased = word;
  if (inCapitals)
    for (char &c : cased)
      c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return cased;
}

void CompletionItems::keyword(const std::string &text, Rank rank) {
  std::string entry = text.substr(0, std::min(text.find('('), text.size()));
  word(inCase(text), rank, api.find(entry) ? entry : std::string());
}

void CompletionItems::pointed(const std::string &text, Rank rank) {
  if (!matches(text))
    return;
  CompletionItem item;
  item.label = text;
  if (inCapitals)
    std::transform(text.begin(), text.end(), item.label.begin(),
                   [](char c) { return static_cast<char>(c - 32); });
  item.kind = CompletionKind::Keyword;
  item.insert = item.label + (context.next == '.' ? "" : ".");
  add(std::move(item), rank);
}

void CompletionItems::snippet(const std::string &label, const std::string &text) {
  if (!snippets || !matches(label))
    return;
  CompletionItem item;
  item.label = label;
  item.kind = CompletionKind::Snippet;
  item.insert = text;
  item.snippet = true;
  add(std::move(item), Rank::Snippet);
}

// What runs on the other side only comes last, and what is called somewhere and nowhere declared.
Rank CompletionItems::rankOf(const SymbolInfo &symbol, Rank rank) const {
  if (!isProcedure(symbol))
    return rank;
  if (symbol.declared.file < 0 && symbol.module.empty() && !symbol.intrinsic)
    return Rank::Elsewhere;
  auto attributes = symbol.procedureAttributes;
  bool onDevice = (attributes & procedure_attribute::Device) != 0;
  bool onHost = attributes == 0 || (attributes & procedure_attribute::Host) != 0;
  if (isKernel(symbol))
    return device ? Rank::Elsewhere : rank;
  return (device ? onDevice || symbol.intrinsic : onHost) ? rank : Rank::Elsewhere;
}

std::string CompletionItems::callText(const std::string &name, SymbolRef symbol) const {
  const SymbolInfo &info = symbol.info();
  if (!snippets || context.next == '(' || context.next == '<')
    return name;
  if (!isKernel(info))
    return info.dummies.empty() && isProcedure(info) ? name + "()" : name + "($0)";
  std::string text = name + "<<<${1:grid}, ${2:block}>>>(";
  int number = 3;
  for (int dummy : info.dummies)
    if (dummy >= 0)
      text += (number > 3 ? ", ${" : "${") + std::to_string(number) + ":" +
              escaped(symbol.file->analysis->symbols[static_cast<size_t>(dummy)].name) + "}",
          ++number;
  return text + ")";
}

// A name that is only known because it stands at the cursor: undeclared, or being declared there.
bool CompletionItems::justTyped(const std::string &name, SymbolRef symbol) const {
  const SymbolInfo &info = symbol.info();
  if (context.prefix.empty() || symbol.file != &query.file || !info.module.empty() ||
      lowerCase(name) != lowerCase(query.document().slice(context.word)))
    return false;
  if (info.declared.file < 0)
    return !info.intrinsic;
  std::optional<TextRange> now = query.file.now(info.declared);
  return !now || now->touches(query.position);
}

void CompletionItems::symbol(const std::string &name, SymbolRef symbol, Rank rank, bool call) {
  const SymbolInfo &info = symbol.info();
  CompletionItem item;
  item.label = name;
  item.kind = kindOf(info);
  bool callable = isProcedure(info) || info.kind == SymbolKind::Generic;
  if (callable && (call || info.kind != SymbolKind::Subroutine)) {
    item.insert = callText(name, symbol);
    item.snippet = snippets && item.insert != name;
    item.insert = (isFunction(symbol) ? std::string() : callWord) + item.insert;
  }
  item.file = symbol.file->path;
  item.symbol = symbol.symbol;
  item.name = info.name;
  add(std::move(item), rankOf(info, rank), expected.fit(info));
}

void CompletionItems::tableRow(const ApiEntry &entry, Rank rank) {
  if (!isName(entry.name) || !matches(entry.name))
    return;
  CompletionItem item;
  bool everywhere = !needsUse(entry) || visible.isUsed(entry);
  // Of two modules with the name, mpi and mpi_f08, the one that is used has its own row.
  for (const ApiEntry *other :
       everywhere ? std::vector<const ApiEntry *>() : api.findAll(lowerCase(entry.name)))
    if (other->module != entry.module && needsUse(*other) && visible.isUsed(*other))
      return;
  // What mpif.h declares of procedures is nothing.
  everywhere = everywhere || (entry.module == "mpi" && !visible.find("mpi_comm_world").empty());
  if (!everywhere && rank != Rank::Best) {
    if (context.prefix.empty()) {
      list.incomplete = true;
      return;
    }
    const std::string &module = entry.usedModule();
    bool whole = module == "cudafor" && !visible.used(module, "").use;
    item.others = uses.add(module, whole ? std::string() : entry.name);
    if (item.others.empty())
      return;
    rank = Rank::NotImported;
  }
  if (!seen.insert(lowerCase(entry.name)).second)
    return;
  item.label = entry.name;
  item.kind = kindOf(entry);
  if (entry.isProcedure() && rank != Rank::Best && snippets && context.next != '(') {
    item.insert = entry.name + (entry.arguments.empty() ? "()" : "($0)");
    item.snippet = true;
  }
  if (entry.kind == ApiKind::Subroutine && !callWord.empty())
    item.insert = callWord + (item.insert.empty() ? entry.name : item.insert);
  item.origin = needsUse(entry) ? entry.usedModule() : std::string();
  item.entry = entry.name;
  item.module = entry.module;
  double fit = entry.kind == ApiKind::Function ? expected.fit(entry.result) : 1;
  if (entry.common)
    fit *= commonName;
  else if (entry.kind == ApiKind::Constant)
    fit *= rareConstant;
  add(std::move(item), rank, fit);
}

// A name that the file declares somewhere else and that cannot be seen here.
bool CompletionItems::isOutOfSight(const std::string &name) const {
  const Analysis *analysis = query.file.analysis.get();
  return analysis && std::any_of(analysis->symbols.begin(), analysis->symbols.end(),
                                 [&](const SymbolInfo &info) {
                                   return info.declared.file == 0 && !info.implicit &&
                                          lowerCase(info.name) == name;
                                 });
}

void CompletionItems::unknownWords() {
  bool members = context.last() && context.last()->is("%");
  for (const auto &[name, word] : use.words()) {
    bool fits = members || context.kindSuffix || word.inUnit || word.inDefinition;
    if (!fits || word.spelling.size() < 3 || isKeywordAnywhere(name) || api.find(name) ||
        (!members && isOutOfSight(name)) || !seen.insert(name).second)
      continue;
    CompletionItem item;
    item.label = word.spelling;
    item.kind = CompletionKind::Text;
    add(std::move(item), Rank::NotImported);
  }
}

void CompletionItems::fromTable(const Wanted &wanted) {
  for (const ApiEntry &entry : api.entries()) {
    if (!wanted.accepts(entry) || !matches(entry.name))
      continue;
    Rank rank = entry.module == "intrinsic" ? Rank::Intrinsic : Rank::Table;
    bool elsewhere = device ? entry.hostOnly() : entry.deviceOnly();
    if (entry.deviceOnly() && device)
      rank = Rank::DeviceWord;
    if (elsewhere && context.prefix.empty()) {
      list.incomplete = true;
      continue;
    }
    tableRow(entry, elsewhere ? Rank::Elsewhere : rank);
  }
}

void CompletionItems::fromOtherModules(const Wanted &wanted, bool call) {
  if (context.prefix.empty()) {
    list.incomplete = true;
    return;
  }
  for (const auto &[path, file] : query.workspace.files()) {
    if (!file->analysis || !ofOneProject(file.get(), &query.file) ||
        list.items.size() > 4 * mostItems)
      continue;
    const Analysis &analysis = *file->analysis;
    for (size_t i = 0; i < analysis.symbols.size(); ++i) {
      const SymbolInfo &info = analysis.symbols[i];
      if (!info.exported || !info.module.empty() || info.scope < 0 || !matches(info.name) ||
          !wanted.accepts(info) || !isName(info.name))
        continue;
      const ScopeInfo &scope = analysis.scopes[static_cast<size_t>(info.scope)];
      if (scope.kind != ScopeKind::Module || scope.symbol < 0)
        continue;
      const std::string &module = analysis.symbols[static_cast<size_t>(scope.symbol)].name;
      if (query.workspace.moduleFile(module, &query.file) != file.get())
        continue; // of another project
      std::vector<TextChange> edits = uses.add(module, info.name);
      if (edits.empty() || !seen.insert(lowerCase(info.name)).second)
        continue;
      symbol(info.name, {file.get(), static_cast<int>(i)}, Rank::NotImported, call);
      list.items.back().others = std::move(edits);
      list.items.back().origin = module;
    }
  }
}

void CompletionItems::fitting(const Wanted &wanted, bool call) {
  visible.forEach([&](const VisibleName &name) {
    if (!matches(name.name) || !isName(name.name) || justTyped(name.name, name.symbol) ||
        !seen.insert(lowerCase(name.name)).second || !wanted.accepts(name.symbol.info()))
      return;
    Rank rank = name.origin == NameOrigin::Local  ? Rank::Local
                : name.origin == NameOrigin::Host ? Rank::Host
                                                  : Rank::Imported;
    symbol(name.name, name.symbol, rank, call);
    if (name.origin == NameOrigin::Imported)
      list.items.back().origin = moduleOf(name.symbol);
  });
  fromTable(wanted);
  fromOtherModules(wanted, call);
}

CompletionList CompletionItems::take() {
  std::sort(list.items.begin(), list.items.end(), [](const auto &a, const auto &b) {
    return a.weight != b.weight
               ? a.weight > b.weight
               : std::pair(lowerCase(a.label), a.origin) < std::pair(lowerCase(b.label), b.origin);
  });
  if (list.items.size() > mostItems) {
    list.items.resize(mostItems);
    list.incomplete = true;
  }
  return std::move(list);
}

} // namespace cufc
