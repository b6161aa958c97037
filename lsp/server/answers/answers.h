// The handlers of requests, a file for each group. Each returns the result; the list of methods is
// in dispatch.cpp.
#ifndef CUFLS_SERVER_ANSWERS_ANSWERS_H
#define CUFLS_SERVER_ANSWERS_ANSWERS_H

#include "server/server.h"

namespace cufc {

Json answerInitialize(RequestContext &);
Json answerShutdown(RequestContext &);
Json answerExecuteCommand(RequestContext &);
Json answerDocumentDiagnostics(RequestContext &);
Json answerWorkspaceDiagnostics(RequestContext &);

// hover.cpp
Json answerHover(RequestContext &);

// navigation.cpp
Json answerDefinition(RequestContext &);
Json answerReferences(RequestContext &);
Json answerDocumentHighlight(RequestContext &);

// hints.cpp
Json answerInlayHints(RequestContext &);
Json answerCodeLenses(RequestContext &);
Json resolveCodeLens(RequestContext &);

// structure.cpp
Json answerFoldingRanges(RequestContext &);
Json answerSelectionRanges(RequestContext &);
Json answerLinkedEditingRanges(RequestContext &);
Json answerDocumentLinks(RequestContext &);

// semantic_tokens.cpp
Json answerSemanticTokens(RequestContext &);
Json answerSemanticTokensDelta(RequestContext &);
Json answerSemanticTokensRange(RequestContext &);

} // namespace cufc
#endif // CUFLS_SERVER_ANSWERS_ANSWERS_H
