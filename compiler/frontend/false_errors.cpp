// See false_errors.h. Messages are told from others by their text and the statement they point at.
#include "frontend/false_errors.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/message.h"
#include "flang/Semantics/tools.h"
#include "frontend/statement_visitor.h"
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace cufc {
namespace {

using namespace Fortran;

// The objects of an expression that only kernels can use.
int countDeviceObjects(const evaluate::Expr<evaluate::SomeType> &expression) {
  int count = 0;
  for (const semantics::Symbol &symbol : evaluate::CollectSymbols(expression)) {
    const auto *object = symbol.GetUltimate().detailsIf<semantics::ObjectEntityDetails>();
    if (!object || !object->cudaDataAttr())
      continue;
    common::CUDADataAttr attribute = *object->cudaDataAttr();
    count +=
        attribute == common::CUDADataAttr::Device || attribute == common::CUDADataAttr::Constant;
  }
  return count;
}

// Assignments and calls of move_alloc by the start of their statement, and the names of procedures
// that interface bodies declare.
class Statements : public StatementVisitor {
public:
  explicit Statements(const parser::AllCookedSources &cooked) : cooked(cooked) {}

  using StatementVisitor::Pre;
  bool Pre(const parser::AssignmentStmt &assignment) {
    auto place = cooked.GetProvenanceRange(source);
    if (place && assignment.typedAssignment && assignment.typedAssignment->v) {
      assignments[place->start().offset()] = &*assignment.typedAssignment->v;
      sources[place->start().offset()] = source;
    }
    return false;
  }
  bool Pre(const parser::CallStmt &call) {
    auto place = cooked.GetProvenanceRange(source);
    if (place && call.typedCall && call.typedCall->proc().GetName() == "move_alloc")
      moves[place->start().offset()] = &*call.typedCall;
    return false;
  }

  bool Pre(const parser::InterfaceBody::Subroutine &body) {
    addInterface(std::get<parser::Name>(
        std::get<parser::Statement<parser::SubroutineStmt>>(body.t).statement.t));
    return true;
  }
  bool Pre(const parser::InterfaceBody::Function &body) {
    addInterface(std::get<parser::Name>(
        std::get<parser::Statement<parser::FunctionStmt>>(body.t).statement.t));
    return true;
  }

  const parser::AllCookedSources &cooked;
  std::set<std::size_t> interfaces;
  std::map<std::size_t, const evaluate::Assignment *> assignments;
  std::map<std::size_t, parser::CharBlock> sources; // of those
  std::map<std::size_t, const evaluate::ProcedureRef *> moves;

private:
  void addInterface(const parser::Name &name) {
    if (auto place = cooked.GetProvenanceRange(name.source))
      interfaces.insert(place->start().offset());
  }
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

bool isFalse(const parser::Message &message, const parser::AllCookedSources &cooked,
             const Statements &statements) {
  std::string text = message.ToString();
  auto provenance = message.GetProvenanceRange(cooked);
  if (!provenance)
    return false;
  size_t place = provenance->start().offset();
  if (needsOnlyDescriptor(text, place, statements))
    return true;
  if (text.find("may not be an internal procedure of CUDA device subprogram") != std::string::npos)
    return statements.interfaces.count(place) != 0;
  bool several = text.find("More than one reference to a CUDA object") == 0;
  if (!several && text.find("Unsupported CUDA data transfer") != 0)
    return false;
  auto found = statements.assignments.find(place);
  return found != statements.assignments.end() && countDeviceObjects(found->second->rhs) <= 1 &&
         (several || countDeviceObjects(found->second->lhs) == 0 ||
          countDeviceObjects(found->second->rhs) == 0);
}

// First and last line of every execution part.
class Bodies {
public:
  Bodies(const FlangProgram &program, const std::string &path) : program(program), path(path) {}

  template <typename T>
  bool Pre(const T &) {
    return true;
  }
  template <typename T>
  void Post(const T &) {}
  template <typename T>
  bool Pre(const parser::Statement<T> &statement) {
    if (depth > 0)
      extend(statement.source);
    return true;
  }
  template <typename T>
  bool Pre(const parser::UnlabeledStatement<T> &statement) {
    if (depth > 0)
      extend(statement.source);
    return true;
  }
  bool Pre(const parser::ExecutionPart &) {
    if (depth++ == 0)
      lines.push_back({0, 0});
    return true;
  }
  void Post(const parser::ExecutionPart &) { --depth; }

  std::vector<std::pair<int, int>> lines;

private:
  void extend(parser::CharBlock source) {
    auto range = program.cooked.GetProvenanceRange(source);
    if (!range)
      return;
    auto begin = program.sources.GetSourcePosition(range->start());
    auto end = program.sources.GetSourcePosition(range->start() + (range->size() - 1));
    std::error_code ignored;
    if (!begin || !end || !std::filesystem::equivalent(*begin->path, path, ignored) ||
        *begin->path != *end->path)
      return;
    auto &[first, last] = lines.back();
    first = first == 0 ? begin->line : std::min(first, begin->line);
    last = std::max(last, end->line);
  }

  const FlangProgram &program;
  const std::string &path;
  int depth = 0;
};

} // namespace

void checkDeviceComponents(FlangProgram &program) {
  Statements statements(program.cooked);
  parser::Walk(*program.parsing->parseTree(), statements);
  for (const auto &[place, assignment] : statements.assignments) {
    if (evaluate::IsVariable(assignment->rhs) ||
        !evaluate::HasCUDAImplicitTransfer(assignment->rhs))
      continue;
    for (const semantics::Symbol &symbol : evaluate::CollectSymbols(assignment->rhs)) {
      const auto *object = symbol.GetUltimate().detailsIf<semantics::ObjectEntityDetails>();
      bool onDevice = object && object->cudaDataAttr() == common::CUDADataAttr::Device;
      if (onDevice && symbol.GetUltimate().owner().IsDerivedType())
        program.context->Say(statements.sources[place],
                             "device component in an expression"_err_en_US);
    }
  }
}

bool dropFalseErrors(FlangProgram &program) {
  Statements statements(program.cooked);
  parser::Walk(*program.parsing->parseTree(), statements);
  parser::Messages &messages = program.context->messages();
  auto &list = messages.messages();
  size_t before = list.size();
  list.remove_if([&](const parser::Message &message) {
    return message.IsFatal() && isFalse(message, program.cooked, statements);
  });
  bool anyErrors = list.size() != before;
  list.remove_if([](const parser::Message &message) { // said of every argument
    return message.ToString().find("is_contiguous() is always true for named constants") == 0;
  });
  return anyErrors;
}

std::string withoutBodies(const std::string &text, const std::string &path,
                          const FlangProgram &program) {
  Bodies bodies(program, path);
  parser::Walk(*program.parsing->parseTree(), bodies);
  std::string result;
  int number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    size_t end = std::min(text.find('\n', begin), text.size());
    bool executable = std::any_of(bodies.lines.begin(), bodies.lines.end(), [&](const auto &body) {
      return number >= body.first && number <= body.second;
    });
    if (!executable)
      result.append(text, begin, end - begin);
    result += '\n';
    begin = end + 1;
  }
  return result;
}

} // namespace cufc
