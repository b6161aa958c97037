// Occurrences are grouped by the keys of their symbols (index/symbol_key.h), which are the same in
// every file; each key becomes one symbol. What cannot be named outside of its procedure is "local
// 7" there. A symbol whose references include those of others, as the server has it, names them in
// its relationships.
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/hover.h"
#include "ide/same_symbol.h"
#include "ide/types.h"
#include "scip/protobuf.h"
#include "scip/scip.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cufc {
namespace {

struct Use {
  TextRange range;
  std::string key;
  int roles = 0;
  TextRange enclosing; // of definitions; empty if it is not known
  auto operator<=>(const Use &other) const {
    return std::tie(range.begin, range.end, key, roles) <=>
           std::tie(other.range.begin, other.range.end, other.key, other.roles);
  }
  bool operator==(const Use &other) const { return (*this <=> other) == 0; }
};

struct Entry {
  SymbolRef seen; // where it was seen first
  std::string name;
  std::set<std::string> files;
};

// The name of a module in a USE statement.
bool isImport(const SourceFile &file, const Occurrence &occurrence) {
  if (SymbolRef{&file, occurrence.symbol}.info().kind != SymbolKind::Module)
    return false;
  for (const ScopeInfo &scope : file.analysis->scopes)
    for (const UseInfo &use : scope.uses)
      if (use.place == occurrence.place)
        return true;
  return false;
}

int rolesOf(const SourceFile &file, const Occurrence &occurrence) {
  SymbolRef symbol{&file, occurrence.symbol};
  switch (occurrence.role) {
  case Role::Declaration:
    return isInterfaceBody(symbol) ? scip::forwardDefinition : scip::definition;
  case Role::Reference:
    return isImport(file, occurrence) ? scip::import : 0;
  case Role::Write:
    return scip::write;
  case Role::ReadWrite:
    return scip::write | scip::read;
  default:
    return scip::read;
  }
}

int kindOf(const SymbolInfo &info) {
  if (info.dummyOf >= 0)
    return scip::parameterKind;
  switch (info.kind) {
  case SymbolKind::Program:
  case SymbolKind::Module:
  case SymbolKind::Submodule:
  case SymbolKind::BlockData:
    return scip::moduleKind;
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
    return scip::functionKind;
  case SymbolKind::Generic:
    return scip::interfaceKind;
  case SymbolKind::Binding:
    return scip::methodKind;
  case SymbolKind::DerivedType:
    return scip::structKind;
  case SymbolKind::Component:
    return scip::fieldKind;
  case SymbolKind::Constant:
    return scip::constantKind;
  case SymbolKind::CommonBlock:
  case SymbolKind::Namelist:
    return scip::namespaceKind;
  default:
    return scip::variableKind;
  }
}

std::vector<int> numbersOf(const TextRange &range) {
  std::vector<int> numbers{range.begin.line - 1, range.begin.column - 1};
  if (range.end.line != range.begin.line)
    numbers.push_back(range.end.line - 1);
  numbers.push_back(range.end.column - 1);
  return numbers;
}

class Writer {
public:
  Writer(const Workspace &workspace, const ApiTable &api, const ScipOptions &options)
      : workspace(workspace), api(api), options(options) {}

  ScipIndex index() {
    for (const auto &[path, file] : workspace.files())
      if (file->analysis)
        collect(*file);
    nameSymbols();
    ScipIndex result;
    ProtoMessage whole;
    whole.add(scip::metadata, metadata());
    for (auto &[path, uses] : documents)
      whole.add(scip::documents, document(path, uses, result));
    for (const auto &[key, entry] : entries)
      if (written.insert(entry.name).second) {
        whole.add(scip::externalSymbols, information(entry));
        ++result.externalSymbols;
      }
    result.documents = documents.size();
    result.bytes = whole.bytes();
    return result;
  }

private:
  bool isDocument(const std::string &path) const { return path.starts_with(options.root + "/"); }

