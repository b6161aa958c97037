// Base of visitors that need to know whose code a statement is: which procedure it belongs to, and
// whether it runs on the device or on the host. A visitor says `using CodeVisitor::Pre;` and
// `using CodeVisitor::Post;`, and adds its own. Private to checks/.
//
// It keeps the program units that are open itself: after errors flang has no scope for some places.
#ifndef CUFC_CHECKS_CODE_VISITOR_H
#define CUFC_CHECKS_CODE_VISITOR_H

#include "checks/procedures.h"
#include "frontend/statement_visitor.h"

namespace cufc {

class CodeVisitor : public StatementVisitor {
public:
  using StatementVisitor::Post;
  using StatementVisitor::Pre;
  bool Pre(const Fortran::parser::MainProgram &unit) override {
    const auto &statement =
        std::get<std::optional<Fortran::parser::Statement<Fortran::parser::ProgramStmt>>>(unit.t);
    return open(statement ? statement->statement.v.symbol : nullptr);
  }
  bool Pre(const Fortran::parser::SubroutineSubprogram &unit) override {
    return open(unitName<Fortran::parser::SubroutineStmt>(unit));
  }
  bool Pre(const Fortran::parser::FunctionSubprogram &unit) override {
    return open(unitName<Fortran::parser::FunctionStmt>(unit));
  }
  bool Pre(const Fortran::parser::SeparateModuleSubprogram &unit) override {
    using Statement = Fortran::parser::Statement<Fortran::parser::MpSubprogramStmt>;
    return open(std::get<Statement>(unit.t).statement.v.symbol);
  }
  void Post(const Fortran::parser::MainProgram &) override { units.pop_back(); }
  void Post(const Fortran::parser::SubroutineSubprogram &) override { units.pop_back(); }
  void Post(const Fortran::parser::FunctionSubprogram &) override { units.pop_back(); }
  void Post(const Fortran::parser::SeparateModuleSubprogram &) override { units.pop_back(); }

  bool Pre(const Fortran::parser::InterfaceBlock &) override { return false; }
  bool Pre(const Fortran::parser::ExecutionPart &) override { return ++executionParts > 0; }
  void Post(const Fortran::parser::ExecutionPart &) override { --executionParts; }
  bool Pre(const Fortran::parser::CUFKernelDoConstruct &) override { return ++cufKernels > 0; }
  void Post(const Fortran::parser::CUFKernelDoConstruct &) override { --cufKernels; }
  // The launch configuration is the host's.
  bool Pre(const Fortran::parser::CUFKernelDoConstruct::Directive &) override {
    return --cufKernels >= 0;
  }
  void Post(const Fortran::parser::CUFKernelDoConstruct::Directive &) override { ++cufKernels; }

protected:
  // Null outside of procedures, and for a main program without a name.
  const Fortran::semantics::Symbol *procedure() const {
    return units.empty() ? nullptr : units.back();
  }
  bool inProcedure() const { return !units.empty(); }
  bool inCufKernel() const { return cufKernels > 0; }
  bool inDeviceProcedure() const { return runsOnDevice(procedure()); }
  bool onDevice() const { return inCufKernel() || inDeviceProcedure(); }
  bool onHost() const { return !inCufKernel() && runsOnHost(procedure()); }
  bool executing() const { return executionParts > 0; }

private:
  template <typename Statement, typename Unit>
  static const Fortran::semantics::Symbol *unitName(const Unit &unit) {
    const auto &statement = std::get<Fortran::parser::Statement<Statement>>(unit.t);
    return std::get<Fortran::parser::Name>(statement.statement.t).symbol;
  }
  bool open(const Fortran::semantics::Symbol *symbol) {
    units.push_back(symbol ? &symbol->GetUltimate() : nullptr);
    return true;
  }

  std::vector<const Fortran::semantics::Symbol *> units;
  int executionParts = 0, cufKernels = 0;
};

} // namespace cufc
#endif // CUFC_CHECKS_CODE_VISITOR_H
