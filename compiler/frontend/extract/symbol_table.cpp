// See symbol_table.h. Several symbols of flang can stand for one thing of the user: host and use
// association, a function and its result of the same name, components of instances of a type, and
// the selector of SELECT TYPE in each of its blocks. They share a row.
#include "frontend/extract/symbol_table.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/tools.h"
#include "frontend/extract/symbol_text.h"
#include "frontend/own_scopes.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Scope;
using semantics::Symbol;
using ScopeKindOf = semantics::Scope::Kind;

// Whether flang made the symbol for itself: component tables, names such as ".dt.point". Operators
// have dots too.
bool isInternal(const Symbol &symbol) {
  if (symbol.has<semantics::GenericDetails>())
    return symbol.test(Symbol::Flag::CompilerCreated);
  return symbol.test(Symbol::Flag::CompilerCreated) || symbol.name().empty() ||
         *symbol.name().begin() == '.' || symbol.name().ToString().find('.') != std::string::npos;
}

// The selector itself, where SELECT TYPE and SELECT RANK have no other name for it.
const Symbol *sameSelector(const Symbol &symbol) {
  const auto *details = symbol.detailsIf<semantics::AssocEntityDetails>();
  if (!details || !details->expr())
    return nullptr;
  const Symbol *selector = evaluate::UnwrapWholeSymbolDataRef(*details->expr());
  return selector && selector != &symbol && selector->name() == symbol.name() ? selector : nullptr;
}

bool isPublicName(const std::string &name) { return name.compare(0, 2, "__") != 0; }

const Symbol &canonical(const Symbol &original) {
  const Symbol *symbol = &original.GetUltimate();
  if (const auto *ambiguous = symbol->detailsIf<semantics::UseErrorDetails>();
      ambiguous && !ambiguous->occurrences().empty())
    symbol = &ambiguous->occurrences().front().second->GetUltimate();
  for (int i = 0; i < 8; ++i) { // SELECT TYPE in SELECT TYPE
    const Symbol *selector = sameSelector(*symbol);
    if (!selector)
      break;
    symbol = &selector->GetUltimate();
  }
  const Scope &owner = symbol->owner();
  if (owner.IsParameterizedDerivedTypeInstantiation() && owner.derivedTypeSpec()) {
    const Scope *type = owner.derivedTypeSpec()->typeSymbol().GetUltimate().scope();
    auto component = type ? type->find(symbol->name()) : Scope::const_iterator();
    if (type && component != type->end())
      return *component->second;
  }
  const Symbol *function = owner.symbol();
  if (symbol->IsFuncResult() && function && function->name() == symbol->name())
    return *function;
  return *symbol;
}

SymbolKind procedureKind(const Symbol &symbol) {
  const auto *details = symbol.detailsIf<semantics::SubprogramDetails>();
  bool function = symbol.test(Symbol::Flag::Function) || (details && details->isFunction()) ||
                  (!symbol.test(Symbol::Flag::Subroutine) && symbol.GetType());
  return function ? SymbolKind::Function : SymbolKind::Subroutine;
}

SymbolKind kindOfObject(const Symbol &symbol) {
  if (symbol.owner().IsDerivedType())
    return SymbolKind::Component;
  return symbol.attrs().test(semantics::Attr::PARAMETER) ? SymbolKind::Constant
                                                         : SymbolKind::Variable;
}

