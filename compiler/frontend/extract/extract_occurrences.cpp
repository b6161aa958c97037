// The occurrences of names in flang's parse tree as rows of the Analysis.
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/extract/extract_parts.h"
#include "frontend/extract/name_roles.h"
#include <algorithm>
#include <cctype>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

class Occurrences : public NameSink {
public:
  explicit Occurrences(Extraction &extraction)
      : program(extraction.program), places(extraction.places), symbols(extraction.symbols),
        analysis(extraction.analysis) {}

  void name(const parser::Name &name, Role role, NamePurpose) override { add(name, role); }
  void keyword(parser::CharBlock name, const Symbol *symbol) override {
    record(name, symbol, Role::Reference);
  }
  void typeName(const parser::Name &name, Role role) override {
    if (const Symbol *type = typeOf(name.symbol); type && places.isOurs(name.source))
      record(name.source, type, role);
    else
      add(name, role);
  }
  void genericSpec(parser::CharBlock text) override {
    record(text, findOperator(text, text.ToString()), Role::Reference);
  }
  // What the operator means there: the procedure, and the generic name that led to it.
  void operation(const parser::Expr &expr, parser::CharBlock text) override {
    text = trimmed(text);
    const auto *value = semantics::GetExpr(*program.context, expr);
    const auto *call = value ? evaluate::UnwrapProcedureRef(*value) : nullptr;
    const Symbol *procedure = call ? call->proc().GetSymbol() : nullptr;
    if (!procedure || text.empty() || !places.isOurs(text))
      return;
    std::string name = text.ToString();
    const Symbol *generic = nullptr;
    if (const auto *component = call->proc().GetComponent())
      generic = componentOperator(component->base(), operatorName(name));
    if (!generic)
      generic = findOperator(text, operatorName(name));
    record(text, generic, Role::Call);
    record(text, procedure, Role::Call);
  }
  void enterUnit(const parser::Name &name) override {
    units.push_back(name.symbol ? name.symbol : symbols.find(name.source));
  }
  void leaveUnit(const std::optional<parser::Name> &name) override {
    if (units.empty())
      return;
    if (name && units.back() && units.back()->name() == name->source)
      record(name->source, units.back(), Role::Reference);
    units.pop_back();
  }

private:
  void record(parser::CharBlock name, const Symbol *symbol, Role role) {
    record(name, symbols.indexOf(symbol), role);
  }
  void record(parser::CharBlock name, int row, Role role) {
    if (row < 0)
      return;
    Place place = places.ofName(name);
    if (place.file < 0)
      return;
    if (Place &declared = analysis.symbols[row].declared; place == declared) {
      if (role == Role::Call || role == Role::Launch) // nothing declares it
        declared = {};
      else
        role = Role::Declaration;
    }
    analysis.occurrences.push_back({place, row, role});
  }

  void add(const parser::Name &name, Role role) {
    if (!places.isOurs(name.source))
      return;
    const Symbol *symbol = name.symbol ? name.symbol : symbols.find(name.source);
    if (int row = symbols.associationAt(name.source); row >= 0 && symbols.indexOf(symbol) < 0)
      return record(name.source, row, role);
    if (!symbol)
      return;
    if (const Symbol *type = role == Role::Reference ? typeOf(symbol) : nullptr)
      if (places.ofName(name.source) != declaredPlace(symbol))
        record(name.source, type, role);
    if (symbol->GetUltimate().name() != name.source)
      addGeneric(name.source, symbol->GetUltimate(), role);
    record(name.source, symbol, role);
  }

  // The generic name, where flang has put the specific procedure in its place.
  void addGeneric(parser::CharBlock name, const Symbol &specific, Role role) {
    const semantics::Scope &owner = specific.owner();
    const Symbol *named = owner.IsDerivedType() ? owner.FindComponent(name) : symbols.find(name);
    if (named && named->GetUltimate().has<semantics::GenericDetails>() &&
        &named->GetUltimate() != &specific)
      record(name, named, role);
  }

  // The type that shares its name with a generic name.
  static const Symbol *typeOf(const Symbol *symbol) {
    const auto *generic =
        symbol ? symbol->GetUltimate().detailsIf<semantics::GenericDetails>() : nullptr;
    return generic ? generic->derivedType() : nullptr;
  }
  Place declaredPlace(const Symbol *symbol) {
    int row = symbols.indexOf(symbol);
    return row < 0 ? Place{} : analysis.symbols[row].declared;
  }

  static parser::CharBlock trimmed(parser::CharBlock text) {
    const char *begin = text.begin(), *end = text.end();
    while (begin < end && *begin == ' ')
      ++begin;
    while (begin < end && end[-1] == ' ')
      --end;
    return {begin, end};
  }
  // The generic name of an operator: flang calls ".lt." and "<" both "operator(<)".
  static std::string operatorName(const std::string &text) {
    static constexpr std::pair<std::string_view, std::string_view> dotted[] = {
        {".lt.", "<"},  {".le.", "<="}, {".eq.", "=="},
        {".ne.", "/="}, {".ge.", ">="}, {".gt.", ">"}};
    for (const auto &[word, sign] : dotted)
      if (text == word)
        return "operator(" + std::string(sign) + ")";
    static constexpr std::string_view logical[] = {".and.", ".or.", ".not.", ".eqv.", ".neqv."};
    bool isLogical = std::find(std::begin(logical), std::end(logical), text) != std::end(logical);
    return text[0] == '.' && !isLogical ? text : "operator(" + text + ")";
  }
  const Symbol *findOperator(parser::CharBlock place, std::string name) const {
    name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
    if (!places.isOurs(place))
      return nullptr;
    const semantics::Scope &scope = symbols.scopeAt(place.begin());
    parser::CharBlock text(name.data(), name.size());
    if (auto own = scope.find(text); own != scope.end())
      return &*own->second;
    return scope.FindSymbol(text);
  }
  // Of the type of an object by which an operator is bound.
  static const Symbol *componentOperator(const evaluate::DataRef &base, const std::string &name) {
    const semantics::DeclTypeSpec *type = base.GetLastSymbol().GetType();
    const semantics::DerivedTypeSpec *derived = type ? type->AsDerived() : nullptr;
    const semantics::Scope *scope = derived ? derived->typeSymbol().GetUltimate().scope() : nullptr;
    return scope ? scope->FindComponent(parser::CharBlock(name.data(), name.size())) : nullptr;
  }

  FlangProgram &program;
  const SourcePlaces &places;
  SymbolTable &symbols;
  Analysis &analysis;
  std::vector<const Symbol *> units; // around the statement
};

} // namespace

void extractOccurrences(Extraction &extraction) {
  Occurrences occurrences(extraction);
  forEachName(*extraction.program.parsing->parseTree(), occurrences);
}

} // namespace cufc
