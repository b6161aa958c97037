// Arguments in other memory than the procedure expects: data of the host for a device dummy and the
// reverse. flang finds them by its rules of which attributes fit; here its messages get the names,
// the declarations of both sides, and what would mend them.
#include "base/diag.h"
#include "base/flang_phrases.h"
#include "base/source_text.h"
#include "checks/check.h"
#include "checks/code_visitor.h"
#include "checks/fixes.h"
#include "flang/Evaluate/tools.h"
#include "flang/Semantics/expression.h"
#include "flang/Semantics/tools.h"
#include "frontend/flang_versions.h"
#include "frontend/workarounds/associated_data.h"
#include <cctype>

namespace cufc {
namespace {

using namespace Fortran;
using semantics::Symbol;

// "dummy argument 'a=' has ..., but its associated actual argument has ..."
struct Mismatch {
  std::string dummy;
  std::string dummyMemory, actualMemory; // "device data", "data of the host"
};

std::string memory(std::string_view text) {
  constexpr std::string_view opening = "ATTRIBUTES(";
  size_t at = text.find(opening);
  if (at == std::string_view::npos)
    return "data of the host";
  std::string_view name = text.substr(at + opening.size());
  return lowerCase(name.substr(0, name.find(')'))) + " data";
}

std::optional<Mismatch> parse(std::string_view message) {
  constexpr Phrase phrase = Phrase::MismatchedArgument;
  if (!isPhrase(message, phrase))
    return std::nullopt;
  return Mismatch{inPhrase(message, phrase, 1), memory(inPhrase(message, phrase, 2)),
                  memory(inPhrase(message, phrase, 3))};
}

const Symbol *interfaceOf(const Symbol *procedure) {
  for (int depth = 0; procedure && depth < 8; ++depth) {
    const Symbol &ultimate = procedure->GetUltimate();
    if (ultimate.has<semantics::SubprogramDetails>())
      return &ultimate;
    const auto *entity = ultimate.detailsIf<semantics::ProcEntityDetails>();
    const auto *binding = ultimate.detailsIf<semantics::ProcBindingDetails>();
    procedure = entity ? entity->procInterface() : binding ? &binding->symbol() : nullptr;
  }
  return nullptr;
}

const Symbol *dummyOf(const Symbol &procedure, const std::string &name) {
  for (const Symbol *dummy : procedure.get<semantics::SubprogramDetails>().dummyArgs())
    if (dummy && dummy->name().ToString() == name)
      return dummy;
  return nullptr;
}

class Arguments : public CodeVisitor {
public:
  explicit Arguments(CheckContext &context) : context(context) {}

  using CodeVisitor::Post;
  using CodeVisitor::Pre;
  bool Pre(const parser::Call &call) override {
    const parser::Name &name = nameOf(std::get<parser::ProcedureDesignator>(call.t));
    const Symbol *procedure = interfaceOf(name.symbol);
    if (procedure)
      for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t))
        if (const auto *value = std::get_if<common::Indirection<parser::Expr>>(
                &std::get<parser::ActualArg>(argument.t).u))
          check(*procedure, value->value());
    return true;
  }
  bool Pre(const parser::CallStmt &call) override {
    if (call.typedCall && onHost())
      checkInherited(*call.typedCall, callIn(call));
    return true;
  }
  bool Pre(const parser::Expr &value) override {
    const auto *call = std::get_if<common::Indirection<parser::FunctionReference>>(&value.u);
    const auto *typed =
        call && onHost() ? semantics::GetExpr(*context.program.context, value) : nullptr;
    if (const auto *reference = typed ? evaluate::UnwrapProcedureRef(*typed) : nullptr)
      checkInherited(*reference, call->value().v);
    return true;
  }

private:
  void check(const Symbol &procedure, const parser::Expr &actual) {
    for (const Replaceable &message : context.replaceableAt(actual.source))
      if (auto mismatch = parse(message.text))
        report(procedure, actual, *mismatch);
  }

