// Forms of procedures that device code cannot have: ENTRY, internal procedures, and dummy arguments
// that are alternate returns or of assumed rank.
#include "base/diag.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "flang/Parser/characters.h"

namespace cufc {
namespace {

using namespace Fortran;

class DeviceDeclarations : public CodeVisitor {
public:
  explicit DeviceDeclarations(CheckContext &context) : context(context) { skipsExpressions = true; }

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::SubroutineStmt &statement) override {
    size_t position = 0;
    for (const parser::DummyArg &dummy : std::get<std::list<parser::DummyArg>>(statement.t)) {
      if (std::holds_alternative<parser::Star>(dummy.u) && inDeviceProcedure())
        context.report(Diag::DeviceStatement, dummyPlace(statement, position),
                       "an alternate return among the dummy arguments");
      ++position;
    }
    checkNesting(std::get<parser::Name>(statement.t));
    return true;
  }
  bool Pre(const parser::FunctionStmt &statement) override {
    checkNesting(std::get<parser::Name>(statement.t));
    return true;
  }
  bool Pre(const parser::MpSubprogramStmt &statement) override {
    checkNesting(statement.v);
    return true;
  }
  bool Pre(const parser::EntryStmt &) override {
    if (inDeviceProcedure())
      context.report(Diag::DeviceStatement, source, "ENTRY");
    return true;
  }
  bool Pre(const parser::EntityDecl &entity) override {
    const parser::Name &name = std::get<parser::ObjectName>(entity.t);
    const auto *object =
        name.symbol ? name.symbol->detailsIf<semantics::ObjectEntityDetails>() : nullptr;
    if (object && inDeviceProcedure() && object->IsAssumedRank())
      context.report(Diag::DeviceStatement, name.source, "a dummy argument of assumed rank");
    return true;
  }
  bool Pre(const parser::InterfaceBody &) override { return false; }

private:
  // flang keeps no place of an asterisk: it follows the commas of the dummies before.
  parser::CharBlock dummyPlace(const parser::SubroutineStmt &statement, size_t position) const {
    const char *at = std::get<parser::Name>(statement.t).source.end();
    const char *end = source.end();
    for (size_t commas = 0; at < end && (*at != '*' || commas != position); ++at)
      commas += *at == ',';
    return at < end ? parser::CharBlock{at, size_t{1}} : source;
  }

  void checkNesting(const parser::Name &name) {
    if (!name.symbol)
      return;
    const semantics::Scope &owner = name.symbol->GetUltimate().owner();
    bool isInternal = owner.kind() == semantics::Scope::Kind::Subprogram ||
                      owner.kind() == semantics::Scope::Kind::MainProgram;
    const semantics::Symbol *host = owner.symbol();
    bool inDevice = isInternal && host && runsOnDevice(host);
    if (!inDevice && (!isInternal || !runsOnDevice(name.symbol)))
      return;
    context.report(Diag::InternalDeviceProcedure, name.source, name.ToString(), nameOf(owner),
                   inDevice ? "which is device code" : "and is device code");
  }

  // flang gives main programs names in capital letters.
  static std::string nameOf(const semantics::Scope &host) {
    if (!host.symbol() || host.symbol()->name().empty())
      return "main program";
    return parser::ToLowerCaseLetters(host.symbol()->name().ToString());
  }

  CheckContext &context;
};

} // namespace

void checkDeviceDeclarations(CheckContext &context) { context.visit<DeviceDeclarations>(context); }

} // namespace cufc