std::optional<SymbolKind> kindOf(const Symbol &symbol) {
  using Kind = std::optional<SymbolKind>;
  using namespace semantics;
  if (symbol.scope() && symbol.scope()->kind() == ScopeKindOf::BlockData)
    return SymbolKind::BlockData;
  return common::visit(
      common::visitors{
          [](const MainProgramDetails &) -> Kind { return SymbolKind::Program; },
          [](const ModuleDetails &details) -> Kind {
            return details.isSubmodule() ? SymbolKind::Submodule : SymbolKind::Module;
          },
          [&](const SubprogramDetails &) -> Kind { return procedureKind(symbol); },
          [&](const SubprogramNameDetails &) -> Kind { return procedureKind(symbol); },
          [](const GenericDetails &) -> Kind { return SymbolKind::Generic; },
          [&](const EntityDetails &) -> Kind { return kindOfObject(symbol); },
          [&](const ObjectEntityDetails &) -> Kind { return kindOfObject(symbol); },
          [&](const AssocEntityDetails &) -> Kind { return kindOfObject(symbol); },
          [](const TypeParamDetails &) -> Kind { return SymbolKind::Component; },
          [&](const ProcEntityDetails &) -> Kind {
            return IsPointer(symbol) ? kindOfObject(symbol) : procedureKind(symbol);
          },
          [](const DerivedTypeDetails &) -> Kind { return SymbolKind::DerivedType; },
          [](const ProcBindingDetails &) -> Kind { return SymbolKind::Binding; },
          [](const NamelistDetails &) -> Kind { return SymbolKind::Namelist; },
          [](const CommonBlockDetails &) -> Kind { return SymbolKind::CommonBlock; },
          [](const MiscDetails &details) -> Kind {
            return details.kind() == MiscDetails::Kind::ConstructName ? Kind(SymbolKind::Construct)
                                                                      : std::nullopt;
          },
          [](const auto &) -> Kind { return std::nullopt; },
      },
      symbol.details());
}

ScopeKind scopeKind(const Scope &scope) {
  switch (scope.kind()) {
  case ScopeKindOf::Module:
    return scope.IsSubmodule() ? ScopeKind::Submodule : ScopeKind::Module;
  case ScopeKindOf::MainProgram:
    return ScopeKind::MainProgram;
  case ScopeKindOf::Subprogram: {
    const auto *details =
        scope.symbol() ? scope.symbol()->detailsIf<semantics::SubprogramDetails>() : nullptr;
    return details && details->isInterface() ? ScopeKind::Interface : ScopeKind::Subprogram;
  }
  case ScopeKindOf::BlockData:
    return ScopeKind::Subprogram;
  case ScopeKindOf::DerivedType:
    return ScopeKind::DerivedType;
  case ScopeKindOf::BlockConstruct:
    return ScopeKind::Block;
  case ScopeKindOf::Global:
    return ScopeKind::Global;
  default:
    return ScopeKind::Construct;
  }
}

} // namespace

SymbolTable::SymbolTable(FlangProgram &program, const SourcePlaces &places, Analysis &analysis)
    : program(program), places(places), analysis(analysis) {
  for (const parser::ProgramUnit &unit : program.parsing->parseTree()->v)
    if (const auto *module = std::get_if<common::Indirection<parser::Module>>(&unit.u)) {
      const parser::Name &name =
          std::get<parser::Statement<parser::ModuleStmt>>(module->value().t).statement.v;
      moduleNames.emplace(name.symbol, name.source);
    }
}

parser::CharBlock SymbolTable::nameOf(const Symbol &symbol) const {
  auto module = moduleNames.find(&symbol);
  return module == moduleNames.end() ? symbol.name() : module->second;
}

void SymbolTable::addScopes() { addScope(program.context->globalScope(), -1); }

void SymbolTable::addScope(const Scope &scope, int parent) {
  if (scope.IsModuleFile() || scope.IsIntrinsicModules() ||
      scope.IsParameterizedDerivedTypeInstantiation() ||
      (scope.symbol() && isInternal(*scope.symbol()) && !scope.symbol()->name().empty()))
    return;
  int index = static_cast<int>(analysis.scopes.size());
  scopeRows[&scope] = index;
  ScopeInfo info;
  info.kind = scopeKind(scope);
  info.parent = parent;
  info.place = places.of(scope.sourceRange());
  info.device =
      semantics::IsCUDADeviceContext(&scope) || (parent >= 0 && analysis.scopes[parent].device);
  analysis.scopes.push_back(std::move(info));
  addSymbols(scope, index);
  if (parent < 0)
    for (const Scope *unit : ownScopes(scope))
      addScope(*unit, index);
  else
    for (const Scope &child : scope.children())
      addScope(child, index);
  if (scope.symbol()) {
    int symbol = indexOf(scope.symbol());
    analysis.scopes[index].symbol = symbol;
    if (symbol >= 0)
      analysis.symbols[symbol].ownScope = index;
  }
}

