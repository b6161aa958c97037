// Requests about the server itself.
#include "server/answers/answers.h"

namespace cufc {

Json answerInitialize(RequestContext &context) { return context.server.initialize(context.params); }
Json answerShutdown(RequestContext &context) { return context.server.shutdown(); }

Json answerExecuteCommand(RequestContext &context) {
  context.server.commands.start(context.id, context.params.at("command"),
                                context.params.value("arguments", Json::array()),
                                context.server.setting("codeLens.times") != Json(false));
  throw AnsweredLater();
}

} // namespace cufc
