// Labels of statements, for which flang has no symbols and no places. The digits of a definition
// open the statement; those of a reference are looked for in its statement.
#include "flang/Semantics/scope.h"
#include "frontend/extract/extract_parts.h"
#include "frontend/statement_visitor.h"
#include <cctype>
#include <map>
#include <string_view>

namespace cufc {
namespace {

using namespace Fortran;

// The number as a token of its own, not before `from`; its end tells which digits belong to it.
parser::CharBlock findNumber(parser::CharBlock statement, parser::Label label, size_t from) {
  std::string digits = std::to_string(label);
  std::string_view text(statement.begin(), statement.size());
  auto isWord = [&](size_t at) {
    return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) ||
                                text[at] == '_' || text[at] == '.' || text[at] == '\'');
  };
  for (size_t at = text.find(digits, from); at != std::string_view::npos;
       at = text.find(digits, at + 1)) {
    size_t begin = at;
    while (begin > 0 && text[begin - 1] == '0')
      --begin;
    if (!isWord(at + digits.size()) && (begin == 0 || !isWord(begin - 1)))
      return {statement.begin() + begin, digits.size() + at - begin};
  }
  return {};
}

class Labels : public StatementVisitor {
public:
  explicit Labels(Extraction &extraction)
      : places(extraction.places), symbols(extraction.symbols), analysis(extraction.analysis) {}

  using StatementVisitor::Pre;
  bool enterStatement(const StatementHead &head) override {
    source = head.source;
    if (head.label)
      define(*head.label);
    return true;
  }
  bool Pre(const parser::Expr &) override { return false; }
  bool Pre(const parser::GotoStmt &statement) override { return refer(statement.v); }
  bool Pre(const parser::ErrLabel &label) override { return refer(label.v); }
  bool Pre(const parser::EndLabel &label) override { return refer(label.v); }
  bool Pre(const parser::EorLabel &label) override { return refer(label.v); }
  bool Pre(const parser::AltReturnSpec &label) override { return refer(label.v); }
  bool Pre(const parser::LabelDoStmt &statement) override {
    return refer(std::get<parser::Label>(statement.t)) || true;
  }
  bool Pre(const parser::NonLabelDoStmt &statement) override {
    if (const auto &label = std::get<std::optional<parser::Label>>(statement.t))
      refer(*label);
    else if (std::optional<parser::Label> label = labelOfDo())
      refer(*label);
    return true;
  }
  bool Pre(const parser::AssignStmt &statement) override {
    return refer(std::get<parser::Label>(statement.t));
  }
  bool Pre(const parser::ComputedGotoStmt &statement) override {
    for (parser::Label label : std::get<std::list<parser::Label>>(statement.t))
      refer(label);
    return false;
  }
  bool Pre(const parser::AssignedGotoStmt &statement) override {
    for (parser::Label label : std::get<std::list<parser::Label>>(statement.t))
      refer(label);
    return false;
  }
  bool Pre(const parser::ArithmeticIfStmt &statement) override {
    refer(std::get<1>(statement.t));
    refer(std::get<2>(statement.t));
    return refer(std::get<3>(statement.t));
  }
  bool Pre(const parser::Format &format) override {
    if (const auto *label = std::get_if<parser::Label>(&format.u))
      refer(*label);
    return true;
  }

  void resolve() {
    for (const Reference &reference : references) {
      auto row = rows.find({reference.unit, reference.label});
      Place place = row == rows.end() ? Place{} : places.ofName(reference.text);
      if (place.file >= 0)
        analysis.occurrences.push_back({place, row->second, Role::Reference});
    }
  }

private:
  struct Reference {
    int unit;
    parser::Label label;
    parser::CharBlock text;
  };

  // "do 10 i = 1, n", whose label flang takes away when it finds the end of the loop.
  std::optional<parser::Label> labelOfDo() const {
    std::string_view text(source.begin(), source.size());
    text.remove_prefix(std::min(text.find_first_not_of("0123456789 "), text.size()));
    if (size_t colon = text.find(':'); colon < text.find_first_of("=,("))
      text.remove_prefix(std::min(text.find_first_not_of(' ', colon + 1), text.size()));
    if (text.substr(0, 2) != "do")
      return std::nullopt;
    text.remove_prefix(std::min(text.find_first_not_of(' ', 2), text.size()));
    parser::Label label = 0;
    constexpr size_t mostDigits = 5;
    for (size_t i = 0; i < std::min(text.size(), mostDigits) && text[i] >= '0' && text[i] <= '9';
         ++i)
      label = label * 10 + static_cast<parser::Label>(text[i] - '0');
    return label ? std::optional(label) : std::nullopt;
  }

  // The scope that labels belong to: a program unit or procedure.
  int unit() const {
    int scope = symbols.scopeIndexAt(source.begin());
    while (scope >= 0 && (analysis.scopes[scope].kind == ScopeKind::Block ||
                          analysis.scopes[scope].kind == ScopeKind::Construct))
      scope = analysis.scopes[scope].parent;
    return scope;
  }

  void define(parser::Label label) {
    parser::CharBlock text = findNumber(source, label, 0);
    SymbolInfo info;
    info.declared = places.ofName(text);
    if (text.begin() != source.begin() || info.declared.file < 0)
      return;
    info.name = text.ToString();
    info.kind = SymbolKind::Label;
    info.scope = unit();
    info.definition = places.of(source);
    int row = static_cast<int>(analysis.symbols.size());
    rows[{info.scope, label}] = row;
    if (info.scope >= 0)
      analysis.scopes[info.scope].symbols.push_back(row);
    analysis.occurrences.push_back({info.declared, row, Role::Declaration});
    analysis.symbols.push_back(std::move(info));
  }

  bool refer(parser::Label label) {
    parser::CharBlock text = findNumber(source, label, 1);
    if (!text.empty())
      references.push_back({unit(), label, text});
    return false;
  }

  const SourcePlaces &places;
  SymbolTable &symbols;
  Analysis &analysis;
  std::map<std::pair<int, parser::Label>, int> rows;
  std::vector<Reference> references; // which may stand before the label
};

} // namespace

void extractLabels(Extraction &extraction) {
  Labels labels(extraction);
  walkTree(*extraction.program.parsing->parseTree(), labels);
  labels.resolve();
}

} // namespace cufc
