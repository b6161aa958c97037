// See false_errors.h. Each row of the list at the end is a filter: what the message says and the
// statement that it points at show that the program is right.
#include "frontend/workarounds/false_errors.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/findings.h"
#include "frontend/flang_versions.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/associated_data.h"
#include "frontend/workarounds/false_warnings.h"
#include "frontend/workarounds/implicit_transfers.h"
#include "frontend/workarounds/managed_expressions.h"
#include <algorithm>
#include <map>
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

// Assignments and calls of move_alloc of host code by the start of their statement, and the names
// of procedures that interface bodies declare.
class Statements : public ShallowVisitor {
public:
  explicit Statements(const parser::AllCookedSources &cooked) : cooked(cooked) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::AssignmentStmt &assignment) override {
    auto place = cooked.GetProvenanceRange(source);
    if (place && kernels > 0)
      inKernels[place->start().offset()] = source;
    else if (place && assignment.typedAssignment && assignment.typedAssignment->v)
      assignments[place->start().offset()] = &*assignment.typedAssignment->v;
    return false;
  }
  using StatementVisitor::Post;
  bool Pre(const parser::CUFKernelDoConstruct &) override {
    ++kernels;
    return true;
  }
  void Post(const parser::CUFKernelDoConstruct &) override { --kernels; }
  bool Pre(const parser::CallStmt &call) override {
    auto place = cooked.GetProvenanceRange(source);
    if (place && call.typedCall && call.typedCall->proc().GetName() == "move_alloc")
      moves[place->start().offset()] = &*call.typedCall;
    if (place && chevronsIn(call))
      launches.insert(place->start().offset());
    return true;
  }

  bool Pre(const parser::InterfaceBody::Subroutine &body) override {
    addInterface(std::get<parser::Name>(
        std::get<parser::Statement<parser::SubroutineStmt>>(body.t).statement.t));
    return true;
  }
  bool Pre(const parser::InterfaceBody::Function &body) override {
    addInterface(std::get<parser::Name>(
        std::get<parser::Statement<parser::FunctionStmt>>(body.t).statement.t));
    return true;
  }

  bool Pre(const parser::WhereStmt &) override { return addLowered(); }
  bool Pre(const parser::WhereConstructStmt &) override { return addLowered(); }
  bool Pre(const parser::ForallStmt &) override { return addLowered(); }
  bool Pre(const parser::ForallConstructStmt &) override { return addLowered(); }
  bool Pre(const parser::AssociateStmt &) override { return addLowered(); }
  bool Pre(const parser::ComputedGotoStmt &) override { return addLowered(); }
  bool Pre(const parser::ArithmeticIfStmt &) override { return addLowered(); }

  const parser::AllCookedSources &cooked;
  std::set<std::size_t> interfaces;
  std::set<std::size_t> lowered;  // statements that become device code like others
  std::set<std::size_t> launches; // of kernels
  std::map<std::size_t, const evaluate::Assignment *> assignments;
  std::map<std::size_t, parser::CharBlock> inKernels; // assignments in CUF kernels
  std::map<std::size_t, const evaluate::ProcedureRef *> moves;

private:
  void addInterface(const parser::Name &name) {
    if (auto place = cooked.GetProvenanceRange(name.source))
      interfaces.insert(place->start().offset());
  }
  bool addLowered() {
    if (auto place = cooked.GetProvenanceRange(source))
      lowered.insert(place->start().offset());
    return true;
  }

  int kernels = 0; // CUF kernels around the statement
};

// Whether the arguments of a call are all of the same memory.
bool haveSameAttribute(const evaluate::ActualArguments &arguments) {
  std::optional<common::CUDADataAttr> first;
  for (size_t i = 0; i < 2 && i < arguments.size(); ++i) {
    const auto *value = arguments[i] ? arguments[i]->UnwrapExpr() : nullptr;
    const semantics::Symbol *symbol = value ? evaluate::GetLastSymbol(*value) : nullptr;
    auto attribute = semantics::GetCUDADataAttr(symbol ? &symbol->GetUltimate() : nullptr);
    if (!attribute || (i > 0 && attribute != first))
      return false;
    first = attribute;
  }
  return true;
}

struct Errors {
  const FlangProgram &program;
  Statements statements;
};

std::string intrinsicIn(const Finding &finding) { return finding(Phrase::IntrinsicArgument, 1); }

// Intrinsics that use the descriptor of an argument alone, which is on the host.
bool needsOnlyDescriptor(const Finding &finding, Errors &all) {
  const std::string name = intrinsicIn(finding);
  if (name == "is_contiguous")
    return true;
  if (name != "move_alloc" || !finding.place())
    return false;
  const auto &moves = all.statements.moves;
  auto call = moves.upper_bound(*finding.place());
  return call != moves.begin() && haveSameAttribute(std::prev(call)->second->arguments());
}

