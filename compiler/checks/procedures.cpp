// See procedures.h. One walk over the parse tree collects everything.
#include "checks/procedures.h"
#include "flang/Evaluate/tools.h"
#include "flang/Evaluate/traverse.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/tools.h"
#include "frontend/statement_visitor.h"
#include <algorithm>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

// The procedures that an expression refers to.
class Callees : public evaluate::SetTraverse<Callees, semantics::UnorderedSymbolSet> {
public:
  using Base = evaluate::SetTraverse<Callees, semantics::UnorderedSymbolSet>;
  Callees() : Base(*this) {}
  using Base::operator();
  semantics::UnorderedSymbolSet operator()(const evaluate::ProcedureDesignator &designator) const {
    semantics::UnorderedSymbolSet found;
    if (const Symbol *symbol = designator.GetSymbol())
      found.insert(symbol->GetUltimate());
    return found;
  }
};

class Collector : public StatementVisitor {
public:
  Collector(semantics::SemanticsContext &context, std::vector<Procedure> &list)
      : context(context), list(list) {}

  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const parser::MainProgram &unit) {
    const auto &statement = std::get<std::optional<parser::Statement<parser::ProgramStmt>>>(unit.t);
    return begin(statement ? statement->statement.v.symbol : nullptr);
  }
  bool Pre(const parser::SubroutineSubprogram &unit) {
    const auto &statement = std::get<parser::Statement<parser::SubroutineStmt>>(unit.t);
    return begin(std::get<parser::Name>(statement.statement.t).symbol);
  }
  bool Pre(const parser::FunctionSubprogram &unit) {
    const auto &statement = std::get<parser::Statement<parser::FunctionStmt>>(unit.t);
    return begin(std::get<parser::Name>(statement.statement.t).symbol);
  }
  bool Pre(const parser::SeparateModuleSubprogram &unit) {
    const auto &statement = std::get<parser::Statement<parser::MpSubprogramStmt>>(unit.t);
    return begin(statement.statement.v.symbol);
  }
  void Post(const parser::MainProgram &) { open.pop_back(); }
  void Post(const parser::SubroutineSubprogram &) { open.pop_back(); }
  void Post(const parser::FunctionSubprogram &) { open.pop_back(); }
  void Post(const parser::SeparateModuleSubprogram &) { open.pop_back(); }

  bool Pre(const parser::ExecutionPart &) {
    ++executing;
    return true;
  }
  void Post(const parser::ExecutionPart &) { --executing; }
  bool Pre(const parser::CUFKernelDoConstruct &) {
    ++cufKernels;
    return true;
  }
  void Post(const parser::CUFKernelDoConstruct &) { --cufKernels; }

  void Post(const parser::Name &name) {
    if (executing > 0 && name.symbol && !open.empty())
      current().data.insert(&name.symbol->GetUltimate());
  }
  bool Pre(const parser::CallStmt &call) {
    if (call.typedCall && call.typedCall->proc().GetSymbol())
      add(*call.typedCall->proc().GetSymbol(), call.source, call.chevrons.has_value());
    return true;
  }
  bool Pre(const parser::AssignmentStmt &assignment) {
    if (assignment.typedAssignment && assignment.typedAssignment->v)
      if (const auto *defined =
              std::get_if<evaluate::ProcedureRef>(&assignment.typedAssignment->v->u);
          defined && defined->proc().GetSymbol())
        add(*defined->proc().GetSymbol(), source, false);
    return true;
  }
  bool Pre(const parser::Expr &expression) {
    // The operands of an expression are part of it.
    if (nested++ == 0 && executing > 0)
      if (const auto *typed = semantics::GetExpr(context, expression))
        for (const Symbol &symbol : Callees{}(*typed))
          add(symbol, expression.source, false);
    return true;
  }
  void Post(const parser::Expr &) { --nested; }

private:
  bool begin(const Symbol *symbol) {
    open.push_back(list.size());
    const Symbol *ultimate = symbol ? &symbol->GetUltimate() : nullptr;
    list.push_back({ultimate, ultimate ? ultimate->scope() : nullptr, {}, {}});
    return true;
  }
  Procedure &current() { return list[open.back()]; }
  void add(const Symbol &callee, parser::CharBlock place, bool launches) {
    if (open.empty())
      return;
    bool onDevice = cufKernels > 0 || runsOnDevice(current().symbol);
    bool onHost = cufKernels == 0 && runsOnHost(current().symbol);
    current().calls.push_back({&callee.GetUltimate(), place, onDevice, onHost, launches});
  }

  semantics::SemanticsContext &context;
  std::vector<Procedure> &list;
  std::vector<size_t> open;
  int executing = 0, cufKernels = 0, nested = 0;
};

} // namespace

common::CUDASubprogramAttrs procedureAttributes(const Symbol *procedure) {
  const auto *details =
      procedure ? procedure->GetUltimate().detailsIf<semantics::SubprogramDetails>() : nullptr;
  return details ? details->cudaSubprogramAttrs().value_or(common::CUDASubprogramAttrs::Host)
                 : common::CUDASubprogramAttrs::Host;
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
  parser::Walk(*program.parsing->parseTree(), collector);
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
