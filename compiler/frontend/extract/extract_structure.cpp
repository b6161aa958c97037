// Program units, constructs and statements in the order of the text, outer before inner. From them
// come the definitions of symbols, selection ranges, folds and USE statements.
#include "base/source_text.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/tools.h"
#include "frontend/extract/extract_parts.h"
#include "frontend/statement_visitor.h"
#include "source/comments.h"
#include <algorithm>
#include <cctype>
#include <tuple>

namespace cufc {
namespace {

using namespace Fortran;

template <typename Construct>
parser::CharBlock firstOf(const Construct &construct) {
  return std::get<0>(construct.t).source;
}
template <typename Construct>
parser::CharBlock lastOf(const Construct &construct) {
  return std::get<std::tuple_size_v<decltype(construct.t)> - 1>(construct.t).source;
}

class Structure : public StatementVisitor {
public:
  explicit Structure(Extraction &extraction)
      : places(extraction.places), symbols(extraction.symbols), analysis(extraction.analysis) {}

  using StatementVisitor::Pre;

  bool enterStatement(const StatementHead &head) override {
    if (!head.part) {
      source = head.source;
      current = {};
    }
    addStatement(places.of(head.source));
    return true;
  }

  bool Pre(const parser::Expr &) override { return false; }
  bool Pre(const parser::Variable &) override { return false; }

  // Program units.
  bool Pre(const parser::Module &unit) override {
    return enterUnit(unit, std::get<0>(unit.t).statement.v);
  }
  bool Pre(const parser::Submodule &unit) override {
    return enterUnit(unit, std::get<parser::Name>(std::get<0>(unit.t).statement.t));
  }
  bool Pre(const parser::SubroutineSubprogram &unit) override { return enterProcedure(unit); }
  bool Pre(const parser::FunctionSubprogram &unit) override { return enterProcedure(unit); }
  bool Pre(const parser::InterfaceBody::Subroutine &unit) override { return enterProcedure(unit); }
  bool Pre(const parser::InterfaceBody::Function &unit) override { return enterProcedure(unit); }
  bool Pre(const parser::SeparateModuleSubprogram &unit) override {
    return enterUnit(unit, std::get<0>(unit.t).statement.v);
  }
  bool Pre(const parser::BlockData &unit) override {
    if (const auto &name = std::get<0>(unit.t).statement.v)
      return enterUnit(unit, *name);
    return enterConstruct(unit);
  }
  bool Pre(const parser::MainProgram &unit) override {
    if (const auto &first = std::get<0>(unit.t)) {
      Place place = places.of(first->source, lastOf(unit));
      define(first->statement.v.symbol, place);
      addConstruct(place);
    }
    return true;
  }
  bool Pre(const parser::DerivedTypeDef &type) override {
    return enterUnit(type, std::get<parser::Name>(std::get<0>(type.t).statement.t));
  }

  // Constructs.
  bool Pre(const parser::AssociateConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::BlockConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::ChangeTeamConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::CriticalConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::DoConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::ForallConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::WhereConstruct &x) override { return enterConstruct(x); }
  bool Pre(const parser::InterfaceBlock &x) override { return enterConstruct(x); }
  bool Pre(const parser::EnumDef &x) override { return enterConstruct(x); }
  bool Pre(const parser::StructureDef &x) override { return enterConstruct(x); }
  bool Pre(const parser::CaseConstruct &x) override { return enterBranches(x); }
  bool Pre(const parser::SelectTypeConstruct &x) override { return enterBranches(x); }
  bool Pre(const parser::SelectRankConstruct &x) override { return enterBranches(x); }
  bool Pre(const parser::IfConstruct &x) override {
    std::vector<parser::CharBlock> heads = {firstOf(x)};
    for (const auto &block : std::get<std::list<parser::IfConstruct::ElseIfBlock>>(x.t))
      heads.push_back(firstOf(block));
    if (const auto &block = std::get<std::optional<parser::IfConstruct::ElseBlock>>(x.t))
      heads.push_back(firstOf(*block));
    return enterBranches(heads, lastOf(x));
  }
  bool Pre(const parser::CUFKernelDoConstruct &kernel) override {
    parser::CharBlock first = std::get<0>(kernel.t).source;
    const auto &loop = std::get<std::optional<parser::DoConstruct>>(kernel.t);
    addConstruct(places.of(first, loop ? lastOf(*loop) : first));
    return true;
  }

