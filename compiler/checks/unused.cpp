// Names that are declared, or made visible by USE, and not used: variables and dummies of
// procedures, modules, names after ONLY. The fix removes them; for a dummy there is none, since
// callers pass it.
//
// Left out: whatever others may need. A module hands on what it uses unless it is PRIVATE; cudafor
// and its like are named for their effect; the interface of a procedure that is passed, bound to a
// type or specific to a generic name is not its own; code that the preprocessor leaves out uses it
// in another build.
#include "base/hazard.h"
#include "checks/hazard_checks.h"
#include "checks/mentions.h"
#include "frontend/left_out_code.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using parser::CharBlock;
using semantics::Symbol;

class Unused {
public:
  Unused(CheckContext &context, Diagnostics &diagnostics)
      : context(context), diagnostics(diagnostics), mentions(context), leftOut(context.program),
        path(rangeOf(context.program,
                     CharBlock{context.program.parsing->cooked().AsCharBlock().begin(), size_t{1}})
                 .file) {}

  void check() {
    for (size_t i = 0; i < mentions.entities.size();) {
      size_t count = std::max<size_t>(mentions.entities[i].count, 1);
      statement(i, std::min(mentions.entities.size(), i + count));
      i += count;
    }
    for (const UsedModule &use : mentions.uses)
      module(use);
  }

private:
  // ---- variables and dummies

  bool isUnused(const DeclaredEntity &entity) {
    const Symbol &symbol = *entity.name->symbol;
    const auto *object = symbol.detailsIf<semantics::ObjectEntityDetails>();
    if (!object || mentions.has(symbol) || object->commonBlock() ||
        symbol.owner().kind() == semantics::Scope::Kind::DerivedType ||
        semantics::IsFunctionResult(symbol) || symbol.attrs().test(semantics::Attr::BIND_C) ||
        symbol.owner().IsModule() || symbol.owner().IsSubmodule() ||
        symbol.owner().kind() == semantics::Scope::Kind::BlockData)
      return false;
    for (const auto &set : symbol.owner().equivalenceSets())
      for (const semantics::EquivalenceObject &member : set)
        if (&member.symbol == &symbol)
          return false;
    return (!semantics::IsDummy(symbol) || ownsInterface(symbol.owner().symbol())) &&
           !leftOut.names(symbol.owner(), symbol.name().ToString());
  }

  bool ownsInterface(const Symbol *procedure) const {
    if (!procedure || mentions.isReferred(procedure->GetUltimate()))
      return false;
    const auto *details = procedure->detailsIf<semantics::SubprogramDetails>();
    return details && !details->isInterface() && !details->moduleInterface() &&
           !procedure->attrs().test(semantics::Attr::BIND_C);
  }

  // The entities from `first` to `last` stand in one statement.
  void statement(size_t first, size_t last) {
    std::vector<bool> unused(last - first);
    for (size_t i = first; i < last; ++i)
      unused[i - first] = isUnused(mentions.entities[i]);
    for (size_t i = first; i < last; ++i) {
      if (!unused[i - first])
        continue;
      const Symbol &symbol = *mentions.entities[i].name->symbol;
      std::string name = symbol.name().ToString();
      if (semantics::IsDummy(symbol)) {
        report(Hazard::UnusedDummy, mentions.entities[i].name->source, name,
               symbol.owner().symbol()->name().ToString());
        continue;
      }
      Diagnostic *found = report(Hazard::UnusedVariable, mentions.entities[i].name->source, name);
      if (found && last - first == mentions.entities[i].count)
        offerRemoval(*found, "remove '" + name + "'", mentions.entities[i].statement,
                     starts(first, last), i - first, unused);
    }
  }

  std::vector<const char *> starts(size_t first, size_t last) const {
    std::vector<const char *> result;
    for (size_t i = first; i < last; ++i)
      result.push_back(mentions.entities[i].name->source.begin());
    return result;
  }

