// See distant_directives.h.
#include "frontend/distant_directives.h"
#include "base/language_diag.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "frontend/messages.h"

namespace cufc {
namespace {

using namespace Fortran;

template <typename Construct>
Construct *constructIn(parser::ExecutionPartConstruct &part) {
  auto *executable = std::get_if<parser::ExecutableConstruct>(&part.u);
  auto *found = executable ? std::get_if<common::Indirection<Construct>>(&executable->u) : nullptr;
  return found ? &found->value() : nullptr;
}

bool isAssignment(const parser::ExecutionPartConstruct &part) {
  const auto *executable = std::get_if<parser::ExecutableConstruct>(&part.u);
  const auto *statement =
      executable ? std::get_if<parser::Statement<parser::ActionStmt>>(&executable->u) : nullptr;
  return statement && !statement->label &&
         std::holds_alternative<common::Indirection<parser::AssignmentStmt>>(
             statement->statement.u);
}

class Mover {
public:
  explicit Mover(std::vector<parser::CharBlock> &moved) : moved(moved) {}

  template <typename T>
  bool Pre(T &) {
    return true;
  }
  template <typename T>
  void Post(T &) {}

  void Post(parser::Block &block) {
    for (auto at = block.begin(); at != block.end(); ++at) {
      auto *kernel = constructIn<parser::CUFKernelDoConstruct>(*at);
      if (!kernel || std::get<std::optional<parser::DoConstruct>>(kernel->t))
        continue;
      auto next = std::next(at);
      while (next != block.end() && isAssignment(*next))
        ++next;
      auto *loop = next == block.end() ? nullptr : constructIn<parser::DoConstruct>(*next);
      if (!loop)
        continue;
      std::get<std::optional<parser::DoConstruct>>(kernel->t) = std::move(*loop);
      moved.push_back(std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t).source);
      block.splice(block.erase(next), block, at);
    }
  }

private:
  std::vector<parser::CharBlock> &moved;
};

} // namespace

void moveToLoops(FlangProgram &program, Diagnostics &diagnostics) {
  std::vector<parser::CharBlock> moved;
  Mover mover(moved);
  parser::Walk(*program.parsing->parseTree(), mover);
  for (parser::CharBlock directive : moved)
    diagnostics.report(LanguageDiag::DistantDirective, rangeOf(program, directive));
}

} // namespace cufc
