// See false_errors.h. Messages are told from others by their text and the assignment they point at.
#include "frontend/false_errors.h"
#include "flang/Evaluate/tools.h"
#include "flang/Parser/message.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include <algorithm>
#include <filesystem>
#include <map>
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

// Assignments by the start of their statement.
class Assignments {
public:
  explicit Assignments(const parser::AllCookedSources &cooked) : cooked(cooked) {}

  template <typename T>
  bool Pre(const T &) {
    return true;
  }
  template <typename T>
  void Post(const T &) {}
  template <typename T>
  bool Pre(const parser::Statement<T> &statement) {
    source = statement.source;
    return true;
  }
  template <typename T>
  bool Pre(const parser::UnlabeledStatement<T> &statement) {
    source = statement.source;
    return true;
  }
  bool Pre(const parser::AssignmentStmt &assignment) {
    auto place = cooked.GetProvenanceRange(source);
    if (place && assignment.typedAssignment && assignment.typedAssignment->v)
      found[place->start().offset()] = &*assignment.typedAssignment->v;
    return false;
  }

  const parser::AllCookedSources &cooked;
  parser::CharBlock source;
  std::map<std::size_t, const evaluate::Assignment *> found;
};

bool isFalse(const parser::Message &message, const parser::AllCookedSources &cooked,
             const Assignments &assignments) {
  std::string text = message.ToString();
  bool several = text.find("More than one reference to a CUDA object") == 0;
  if (!several && text.find("Unsupported CUDA data transfer") != 0)
    return false;
  auto provenance = message.GetProvenanceRange(cooked);
  if (!provenance)
    return false;
  auto found = assignments.found.find(provenance->start().offset());
  return found != assignments.found.end() && countDeviceObjects(found->second->rhs) <= 1 &&
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

bool dropFalseErrors(FlangProgram &program) {
  Assignments assignments(program.cooked);
  parser::Walk(*program.parsing->parseTree(), assignments);
  parser::Messages &messages = program.context->messages();
  auto &list = messages.messages();
  size_t before = list.size();
  list.remove_if([&](const parser::Message &message) {
    return message.IsFatal() && isFalse(message, program.cooked, assignments);
  });
  return list.size() != before;
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
