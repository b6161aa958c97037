// Every method of the protocol that the server knows. A capability is said to the client because a
// row of this table stands behind it.
#include "ide/semantic_tokens.h"
#include "server/answers/answers.h"
#include "tables/protocol_messages.h"

namespace cufc {
namespace {

constexpr Method methods[] = {
    {"initialize", Needs::Nothing, answerInitialize, nullptr, nullptr},
    {"shutdown", Needs::Nothing, answerShutdown, nullptr, nullptr},
    {"textDocument/diagnostic", Needs::Current, answerDocumentDiagnostics, "diagnosticProvider",
     R"({"identifier":"cufls","interFileDependencies":true,"workspaceDiagnostics":false})"},
    {"workspace/diagnostic", Needs::Nothing, answerWorkspaceDiagnostics, nullptr, nullptr},
    {"workspace/executeCommand", Needs::Nothing, answerExecuteCommand, nullptr, nullptr},
    {"textDocument/hover", Needs::Analysis, answerHover, "hoverProvider", "true"},
    {"textDocument/completion", Needs::Analysis, answerCompletion, "completionProvider",
     R"json({"triggerCharacters":["%","(",",","<"],"resolveProvider":true})json"},
    {"completionItem/resolve", Needs::Nothing, answerCompletionResolve, nullptr, nullptr},
    {"textDocument/signatureHelp", Needs::Analysis, answerSignatureHelp, "signatureHelpProvider",
     R"json({"triggerCharacters":["(",",","<"],"retriggerCharacters":[")",">","="]})json"},
    {"textDocument/definition", Needs::Analysis, answerDefinition, "definitionProvider", "true"},
    {"textDocument/declaration", Needs::Analysis, answerDeclaration, "declarationProvider", "true"},
    {"textDocument/typeDefinition", Needs::Analysis, answerTypeDefinition, "typeDefinitionProvider",
     "true"},
    {"textDocument/implementation", Needs::Analysis, answerImplementation, "implementationProvider",
     "true"},
    {"textDocument/references", Needs::Analysis, answerReferences, "referencesProvider", "true"},
    {"textDocument/documentHighlight", Needs::Analysis, answerDocumentHighlight,
     "documentHighlightProvider", "true"},
    {"textDocument/prepareRename", Needs::Analysis, answerPrepareRename, nullptr, nullptr},
    {"textDocument/rename", Needs::Current, answerRename, "renameProvider",
     R"({"prepareProvider":true})"},
    {"textDocument/documentSymbol", Needs::Analysis, answerDocumentSymbol, "documentSymbolProvider",
     R"({"label":"cufls"})"},
    {"workspace/symbol", Needs::Nothing, answerWorkspaceSymbol, "workspaceSymbolProvider", "true"},
    {"textDocument/prepareCallHierarchy", Needs::Analysis, answerPrepareCallHierarchy,
     "callHierarchyProvider", "true"},
    {"callHierarchy/incomingCalls", Needs::Nothing, answerIncomingCalls, nullptr, nullptr},
    {"callHierarchy/outgoingCalls", Needs::Nothing, answerOutgoingCalls, nullptr, nullptr},
    {"textDocument/prepareTypeHierarchy", Needs::Analysis, answerPrepareTypeHierarchy,
     "typeHierarchyProvider", "true"},
    {"typeHierarchy/supertypes", Needs::Nothing, answerSupertypes, nullptr, nullptr},
    {"typeHierarchy/subtypes", Needs::Nothing, answerSubtypes, nullptr, nullptr},
    {"textDocument/codeAction", Needs::Analysis, answerCodeAction, "codeActionProvider",
     R"({"codeActionKinds":["quickfix","refactor.rewrite","refactor.extract","refactor.inline",
         "refactor.move","source.organizeImports","source.fixAll.cufls"],"resolveProvider":true})"},
    {"codeAction/resolve", Needs::Current, answerResolveCodeAction, nullptr, nullptr},
    {"textDocument/formatting", Needs::Nothing, answerFormatting, "documentFormattingProvider",
     "true"},
    {"textDocument/rangeFormatting", Needs::Nothing, answerRangeFormatting,
     "documentRangeFormattingProvider", R"({"rangesSupport":true})"},
    {"textDocument/rangesFormatting", Needs::Nothing, answerRangesFormatting, nullptr, nullptr},
    {"textDocument/onTypeFormatting", Needs::Nothing, answerOnTypeFormatting,
     "documentOnTypeFormattingProvider",
     R"json({"firstTriggerCharacter":"\n","moreTriggerCharacter":["d","e","f","k","l","m","n","o","s","t",")"]})json"},
    {"textDocument/semanticTokens/full", Needs::Analysis, answerSemanticTokens,
     "semanticTokensProvider/full/delta", "true"},
    {"textDocument/semanticTokens/full/delta", Needs::Analysis, answerSemanticTokensDelta, nullptr,
     nullptr},
    {"textDocument/semanticTokens/range", Needs::Analysis, answerSemanticTokensRange,
     "semanticTokensProvider/range", "true"},
    {"textDocument/inlayHint", Needs::Analysis, answerInlayHints, "inlayHintProvider",
     R"({"resolveProvider":false})"},
    {"textDocument/codeLens", Needs::Analysis, answerCodeLenses, "codeLensProvider",
     R"({"resolveProvider":true})"},
    {"codeLens/resolve", Needs::Nothing, resolveCodeLens, nullptr, nullptr},
    {protocol::method::occupancy, Needs::Analysis, answerOccupancy, "experimental/occupancy",
     "true"},
    {protocol::method::deviceCode, Needs::Analysis, answerDeviceCode, "experimental/deviceCode",
     "true"},
    {protocol::method::timesMeasured, Needs::Nothing, takeTimes, "experimental/times", "true"},
    {"workspace/textDocumentContent", Needs::Nothing, answerTextDocumentContent,
     "workspace/textDocumentContent", R"({"schemes":["cufls"]})"},
    {"textDocument/foldingRange", Needs::Nothing, answerFoldingRanges, "foldingRangeProvider",
     "true"},
    {"textDocument/selectionRange", Needs::Nothing, answerSelectionRanges, "selectionRangeProvider",
     "true"},
    {"textDocument/linkedEditingRange", Needs::Nothing, answerLinkedEditingRanges,
     "linkedEditingRangeProvider", "true"},
    {"textDocument/documentLink", Needs::Nothing, answerDocumentLinks, "documentLinkProvider",
     R"({"resolveProvider":false})"},
};

