// See launch_operands.h. flang wants a list of default integers; the types of the operands are
// known after the analysis, so the source is edited and analysed again.
#include "frontend/workarounds/launch_operands.h"
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

// The name that an expression begins with.
class FirstName : public StatementVisitor {
public:
  explicit FirstName(const char *place) : place(place) {}
  using StatementVisitor::Pre;
  bool Pre(const parser::Name &name) override {
    if (name.source.begin() == place)
      symbol = name.symbol;
    return false;
  }
  const semantics::Symbol *symbol = nullptr;

private:
  const char *place;
};

class Operands : public ShallowVisitor {
public:
  explicit Operands(EditList &edits) : edits(edits) {}

  using StatementVisitor::Pre;
  bool Pre(const Kernel::LaunchConfiguration &configuration) override {
    add(std::get<0>(configuration.t));
    add(std::get<1>(configuration.t));
    return false;
  }

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
        edits.around(operand.source, "int(", ")");
    } else if (isAlone && isDim3(operand)) {
      edits.around(operand.source, "(", "%x," + text + "%y," + text + "%z)");
    } else if (isAlone && givesDim3(operand)) {
      // A component of what is no variable has no designator.
      auto component = [](const char *one) { return ",[0_4,0_4,0_4])*" + std::string(one) + ")"; };
      edits.around(operand.source, "(sum(transfer(",
                   component("[1,0,0]") + ",sum(transfer(" + text + component("[0,1,0]") +
                       ",sum(transfer(" + text + component("[0,0,1]") + ")");
    }
  }

  // dim3(32, 4, 1), or a function of that type.
  bool givesDim3(const parser::Expr &operand) const {
    FirstName first(operand.source.begin());
    walkTree(operand, first);
    const semantics::Symbol *symbol = first.symbol ? &first.symbol->GetUltimate() : nullptr;
    if (const auto *generic = symbol ? symbol->detailsIf<semantics::GenericDetails>() : nullptr)
      symbol = generic->derivedType() ? &generic->derivedType()->GetUltimate() : nullptr;
    if (symbol && symbol->has<semantics::DerivedTypeDetails>())
      return symbol->name() == "__builtin_dim3"; // its name where it is declared
    return symbol && semantics::IsProcedure(*symbol) && isDim3(symbol->GetType());
  }

  // flang keeps no expression for what has the wrong type, so this looks at the names.
  bool isDim3(const parser::Expr &operand) const {
    const parser::Name *name = parser::Unwrap<parser::Name>(operand);
    if (!name)
      if (const auto *designator = parser::Unwrap<parser::Designator>(operand))
        name = &parser::GetLastName(*designator);
    const semantics::Symbol *symbol = name ? name->symbol : nullptr;
    return symbol && isDim3(symbol->GetUltimate().GetType());
  }

  static bool isDim3(const semantics::DeclTypeSpec *type) {
    return type && type->AsDerived() && type->AsDerived()->name() == "dim3";
  }

  EditList &edits;
};

} // namespace

void editLaunchOperands(const FlangProgram &program, EditList &edits) {
  Operands operands(edits);
  walkTree(*program.parsing->parseTree(), operands);
}

} // namespace cufc