  void collect(const SourceFile &file) {
    const Analysis &analysis = *file.analysis;
    if (!analysis.files.empty() && isDocument(analysis.files.front()))
      documents[analysis.files.front()];
    for (const Occurrence &occurrence : analysis.occurrences) {
      if (occurrence.place.file < 0 || occurrence.symbol < 0)
        continue;
      const std::string &path = analysis.files[static_cast<size_t>(occurrence.place.file)];
      if (!isDocument(path))
        continue;
      const std::string &key = file.keys()[static_cast<size_t>(occurrence.symbol)];
      Use use{rangeOf(occurrence.place), key, rolesOf(file, occurrence), {}};
      const Place &whole = analysis.symbols[static_cast<size_t>(occurrence.symbol)].definition;
      if (use.roles == scip::definition && whole.file == occurrence.place.file)
        use.enclosing = rangeOf(whole);
      documents[path].push_back(std::move(use));
      Entry &entry = entries[key];
      if (!entry.seen)
        entry.seen = {&file, occurrence.symbol};
      entry.files.insert(path);
    }
  }

  // Whether nothing outside of a procedure can name it.
  static bool isLocal(const Entry &entry, SymbolRef declared) {
    const SymbolInfo &info = declared.info();
    if (info.intrinsic || info.scope < 0 || info.dummyOf >= 0 || !info.module.empty() ||
        info.ownScope >= 0 || isProcedure(info) || info.kind == SymbolKind::CommonBlock ||
        entry.files.size() != 1 || !entry.files.contains(declared.file->path))
      return false;
    ScopeKind kind = declared.file->analysis->scopes[static_cast<size_t>(info.scope)].kind;
    return kind == ScopeKind::Subprogram || kind == ScopeKind::MainProgram ||
           kind == ScopeKind::Block || kind == ScopeKind::Construct;
  }

  // The row that declares a key, an interface if there is nothing else, or the row that was seen.
  SymbolRef declaredAs(const std::string &key, SymbolRef seen) const {
    if (SymbolRef declared = workspace.declarationOf(seen); declared && declared.key() == key)
      return declared;
    for (SymbolRef row : declarationsOf(workspace, seen))
      if (row.key() == key)
        return row;
    return seen;
  }

  void nameSymbols() {
    std::map<std::string, int> locals; // by file
    for (auto &[key, entry] : entries) {
      SymbolRef declared = entry.seen = declaredAs(key, entry.seen);
      entry.name = isLocal(entry, declared)
                       ? "local " + std::to_string(++locals[*entry.files.begin()])
                       : scipSymbol(workspace, declared, options);
    }
  }

  ProtoMessage metadata() const {
    ProtoMessage tool, message;
    tool.add(scip::toolName, std::string("cufls"));
    tool.add(scip::toolVersion, options.version);
    for (const std::string &argument : options.arguments)
      tool.add(scip::toolArguments, argument);
    message.add(scip::toolInfo, tool);
    message.add(scip::projectRoot, options.rootUri);
    message.add(scip::textEncoding, static_cast<std::uint64_t>(scip::utf8));
    return message;
  }

  ProtoMessage document(const std::string &path, std::vector<Use> &uses, ScipIndex &counts) {
    std::sort(uses.begin(), uses.end());
    uses.erase(std::unique(uses.begin(), uses.end()), uses.end());
    ProtoMessage message;
    message.add(scip::language, std::string("Fortran"));
    message.add(scip::relativePath, path.substr(options.root.size() + 1));
    std::set<std::string> here;
    for (const Use &use : uses) {
      const Entry &entry = entries.at(use.key);
      message.add(scip::occurrences, occurrence(use, entry));
      if (declaredIn(entry, path))
        here.insert(use.key);
    }
    for (const std::string &key : here) {
      const Entry &entry = entries.at(key);
      if (!entry.name.starts_with("local ") && !written.insert(entry.name).second)
        continue;
      written.insert(entry.name);
      message.add(scip::symbols, information(entry));
      ++counts.symbols;
    }
    message.add(scip::positionEncoding, static_cast<std::uint64_t>(scip::utf8));
    counts.occurrences += uses.size();
    return message;
  }

  static bool declaredIn(const Entry &entry, const std::string &path) {
    const Place &place = entry.seen.info().declared;
    const std::vector<std::string> &files = entry.seen.file->analysis->files;
    return entry.seen.info().module.empty() && !entry.seen.info().intrinsic && place.file >= 0 &&
           files[static_cast<size_t>(place.file)] == path;
  }