void SymbolTable::addSymbols(const Scope &scope, int index) {
  std::vector<const Symbol *> symbols;
  auto collect = [&](const Symbol &symbol) {
    if (&symbol.owner() == &scope && &canonical(symbol) == &symbol && isDeclaredHere(symbol))
      symbols.push_back(&symbol);
  };
  for (const auto &[name, symbol] : scope) {
    collect(*symbol);
    if (const auto *generic = symbol->detailsIf<semantics::GenericDetails>())
      for (const Symbol *hidden : {generic->specific(), generic->derivedType()})
        if (hidden)
          collect(*hidden);
  }
  for (const auto &[name, symbol] : scope.commonBlocks())
    collect(*symbol);
  std::sort(symbols.begin(), symbols.end(), [&](const Symbol *a, const Symbol *b) {
    return std::less<>()(nameOf(*a).begin(), nameOf(*b).begin());
  });
  for (const Symbol *symbol : symbols)
    if (int row = indexOf(symbol); row >= 0) {
      int &declaredIn = analysis.symbols[row].scope;
      if (declaredIn < 0) // a dummy that was met before its procedure's scope
        declaredIn = index;
      if (declaredIn == index)
        analysis.scopes[index].symbols.push_back(row);
    }
}

bool SymbolTable::isDeclaredHere(const Symbol &symbol) const {
  return !symbol.test(Symbol::Flag::ModFile) &&
         (places.isOurs(nameOf(symbol)) || symbol.has<semantics::MainProgramDetails>() ||
          symbol.has<semantics::CommonBlockDetails>());
}

int SymbolTable::indexOf(const Symbol *original) {
  if (!original)
    return -1;
  if (auto known = rows.find(original); known != rows.end())
    return known->second;
  const Symbol &symbol = canonical(*original);
  int row = -1;
  if (auto known = rows.find(&symbol); known != rows.end())
    row = known->second;
  else
    row = add(symbol);
  rows[original] = row;
  if (row >= 0 && !isPublicName(analysis.symbols[row].module))
    nameForeign(*original, analysis.symbols[row]);
  return row;
}

// What flang's own modules, such as __fortran_builtins, call __builtin_c_ptr has its name in the
// module that users name.
void SymbolTable::nameForeign(const Symbol &original, SymbolInfo &info) {
  const Symbol *symbol = &original;
  while (const auto *use = symbol->detailsIf<semantics::UseDetails>()) {
    symbol = &use->symbol();
    const Symbol *module = symbol->owner().IsModule() ? symbol->owner().symbol() : nullptr;
    if (!module || !isPublicName(symbol->name().ToString()) ||
        !isPublicName(module->name().ToString()))
      continue;
    info.name = symbol->name().ToString();
    info.module = module->name().ToString();
  }
}

int SymbolTable::associationAt(parser::CharBlock name) const {
  auto found = associations.find(name.begin());
  return found == associations.end() ? -1 : found->second;
}

int SymbolTable::add(const Symbol &symbol) {
  auto kind = kindOf(symbol);
  if (!kind || isInternal(symbol))
    return -1;
  bool intrinsic = symbol.attrs().test(semantics::Attr::INTRINSIC);
  int next = static_cast<int>(analysis.symbols.size());
  int *shared = intrinsic ? &intrinsics.try_emplace(symbol.name().ToString(), next).first->second
                : symbol.has<semantics::AssocEntityDetails>()
                    ? &associations.try_emplace(symbol.name().begin(), next).first->second
                    : nullptr;
  int row = shared ? *shared : next;
  rows[&symbol] = row;
  if (row != next)
    return row;
  analysis.symbols.emplace_back();
  SymbolInfo info;
  info.kind = *kind;
  info.intrinsic = intrinsic;
  describe(symbol, info);
  info.dummyOf = analysis.symbols[row].dummyOf;
  analysis.symbols[row] = std::move(info);
  return row;
}

