// See call_hierarchy.h. A call belongs to the innermost procedure or main program around it.
#include "ide/call_hierarchy.h"
#include "base/source_text.h"
#include "ide/declaration.h"
#include "ide/document_symbols.h"
#include "ide/lookup.h"
#include "ide/same_symbol.h"
#include "ide/types.h"
#include "ide/workspace_symbols.h"
#include <algorithm>
#include <map>

namespace cufc {
namespace {

const char *const unnamedMain = "main program";

bool isCall(Role role) { return role == Role::Call || role == Role::Launch; }

bool isUnit(const ScopeInfo &scope) {
  return scope.kind == ScopeKind::Subprogram || scope.kind == ScopeKind::MainProgram;
}

bool holds(const Place &outer, const Place &inner) {
  return outer.file == inner.file && rangeOf(outer).begin <= rangeOf(inner).begin &&
         rangeOf(inner).end <= rangeOf(outer).end;
}

// The procedure or main program around a place of an analysis: its scope, or -1.
int unitAround(const Analysis &analysis, const Place &place) {
  int result = -1;
  for (size_t i = 0; i < analysis.scopes.size(); ++i) // children behind their parents
    if (isUnit(analysis.scopes[i]) && holds(analysis.scopes[i].place, place))
      result = static_cast<int>(i);
  return result;
}

std::optional<HierarchyItem> itemOfScope(const SourceFile &file, int scope) {
  const ScopeInfo &row = file.analysis->scopes[static_cast<size_t>(scope)];
  if (row.symbol >= 0)
    if (std::optional<HierarchyItem> item = itemOf({&file, row.symbol}))
      return item;
  std::optional<Location> place = locationOf(file, row.place);
  if (!place || row.kind != ScopeKind::MainProgram)
    return std::nullopt;
  TextRange begin{place->range.begin, place->range.begin};
  return HierarchyItem{file.path, unnamedMain,         unnamedMain,
                       "",        SymbolKind::Program, {{place->path, begin}, place->range}};
}

// The procedures that a call of a symbol can run.
std::vector<SymbolRef> runBy(const Workspace &workspace, SymbolRef symbol) {
  std::vector<SymbolRef> result;
  SymbolRef declared = declaredOr(workspace, symbol);
  const SymbolInfo &info = declared.info();
  if (info.kind == SymbolKind::Binding || info.kind == SymbolKind::Generic) {
    std::vector<SymbolRef> family{declared};
    if (info.kind == SymbolKind::Binding)
      family = familyOf(workspace, declared);
    for (SymbolRef one : family)
      for (int row : one.info().specifics)
        if (row >= 0)
          for (SymbolRef procedure : declarationsOf(workspace, {one.file, row})) {
            bool deferred = isInterfaceBody(procedure) && one.info().kind == SymbolKind::Binding;
            if (!deferred)
              result.push_back(procedure);
            break;
          }
    return result;
  }
  std::vector<SymbolRef> rows = declarationsOf(workspace, symbol);
  if (!rows.empty() && (isProcedure(rows.front().info()) || info.kind == SymbolKind::Program))
    result.push_back(rows.front());
  return result;
}

// The scope of a program unit's or procedure's body, or -1.
int bodyOf(SymbolRef symbol) {
  int scope = symbol.info().ownScope;
  return scope >= 0 && isUnit(symbol.file->analysis->scopes[static_cast<size_t>(scope)]) ? scope
                                                                                         : -1;
}

void addCall(std::vector<HierarchyCall> &calls, const HierarchyItem &item, const TextRange &place) {
  auto same = [&](const HierarchyCall &call) {
    return call.item.key == item.key && call.item.path == item.path;
  };
  auto found = std::find_if(calls.begin(), calls.end(), same);
  if (found == calls.end()) {
    calls.push_back({item, {}});
    found = calls.end() - 1;
  }
  if (std::find(found->places.begin(), found->places.end(), place) == found->places.end())
    found->places.push_back(place);
}

void sort(std::vector<HierarchyCall> &calls) {
  for (HierarchyCall &call : calls)
    std::sort(call.places.begin(), call.places.end(),
              [](const TextRange &a, const TextRange &b) { return a.begin < b.begin; });
}

} // namespace

std::optional<HierarchyItem> itemOf(SymbolRef symbol) {
  std::optional<Target> target = targetOf(symbol);
  if (!target)
    return std::nullopt;
  const Analysis &analysis = *symbol.file->analysis;
  const SymbolInfo &info = symbol.info();
  std::string detail = detailOf(analysis, info), container = containerOf(analysis, info);
  if (!container.empty())
    detail += (detail.empty() ? "in " : " in ") + container;
  return HierarchyItem{symbol.file->path, symbol.key(), info.name, detail, info.kind, *target};
}

SymbolRef symbolOf(const Workspace &workspace, const std::string &path, const std::string &key) {
  const SourceFile *file = workspace.find(path);
  if (!file || !file->analysis)
    return {};
  std::vector<int> rows = file->symbolsOf(key);
  return rows.empty() ? SymbolRef{} : SymbolRef{file, rows.front()};
}

std::vector<HierarchyItem> prepareCalls(const Query &query) {
  std::vector<HierarchyItem> result;
  std::vector<OccurrenceAt> names = namesAt(query);
  bool specific = std::any_of(names.begin(), names.end(), [](const OccurrenceAt &name) {
    return name.symbol.info().kind != SymbolKind::Generic;
  });
  for (const OccurrenceAt &name : names) {
    if (specific && name.symbol.info().kind == SymbolKind::Generic)
      continue;
    for (SymbolRef procedure : runBy(query.workspace, name.symbol))
      if (std::optional<HierarchyItem> item = itemOf(procedure))
        result.push_back(*item);
  }
  return result;
}

std::vector<HierarchyCall> incomingCalls(const Workspace &workspace, const std::string &path,
                                         const std::string &key) {
  std::vector<HierarchyCall> calls;
  SymbolRef procedure = symbolOf(workspace, path, key);
  if (!procedure)
    return calls;
  std::vector<std::string> keys = keysOf(workspace, procedure);
  for (SymbolRef binding : bindingsTo(workspace, procedure))
    keys.push_back(binding.key());
  for (const std::string &one : keys)
    for (const SourceFile *file : workspace.filesWith(one, procedure.file))
      for (int number : file->occurrencesOf(one)) {
        const Occurrence &occurrence = file->analysis->occurrences[static_cast<size_t>(number)];
        std::optional<Location> place = locationOf(*file, occurrence.place);
        if (!isCall(occurrence.role) || !place || place->path != file->path)
          continue;
        int unit = unitAround(*file->analysis, occurrence.place);
        if (std::optional<HierarchyItem> item = unit < 0 ? std::nullopt : itemOfScope(*file, unit))
          addCall(calls, *item, place->range);
      }
  sort(calls);
  return calls;
}

std::vector<HierarchyCall> outgoingCalls(const Workspace &workspace, const std::string &path,
                                         const std::string &key) {
  std::vector<HierarchyCall> calls;
  const SourceFile *file = workspace.find(path);
  if (!file || !file->analysis)
    return calls;
  const Analysis &analysis = *file->analysis;
  int unit = -1;
  if (key == unnamedMain) {
    for (size_t i = 0; i < analysis.scopes.size(); ++i)
      if (analysis.scopes[i].kind == ScopeKind::MainProgram)
        unit = static_cast<int>(i);
  } else {
    for (int row : file->symbolsOf(key))
      unit = std::max(unit, bodyOf({file, row}));
  }
  if (unit < 0)
    return calls;
  const Place &body = analysis.scopes[static_cast<size_t>(unit)].place;
  auto begin = std::lower_bound(analysis.occurrences.begin(), analysis.occurrences.end(), body,
                                [](const Occurrence &o, const Place &place) {
                                  return std::tie(o.place.file, o.place.line, o.place.column) <
                                         std::tie(place.file, place.line, place.column);
                                });
  for (auto o = begin; o != analysis.occurrences.end() && holds(body, o->place); ++o) {
    std::optional<TextRange> now = file->now(o->place);
    if (!isCall(o->role) || o->symbol < 0 || !now || unitAround(analysis, o->place) != unit)
      continue;
    const SymbolInfo &called = analysis.symbols[static_cast<size_t>(o->symbol)];
    bool specificToo = (o != begin && (o - 1)->place == o->place) ||
                       (o + 1 != analysis.occurrences.end() && (o + 1)->place == o->place);
    if (called.kind == SymbolKind::Generic && specificToo)
      continue;
    for (SymbolRef procedure : runBy(workspace, {file, o->symbol}))
      if (std::optional<HierarchyItem> item = itemOf(procedure))
        addCall(calls, *item, *now);
  }
  sort(calls);
  return calls;
}

} // namespace cufc
