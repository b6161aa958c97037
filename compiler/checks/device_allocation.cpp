// ALLOCATE and DEALLOCATE in device code. Arrays of the procedure itself lie in the device's heap.
// A dummy's descriptor is the thread's own copy of one that belongs to the host, and a pointer's
// target would have to be freed by somebody; neither can be allocated here.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"

namespace cufc {
namespace {

using namespace Fortran;

class Allocations : public CodeVisitor {
public:
  explicit Allocations(CheckContext &context) : context(context) { skipsExpressions = true; }

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::AllocateStmt &) override { return enter("ALLOCATE"); }
  void Post(const parser::AllocateStmt &) override { statement = nullptr; }
  bool Pre(const parser::DeallocateStmt &) override { return enter("DEALLOCATE"); }
  void Post(const parser::DeallocateStmt &) override { statement = nullptr; }

  bool Pre(const parser::AllocateObject &object) override {
    const parser::Name &name = parser::GetLastName(object);
    if (!statement || !name.symbol)
      return false;
    const semantics::Symbol &symbol = name.symbol->GetUltimate();
    if (semantics::IsDummy(symbol))
      refuse(name, "a dummy argument");
    else if (semantics::IsPointer(symbol))
      refuse(name, "a pointer");
    return false;
  }
  bool Pre(const parser::AllocOpt &option) override {
    if (statement && !std::holds_alternative<parser::StatOrErrmsg>(option.u))
      refuseOption(std::holds_alternative<parser::AllocOpt::Source>(option.u)   ? "SOURCE="
                   : std::holds_alternative<parser::AllocOpt::Mold>(option.u)   ? "MOLD="
                   : std::holds_alternative<parser::AllocOpt::Stream>(option.u) ? "STREAM="
                                                                                : "PINNED=");
    return true;
  }
  bool Pre(const parser::StatOrErrmsg &option) override {
    if (statement)
      refuseOption(std::holds_alternative<parser::StatVariable>(option.u) ? "STAT=" : "ERRMSG=");
    return false;
  }

private:
  bool enter(const char *name) {
    statement = inDeviceProcedure() ? name : nullptr;
    return statement != nullptr;
  }
  void refuse(const parser::Name &name, const char *kind) {
    context.report(Diag::DeviceAllocation, name.source, std::string(statement),
                   name.source.ToString(), std::string(kind));
  }
  void refuseOption(const char *option) {
    context.report(Diag::DeviceStatementPart, source, std::string(option), std::string(statement));
  }

  CheckContext &context;
  const char *statement = nullptr;
};

} // namespace

void checkDeviceAllocation(CheckContext &context) { context.visit<Allocations>(context); }

} // namespace cufc
