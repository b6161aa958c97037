// The occurrences of names in flang's parse tree as rows of the Analysis.
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "frontend/extract_parts.h"
#include "frontend/name_roles.h"

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

class Occurrences : public NameSink {
public:
  explicit Occurrences(Extraction &extraction)
      : places(extraction.places), symbols(extraction.symbols), analysis(extraction.analysis) {}

  void name(const parser::Name &name, Role role, NamePurpose) override { add(name, role); }
  void keyword(parser::CharBlock name, const Symbol *symbol) override {
    record(name, symbol, Role::Reference);
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