  // ---- USE

  // What the scope got from the module under a name that is used.
  bool usesAny(const UsedModule &use) {
    const Symbol *module = use.use->moduleName.symbol;
    for (const std::string &word : leftOut.wordsIn(*use.scope))
      if (module->scope() && module->scope()->find(CharBlock(word)) != module->scope()->end())
        return true;
    for (const auto &[name, symbol] : *use.scope)
      if (mentions.has(*symbol) && comesFrom(*symbol, *module))
        return true;
    return false;
  }

  static bool comesFrom(const Symbol &symbol, const Symbol &module) {
    auto isOf = [&](const Symbol &origin) { return origin.owner().symbol() == &module; };
    if (const auto *use = symbol.detailsIf<semantics::UseDetails>())
      return isOf(use->symbol());
    if (const auto *generic = symbol.detailsIf<semantics::GenericDetails>())
      return std::any_of(generic->uses().begin(), generic->uses().end(),
                         [&](const auto &used) { return isOf(*used) || comesFrom(*used, module); });
    return symbol.has<semantics::UseErrorDetails>();
  }

  // Operators and assignments are used without being named.
  static bool hasOperators(const Symbol &module) {
    const semantics::Scope *scope = module.scope();
    return !scope || std::any_of(scope->begin(), scope->end(), [](const auto &pair) {
      const auto *generic =
          pair.second->GetUltimate().template detailsIf<semantics::GenericDetails>();
      return generic && !generic->kind().IsName();
    });
  }

  static bool handsOn(const semantics::Scope &scope) {
    if (scope.IsSubmodule())
      return false;
    const auto *module =
        scope.symbol() ? scope.symbol()->detailsIf<semantics::ModuleDetails>() : nullptr;
    return module && !module->isDefaultPrivate();
  }

  void module(const UsedModule &use) {
    const Symbol *module = use.use->moduleName.symbol;
    if (!module || !use.scope || !module->has<semantics::ModuleDetails>() || handsOn(*use.scope))
      return;
    if (const auto *only = std::get_if<std::list<parser::Only>>(&use.use->u))
      return onlyList(use, *only);
    static constexpr std::string_view byEffect[] = {
        "cudafor", "cudadevice", "cooperative_groups", "openacc", "wmma", "cublas", "cufft"};
    std::string name = module->name().ToString();
    if (std::find(std::begin(byEffect), std::end(byEffect), name) != std::end(byEffect) ||
        usesAny(use) || hasOperators(*module))
      return;
    if (Diagnostic *found = report(Hazard::UnusedModule, use.use->moduleName.source, name))
      removeStatement(*found, "remove this USE", use.statement);
  }

  void onlyList(const UsedModule &use, const std::list<parser::Only> &list) {
    std::vector<const char *> starts;
    std::vector<const parser::Name *> names;
    std::vector<bool> unused;
    for (const parser::Only &only : list) {
      const parser::Name *name = std::get_if<parser::Name>(&only.u);
      if (const auto *generic = std::get_if<common::Indirection<parser::GenericSpec>>(&only.u))
        name = std::get_if<parser::Name>(&generic->value().u);
      if (const auto *rename = std::get_if<parser::Rename>(&only.u))
        if (const auto *both = std::get_if<parser::Rename::Names>(&rename->u))
          name = &std::get<0>(both->t);
      names.push_back(name);
      starts.push_back(name ? name->source.begin() : nullptr);
      unused.push_back(name && isUnusedName(*use.scope, *name));
    }
    bool complete = std::count(starts.begin(), starts.end(), nullptr) == 0;
    for (size_t i = 0; i < names.size(); ++i)
      if (unused[i]) {
        std::string name = names[i]->source.ToString();
        Diagnostic *found = report(Hazard::UnusedOnly, names[i]->source, name,
                                   use.use->moduleName.source.ToString());
        if (found && complete)
          offerRemoval(*found, "remove '" + name + "'", use.statement, starts, i, unused);
      }
  }