// A host array in device code that a BLOCK in a CUF kernel declares, or an array of types with
// device components, of which a kernel can use those of one element. What else it uses of them is
// reported by checks/host_data.cpp and by the outliner.
bool namesUsableArray(const Finding &finding, Errors &all) {
  const std::string name = finding(Phrase::HostArray, 0);
  if (name.empty() || !finding.place())
    return false;
  auto statement = all.statements.inKernels.find(*finding.place());
  if (statement == all.statements.inKernels.end())
    return false;
  const semantics::Symbol *symbol =
      all.program.context->FindScope(statement->second).FindSymbol(parser::CharBlock(name));
  return symbol && (symbol->owner().kind() == semantics::Scope::Kind::BlockConstruct ||
                    semantics::HasCUDAComponent(symbol->GetUltimate()));
}

// The symbol that is declared at a place.
const semantics::Symbol *declaredAt(const semantics::Scope &scope, parser::CharBlock name,
                                    size_t place, const FlangProgram &program) {
  if (auto found = scope.find(name); found != scope.end())
    if (auto declaration = program.cooked.GetProvenanceRange(found->second->name());
        declaration && declaration->start().offset() == place)
      return &*found->second;
  for (const semantics::Scope &child : scope.children())
    if (const semantics::Symbol *symbol = declaredAt(child, name, place, program))
      return symbol;
  return nullptr;
}

const semantics::Symbol *declared(const std::string &name, const Finding &finding,
                                  const Errors &all) {
  if (name.empty() || !finding.place())
    return nullptr;
  return declaredAt(all.program.context->globalScope(), parser::CharBlock(name), *finding.place(),
                    all.program);
}

// A pointer to managed data.
bool namesManagedPointer(const Finding &finding, Errors &all) {
  const semantics::Symbol *symbol = declared(finding(Phrase::ManagedPointer, 1), finding, all);
  return symbol && semantics::IsPointer(*symbol);
}

// A variable of a BLOCK in device code, which an initial value makes one of the host for flang:
// checks/saved_data.cpp has its own rule.
bool namesSavedBlockVariable(const Finding &finding, Errors &all) {
  const semantics::Symbol *symbol = declared(finding(Phrase::SavedObject, 0), finding, all);
  return symbol && symbol->owner().kind() == semantics::Scope::Kind::BlockConstruct &&
         semantics::FindCUDADeviceContext(&symbol->owner());
}

// A declaration is wanted of what dropped_statuses.cpp calls.
bool isAboutDroppedStatus(const Finding &finding, Errors &) {
  return finding.is(Phrase::WithoutExternal) && finding.place();
}

// A statement that becomes device code like others.
bool isLowered(const Finding &finding, Errors &all) {
  return finding.says(Phrase::DeviceStatement) && finding.place() &&
         all.statements.lowered.count(*finding.place()) != 0;
}

// Not of a call that flang has not resolved.
bool isLimit(const Finding &finding, Phrase phrase) {
  return finding.place() && finding.says(phrase) && !finding.says(Phrase::DeviceStatement) &&
         !finding.is(Phrase::NoSpecific);
}
bool hasKnownGaps(const Finding &finding, Errors &) { return isLimit(finding, Phrase::KnownGaps); }
bool setsPointer(const Finding &finding, Errors &) {
  return isLimit(finding, Phrase::DevicePointer);
}

// Of PRINT; what sets device data is an error of checks/device_variables.cpp.
bool isOfOutput(const Finding &finding, Errors &) {
  return finding.is(Phrase::DeviceDataInIo) && finding.place();
}

// An interface body in a device procedure.
bool isInterfaceBody(const Finding &finding, Errors &all) {
  return finding.is(Phrase::InternalOfDevice) && finding.place() &&
         all.statements.interfaces.count(*finding.place()) != 0;
}

bool hasOneObject(const Finding &finding, Errors &all) {
  if (!finding.is(Phrase::SeveralObjects) || !finding.place())
    return false;
  auto found = all.statements.assignments.find(*finding.place());
  return found != all.statements.assignments.end() &&
         deviceArraysIn(found->second->rhs).size() <= 1;
}

std::optional<common::CUDADataAttr> memoryOfArgument(const Finding &finding, const Errors &all) {
  if (!finding.place())
    return std::nullopt;
  auto arguments = argumentsInMemory(all.program);
  auto found = arguments.find(*finding.place());
  return found != arguments.end() ? std::optional(found->second) : std::nullopt;
}

// An argument that is device data under an ASSOCIATE name, as host data.
bool isAssociatedData(const Finding &finding, Errors &all) {
  if (!finding.is(Phrase::NoDataAttribute) || finding.is(Phrase::AddressWithoutTarget))
    return false;
  auto memory = memoryOfArgument(finding, all);
  return memory && fitsDummy(finding.text(), *memory);
}

