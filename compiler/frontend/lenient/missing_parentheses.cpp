// See missing_parentheses.h. flang refuses such a name, and says where it stands.
#include "frontend/lenient/missing_parentheses.h"
#include "base/flang_phrases.h"
#include "base/language_diag.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/symbol.h"
#include "frontend/edits.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

std::set<size_t> refusedPlaces(const FlangProgram &program) {
  std::set<size_t> places;
  for (const parser::Message &message : program.context->messages().messages())
    if (isPhrase(message.ToString(), Phrase::NoArgumentList))
      if (auto place = message.GetProvenanceRange(program.cooked))
        places.insert(place->start().offset());
  return places;
}

bool needsNoArguments(const semantics::Symbol *symbol) {
  const auto *details =
      symbol ? symbol->GetUltimate().detailsIf<semantics::SubprogramDetails>() : nullptr;
  if (!details || !details->isFunction())
    return false;
  const auto &dummies = details->dummyArgs();
  return std::all_of(dummies.begin(), dummies.end(), [](const semantics::Symbol *dummy) {
    return dummy && dummy->attrs().test(semantics::Attr::OPTIONAL);
  });
}

class Names : public StatementVisitor {
public:
  Names(const FlangProgram &program, std::set<size_t> places, EditList &edits,
        Diagnostics &diagnostics)
      : program(program), places(std::move(places)), edits(edits), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) override {
    auto place = program.cooked.GetProvenanceRange(name.source);
    if (!place || !places.count(place->start().offset()) || !needsNoArguments(name.symbol))
      return false;
    if (edits.behind(name.source, "()")) {
      const char *written = program.sources.GetSource(*place);
      std::string text = written ? std::string(written, place->size()) : name.source.ToString();
      diagnostics.report(LanguageDiag::MissingParentheses, rangeOf(program, name.source), text,
                         text);
    }
    return false;
  }

private:
  const FlangProgram &program;
  std::set<size_t> places;
  EditList &edits;
  Diagnostics &diagnostics;
};

} // namespace

void parenthesiseFunctions(const FlangProgram &program, EditList &edits, Diagnostics &diagnostics) {
  std::set<size_t> places = refusedPlaces(program);
  if (places.empty())
    return;
  Names names(program, std::move(places), edits, diagnostics);
  walkTree(*program.parsing->parseTree(), names);
}

} // namespace cufc