  bool Pre(const parser::UseStmt &use) override {
    UseInfo info;
    info.module = use.moduleName.ToString();
    info.place = places.ofName(use.moduleName.source);
    if (const auto *only = std::get_if<std::list<parser::Only>>(&use.u)) {
      info.only = true;
      for (const parser::Only &one : *only)
        addLocalName(one, info.names);
    } else {
      for (const parser::Rename &rename : std::get<std::list<parser::Rename>>(use.u))
        addLocalName(rename, info.names);
    }
    if (int scope = symbols.scopeIndexAt(use.moduleName.source.begin()); scope >= 0)
      analysis.scopes[scope].uses.push_back(std::move(info));
    return true;
  }
  bool Pre(const parser::ImplicitStmt &statement) override {
    if (std::holds_alternative<std::list<parser::ImplicitStmt::ImplicitNoneNameSpec>>(statement.u))
      if (int scope = symbols.scopeIndexAt(source.begin()); scope >= 0)
        analysis.scopes[scope].implicitNone = true;
    return true;
  }
  bool Pre(const parser::Name &name) override {
    if (name.symbol && name.symbol->name().begin() == name.source.begin())
      define(name.symbol, currentPlace());
    return false;
  }

private:
  // As the USE statement spells it.
  std::string written(const parser::Name &name) const {
    std::string_view text = places.text(places.ofName(name.source));
    return lowerCase(text) == name.ToString() ? std::string(text) : name.ToString();
  }
  void addLocalName(const parser::Rename &rename, std::vector<std::string> &names) const {
    if (const auto *renamed = std::get_if<parser::Rename::Names>(&rename.u))
      names.push_back(written(std::get<0>(renamed->t)));
    else
      names.push_back(std::get<0>(std::get<parser::Rename::Operators>(rename.u).t).v.ToString());
  }
  void addLocalName(const parser::Only &only, std::vector<std::string> &names) const {
    if (const auto *name = std::get_if<parser::Name>(&only.u))
      names.push_back(name->ToString());
    else if (const auto *rename = std::get_if<parser::Rename>(&only.u))
      addLocalName(*rename, names);
    else
      names.push_back(
          std::get<common::Indirection<parser::GenericSpec>>(only.u).value().source.ToString());
  }

  // Worked out only where something is declared.
  const Place &currentPlace() {
    if (current.file < 0)
      current = places.of(source);
    return current;
  }

  // The first definition counts: a program unit's is known before its first statement. What a macro
  // declares has the place of its call.
  void define(const semantics::Symbol *symbol, const Place &place) {
    int row = symbols.indexOf(symbol);
    if (row >= 0 && analysis.symbols[row].definition.file < 0)
      analysis.symbols[row].definition = place;
  }

  void addStatement(const Place &place) {
    if (place.file == 0)
      analysis.statements.push_back(place);
  }
  void addFold(int line, int endLine) {
    if (endLine > line)
      analysis.folds.push_back({line, endLine, false});
  }
  bool addConstruct(const Place &place) {
    addStatement(place);
    if (place.file == 0)
      addFold(place.line, place.endLine);
    return true;
  }
  template <typename Construct>
  bool enterConstruct(const Construct &construct) {
    return addConstruct(places.of(firstOf(construct), lastOf(construct)));
  }

  template <typename Unit>
  bool enterUnit(const Unit &unit, const parser::Name &name) {
    Place place = places.of(firstOf(unit), lastOf(unit));
    const semantics::Symbol *symbol = name.symbol ? name.symbol : symbols.find(name.source);
    define(symbol, place);
    if (int scope = symbols.scopeOf(symbol); scope >= 0)
      analysis.scopes[scope].place = place;
    return addConstruct(place);
  }
  template <typename Unit>
  bool enterProcedure(const Unit &unit) {
    return enterUnit(unit, std::get<parser::Name>(std::get<0>(unit.t).statement.t));
  }

  // The branches of a construct fold on their own.
  template <typename Select>
  bool enterBranches(const Select &select) {
    std::vector<parser::CharBlock> heads = {firstOf(select)};
    for (const auto &branch : std::get<1>(select.t))
      heads.push_back(firstOf(branch));
    return enterBranches(heads, lastOf(select));
  }
  bool enterBranches(const std::vector<parser::CharBlock> &heads, parser::CharBlock last) {
    Place whole = places.of(heads.front(), last);
    addConstruct(whole);
    if (whole.file != 0 || heads.size() == 1)
      return true;
    for (size_t i = 0; i < heads.size(); ++i) {
      int next = i + 1 < heads.size() ? places.of(heads[i + 1]).line : whole.endLine;
      addFold(places.of(heads[i]).line, next - 1);
    }
    return true;
  }

  const SourcePlaces &places;
  SymbolTable &symbols;
  Analysis &analysis;
  Place current; // of the statement, if known
};

// IMPLICIT NONE holds in contained scopes, too; interface bodies have rules of their own.
void spreadImplicitNone(Analysis &analysis) {
  for (ScopeInfo &scope : analysis.scopes) // parents come first
    if (scope.parent >= 0 && scope.kind != ScopeKind::Interface)
      scope.implicitNone |= analysis.scopes[scope.parent].implicitNone;
}

void addDocumentation(Extraction &extraction) {
  Comments comments(extraction.program.source, extraction.program.options.isFixedForm);
  for (SymbolInfo &symbol : extraction.analysis.symbols) {
    const Place &place = symbol.definition;
    if (place.file != 0 || symbol.kind == SymbolKind::Label)
      continue;
    bool unit = symbol.ownScope >= 0;
    std::string behind = unit ? "" : comments.behind(place.endLine, place.endColumn);
    symbol.documentation = behind.empty() ? comments.above(place.line) : std::move(behind);
  }
  for (auto [first, last] : comments.blocks())
    extraction.analysis.folds.push_back({first, last, true});
}

} // namespace

void extractStructure(Extraction &extraction) {
  Structure structure(extraction);
  walkTree(*extraction.program.parsing->parseTree(), structure);
  spreadImplicitNone(extraction.analysis);
  addDocumentation(extraction);
  std::vector<FoldingRange> &folds = extraction.analysis.folds;
  auto key = [](const FoldingRange &fold) { return std::tie(fold.line, fold.endLine); };
  std::sort(folds.begin(), folds.end(),
            [&](const auto &a, const auto &b) { return key(a) < key(b); });
  folds.erase(std::unique(folds.begin(), folds.end(),
                          [&](const auto &a, const auto &b) { return key(a) == key(b); }),
              folds.end());
}

} // namespace cufc
