// See cuf_kernel_places.h. flang's tree holds the statements of a block in a list; flang joins a
// directive with a loop that is its neighbour there.
#include "frontend/lenient/cuf_kernel_places.h"
#include "base/language_diag.h"
#include "base/workarounds.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/tools.h"
#include "frontend/lenient/nested_statements.h"
#include "frontend/messages.h"
#include "frontend/statement_visitor.h"
#include "frontend/workarounds/concurrent_loops.h"

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

class Directives : public ShallowVisitor {
public:
  Directives(const FlangProgram &program, Diagnostics &diagnostics)
      : program(program), diagnostics(diagnostics) {}

  void Post(const parser::Block &visited) override {
    parser::Block &block = changeable(visited);
    for (auto part = block.begin(); part != block.end();) {
      auto directive = part++;
      if (!parser::Unwrap<parser::CUFKernelDoConstruct>(*directive))
        continue;
      if (isDirectiveAlone(*directive))
        moveToLoop(block, directive);
      if (isMade(Workaround::ConcurrentLoops))
        part = spreadConcurrentLoop(block, directive, program, diagnostics);
      nestStatements(block, directive);
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

  // The loop is in the construct, or its neighbour.
  void nestStatements(parser::Block &block, parser::Block::iterator directive) {
    auto *kernel = const_cast<parser::CUFKernelDoConstruct *>(
        parser::Unwrap<parser::CUFKernelDoConstruct>(*directive));
    if (!kernel)
      return;
    auto &own = std::get<std::optional<parser::DoConstruct>>(kernel->t);
    auto next = std::next(directive);
    auto *loop = own ? &*own
                 : next != block.end()
                     ? const_cast<parser::DoConstruct *>(parser::Unwrap<parser::DoConstruct>(*next))
                     : nullptr;
    auto depth = depthOf(std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t));
    if (loop && depth > 1)
      moveIntoInnermostLoop(*loop, depth, program, diagnostics);
  }

  const FlangProgram &program;
  Diagnostics &diagnostics;
};

} // namespace

void moveDirectivesToLoops(FlangProgram &program, Diagnostics &diagnostics) {
  Directives directives(program, diagnostics);
  walkTree(*program.parsing->parseTree(), directives);
}

} // namespace cufc