  bool isUnusedName(const semantics::Scope &scope, const parser::Name &name) {
    auto found = scope.find(name.source);
    if (found == scope.end() || mentions.has(*found->second) ||
        leftOut.names(scope, name.ToString()))
      return false;
    const auto *generic = found->second->GetUltimate().detailsIf<semantics::GenericDetails>();
    return !generic || generic->kind().IsName();
  }

  // ---- reports and fixes

  template <typename... Arguments>
  Diagnostic *report(DiagnosticId<Arguments...> id, CharBlock place,
                     const typename AsIs<Arguments>::type &...arguments) {
    SourceRange range = rangeOf(context.program, place);
    if (range.file != path)
      return nullptr;
    Diagnostic &diagnostic = diagnostics.report(id, range, arguments...);
    diagnostic.tag = DiagnosticTag::Unnecessary;
    return &diagnostic;
  }

  // The end of a list's element: at the next comma outside of parentheses and literals.
  static const char *elementEnd(const char *begin, const char *end) {
    int depth = 0;
    char quote = 0;
    const char *last = begin;
    for (const char *p = begin; p < end; ++p) {
      if (quote)
        quote = *p == quote ? 0 : quote;
      else if (*p == '\'' || *p == '"')
        quote = *p;
      else if (*p == ',' && depth == 0)
        break;
      else
        depth += *p == '(' || *p == '[' ? 1 : *p == ')' || *p == ']' ? -1 : 0;
      last = *p == ' ' ? last : p + 1;
    }
    return last;
  }

  // Elements at the head of the list take the comma behind them along, others the one before, so
  // that several removals do not overlap.
  void offerRemoval(Diagnostic &diagnostic, std::string title, CharBlock statement,
                    const std::vector<const char *> &starts, size_t at,
                    const std::vector<bool> &unused) {
    if (std::count(unused.begin(), unused.end(), false) == 0)
      return removeStatement(diagnostic, std::move(title), statement);
    bool atHead = std::find(unused.begin(), unused.begin() + at, false) == unused.begin() + at;
    const char *begin = starts[at], *end = elementEnd(starts[at], statement.end());
    if (atHead)
      end = starts[at + 1];
    else
      begin = elementEnd(starts[at - 1], statement.end());
    SourceRange range = rangeOf(context.program, CharBlock{begin, end});
    diagnostic.fixes.push_back({std::move(title), {{range, ""}}});
  }

  // With its lines, if nothing else stands there.
  void removeStatement(Diagnostic &diagnostic, std::string title, CharBlock statement) {
    SourceRange range = rangeOf(context.program, statement);
    std::string_view first = line(range.line), last = line(range.endLine);
    auto blank = [](std::string_view text) {
      size_t at = text.find_first_not_of(" \t\r");
      return at == std::string_view::npos || text[at] == '!';
    };
    if (range.column < 1 ||
        !blank(first.substr(0, std::min<size_t>(range.column - 1, first.size()))) ||
        !blank(last.substr(std::min<size_t>(range.endColumn - 1, last.size()))))
      return;
    range.column = 1;
    range.endLine += 1;
    range.endColumn = 1;
    diagnostic.fixes.push_back({std::move(title), {{range, ""}}});
  }

  std::string_view line(int number) const {
    std::string_view text = context.program.source;
    for (; number > 1; --number) {
      size_t end = text.find('\n');
      if (end == std::string_view::npos)
        return {};
      text.remove_prefix(end + 1);
    }
    return text.substr(0, text.find('\n'));
  }

  CheckContext &context;
  Diagnostics &diagnostics;
  Mentions mentions;
  LeftOutCode leftOut;
  std::string path;
};

} // namespace

void checkUnused(CheckContext &context, Diagnostics &diagnostics) {
  Unused(context, diagnostics).check();
}

} // namespace cufc
