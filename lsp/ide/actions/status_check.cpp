// What a routine of cudafor says about its success, looked at: a message if it failed. A routine
// that is a function and called as a subroutine gets a variable for its result.
#include "base/source_text.h"
#include "ide/actions/source_view.h"
#include "source/api_names.h"
#include <algorithm>

namespace cufc {
namespace {

bool isStatusFunction(const OccurrenceAt &name) {
  const SymbolInfo &symbol = name.symbol.info();
  return symbol.module == "cudafor" && symbol.type.starts_with("integer") &&
         lowerCase(symbol.name).starts_with("cuda");
}

std::string checkOf(const std::string &status, const std::string &routine,
                    const std::string &indentation) {
  return indentation + "if (" + status + " /= cudaSuccess) then\n" + indentation + "  print *, '" +
         routine + ": ', trim(cudaGetErrorString(" + status + "))\n" + indentation + "end if";
}

// The variable on the left of "istat = cudaMalloc(...)".
std::string statusVariable(const CodeStatement &statement) {
  size_t equals = statement.text.find('=');
  if (equals == std::string::npos || statement.role.kind != StatementRole::Other)
    return {};
  std::string target = trimmed(std::string_view(statement.text).substr(0, equals));
  std::string value = lowerCase(trimmed(std::string_view(statement.text).substr(equals + 1)));
  return target.find(' ') == std::string::npos && value.starts_with("cuda") ? target
                                                                            : std::string();
}

// Whether the next statement looks at the variable already.
bool isChecked(const std::vector<CodeStatement> &all, size_t at, const std::string &variable) {
  return at + 1 < all.size() && all[at + 1].word == "if" &&
         lowerCase(all[at + 1].text).find(lowerCase(variable)) != std::string::npos;
}

void addCheck(const ActionContext &context, const std::vector<CodeStatement> &all, size_t at,
              CodeActions &actions) {
  const CodeStatement &statement = all[at];
  std::string variable = statusVariable(statement);
  if (variable.empty() || statement.sharesLine || isChecked(all, at, variable))
    return;
  for (const OccurrenceAt &name : namesIn(context, statement.first, statement.last))
    if (isStatusFunction(name) && name.role == Role::Call) {
      std::string text = checkOf(variable, std::string(context.document().slice(name.range)),
                                 indentationOf(context.document(), statement.first));
      actions.push_back(
          {"check '" + variable + "' for an error",
           "refactor.rewrite",
           {{context.file.path, {linesBelow(context.document(), statement.last, text)}}}});
      return;
    }
}

// Not a procedure of the user's that has such a name.
bool isFunctionOfCudafor(const ActionContext &context, const CodeStatement &statement,
                         const std::string &routine) {
  const ApiName *row = findApiName(routine);
  if (!row || row->module != "cudafor" || row->kind != "function")
    return false;
  for (const OccurrenceAt &name : namesIn(context, statement.first, statement.last))
    if (const SymbolInfo &symbol = name.symbol.info();
        lowerCase(symbol.name) == lowerCase(routine) &&
        (symbol.ownScope >= 0 || (!symbol.module.empty() && symbol.module != "cudafor")))
      return false;
  return true;
}

// Whether the check's names mean those of cudafor there.
bool seesCudafor(const ActionContext &context, const UnitAround &unit) {
  const std::vector<ScopeInfo> &scopes = context.file.analysis->scopes;
  auto has = [](const UseInfo &use, const char *name) {
    return std::any_of(use.names.begin(), use.names.end(),
                       [&](const std::string &other) { return lowerCase(other) == name; });
  };
  for (int scope = unit.scope; scope > 0; scope = scopes[static_cast<size_t>(scope)].parent)
    for (const UseInfo &use : scopes[static_cast<size_t>(scope)].uses)
      if (lowerCase(use.module) == "cudafor" &&
          (!use.only || (has(use, "cudasuccess") && has(use, "cudageterrorstring"))))
        return true;
  return false;
}

// "call cudaFree(x)" becomes "istat = cudaFree(x)" and a check.
void addCallFix(const ActionContext &context, const UnitAround &unit,
                const CodeStatement &statement, CodeActions &actions) {
  std::string routine = trimmed(std::string_view(statement.text).substr(4));
  routine = routine.substr(0, routine.find_first_of(" ("));
  if (!isFunctionOfCudafor(context, statement, routine) || statement.sharesLine)
    return;
  std::string_view line = context.document().line(statement.first);
  size_t call = lowerCase(line).find("call");
  size_t name = line.find(routine);
  if (call == line.npos || name == line.npos || name < call)
    return;
  SpecificationPart part = specificationOf(context, unit);
  std::string variable = "istat";
  bool declared = false;
  for (const OccurrenceAt &at : namesIn(context, unit.firstLine, unit.lastLine))
    if (const SymbolInfo &symbol = at.symbol.info();
        lowerCase(symbol.name) == variable && symbol.kind == SymbolKind::Variable)
      declared |= symbol.type.starts_with("integer");
  if (!declared)
    variable = freeName(context, variable);
  std::vector<TextChange> edits;
  if (!declared)
    edits.push_back(linesBelow(context.document(), part.lastDeclaration,
                               part.indentation + "integer :: " + variable));
  edits.push_back({{{statement.first, static_cast<int>(call) + 1},
                    {statement.first, static_cast<int>(name) + 1}},
                   variable + " = "});
  edits.push_back(
      linesBelow(context.document(), statement.last,
                 checkOf(variable, routine, indentationOf(context.document(), statement.first))));
  actions.push_back({"take the status of '" + routine + "' and check it",
                     "refactor.rewrite",
                     {{context.file.path, std::move(edits)}}});
}

} // namespace

void addStatusCheck(const ActionContext &context, CodeActions &actions) {
  UnitAround unit = procedureAround(context, context.range.begin);
  if (!unit || !context.file.reading.cuda || !seesCudafor(context, unit))
    return;
  std::vector<CodeStatement> all = statementsIn(context, unit.firstLine, unit.lastLine);
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].first <= context.range.begin.line && all[i].last >= context.range.begin.line) {
      if (all[i].word == "call")
        addCallFix(context, unit, all[i], actions);
      else
        addCheck(context, all, i, actions);
    }
}

} // namespace cufc