// An argument of c_loc that is device data without TARGET, whose address programs take in this way:
// it is not where the compiler could keep it in a register.
bool isAddressOfDeviceData(const Finding &finding, Errors &all) {
  if (!finding.is(Phrase::AddressWithoutTarget))
    return false;
  auto memory = memoryOfArgument(finding, all);
  return memory && *memory != common::CUDADataAttr::Shared;
}

// An element of an array that may have gaps as the begin of a buffer.
bool isOfChoiceBuffer(const Finding &finding, Errors &all) {
  return (finding.is(Phrase::ElementOfAssumedShape) || finding.is(Phrase::ElementOfPointer)) &&
         finding.place() && choiceBuffers(all.program).count(*finding.place()) != 0;
}

bool isManagedExpression(const Finding &finding, Errors &all) {
  return isOfManagedExpression(finding, all.program);
}

constexpr FindingFilter<Errors> falseErrors[] = {
    {Workaround::BlockVariables, namesUsableArray},
    {Workaround::ManagedPointers, namesManagedPointer},
    {Workaround::SavedBlockVariables, namesSavedBlockVariable},
    {Workaround::DescriptorArguments, needsOnlyDescriptor},
    {Workaround::LoweredStatements, isLowered},
    {Workaround::StridedSections, hasKnownGaps},
    {Workaround::DevicePointers, setsPointer},
    {MessageFilter::OwnEdit, isAboutDroppedStatus},
    {Workaround::DeviceOutput, isOfOutput},
    {Workaround::InterfaceBodies, isInterfaceBody},
    {Workaround::ObjectCounts, hasOneObject},
    {Workaround::AssociatedData, isAssociatedData},
    {Workaround::AddressesOfData, isAddressOfDeviceData},
    {Workaround::ChoiceBuffers, isOfChoiceBuffer},
    {Workaround::ManagedExpressions, isManagedExpression},
};

// Where arguments of C_LOC begin that are data and not expressions.
class AddressedData : public StatementVisitor {
public:
  explicit AddressedData(const parser::AllCookedSources &cooked) : cooked(cooked) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::FunctionReference &call) override {
    const auto &arguments = std::get<std::list<parser::ActualArgSpec>>(call.v.t);
    if (parser::GetFirstName(call).ToString() != "c_loc" || arguments.size() != 1)
      return true;
    const auto *value = std::get_if<common::Indirection<parser::Expr>>(
        &std::get<parser::ActualArg>(arguments.front().t).u);
    if (value && std::holds_alternative<common::Indirection<parser::Designator>>(value->value().u))
      if (auto range = cooked.GetProvenanceRange(value->value().source))
        places.insert(range->start().offset());
    return true;
  }
  std::set<std::size_t> places;

private:
  const parser::AllCookedSources &cooked;
};

bool isOfAddressedData(const Finding &finding, const FlangProgram &program) {
  AddressedData data(program.cooked);
  walkTree(*program.parsing->parseTree(), data);
  return finding.place() && data.places.count(*finding.place()) != 0;
}

// A constant subscript out of bounds is wrong only if it is reached, and other compilers let it
// pass: a warning (CUF1318), as flang has it where the array's extent is not declared here. The
// address of a variable without TARGET is that of its memory as well (CUF1312). An element of an
// assumed-shape array or a pointer as the beginning of an array is its address (CUF1326). An array
// that is shorter than the dummy argument does no harm unless the procedure uses the rest
// (CUF1311). A pure procedure may launch a kernel for what it is meant to do (CUF1392).
bool isDoubtful(const Finding &finding, const Errors &all) {
  if (finding.is(Phrase::InPureSubprogram))
    return finding.place() && all.statements.launches.count(*finding.place()) != 0;
  if (finding.is(Phrase::AddressWithoutTarget))
    return isOfAddressedData(finding, all.program);
  return finding.is(Phrase::ElementOfArray) || finding.is(Phrase::FewerElements) ||
         finding.is(Phrase::SubscriptBelow) || finding.is(Phrase::SubscriptAbove);
}

bool makeWarnings(FlangProgram &program, const Errors &all) {
  bool any = false;
  for (parser::Message &message : program.context->messages().messages()) {
    if (!message.IsFatal())
      continue;
    const Finding finding(message, program);
    if (!isDoubtful(finding, all))
      continue;
    recordDropped(nameOf(MessageFilter::DoubtfulError), finding, program);
    message.set_severity(parser::Severity::Warning);
    any = true;
  }
  return any;
}

} // namespace

bool dropFalseErrors(FlangProgram &program) {
  Errors all{program, Statements(program.cooked)};
  walkTree(*program.parsing->parseTree(), all.statements);
  bool anyErrors = dropFindings(program, /*errors=*/true, falseErrors, all);
  anyErrors |= makeWarnings(program, all);
  dropFalseWarnings(program);
  return anyErrors;
}

} // namespace cufc
