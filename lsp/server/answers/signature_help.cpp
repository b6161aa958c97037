// Signature help. Places in labels count in UTF-16; Fortran's names are ASCII.
#include "ide/signature_help.h"
#include "server/answers/answers.h"

namespace cufc {

Json answerSignatureHelp(RequestContext &context) {
  Query query = context.query();
  std::optional<SignatureHelp> help = signatureHelp(query, context.server.api());
  if (!help)
    return nullptr;
  constexpr const char *information = "textDocument/signatureHelp/signatureInformation/";
  bool offsets =
      context.client.has(std::string(information) + "parameterInformation/labelOffsetSupport");
  Json signatures = Json::array();
  for (const Signature &signature : help->signatures) {
    Json parameters = Json::array();
    for (const SignatureParameter &parameter : signature.parameters) {
      auto length = static_cast<size_t>(parameter.end - parameter.begin);
      Json label = offsets
                       ? Json::array({parameter.begin, parameter.end})
                       : Json(signature.label.substr(static_cast<size_t>(parameter.begin), length));
      parameters.push_back(
          {{"label", label},
           {"documentation", {{"kind", "markdown"}, {"value", parameter.documentation}}}});
    }
    Json json = {{"label", signature.label}, {"parameters", std::move(parameters)}};
    // A number behind the last is how the protocol says "none".
    json["activeParameter"] =
        signature.active >= 0 ? signature.active : static_cast<int>(signature.parameters.size());
    if (!signature.documentation.empty())
      json["documentation"] = {{"kind", "markdown"}, {"value", signature.documentation}};
    signatures.push_back(std::move(json));
  }
  Json active = signatures[static_cast<size_t>(help->active)]["activeParameter"];
  return {{"signatures", std::move(signatures)},
          {"activeSignature", help->active},
          {"activeParameter", std::move(active)}};
}

} // namespace cufc
