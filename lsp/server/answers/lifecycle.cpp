// Requests about the server itself.
#include "server/answers/answers.h"

namespace cufc {

Json answerInitialize(RequestContext &context) { return context.server.initialize(context.params); }
Json answerShutdown(RequestContext &context) { return context.server.shutdown(); }

} // namespace cufc