  // flang takes components of device objects, and ASSOCIATE names of device components and
  // sections, for data of the host, which dummies of the host would get then. Of the arguments of a
  // call flang keeps one for each dummy, in order.
  void checkInherited(const evaluate::ProcedureRef &call, const parser::Call &text) {
    const Symbol *procedure = interfaceOf(call.proc().GetSymbol());
    if (!procedure || isKernel(procedure) || runsOnDevice(procedure))
      return;
    const auto &dummies = procedure->get<semantics::SubprogramDetails>().dummyArgs();
    for (size_t i = 0; i < dummies.size() && i < call.arguments().size(); ++i) {
      const auto &argument = call.arguments()[i];
      const auto *actual = argument ? argument->UnwrapExpr() : nullptr;
      auto where = actual && dummies[i] ? inheritedMemory(*actual) : std::nullopt;
      if (where && isOnlyOfDevice(*where) && takesHostData(*dummies[i]))
        if (const parser::Expr *written = writtenArgument(text, *actual))
          report(*procedure, *written,
                 {dummies[i]->name().ToString(), "data of the host", "device data"});
    }
  }

  static bool isOnlyOfDevice(common::CUDADataAttr memory) {
    return memory == common::CUDADataAttr::Device || memory == common::CUDADataAttr::Constant;
  }

  static bool takesHostData(const Symbol &dummy) {
    const auto *object = dummy.detailsIf<semantics::ObjectEntityDetails>();
    return object && !object->cudaDataAttr() && object->ignoreTKR().empty() &&
           !dummy.attrs().test(semantics::Attr::VALUE); // whose value the caller reads
  }

  // The argument as it is written that has this value.
  const parser::Expr *writtenArgument(const parser::Call &call,
                                      const evaluate::Expr<evaluate::SomeType> &value) {
    for (const auto &argument : std::get<std::list<parser::ActualArgSpec>>(call.t))
      if (const auto *written = std::get_if<common::Indirection<parser::Expr>>(
              &std::get<parser::ActualArg>(argument.t).u)) {
        const auto *typed = semantics::GetExpr(*context.program.context, written->value());
        if (typed && *typed == value)
          return &written->value();
      }
    return nullptr;
  }

  void report(const Symbol &procedure, const parser::Expr &actual, const Mismatch &mismatch) {
    const Symbol *dummy = dummyOf(procedure, mismatch.dummy);
    const auto *typed = semantics::GetExpr(*context.program.context, actual);
    const Symbol *variable = typed ? evaluate::GetLastSymbol(*typed) : nullptr;
    bool isValue = isKernel(&procedure) && dummy && dummy->Rank() == 0 &&
                   mismatch.actualMemory == "data of the host";
    std::string text = actual.source.ToString(), callee = procedure.name().ToString();
    Diagnostic &found =
        isValue ? context.report(Diag::KernelScalar, actual.source, text, mismatch.dummy, callee)
                : context.report(Diag::ArgumentMemory, actual.source, text, mismatch.actualMemory,
                                 mismatch.dummy, callee, mismatch.dummyMemory);
    if (dummy)
      context.addDeclaration(found, *dummy);
    if (variable && !semantics::IsDummy(*variable))
      context.addDeclaration(found, variable->GetUltimate());
    std::optional<Fix> fix;
    if (isValue)
      fix = addAttribute(context, *dummy, "value");
    else if (mismatch.actualMemory == "data of the host" && variable && onHost())
      fix = addAttribute(context, variable->GetUltimate(), "device");
    else if (mismatch.dummyMemory == "data of the host" && dummy && !runsOnDevice(&procedure))
      fix = addAttribute(context, *dummy, "device");
    if (fix)
      found.fixes.push_back(std::move(*fix));
  }

  CheckContext &context;
};

} // namespace

void checkActualArguments(CheckContext &context) { context.visit<Arguments>(context); }

} // namespace cufc
