// Hover as the protocol has it.
#include "ide/hover.h"
#include "server/answers/answers.h"

namespace cufc {

Json answerHover(RequestContext &context) {
  Query query = context.query();
  std::optional<Hover> found = hover(query, context.server.api());
  if (!found)
    return nullptr;
  return {{"contents", {{"kind", "markdown"}, {"value", found->markdown}}},
          {"range", context.positions.range(query.file.path, found->range)}};
}

} // namespace cufc
