// See dropped_statuses.h. flang refuses such a call, and says where the name stands.
//
//   call cudaProfilerStop()     becomes     call cufrt_drop(cudaProfilerStop())
#include "frontend/lenient/dropped_statuses.h"
#include "base/flang_phrases.h"
#include "base/language_diag.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "flang/Semantics/type.h"
#include "frontend/flang_versions.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

std::set<size_t> refusedPlaces(const FlangProgram &program) {
  std::set<size_t> places;
  for (const parser::Message &message : program.context->messages().messages())
    if (isPhrase(message.ToString(), Phrase::CallOfFunction))
      if (auto place = message.GetProvenanceRange(program.cooked))
        places.insert(place->start().offset());
  return places;
}

bool givesInteger(const Symbol &procedure) {
  const Symbol &symbol = procedure.GetUltimate();
  if (const auto *generic = symbol.detailsIf<semantics::GenericDetails>()) {
    const auto &specifics = generic->specificProcs();
    return !specifics.empty() &&
           std::all_of(specifics.begin(), specifics.end(),
                       [](const Symbol &specific) { return givesInteger(specific); });
  }
  const auto *details = symbol.detailsIf<semantics::SubprogramDetails>();
  const semantics::DeclTypeSpec *type =
      details && details->isFunction() ? details->result().GetType() : nullptr;
  return type && type->IsNumeric(common::TypeCategory::Integer) && details->result().Rank() == 0;
}

class Calls : public ShallowVisitor {
public:
  Calls(const FlangProgram &program, std::set<size_t> places, EditList &edits,
        Diagnostics &diagnostics)
      : program(program), places(std::move(places)), edits(edits), diagnostics(diagnostics) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::CallStmt &call) override {
    const auto *name =
        std::get_if<parser::Name>(&std::get<parser::ProcedureDesignator>(callIn(call).t).u);
    auto place = name ? program.cooked.GetProvenanceRange(name->source) : std::nullopt;
    if (!place || !places.count(place->start().offset()) || !name->symbol ||
        !isOfOurs(*name->symbol) || !givesInteger(*name->symbol) || isInDeviceCode(*name))
      return true;
    const char *begin = name->source.begin(), *end = call.source.end();
    parser::CharBlock whole(begin, static_cast<size_t>(end - begin));
    const bool bare = whole.ToString().find('(') == std::string::npos;
    if (edits.around(whole, "cufrt_drop(", bare ? "())" : ")")) {
      const char *written = program.sources.GetSource(*place);
      std::string text = written ? std::string(written, place->size()) : name->source.ToString();
      warn(rangeOf(program, name->source), text);
    }
    return true;
  }

private:
  // With the statement that keeps the status as its fix.
  void warn(const SourceRange &place, const std::string &name) {
    Diagnostics own;
    Diagnostic &warning = own.report(LanguageDiag::StatusDropped, place, name);
    if (!mistakes)
      mistakes.emplace(mistakesIn(program));
    diagnostics.add(mistakes->ofName(warning).value_or(warning));
  }

  bool isOfOurs(const Symbol &symbol) const {
    const semantics::Scope &owner = symbol.GetUltimate().owner();
    return owner.IsModule() && owner.parent() == program.context->intrinsicModulesScope();
  }

  bool isInDeviceCode(const parser::Name &name) const {
    const semantics::Scope *scope = &program.context->FindScope(name.source);
    while (!scope->IsGlobal() && scope->kind() != semantics::Scope::Kind::Subprogram)
      scope = &scope->parent();
    const auto *details =
        scope->symbol() ? scope->symbol()->detailsIf<semantics::SubprogramDetails>() : nullptr;
    auto attributes = details ? details->cudaSubprogramAttrs() : std::nullopt;
    return attributes && *attributes != common::CUDASubprogramAttrs::Host;
  }

  const FlangProgram &program;
  std::set<size_t> places;
  EditList &edits;
  Diagnostics &diagnostics;
  std::optional<Mistakes> mistakes;
};

} // namespace

void dropStatuses(const FlangProgram &program, EditList &edits, Diagnostics &diagnostics) {
  std::set<size_t> places = refusedPlaces(program);
  if (places.empty())
    return;
  Calls calls(program, std::move(places), edits, diagnostics);
  walkTree(*program.parsing->parseTree(), calls);
}

} // namespace cufc
