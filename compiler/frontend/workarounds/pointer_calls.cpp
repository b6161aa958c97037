// See pointer_calls.h. The calls and the USE statements are found in the parse tree, which knows of
// continuation lines, renamed variables and scopes what a search in the text would not.
#include "frontend/workarounds/pointer_calls.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/assumed_sizes.h"
#include <set>
#include <string_view>

namespace cufc {
namespace {

using namespace Fortran;

// "cufrt_" and the name in the source.
constexpr std::string_view prefix = "cufrt_", intrinsic = "c_f_pointer";

// The calls of c_f_pointer, and the USE statements of cudafor that have ONLY.
class Statements : public ShallowVisitor {
public:
  using StatementVisitor::Pre;
  bool Pre(const parser::UseStmt &use) override {
    if (use.moduleName.source == "cudafor" &&
        std::holds_alternative<std::list<parser::Only>>(use.u))
      uses.push_back({source, !std::get<std::list<parser::Only>>(use.u).empty()});
    return false;
  }
  bool Pre(const parser::CallStmt &call) override {
    const auto &designator = std::get<parser::ProcedureDesignator>(callIn(call).t);
    const auto *name = std::get_if<parser::Name>(&designator.u);
    if (name && name->source == std::string(intrinsic))
      calls.push_back({name->source, &call});
    return true;
  }
  bool Pre(const parser::TypeDeclarationStmt &declaration) override {
    for (const auto &attribute : std::get<std::list<parser::AttrSpec>>(declaration.t))
      if (auto *memory = std::get_if<common::CUDADataAttr>(&attribute.u);
          memory && *memory == common::CUDADataAttr::Shared)
        shared.push_back(source);
    return false;
  }

  struct Use {
    parser::CharBlock source;
    bool hasNames;
  };
  struct Call {
    parser::CharBlock name;
    const parser::CallStmt *statement;
  };
  std::vector<Use> uses;
  std::vector<Call> calls;
  std::vector<parser::CharBlock> shared; // declarations
};

const semantics::Symbol *pointerArgument(const parser::CallStmt &call) {
  int position = 0;
  for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(callIn(call).t)) {
    const auto &keyword = std::get<std::optional<parser::Keyword>>(argument.t);
    bool isIt = keyword ? keyword->v.source == "fptr" : position == 1;
    ++position;
    const auto &actual = std::get<parser::ActualArg>(argument.t);
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(&actual.u);
    if (!isIt || !value)
      continue;
    const evaluate::Expr<evaluate::SomeType> *expression =
        semantics::GetExpr(nullptr, value->value());
    return expression ? evaluate::GetLastSymbol(*expression) : nullptr;
  }
  return nullptr;
}

bool takesAllocatable(const parser::CallStmt &call) {
  const semantics::Symbol *symbol = pointerArgument(call);
  if (!symbol || !semantics::IsAllocatable(symbol->GetUltimate()))
    return false;
  auto attribute = semantics::GetCUDADataAttr(&symbol->GetUltimate());
  return attribute && *attribute != common::CUDADataAttr::Pinned;
}

class Editor {
public:
  Editor(const FlangProgram &program, EditList &edits) : program(program), edits(edits) {
    walkTree(*program.parsing->parseTree(), statements);
  }

  void run() {
    for (const Statements::Call &call : statements.calls)
      if (takesAllocatable(*call.statement) && makeAccessible(call.name))
        edits.before(call.name, std::string(prefix));
  }

  // An asterisk behind a comma and before a parenthesis stands for an extent.
  void giveExtents() {
    for (parser::CharBlock declaration : statements.shared) {
      std::string_view text(declaration.begin(), declaration.size());
      for (size_t star = text.find('*'); star != text.npos; star = text.find('*', star + 1)) {
        size_t before = text.find_last_not_of(' ', star - 1),
               after = text.find_first_not_of(' ', star + 1);
        if (text[before] != ',' || after == text.npos || text[after] != ')')
          continue;
        edits.around({declaration.begin() + star, 1}, std::to_string(assumedExtent), "1");
      }
    }
  }

private:
  bool makeAccessible(parser::CharBlock place) {
    const semantics::Scope &scope = program.context->FindScope(place);
    std::string wanted = std::string(prefix) + std::string(intrinsic);
    if (scope.FindSymbol(parser::CharBlock(wanted)))
      return true;
    bool found = false;
    for (const Statements::Use &use : statements.uses) {
      const semantics::Scope &user = program.context->FindScope(use.source);
      if (user != scope && !user.Contains(scope))
        continue;
      found = true;
      if (named.insert(use.source.begin()).second)
        addName(use, wanted);
    }
    return found;
  }

  // Behind the colon of "only:".
  void addName(const Statements::Use &use, const std::string &name) {
    const char *begin = use.source.begin(), *end = use.source.end();
    std::string_view text(begin, static_cast<size_t>(end - begin));
    size_t colon = text.find(':', text.rfind("only"));
    edits.inside(use.source, begin + colon + 1, name + (use.hasNames ? ", " : ""));
  }

  const FlangProgram &program;
  EditList &edits;
  Statements statements;
  std::set<const char *> named;
};

} // namespace

void namePointerCalls(const FlangProgram &program, EditList &edits) {
  Editor(program, edits).run();
}

void giveExtentsToSharedArrays(const FlangProgram &program, EditList &edits) {
  parser::CharBlock text = program.parsing->cooked().AsCharBlock();
  if (std::string_view(text.begin(), text.size()).find("shared") != std::string_view::npos)
    Editor(program, edits).giveExtents();
}

} // namespace cufc
