// Input and output in device code: PRINT * and WRITE(*, *) of values of intrinsic types are all
// that there is. flang warns of most other statements, but not in a submodule of a module from a
// module file; so all are found here.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Semantics/expression.h"

namespace cufc {
namespace {

using namespace Fortran;

// What is written first or behind "UNIT=", "FMT=".
template <typename Part, typename Statement>
const Part *partOf(const Statement &statement, const std::optional<Part> &first) {
  if (first)
    return &*first;
  for (const parser::IoControlSpec &control : statement.controls)
    if (const auto *part = std::get_if<Part>(&control.u))
      return part;
  return nullptr;
}

// The variable that a statement reads or writes in place of a file.
template <typename Statement>
const parser::Variable *internalFile(const Statement &statement) {
  const auto *unit = partOf<parser::IoUnit>(statement, statement.iounit);
  return unit ? std::get_if<parser::Variable>(&unit->u) : nullptr;
}

// WRITE(*, *).
bool isPrint(const parser::WriteStmt &write) {
  const auto *format = partOf<parser::Format>(write, write.format);
  const auto *unit = partOf<parser::IoUnit>(write, write.iounit);
  return format && std::holds_alternative<parser::Star>(format->u) && unit &&
         std::holds_alternative<parser::Star>(unit->u);
}

class Output : public CodeVisitor {
public:
  explicit Output(CheckContext &context) : context(context) { skipsExpressions = true; }

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::PrintStmt &print) override {
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
  bool Pre(const parser::WriteStmt &write) override {
    if (!onDevice())
      return true;
    if (const parser::Variable *file = internalFile(write))
      return refuse(*file, "WRITE to an internal file");
    if (!isPrint(write))
      return refuse("WRITE");
    for (const parser::IoControlSpec &control : write.controls)
      if (std::holds_alternative<parser::StatVariable>(control.u) ||
          std::holds_alternative<parser::MsgVariable>(control.u) ||
          std::holds_alternative<parser::ErrLabel>(control.u)) {
        context.report(Diag::DevicePrint, source, "IOSTAT=, IOMSG= or ERR=");
        return false;
      }
    return checkItems(write.items);
  }
  bool Pre(const parser::ReadStmt &read) override {
    if (const parser::Variable *file = internalFile(read); file && onDevice())
      return refuse(*file, "READ from an internal file");
    return refuse("READ");
  }
  bool Pre(const parser::OpenStmt &) override { return refuse("OPEN"); }
  bool Pre(const parser::CloseStmt &) override { return refuse("CLOSE"); }
  bool Pre(const parser::InquireStmt &) override { return refuse("INQUIRE"); }
  bool Pre(const parser::RewindStmt &) override { return refuse("REWIND"); }
  bool Pre(const parser::BackspaceStmt &) override { return refuse("BACKSPACE"); }
  bool Pre(const parser::EndfileStmt &) override { return refuse("ENDFILE"); }
  bool Pre(const parser::PauseStmt &pause) override {
    if (onDevice() && !pause.v) // flang refuses those with a code
      context.report(Diag::DeviceStatement, source, "PAUSE");
    return true;
  }

private:
  bool refuse(const char *statement) {
    if (onDevice())
      context.report(Diag::DeviceFileIo, source, statement);
    return true;
  }
  bool refuse(const parser::Variable &file, const char *what) {
    context.report(Diag::DeviceFileIo, file.GetSource(), what);
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

void checkDeviceOutput(CheckContext &context) { context.visit<Output>(context); }

} // namespace cufc
