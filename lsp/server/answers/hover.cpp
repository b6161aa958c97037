// Hover as the protocol has it.
#include "ide/hover.h"
#include "ide/kernel_texts.h"
#include "server/answers/answers.h"

namespace cufc {

Json answerHover(RequestContext &context) {
  Query query = context.query();
  std::optional<Hover> found = hover(query, context.server.api());
  CostView costs = context.host.costs.view(query.file.path);
  const KernelReport *kernel = costs.isReady() ? kernelNamedAt(query, costs.kernels) : nullptr;
  if (!found) {
    if (!kernel)
      return nullptr;
    found = Hover{"", wordAt(query.document(), query.position)};
  }
  if (kernel)
    found->markdown +=
        (found->markdown.empty() ? "" : "\n---\n") + costMarkdown(*kernel, costs.gpu, costs.chip);
  return {{"contents", {{"kind", "markdown"}, {"value", found->markdown}}},
          {"range", context.positions.range(query.file.path, found->range)}};
}

} // namespace cufc
