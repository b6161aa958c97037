// See cuf_kernel_places.h. flang's tree holds the statements of a block in a list; flang joins a
// directive with a loop that is its neighbour there.
#include "frontend/cuf_kernel_places.h"
#include "base/language_diag.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/tools.h"
#include "frontend/concurrent_loops.h"
#include "frontend/kernel_nests.h"
#include "frontend/messages.h"

namespace cufc {
namespace {

using namespace Fortran;

bool isDirectiveAlone(const parser::ExecutionPartConstruct &part) {
  const auto *kernel = parser::Unwrap<parser::CUFKernelDoConstruct>(part);
  return kernel && !std::get<std::optional<parser::DoConstruct>>(kernel->t);
}

bool isLoop(const parser::ExecutionPartConstruct &part) {
  return parser::Unwrap<parser::DoConstruct>(part) || parser::Unwrap<parser::LabelDoStmt>(part);
}

class Directives {
public:
  Directives(const FlangProgram &program, Diagnostics &diagnostics)
      : program(program), diagnostics(diagnostics),
        scalars(scalarNames(*program.parsing->parseTree())) {}

  template <typename T>
  bool Pre(T &) {
    return true;
  }
  template <typename T>
  void Post(T &) {}
  void Post(parser::Block &block) {
    for (auto part = block.begin(); part != block.end();) {
      auto directive = part++;
      if (!parser::Unwrap<parser::CUFKernelDoConstruct>(*directive))
        continue;
      if (isDirectiveAlone(*directive))
        moveToLoop(block, directive);
      joinNest(block, directive);
      part = spreadConcurrentLoop(block, directive, program, diagnostics);
    }
  }

private:
  void moveToLoop(parser::Block &block, parser::Block::iterator directive) {
    auto next = std::next(directive), loop = next;
    while (loop != block.end() && parser::Unwrap<parser::AssignmentStmt>(*loop))
      ++loop;
    if (loop == next || loop == block.end() || !isLoop(*loop))
      return;
    const auto *kernel = parser::Unwrap<parser::CUFKernelDoConstruct>(*directive);
    auto source = std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t).source;
    diagnostics.report(LanguageDiag::DistantDirective, rangeOf(program, source));
    block.splice(loop, block, directive);
  }

  void joinNest(const parser::Block &block, parser::Block::iterator directive) {
    auto *kernel = parser::Unwrap<parser::CUFKernelDoConstruct>(*directive);
    auto &own = std::get<std::optional<parser::DoConstruct>>(kernel->t);
    auto next = std::next(directive);
    parser::DoConstruct *loop = own                   ? &*own
                                : next != block.end() ? parser::Unwrap<parser::DoConstruct>(*next)
                                                      : nullptr;
    if (loop)
      joinLoops(*loop, depthOf(std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t)),
                scalars);
  }

  const FlangProgram &program;
  Diagnostics &diagnostics;
  const std::set<std::string> scalars;
};

} // namespace

void moveDirectivesToLoops(FlangProgram &program, Diagnostics &diagnostics) {
  Directives directives(program, diagnostics);
  parser::Walk(*program.parsing->parseTree(), directives);
}

} // namespace cufc
