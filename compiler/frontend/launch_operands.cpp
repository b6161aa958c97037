// See launch_operands.h. flang wants a list of default integers; the types of the operands are
// known after the analysis, so the source is edited and analysed again.
#include "frontend/launch_operands.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/edits.h"
#include "frontend/statement_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;
using Kernel = parser::CUFKernelDoConstruct;

class Operands : public StatementVisitor {
public:
  Operands(const FlangProgram &program, const std::string &path) : program(program), path(path) {}

  using StatementVisitor::Pre;
  bool Pre(const Kernel::LaunchConfiguration &configuration) {
    add(std::get<0>(configuration.t));
    add(std::get<1>(configuration.t));
    return false;
  }

  std::vector<Edit> edits;

private:
  void add(const std::list<Kernel::StarOrExpr> &operands) {
    for (const Kernel::StarOrExpr &operand : operands)
      if (operand.v)
        add(operand.v->thing.thing.value(), operands.size() == 1);
  }

  void add(const parser::Expr &operand, bool isAlone) {
    const auto *value = semantics::GetExpr(nullptr, operand);
    std::string text = operand.source.ToString();
    if (value && value->GetType() &&
        value->GetType()->category() == common::TypeCategory::Integer) {
      if (value->GetType()->kind() != 4)
        surround(operand.source, "int(", ")");
    } else if (isAlone && isDim3(operand)) {
      surround(operand.source, "(", "%x," + text + "%y," + text + "%z)");
    }
  }

  // flang keeps no expression for what has the wrong type, so this looks at the names.
  bool isDim3(const parser::Expr &operand) const {
    const parser::Name *name = parser::Unwrap<parser::Name>(operand);
    if (!name)
      if (const auto *designator = parser::Unwrap<parser::Designator>(operand))
        name = &parser::GetLastName(*designator);
    const semantics::Symbol *symbol = name ? name->symbol : nullptr;
    const semantics::DeclTypeSpec *type = symbol ? symbol->GetUltimate().GetType() : nullptr;
    return type && type->AsDerived() && type->AsDerived()->name() == "dim3";
  }

  void surround(parser::CharBlock text, std::string before, std::string after) {
    insert(text.begin(), 0, std::move(before));
    insert(text.end() - 1, 1, std::move(after));
  }

  void insert(const char *place, int offset, std::string text) {
    if (auto edit = insertion(program, path, place, offset, std::move(text)))
      edits.push_back(std::move(*edit));
  }

  const FlangProgram &program;
  const std::string &path;
};

} // namespace

std::vector<Edit> editsForLaunchOperands(const FlangProgram &program, const std::string &path) {
  Operands operands(program, path);
  parser::Walk(*program.parsing->parseTree(), operands);
  return std::move(operands.edits);
}

} // namespace cufc
