// USE for a name that is not declared here and that a module of the workspace, or cudafor, makes
// visible. It goes to the outermost unit around, behind what that uses already.
#include "base/source_text.h"
#include "ide/actions/source_view.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

// Names that only cudafor has: its routines and constants all begin so.
bool isOfCudafor(const std::string &name) {
  static const std::set<std::string> others = {"dim3"};
  return name.starts_with("cuda") || others.contains(name);
}

// Modules that export a name, but for those of this file's unit itself.
std::vector<std::string> modulesWith(const ActionContext &context, const std::string &name) {
  std::set<std::string> found;
  for (const auto &[path, file] : context.workspace.files()) {
    if (!file->analysis || !ofOneProject(file.get(), &context.file))
      continue;
    for (const ScopeInfo &scope : file->analysis->scopes) {
      if (scope.kind != ScopeKind::Module || scope.symbol < 0)
        continue;
      for (int row : scope.symbols) {
        const SymbolInfo &symbol = file->analysis->symbols[static_cast<size_t>(row)];
        if (symbol.exported && symbol.module.empty() && lowerCase(symbol.name) == name)
          found.insert(file->analysis->symbols[static_cast<size_t>(scope.symbol)].name);
      }
    }
  }
  if (isOfCudafor(name))
    found.insert("cudafor");
  return {found.begin(), found.end()};
}

// What one writes to get the name: a longer ONLY list, or a statement.
CodeAction useOf(const ActionContext &context, const UnitAround &unit, const std::string &module,
                 const std::string &name) {
  const ScopeInfo &scope = context.file.analysis->scopes[static_cast<size_t>(unit.scope)];
  for (const UseInfo &use : scope.uses) {
    std::optional<TextRange> place = context.file.now(use.place);
    if (!use.only || lowerCase(use.module) != lowerCase(module) || !place)
      continue;
    for (const CodeStatement &s :
         statementsIn(context, place->begin.line, place->begin.line + 40)) {
      if (s.word != "use" || s.sharesLine || use.names.empty())
        break;
      std::string_view line = context.document().line(s.last);
      size_t comment = line.find('!');
      size_t end = line.substr(0, comment).find_last_not_of(" \t");
      TextPosition at{s.last, static_cast<int>(end) + 2};
      std::string title = "add '";
      title.append(name).append("' to what is used of module ").append(module);
      return {
          std::move(title), "quickfix", {{context.file.path, {{{at, at}, ", " + name}}}}, true, {}};
    }
  }
  SpecificationPart part = specificationOf(context, unit);
  std::string text = "use " + module;
  if (module != "cudafor")
    text += ", only: " + name;
  return {"add '" + text + "'",
          "quickfix",
          {{context.file.path,
            {linesBelow(context.document(), part.lastUse, part.indentation + text)}}},
          true,
          {}};
}

// A module that is used as a whole has nothing more to give.
bool usesAllOf(const ActionContext &context, const UnitAround &unit, const std::string &module) {
  const ScopeInfo &scope = context.file.analysis->scopes[static_cast<size_t>(unit.scope)];
  return std::any_of(scope.uses.begin(), scope.uses.end(), [&](const UseInfo &use) {
    return !use.only && lowerCase(use.module) == lowerCase(module);
  });
}

void addFor(const ActionContext &context, const TextRange &place, const std::vector<size_t> &mends,
            CodeActions &actions) {
  std::string written(
      context.document().slice(wordAt(context.document(), place.begin).begin == place.begin
                                   ? wordAt(context.document(), place.begin)
                                   : place));
  UnitAround unit = unitAround(context, place.begin, true);
  std::vector<std::string> modules = modulesWith(context, lowerCase(written));
  if (!unit)
    return;
  const Analysis &analysis = *context.file.analysis;
  int owner = analysis.scopes[static_cast<size_t>(unit.scope)].symbol;
  for (const std::string &module : modules) {
    bool own = owner >= 0 &&
               lowerCase(analysis.symbols[static_cast<size_t>(owner)].name) == lowerCase(module);
    if (own || usesAllOf(context, unit, module))
      continue;
    CodeAction action = useOf(context, unit, module, written);
    action.preferred = modules.size() == 1;
    action.mends = mends;
    if (std::none_of(actions.begin(), actions.end(),
                     [&](const CodeAction &a) { return a.title == action.title; }))
      actions.push_back(std::move(action));
  }
}

bool isNotDeclared(const std::string &code) {
  // Undeclared names, launches and calls without an interface.
  return code == "CUF1101" || code == "CUF0225" || code == "CUF1327" || code == "CUF1216";
}

} // namespace

void addMissingUse(const ActionContext &context, CodeActions &actions) {
  for (size_t i = 0; i < context.diagnostics.size(); ++i) {
    std::optional<TextRange> range = rangeNow(context, context.diagnostics[i].range);
    if (range && isNotDeclared(context.diagnostics[i].code) && overlap(*range, context.range))
      addFor(context, *range, {i}, actions);
  }
  // A call of what nothing declares is no error without IMPLICIT NONE (EXTERNAL).
  for (const OccurrenceAt &at : occurrencesAt(context.query())) {
    const SymbolInfo &symbol = at.symbol.info();
    bool called = symbol.kind == SymbolKind::Subroutine || symbol.kind == SymbolKind::Function;
    bool external = symbol.declared.file < 0 && symbol.ownScope < 0;
    if (called && external && symbol.dummyOf < 0 && !symbol.intrinsic && symbol.module.empty())
      addFor(context, at.range, {}, actions);
  }
}

} // namespace cufc
