// Input and output in device code: PRINT * and WRITE(*, *) of values of intrinsic types are all
// that there is. flang refuses statements with a unit; this finds the rest.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"

namespace cufc {
namespace {

using namespace Fortran;

bool isInternal(const std::optional<parser::IoUnit> &unit) {
  return unit && std::holds_alternative<parser::Variable>(unit->u);
}

class Output : public CodeVisitor {
public:
  explicit Output(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::PrintStmt &print) {
    if (!onDevice())
      return true;
    const auto &format = std::get<parser::Format>(print.t);
    if (std::holds_alternative<parser::Star>(format.u))
      return checkItems(std::get<std::list<parser::OutputItem>>(print.t));
    const auto *expression = std::get_if<parser::Expr>(&format.u);
    context.report(Diag::DeviceFileIo, expression ? expression->source : source,
                   "PRINT with a format");
    return false;
  }
  bool Pre(const parser::WriteStmt &write) {
    if (!onDevice())
      return true;
    if (isInternal(write.iounit))
      return refuse(*write.iounit, "WRITE to an internal file");
    for (const parser::IoControlSpec &control : write.controls)
      if (std::holds_alternative<parser::StatVariable>(control.u) ||
          std::holds_alternative<parser::MsgVariable>(control.u) ||
          std::holds_alternative<parser::ErrLabel>(control.u)) {
        context.report(Diag::DevicePrint, source, "IOSTAT=, IOMSG= or ERR=");
        return false;
      }
    return checkItems(write.items);
  }
  bool Pre(const parser::ReadStmt &read) {
    if (onDevice() && isInternal(read.iounit))
      return refuse(*read.iounit, "READ from an internal file");
    return true;
  }
  bool Pre(const parser::PauseStmt &pause) {
    if (onDevice() && !pause.v) // flang refuses those with a code
      context.report(Diag::DeviceStatement, source, "PAUSE");
    return true;
  }

private:
  bool refuse(const parser::IoUnit &unit, const char *what) {
    context.report(Diag::DeviceFileIo, std::get<parser::Variable>(unit.u).GetSource(), what);
    return false;
  }
  bool checkItems(const std::list<parser::OutputItem> &items) {
    for (const parser::OutputItem &item : items)
      if (const auto *expression = std::get_if<parser::Expr>(&item.u))
        if (const auto *typed = semantics::GetExpr(*context.program.context, *expression))
          if (auto type = typed->GetType();
              type && type->category() == common::TypeCategory::Derived)
            context.report(Diag::DevicePrint, expression->source, "a value of derived type");
    return true;
  }

  CheckContext &context;
};

} // namespace

void checkDeviceOutput(CheckContext &context) {
  Output output(context);
  context.walk(output);
}

} // namespace cufc
