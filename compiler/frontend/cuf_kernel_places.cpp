// See cuf_kernel_places.h. flang's tree holds the statements of a block in a list; flang joins a
// directive with a loop that is its neighbour there.
#include "frontend/cuf_kernel_places.h"
#include "base/language_diag.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/tools.h"
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
  explicit Directives(std::vector<parser::CharBlock> &moved) : moved(moved) {}

  template <typename T>
  bool Pre(T &) {
    return true;
  }
  template <typename T>
  void Post(T &) {}
  void Post(parser::Block &block) {
    for (auto part = block.begin(); part != block.end();) {
      auto directive = part++;
      if (!isDirectiveAlone(*directive))
        continue;
      auto loop = part;
      while (loop != block.end() && parser::Unwrap<parser::AssignmentStmt>(*loop))
        ++loop;
      if (loop == part || loop == block.end() || !isLoop(*loop))
        continue;
      const auto *kernel = parser::Unwrap<parser::CUFKernelDoConstruct>(*directive);
      moved.push_back(std::get<parser::CUFKernelDoConstruct::Directive>(kernel->t).source);
      block.splice(loop, block, directive);
    }
  }

private:
  std::vector<parser::CharBlock> &moved;
};

} // namespace

void moveDirectivesToLoops(FlangProgram &program, Diagnostics &diagnostics) {
  std::vector<parser::CharBlock> moved;
  Directives directives(moved);
  parser::Walk(*program.parsing->parseTree(), directives);
  for (parser::CharBlock directive : moved)
    diagnostics.report(LanguageDiag::DistantDirective, rangeOf(program, directive));
}

} // namespace cufc
