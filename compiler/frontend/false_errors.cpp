// See false_errors.h. Messages are told from others by their text and the statement they point at.
#include "frontend/false_errors.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/message.h"
#include "flang/Parser/tools.h"
#include "flang/Semantics/scope.h"
#include "flang/Semantics/semantics.h"
#include "flang/Semantics/symbol.h"
#include "flang/Semantics/tools.h"
#include "frontend/associated_data.h"
#include "frontend/false_warnings.h"
#include "frontend/implicit_transfers.h"
#include "frontend/managed_expressions.h"
#include "frontend/parallel_bounds.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <type_traits>

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
    if (place && call.chevrons)
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

// Intrinsics that use the descriptor of an argument alone, which is on the host.
bool needsOnlyDescriptor(std::string_view text, size_t place, const Statements &statements) {
  constexpr std::string_view intrinsic = " associated with host intrinsic ";
  if (text.find(std::string(intrinsic) + "is_contiguous is on the device") != std::string::npos)
    return true;
  if (text.find(std::string(intrinsic) + "move_alloc is on the device") == std::string::npos)
    return false;
  auto call = statements.moves.upper_bound(place);
  return call != statements.moves.begin() &&
         haveSameAttribute(std::prev(call)->second->arguments());
}

// Whether a message about a host array in device code names one that a BLOCK in a CUF kernel
// declares, or an array of types with device components, of which a kernel can use those of one
// element. What else it uses of them is reported by checks/host_data.cpp and by the outliner.
bool namesUsableArray(const std::string &text, size_t place, const FlangProgram &program,
                      const Statements &statements) {
  constexpr std::string_view before = "Host array '",
                             after = "' cannot be present in device context";
  size_t end = text.find(after);
  auto statement = statements.inKernels.find(place);
  if (text.compare(0, before.size(), before) != 0 || end == std::string::npos ||
      statement == statements.inKernels.end())
    return false;
  std::string name = text.substr(before.size(), end - before.size());
  const semantics::Symbol *symbol =
      program.context->FindScope(statement->second).FindSymbol(parser::CharBlock(name));
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

// Whether a message refuses a pointer to managed data.
bool namesManagedPointer(const std::string &text, size_t place, const FlangProgram &program) {
  size_t end = text.find("' with ATTRIBUTES(MANAGED) must also be allocatable");
  if (end == std::string::npos)
    return false;
  size_t begin = text.find('\'') + 1;
  std::string name = text.substr(begin, end - begin);
  const semantics::Symbol *symbol =
      declaredAt(program.context->globalScope(), parser::CharBlock(name), place, program);
  return symbol && semantics::IsPointer(*symbol);
}

// Whether a message takes a variable of a BLOCK in device code for one of the host, because of an
// initial value: checks/saved_data.cpp has its own rule.
bool namesSavedBlockVariable(const std::string &text, size_t place, const FlangProgram &program) {
  size_t end = text.find("' in host code may not have ATTRIBUTES(");
  if (text.rfind("Saved object '", 0) != 0 || end == std::string::npos)
    return false;
  size_t begin = text.find('\'') + 1;
  std::string name = text.substr(begin, end - begin);
  const semantics::Symbol *symbol =
      declaredAt(program.context->globalScope(), parser::CharBlock(name), place, program);
  return symbol && symbol->owner().kind() == semantics::Scope::Kind::BlockConstruct &&
         semantics::FindCUDADeviceContext(&symbol->owner());
}

// Whether a message or one that explains it says something.
bool says(const parser::Message &message, std::string_view words) {
  for (const parser::Message *part = &message; part; part = part->attachment().get())
    if (part->ToString().find(words) != std::string::npos)
      return true;
  return false;
}

// Whether a message wants a declaration of what dropped_statuses.cpp calls.
bool isAboutDroppedStatus(const std::string &text) {
  return text.find("'cufrt_drop' is an external procedure without the EXTERNAL") == 0;
}

// Limits of device code that only flang has.
bool isNoLimit(const parser::Message &message, size_t place, const Statements &statements) {
  if (says(message, "Statement may not appear in device code"))
    return statements.lowered.count(place) != 0;
  if (message.ToString().rfind("No specific ", 0) == 0)
    return false; // a call that flang has not resolved
  return says(message, "is known to be discontiguous on its first dimension") ||
         says(message, "may not be associated in a device subprogram");
}

bool isFalse(const parser::Message &message, const FlangProgram &program,
             const Statements &statements) {
  std::string text = message.ToString();
  auto provenance = message.GetProvenanceRange(program.cooked);
  if (!provenance)
    return false;
  size_t place = provenance->start().offset();
  if (namesUsableArray(text, place, program, statements) ||
      namesManagedPointer(text, place, program) || namesSavedBlockVariable(text, place, program))
    return true;
  if (needsOnlyDescriptor(text, place, statements) || isNoLimit(message, place, statements))
    return true;
  if (isAboutDroppedStatus(text))
    return true;
  if (text == "device data not allowed in I/O statements")
    return true; // of PRINT; what sets device data is an error of checks/device_variables.cpp
  if (text.find("may not be an internal procedure of CUDA device subprogram") != std::string::npos)
    return statements.interfaces.count(place) != 0;
  if (text.find("More than one reference to a CUDA object") != 0)
    return false;
  auto found = statements.assignments.find(place);
  return found != statements.assignments.end() && deviceArraysIn(found->second->rhs).size() <= 1;
}

// Whether a message refuses an argument of a call
//   - that is device data under an ASSOCIATE name, as host data;
//   - of c_loc that is device data without TARGET, whose address programs take in this way: it is
//     not where the compiler could keep it in a register.
bool isGoodArgument(const parser::Message &message, const FlangProgram &program) {
  std::string text = message.ToString();
  bool ofAddress =
      text.find("C_LOC() argument must be a data pointer or target") != std::string::npos;
  if (!ofAddress &&
      text.find("its associated actual argument has no CUDA data attribute") == std::string::npos)
    return false;
  auto place = message.GetProvenanceRange(program.cooked);
  auto arguments = argumentsInMemory(program);
  auto found = place ? arguments.find(place->start().offset()) : arguments.end();
  if (found == arguments.end())
    return false;
  return ofAddress ? found->second != common::CUDADataAttr::Shared : fitsDummy(text, found->second);
}

// Whether a message refuses an element of an array that may have gaps as the begin of a buffer.
bool isOfChoiceBuffer(const parser::Message &message, const FlangProgram &program) {
  std::string text = message.ToString();
  if (text.compare(0, 25, "Element of assumed-shape ") != 0 &&
      text.compare(0, 19, "Element of pointer ") != 0)
    return false;
  auto place = message.GetProvenanceRange(program.cooked);
  return place && choiceBuffers(program).count(place->start().offset()) != 0;
}

// Whether a message refuses an array of the host in the bounds of a parallel loop, which the host
// evaluates.
bool isOfBounds(const parser::Message &message, const FlangProgram &program) {
  std::string text = message.ToString();
  if (text.compare(0, 12, "Host array '") != 0 ||
      text.find("' cannot be present in device context") == std::string::npos)
    return false;
  auto place = message.GetProvenanceRange(program.cooked);
  for (parser::CharBlock statement : parallelStatements(*program.parsing->parseTree()))
    if (auto range = program.cooked.GetProvenanceRange(statement); range && place)
      if (range->Contains(*place))
        return true;
  return false;
}

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

bool isOfAddressedData(const parser::Message &message, const FlangProgram &program) {
  AddressedData data(program.cooked);
  walkTree(*program.parsing->parseTree(), data);
  auto range = message.GetProvenanceRange(program.cooked);
  return range && data.places.count(range->start().offset()) != 0;
}

// A constant subscript out of bounds is wrong only if it is reached, and other compilers let it
// pass: a warning (CUF1318), as flang has it where the array's extent is not declared here. The
// address of a variable without TARGET is that of its memory as well (CUF1312). An element of an
// assumed-shape array or a pointer as the beginning of an array is its address (CUF1326). An array
// that is shorter than the dummy argument does no harm unless the procedure uses the rest
// (CUF1311). A pure procedure may launch a kernel for what it is meant to do (CUF1392).
bool isDoubtful(const parser::Message &message, const FlangProgram &program,
                const Statements &statements) {
  std::string text = message.ToString();
  if (text.find(" referenced in pure subprogram ") != std::string::npos) {
    auto place = message.GetProvenanceRange(program.cooked);
    return place && statements.launches.count(place->start().offset()) != 0;
  }
  if (text.find("C_LOC() argument must be a data pointer or target") != std::string::npos)
    return isOfAddressedData(message, program);
  if (text.find("Element of ") == 0)
    return text.find(" array may not be associated with a") != std::string::npos;
  if (text.find("Actual argument ") == 0 && text.find(" has fewer ") != std::string::npos)
    return true;
  return text.find("subscript ") != std::string::npos &&
         (text.find(" is less than lower ") != std::string::npos ||
          text.find(" is greater than upper ") != std::string::npos);
}

bool makeWarnings(std::list<parser::Message> &messages, const FlangProgram &program,
                  const Statements &statements) {
  bool any = false;
  for (parser::Message &message : messages)
    if (message.IsFatal() && isDoubtful(message, program, statements)) {
      message.set_severity(parser::Severity::Warning);
      any = true;
    }
  return any;
}

} // namespace

bool dropFalseErrors(FlangProgram &program) {
  Statements statements(program.cooked);
  walkTree(*program.parsing->parseTree(), statements);
  parser::Messages &messages = program.context->messages();
  auto &list = messages.messages();
  size_t before = list.size();
  list.remove_if([&](const parser::Message &message) {
    return message.IsFatal() &&
           (isFalse(message, program, statements) || isGoodArgument(message, program) ||
            isOfChoiceBuffer(message, program) || isOfBounds(message, program) ||
            isOfManagedExpression(message, program));
  });
  bool anyErrors = list.size() != before;
  anyErrors |= makeWarnings(list, program, statements);
  dropFalseWarnings(program);
  return anyErrors;
}

} // namespace cufc
