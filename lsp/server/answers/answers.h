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

// completion.cpp
Json answerCompletion(RequestContext &);
Json answerCompletionResolve(RequestContext &);

// signature_help.cpp
Json answerSignatureHelp(RequestContext &);

// navigation.cpp
Json answerDefinition(RequestContext &);
Json answerDeclaration(RequestContext &);
Json answerTypeDefinition(RequestContext &);
Json answerImplementation(RequestContext &);
Json answerReferences(RequestContext &);
Json answerDocumentHighlight(RequestContext &);

// symbols.cpp
Json answerDocumentSymbol(RequestContext &);
Json answerWorkspaceSymbol(RequestContext &);
// Sends a long list in pieces, if the client asked for that; then the answer itself is empty.
Json sendPartially(RequestContext &context, Json list);

// rename.cpp
Json answerPrepareRename(RequestContext &);
Json answerRename(RequestContext &);

// hierarchies.cpp
Json answerPrepareCallHierarchy(RequestContext &);
Json answerIncomingCalls(RequestContext &);
Json answerOutgoingCalls(RequestContext &);
Json answerPrepareTypeHierarchy(RequestContext &);
Json answerSupertypes(RequestContext &);
Json answerSubtypes(RequestContext &);

// format.cpp
Json answerFormatting(RequestContext &);
Json answerRangeFormatting(RequestContext &);
Json answerRangesFormatting(RequestContext &);
Json answerOnTypeFormatting(RequestContext &);

// code_action.cpp
Json answerCodeAction(RequestContext &);
Json answerResolveCodeAction(RequestContext &);

// hints.cpp
Json answerInlayHints(RequestContext &);
Json answerCodeLenses(RequestContext &);
Json resolveCodeLens(RequestContext &);

// times.cpp
void addTimeLenses(RequestContext &context, const Query &query, Json &lenses);
Json takeTimes(RequestContext &);

// occupancy.cpp
Json answerOccupancy(RequestContext &);
Json answerDeviceCode(RequestContext &);

// text_content.cpp
Json answerTextDocumentContent(RequestContext &);

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
