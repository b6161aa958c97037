// See workspace_symbols.h. Every name of every file is tried: tens of thousands take milliseconds.
#include "ide/workspace_symbols.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/query.h"
#include "index/module_view.h"
#include <algorithm>

namespace cufc {
namespace {

struct Candidate {
  int score;
  const SourceFile *file;
  int row;
};

const SymbolInfo &infoOf(const Candidate &candidate) {
  return candidate.file->analysis->symbols[static_cast<size_t>(candidate.row)];
}

bool isListed(const Analysis &analysis, const SymbolInfo &symbol) {
  if (symbol.declared.file < 0 || symbol.intrinsic || !symbol.module.empty() || symbol.scope < 0)
    return false;
  ScopeKind around = analysis.scopes[static_cast<size_t>(symbol.scope)].kind;
  switch (symbol.kind) {
  case SymbolKind::Construct:
  case SymbolKind::Label:
  case SymbolKind::Component:
    return false;
  case SymbolKind::Variable:
  case SymbolKind::Constant:
    return around == ScopeKind::Module || around == ScopeKind::Submodule;
  case SymbolKind::Subroutine:
  case SymbolKind::Function:
    return symbol.ownScope >= 0 && symbol.dummyOf < 0;
  default:
    return true;
  }
}

// Definitions before declarations, procedures and types before data.
int rankOf(const Analysis &analysis, const SymbolInfo &symbol) {
  if (symbol.ownScope >= 0 &&
      analysis.scopes[static_cast<size_t>(symbol.ownScope)].kind == ScopeKind::Interface)
    return 0;
  bool data = symbol.kind == SymbolKind::Variable || symbol.kind == SymbolKind::Constant ||
              symbol.kind == SymbolKind::Namelist || symbol.kind == SymbolKind::CommonBlock;
  return data ? 1 : 2;
}

class Pattern {
public:
  explicit Pattern(const std::string &text) {
    name = lowerCase(text);
    for (const char *mark : {"::", "%", "."})
      if (size_t at = name.rfind(mark); at != std::string::npos) {
        container = name.substr(0, at);
        name = name.substr(at + std::string_view(mark).size());
        break;
      }
    std::erase_if(name, [](char c) { return c == ' ' || c == '\t'; });
    for (char &c : container)
      if (c == '%' || c == '.')
        c = ':';
  }

  int score(const Analysis &analysis, const SymbolInfo &symbol) const {
    int score = fuzzyScore(name, lowerCase(symbol.name));
    if (score < 0 || container.empty())
      return score;
    int outer = fuzzyScore(container, lowerCase(containerOf(analysis, symbol)));
    return outer < 0 ? -1 : score + outer / 4;
  }

private:
  std::string name, container;
};

void keepBest(std::vector<Candidate> &list, size_t limit) {
  auto better = [](const Candidate &a, const Candidate &b) {
    const SymbolInfo &x = infoOf(a), &y = infoOf(b);
    int rankA = rankOf(*a.file->analysis, x), rankB = rankOf(*b.file->analysis, y);
    if (a.score != b.score)
      return a.score > b.score;
    if (rankA != rankB)
      return rankA > rankB;
    if (x.name.size() != y.name.size())
      return x.name.size() < y.name.size();
    if (int order = x.name.compare(y.name); order != 0)
      return order < 0;
    return std::tie(a.file->path, a.row) < std::tie(b.file->path, b.row);
  };
  auto end = list.begin() + static_cast<long>(std::min(limit, list.size()));
  std::partial_sort(list.begin(), end, list.end(), better);
  list.erase(end, list.end());
}

} // namespace

int fuzzyScore(std::string_view pattern, std::string_view name) {
  if (pattern.empty())
    return 0;
  if (pattern == name)
    return 10000;
  if (name.starts_with(pattern))
    return 5000 - static_cast<int>(std::min<size_t>(name.size(), 1000));
  int score = 0, run = 0;
  size_t at = 0;
  for (char c : pattern) {
    size_t found = name.find(c, at);
    if (found == std::string_view::npos)
      return -1;
    bool wordBegins = found == 0 || name[found - 1] == '_' || name[found - 1] == ':';
    run = found == at && at > 0 ? run + 1 : 0;
    score += 10 + (wordBegins ? 30 : 0) + std::min(run, 8) * 8;
    at = found + 1;
  }
  // A part of the name in one piece is better than letters from here and there.
  if (size_t whole = name.find(pattern); whole != std::string_view::npos)
    score += 1000 + (name[whole - 1] == '_' ? 1000 : 0);
  return score - static_cast<int>(std::min<size_t>(name.size() - pattern.size(), 60)) / 4;
}

std::string containerOf(const Analysis &analysis, const SymbolInfo &symbol) {
  std::string text = symbol.module;
  for (int scope = symbol.scope; scope > 0;
       scope = analysis.scopes[static_cast<size_t>(scope)].parent)
    if (int owner = analysis.scopes[static_cast<size_t>(scope)].symbol; owner >= 0)
      text.insert(0,
                  analysis.symbols[static_cast<size_t>(owner)].name + (text.empty() ? "" : "::"));
  return text;
}

std::vector<NamedPlace> workspaceSymbols(const Workspace &workspace, const std::string &text,
                                         size_t limit) {
  Pattern pattern(text);
  std::vector<Candidate> candidates;
  for (const auto &[path, file] : workspace.files()) {
    if (!file->analysis || isModuleView(path))
      continue;
    const Analysis &analysis = *file->analysis;
    for (size_t i = 0; i < analysis.symbols.size(); ++i)
      if (isListed(analysis, analysis.symbols[i]))
        if (int score = pattern.score(analysis, analysis.symbols[i]); score >= 0)
          candidates.push_back({score, file.get(), static_cast<int>(i)});
  }
  keepBest(candidates, limit);
  std::vector<NamedPlace> result;
  for (const Candidate &candidate : candidates) {
    const SymbolInfo &info = infoOf(candidate);
    if (std::optional<Location> place = locationOf(*candidate.file, info.declared))
      result.push_back(
          {info.name, info.kind, containerOf(*candidate.file->analysis, info), *place});
  }
  return result;
}

} // namespace cufc
