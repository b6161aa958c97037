// flang's warnings about variables name them in apostrophes; their symbols say more than flang has
// looked at.
#include "frontend/false_warnings.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Semantics/symbol.h"
#include "frontend/name_suggestions.h"
#include <set>

namespace cufc {
namespace {

using namespace Fortran;

struct ConcurrentIndices {
  template <typename T>
  bool Pre(const T &) {
    return true;
  }
  template <typename T>
  void Post(const T &) {}
  void Post(const parser::ConcurrentControl &control) {
    names.insert(std::get<parser::Name>(control.t).ToString());
  }
  std::set<std::string> names;
};

bool isInitialised(const std::string &name, const parser::Message &message,
                   const FlangProgram &program) {
  const semantics::Scope *scope = scopeAround(program, message);
  const semantics::Symbol *symbol = scope ? scope->FindSymbol(parser::CharBlock(name)) : nullptr;
  return symbol && symbol->GetUltimate().test(semantics::Symbol::Flag::InDataStmt);
}

bool isFalse(const parser::Message &message, const FlangProgram &program,
             const ConcurrentIndices &indices) {
  std::string text = message.ToString();
  if (text.find("is_contiguous() is always true for named constants") == 0 ||
      text.find("is not known to be contiguous on its first dimension") != std::string::npos ||
      text.find("' may not be associated in a device subprogram") != std::string::npos)
    return true;
  size_t begin = text.find('\''), end = text.find('\'', begin + 1);
  if (!message.usageWarning() || begin == std::string::npos || end == std::string::npos)
    return false;
  std::string name = text.substr(begin + 1, end - begin - 1);
  if (*message.usageWarning() == common::UsageWarning::UnusedVariable)
    return indices.names.count(name) != 0;
  return *message.usageWarning() == common::UsageWarning::UsedUndefinedVariable &&
         isInitialised(name, message, program);
}

} // namespace

void dropFalseWarnings(FlangProgram &program) {
  ConcurrentIndices indices;
  parser::Walk(*program.parsing->parseTree(), indices);
  program.context->messages().messages().remove_if([&](const parser::Message &message) {
    return !message.IsFatal() && isFalse(message, program, indices);
  });
}

} // namespace cufc