  static ProtoMessage occurrence(const Use &use, const Entry &entry) {
    ProtoMessage message;
    message.add(scip::range, numbersOf(use.range));
    message.add(scip::occurrenceSymbol, entry.name);
    message.add(scip::symbolRoles, static_cast<std::uint64_t>(use.roles));
    if (use.enclosing.begin < use.enclosing.end)
      message.add(scip::enclosingRange, numbersOf(use.enclosing));
    return message;
  }

  ProtoMessage information(const Entry &entry) const {
    const SymbolInfo &info = entry.seen.info();
    ProtoMessage message;
    message.add(scip::symbol, entry.name);
    const ApiEntry *known = entryOf(workspace, entry.seen, api);
    message.add(scip::documentation, known ? documentationOf(*known) : info.documentation);
    addRelationships(entry, message);
    message.add(scip::kind, static_cast<std::uint64_t>(kindOf(info)));
    message.add(scip::displayName, info.name);
    ProtoMessage signature;
    signature.add(scip::language, std::string("Fortran"));
    signature.add(scip::text, declarationOf(*entry.seen.file->analysis, info, true));
    message.add(scip::signature, signature);
    if (entry.name.starts_with("local "))
      message.add(scip::enclosingSymbol, ownerOf(entry.seen));
    return message;
  }

  std::string ownerOf(SymbolRef symbol) const {
    const Analysis &analysis = *symbol.file->analysis;
    for (int scope = symbol.info().scope; scope > 0;
         scope = analysis.scopes[static_cast<size_t>(scope)].parent)
      if (int owner = analysis.scopes[static_cast<size_t>(scope)].symbol; owner >= 0)
        return nameOf({symbol.file, owner});
    return {};
  }

  // The name of a symbol, or nothing for one that does not occur.
  std::string nameOf(SymbolRef symbol) const {
    auto found = symbol ? entries.find(symbol.key()) : entries.end();
    return found == entries.end() ? "" : found->second.name;
  }

  void addRelationships(const Entry &entry, ProtoMessage &message) const {
    std::map<std::string, std::set<scip::Relationship>> related;
    for (const std::string &key : keysOf(workspace, entry.seen))
      if (auto other = entries.find(key); other != entries.end())
        related[other->second.name].insert(scip::isReference);
    const SymbolInfo &info = entry.seen.info();
    auto relate = [&](SymbolRef other, scip::Relationship how) {
      if (std::string name = nameOf(other); !name.empty())
        related[name].insert(how);
    };
    if (info.kind == SymbolKind::DerivedType)
      relate(parentOf(workspace, entry.seen), scip::isImplementation);
    else if (info.typeSymbol >= 0)
      relate(typeOf(workspace, entry.seen), scip::isTypeDefinition);
    if (info.moduleInterface >= 0)
      relate({entry.seen.file, info.moduleInterface}, scip::isImplementation);
    if (info.kind == SymbolKind::Binding)
      relate(overridden(entry.seen), scip::isImplementation);
    related.erase(entry.name);
    for (const auto &[name, ways] : related) {
      ProtoMessage relationship;
      relationship.add(scip::relatedSymbol, name);
      for (scip::Relationship way : ways)
        relationship.add(way, std::uint64_t(1));
      message.add(scip::relationships, relationship);
    }
  }

  // The binding of the parent type that a binding overrides.
  SymbolRef overridden(SymbolRef binding) const {
    SymbolRef type = typeAround(workspace, binding);
    SymbolRef parent = type ? parentOf(workspace, type) : SymbolRef{};
    return parent ? memberOf(workspace, parent, lowerCase(binding.info().name)) : SymbolRef{};
  }

  const Workspace &workspace;
  const ApiTable &api;
  const ScipOptions &options;
  std::map<std::string, std::vector<Use>> documents; // by path
  std::map<std::string, Entry> entries;              // by key
  std::set<std::string> written;                     // names with their information
};

} // namespace

ScipIndex scipIndex(const Workspace &workspace, const ApiTable &api, const ScipOptions &options) {
  return Writer(workspace, api, options).index();
}

} // namespace cufc