constexpr Notification notifications[] = {
    {"initialized", &Server::initialized},
    {"exit", &Server::exitNotified},
    {"$/setTrace", &Server::setTrace},
    {"$/cancelRequest", &Server::cancelRequest},
    {"window/workDoneProgress/cancel", &Server::cancelProgress},
    {"textDocument/didOpen", &Server::didOpen},
    {"textDocument/didChange", &Server::didChange},
    {"textDocument/didSave", &Server::didSave},
    {"textDocument/didClose", &Server::didClose},
    {"workspace/didChangeConfiguration", &Server::didChangeConfiguration},
    {"workspace/didChangeWatchedFiles", &Server::didChangeWatchedFiles},
    {"workspace/didChangeWorkspaceFolders", &Server::didChangeWorkspaceFolders},
};

} // namespace

const Method *findMethod(const std::string &name) {
  for (const Method &method : methods)
    if (name == method.name)
      return &method;
  return nullptr;
}

const Notification *findNotification(const std::string &name) {
  for (const Notification &notification : notifications)
    if (name == notification.name)
      return &notification;
  return nullptr;
}

Json capabilities(PositionEncoding encoding) {
  Json result = {
      {"positionEncoding", encoding == PositionEncoding::Utf8    ? "utf-8"
                           : encoding == PositionEncoding::Utf32 ? "utf-32"
                                                                 : "utf-16"},
      {"textDocumentSync",
       {{"openClose", true}, {"change", 2}, {"save", {{"includeText", false}}}}},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}};
  result["semanticTokensProvider"]["legend"] = {{"tokenTypes", tokenTypeNames},
                                                {"tokenModifiers", tokenModifierNames}};
  for (const Method &method : methods)
    if (method.capability)
      result[Json::json_pointer(std::string("/") + method.capability)] = Json::parse(method.value);
  result["executeCommandProvider"] = {{"commands", Commands::names()}, {"workDoneProgress", true}};
  return result;
}

} // namespace cufc
