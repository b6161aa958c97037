// See procedures.h. One walk over the parse tree collects everything.
#include "checks/procedures.h"
#include "checks/code_visitor.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

class Collector : public CodeVisitor {
public:
  Collector(semantics::SemanticsContext &context, std::vector<Procedure> &list)
      : context(context), list(list) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  // What a statement function calls, the procedure calls that declares it.
  bool Pre(const parser::StmtFunctionStmt &) override { return ++statementFunctions > 0; }
  void Post(const parser::StmtFunctionStmt &) override { --statementFunctions; }
  bool Pre(const parser::MainProgram &unit) override { return CodeVisitor::Pre(unit) && begin(); }
  bool Pre(const parser::SubroutineSubprogram &unit) override {
    return CodeVisitor::Pre(unit) && begin();
  }
  bool Pre(const parser::FunctionSubprogram &unit) override {
    return CodeVisitor::Pre(unit) && begin();
  }
  bool Pre(const parser::SeparateModuleSubprogram &unit) override {
    return CodeVisitor::Pre(unit) && begin();
  }
  void Post(const parser::MainProgram &unit) override { end(unit); }
  void Post(const parser::SubroutineSubprogram &unit) override { end(unit); }
  void Post(const parser::FunctionSubprogram &unit) override { end(unit); }
  void Post(const parser::SeparateModuleSubprogram &unit) override { end(unit); }

  void Post(const parser::Name &name) override {
    if (collecting() && name.symbol)
      current().data.insert(&name.symbol->GetUltimate());
  }
  bool Pre(const parser::CallStmt &call) override {
    const auto &designator = std::get<parser::ProcedureDesignator>(callIn(call).t);
    const parser::Name &name = nameOf(designator);
    if (call.typedCall)
      add(call.typedCall->proc(), name.source, chevronsIn(call).has_value());
    else if (name.symbol) // flang found an error in the call
      add(*name.symbol, name.source, chevronsIn(call).has_value());
    return true;
  }
  bool Pre(const parser::AssignmentStmt &assignment) override {
    if (assignment.typedAssignment && assignment.typedAssignment->v)
      if (const auto *defined =
              std::get_if<evaluate::ProcedureRef>(&assignment.typedAssignment->v->u))
        add(defined->proc(), source, false);
    return true;
  }
  bool Pre(const parser::Expr &expression) override {
    const auto *reference =
        std::get_if<common::Indirection<parser::FunctionReference>>(&expression.u);
    const parser::Name *name =
        reference ? &nameOf(std::get<parser::ProcedureDesignator>(reference->value().v.t))
                  : nullptr;
    if (const auto *typed = semantics::GetExpr(context, expression)) {
      // Where the whole expression is a reference: also an operator of the program.
      if (const evaluate::ProcedureRef *call = evaluate::UnwrapProcedureRef(*typed))
        add(call->proc(), name ? name->source : expression.source, false);
    } else if (name && name->symbol) {
      add(*name->symbol, name->source, false);
    }
    return true;
  }

private:
  bool begin() {
    numbers.push_back(list.size());
    list.push_back({procedure(), procedure() ? procedure()->scope() : nullptr, {}, {}, {}});
    return true;
  }
  template <typename Unit>
  void end(const Unit &unit) {
    numbers.pop_back();
    CodeVisitor::Post(unit);
  }
  Procedure &current() { return list[numbers.back()]; }
  bool collecting() const { return (executing() || statementFunctions > 0) && !numbers.empty(); }

  void add(const evaluate::ProcedureDesignator &designator, parser::CharBlock place,
           bool launches) {
    if (const Symbol *symbol = designator.GetSymbol())
      add(*symbol, place, launches);
    else if (collecting())
      current().intrinsics.push_back(
          {nullptr, designator.GetName(), place, onDevice(), onHost(), launches});
  }
  void add(const Symbol &callee, parser::CharBlock place, bool launches) {
    const Symbol &ultimate = callee.GetUltimate();
    bool isProcedure = ultimate.has<semantics::SubprogramDetails>() ||
                       ultimate.has<semantics::ProcEntityDetails>() ||
                       ultimate.has<semantics::ProcBindingDetails>();
    if (collecting() && isProcedure)
      current().calls.push_back(
          {&ultimate, ultimate.name().ToString(), place, onDevice(), onHost(), launches});
  }

  semantics::SemanticsContext &context;
  std::vector<Procedure> &list;
  std::vector<size_t> numbers; // in `list`, of the procedures that are open
  int statementFunctions = 0;  // around the node
};

} // namespace

common::CUDASubprogramAttrs procedureAttributes(const Symbol *procedure) {
  // Wrong programs have interfaces that are declared by each other.
  for (int depth = 0; procedure && depth < 8; ++depth) {
    const Symbol &ultimate = procedure->GetUltimate();
    if (const auto *details = ultimate.detailsIf<semantics::SubprogramDetails>())
      return details->cudaSubprogramAttrs().value_or(common::CUDASubprogramAttrs::Host);
    const auto *entity = ultimate.detailsIf<semantics::ProcEntityDetails>();
    procedure = entity ? entity->procInterface() : nullptr;
  }
  return common::CUDASubprogramAttrs::Host;
}

bool isOnlyOnDevice(const Symbol *symbol) {
  auto attribute = semantics::GetCUDADataAttr(symbol ? &symbol->GetUltimate() : nullptr);
  return attribute == common::CUDADataAttr::Device || attribute == common::CUDADataAttr::Constant;
}

const parser::Name &nameOf(const parser::ProcedureDesignator &designator) {
  if (const auto *name = std::get_if<parser::Name>(&designator.u))
    return *name;
  return componentIn(std::get<parser::ProcComponentRef>(designator.u).v.thing);
}

bool isKernel(const Symbol *procedure) {
  auto attributes = procedureAttributes(procedure);
  return attributes == common::CUDASubprogramAttrs::Global ||
         attributes == common::CUDASubprogramAttrs::Grid_Global;
}

bool runsOnDevice(const Symbol *procedure) {
  return procedureAttributes(procedure) != common::CUDASubprogramAttrs::Host;
}

bool runsOnHost(const Symbol *procedure) {
  auto attributes = procedureAttributes(procedure);
  return attributes == common::CUDASubprogramAttrs::Host ||
         attributes == common::CUDASubprogramAttrs::HostDevice;
}

Procedures::Procedures(FlangProgram &program) {
  Collector collector(*program.context, list);
  walkTree(*program.parsing->parseTree(), collector);
}

const Procedure *Procedures::find(const Symbol &symbol) const {
  auto found = std::find_if(list.begin(), list.end(), [&](const Procedure &procedure) {
    return procedure.symbol == &symbol;
  });
  return found == list.end() ? nullptr : &*found;
}

std::vector<const Procedure *> Procedures::reached(const Procedure &from) const {
  std::vector<const Procedure *> found{&from};
  for (size_t i = 0; i < found.size(); ++i)
    for (const ProcedureCall &call : found[i]->calls) {
      const Procedure *callee = call.launches ? nullptr : find(*call.callee);
      if (callee && std::find(found.begin(), found.end(), callee) == found.end())
        found.push_back(callee);
    }
  return found;
}

} // namespace cufc
