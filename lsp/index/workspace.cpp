// Keys of a file are made when somebody asks for them, since most files of a large project are
// never asked.
#include "index/workspace.h"
#include "base/source_text.h"
#include "index/symbol_key.h"
#include <algorithm>
#include <utility>

namespace cufc {

void SourceFile::forgetKeys() const {
  keysMade = occurrencesMade = false;
  keyList.clear();
  byKey.clear();
  symbolByKey.clear();
}

std::string SourceFile::keyName(const std::string &name) const {
  return name + (workspace ? workspace->markFor(path, name) : "");
}

void SourceFile::analysed(std::shared_ptr<const Analysis> found) {
  analysis = std::move(found);
  edits.clear();
  forgetKeys();
  mentioned.clear();
  if (!analysis)
    return;
  for (const ModuleInterface &module : analysis->interfaces)
    mentioned.insert(lowerCase(module.name));
  for (const SymbolInfo &symbol : analysis->symbols)
    if (!symbol.module.empty())
      mentioned.insert(lowerCase(symbol.module));
}

void SourceFile::makeKeys() const {
  if (std::exchange(keysMade, true) || !analysis)
    return;
  keyList = symbolKeys(*analysis, [&](const std::string &name) {
    return workspace ? workspace->markFor(path, name) : "";
  });
  for (size_t i = 0; i < keyList.size(); ++i)
    symbolByKey.emplace(keyList[i], static_cast<int>(i));
}

// There are many more of them than symbols, and most questions do not need them.
void SourceFile::makeOccurrences() const {
  makeKeys();
  if (std::exchange(occurrencesMade, true) || !analysis)
    return;
  for (size_t i = 0; i < analysis->occurrences.size(); ++i)
    if (int symbol = analysis->occurrences[i].symbol; symbol >= 0)
      byKey[keyList[static_cast<size_t>(symbol)]].push_back(static_cast<int>(i));
}

const std::vector<std::string> &SourceFile::keys() const {
  makeKeys();
  return keyList;
}

const std::vector<int> &SourceFile::occurrencesOf(const std::string &key) const {
  static const std::vector<int> none;
  makeOccurrences();
  auto found = byKey.find(key);
  return found == byKey.end() ? none : found->second;
}

std::vector<int> SourceFile::symbolsOf(const std::string &key) const {
  makeKeys();
  std::vector<int> result;
  auto [begin, end] = symbolByKey.equal_range(key);
  for (auto entry = begin; entry != end; ++entry)
    if (analysis->symbols[static_cast<size_t>(entry->second)].declared.file >= 0)
      result.insert(result.begin(), entry->second);
    else
      result.push_back(entry->second);
  return result;
}

std::optional<TextRange> SourceFile::now(const Place &place) const {
  if (place.file != 0)
    return std::nullopt;
  return edits.now(rangeOf(place));
}

void Workspace::forgetKeys() const {
  for (const auto &[path, file] : all)
    file->forgetKeys();
}

std::string Workspace::markFor(const std::string &file, const std::string &name) const {
  std::string definer = definitions ? definitions->definerFor(file, name) : "";
  if (definer.empty())
    return {};
  return "@" + std::to_string(numbers.try_emplace(definer, numbers.size()).first->second);
}

const SourceFile *Workspace::find(const std::string &path) const {
  auto found = all.find(path);
  return found == all.end() ? nullptr : found->second.get();
}

SourceFile &Workspace::file(const std::string &path) {
  std::unique_ptr<SourceFile> &place = all[path];
  if (!place) {
    place = std::make_unique<SourceFile>();
    place->path = path;
    place->workspace = this;
  }
  return *place;
}

void Workspace::setAnalysis(const std::string &path, std::shared_ptr<const Analysis> analysis) {
  SourceFile &target = file(path);
  std::erase_if(modules, [&](const auto &entry) { return entry.second == path; });
  for (const ModuleInterface &module : analysis->interfaces)
    modules.emplace(lowerCase(module.name), path);
  target.analysed(std::move(analysis));
}

void Workspace::dropAnalysis(const std::string &path) {
  std::erase_if(modules, [&](const auto &entry) { return entry.second == path; });
  file(path).analysed(nullptr);
}

void Workspace::remove(const std::string &path) {
  std::erase_if(modules, [&](const auto &entry) { return entry.second == path; });
  all.erase(path);
}

const SourceFile *Workspace::moduleFile(const std::string &module, const SourceFile *from) const {
  if (from && definitions)
    if (std::string path = definitions->definerFor(from->path, lowerCase(module)); !path.empty()) {
      const SourceFile *file = find(path);
      return file && file->analysis ? file : nullptr;
    }
  const SourceFile *result = nullptr; // the last that was analysed
  auto [begin, end] = modules.equal_range(lowerCase(module));
  for (auto entry = begin; entry != end; ++entry)
    if (const SourceFile *file = find(entry->second); file && ofOneProject(file, from))
      result = file;
  return result;
}

SymbolRef Workspace::declarationOf(SymbolRef symbol) const {
  if (!symbol || symbol.info().intrinsic)
    return {};
  const SymbolInfo &own = symbol.info();
  bool procedure = own.kind == SymbolKind::Subroutine || own.kind == SymbolKind::Function;
  if (own.module.empty() && own.declared.file >= 0 && !procedure)
    return symbol; // without keys, which take time
  const std::string &key = symbol.key();
  auto declares = [&](const SourceFile *file, int row) {
    const SymbolInfo &info = file->analysis->symbols[static_cast<size_t>(row)];
    return info.declared.file >= 0 && info.module.empty() &&
           (info.ownScope < 0 ||
            file->analysis->scopes[static_cast<size_t>(info.ownScope)].kind !=
                ScopeKind::Interface ||
            file == symbol.file);
  };
  // Within the file first: an external procedure may be declared and defined in one, and projects
  // that are open together may have modules of one name.
  for (const SourceFile *file : filesWith(key, symbol.file))
    for (int row : file->symbolsOf(key))
      if (declares(file, row))
        return {file, row};
  return symbol.info().declared.file >= 0 ? symbol : SymbolRef{};
}

std::vector<SymbolRef> Workspace::sameProcedure(SymbolRef symbol) const {
  std::vector<SymbolRef> result;
  if (int other = symbol.info().moduleInterface; other >= 0)
    if (SymbolRef declared = declarationOf({symbol.file, other}))
      result.push_back(declared);
  for (const auto &[path, file] : all) {
    if (!file->analysis || !ofOneProject(file.get(), symbol.file))
      continue;
    const std::vector<SymbolInfo> &symbols = file->analysis->symbols;
    for (size_t i = 0; i < symbols.size(); ++i)
      if (int interface = symbols[i].moduleInterface;
          interface >= 0 && file->keys()[static_cast<size_t>(interface)] == symbol.key())
        result.push_back({file.get(), static_cast<int>(i)});
  }
  return result;
}

std::vector<const SourceFile *> Workspace::filesWith(const std::string &key,
                                                     const SourceFile *from) const {
  if (key.starts_with("//"))
    return filesWithCommon(key, from);
  std::vector<const SourceFile *> result;
  std::string module = moduleOfKey(key), marked = markedModuleOfKey(key);
  auto means = [&](const SourceFile &file) {
    return module.empty() ||
           (file.mentions(module) && (module == marked || file.keyName(module) == marked));
  };
  for (const auto &[path, file] : all)
    if (file->analysis && ofOneProject(file.get(), from) &&
        (key.starts_with("file:") ? key.compare(5, path.size(), path) == 0 : means(*file)))
      result.push_back(file.get());
  return result;
}

// Linking is not transitive, but a block that one program shares with a file, and that file with
// another program, is one for all of them.
std::vector<const SourceFile *> Workspace::filesWithCommon(const std::string &key,
                                                           const SourceFile *from) const {
  std::vector<const SourceFile *> left, result;
  if (from)
    result.push_back(from);
  for (const auto &[path, file] : all)
    if (file.get() != from && file->analysis && ofOneProject(file.get(), from) &&
        !file->symbolsOf(key).empty())
      (from ? left : result).push_back(file.get());
  for (size_t at = 0; from && at < result.size(); ++at)
    std::erase_if(left, [&](const SourceFile *file) {
      bool linked = !definitions || definitions->linked(result[at]->path, file->path);
      if (linked)
        result.push_back(file);
      return linked;
    });
  return result;
}

} // namespace cufc