void SymbolTable::describe(const Symbol &symbol, SymbolInfo &info) {
  info.name = symbol.name().ToString();
  info.type = typeText(symbol);
  info.shape = shapeText(symbol);
  info.attributes = attributeTexts(symbol);
  info.dataAttributes = dataAttributesOf(symbol);
  info.implicit = symbol.test(Symbol::Flag::Implicit);
  if (!info.intrinsic && isDeclaredHere(symbol)) {
    info.declared = places.ofName(nameOf(symbol));
    if (std::string_view written = places.text(info.declared); !written.empty())
      info.name = written;
    auto scope = scopeRows.find(&symbol.owner());
    info.scope = scope == scopeRows.end() ? -1 : scope->second;
    info.value = valueText(symbol);
  } else if (const Scope *module = semantics::FindModuleContaining(symbol.owner());
             module && module->symbol() && module->IsModuleFile()) {
    info.module = module->symbol()->name().ToString();
    info.name = publicName(info.name);
    info.value = valueText(symbol);
    if (const Scope &owner = symbol.owner(); &owner != module && owner.symbol())
      info.owner = indexOf(owner.symbol());
  }
  info.exported = symbol.owner().IsModule() && !symbol.attrs().test(semantics::Attr::PRIVATE);
  const semantics::DeclTypeSpec *type = symbol.GetType();
  if (const auto *derived = type ? type->AsDerived() : nullptr)
    info.typeSymbol = indexOf(&derived->typeSymbol());
  describeProcedure(symbol, info);
}

bool SymbolTable::hasOwnResult(const Symbol &function) const {
  const auto *details = function.detailsIf<semantics::SubprogramDetails>();
  return details && details->isFunction() && &canonical(details->result()) != &function;
}

void SymbolTable::describeProcedure(const Symbol &symbol, SymbolInfo &info) {
  info.procedureAttributes = procedureAttributesOf(symbol);
  if (const auto *details = symbol.detailsIf<semantics::SubprogramDetails>()) {
    int procedure = rows[&symbol];
    for (const Symbol *dummy : details->dummyArgs()) {
      int row = dummy ? indexOf(dummy) : -1;
      info.dummies.push_back(row);
      if (row >= 0)
        analysis.symbols[row].dummyOf = procedure;
    }
    info.result = hasOwnResult(symbol) ? indexOf(&details->result()) : -1;
    if (details->moduleInterface() && details->moduleInterface() != &symbol)
      info.moduleInterface = indexOf(details->moduleInterface());
  } else if (const auto *binding = symbol.detailsIf<semantics::ProcBindingDetails>()) {
    info.specifics = {indexOf(&binding->symbol())};
  } else if (const auto *generic = symbol.detailsIf<semantics::GenericDetails>()) {
    if (isDeclaredHere(symbol))
      for (const Symbol &specific : generic->specificProcs())
        if (int row = indexOf(&specific); row >= 0)
          info.specifics.push_back(row);
  } else if (symbol.has<semantics::DerivedTypeDetails>()) {
    if (const auto *parent = symbol.GetParentTypeSpec())
      info.typeSymbol = indexOf(&parent->typeSymbol());
  }
}

int SymbolTable::scopeOf(const Symbol *symbol) const {
  auto found = scopeRows.find(symbol ? symbol->GetUltimate().scope() : nullptr);
  return found == scopeRows.end() ? -1 : found->second;
}

const Scope &SymbolTable::scopeAt(const char *place) const {
  auto holdsPlace = [&](const Scope &scope) {
    parser::CharBlock range = scope.sourceRange();
    return !scope.IsParameterizedDerivedTypeInstantiation() && range.begin() <= place &&
           place < range.end() && !range.empty();
  };
  const Scope *scope = &program.context->globalScope();
  for (const Scope *unit : ownScopes(*scope))
    if (holdsPlace(*unit)) {
      scope = unit;
      break;
    }
  for (bool deeper = !scope->IsGlobal(); deeper;) {
    deeper = false;
    for (const Scope &child : scope->children())
      if (holdsPlace(child)) {
        scope = &child;
        deeper = true;
        break;
      }
  }
  return *scope;
}

int SymbolTable::scopeIndexAt(const char *place) const {
  auto found = scopeRows.find(&scopeAt(place));
  return found == scopeRows.end() ? -1 : found->second;
}

const Symbol *SymbolTable::find(parser::CharBlock name) const {
  return places.isOurs(name) ? scopeAt(name.begin()).FindSymbol(name) : nullptr;
}

} // namespace cufc
