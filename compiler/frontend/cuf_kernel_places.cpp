// See cuf_kernel_places.h. flang's tree holds the statements of a block in a list; flang joins a
// directive with a loop that is its neighbour there.
#include "frontend/cuf_kernel_places.h"
#include "flang/Parser/parse-tree-visitor.h"
#include "flang/Parser/parse-tree.h"
#include "flang/Parser/tools.h"

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
      if (loop != block.end() && isLoop(*loop))
        block.splice(loop, block, directive);
    }
  }
};

} // namespace

void moveDirectivesToLoops(FlangProgram &program) {
  Directives directives;
  parser::Walk(*program.parsing->parseTree(), directives);
}

} // namespace cufc
