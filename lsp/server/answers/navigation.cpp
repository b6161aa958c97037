// Places of symbols as the protocol has them.
#include "ide/navigation.h"
#include "ide/references.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

// LocationLinks for clients that take them, else Locations.
Json targetsJson(RequestContext &context, const Targets &targets, const char *feature) {
  bool links = context.client.has(std::string("textDocument/") + feature + "/linkSupport");
  Positions &positions = context.positions;
  Json result = Json::array();
  for (const Target &target : targets.list) {
    const Location &name = target.name;
    if (!links) {
      result.push_back(positions.location(name));
      continue;
    }
    Json link = {{"targetUri", positions.uri(name.path)},
                 {"targetRange", positions.range(name.path, target.whole)},
                 {"targetSelectionRange", positions.range(name.path, name.range)}};
    if (targets.origin.begin != targets.origin.end)
      link["originSelectionRange"] = positions.range(context.file().path, targets.origin);
    result.push_back(std::move(link));
  }
  return result;
}

// The protocol's DocumentHighlightKind.
int highlightKind(Role role) {
  constexpr int text = 1, read = 2, write = 3;
  switch (role) {
  case Role::Read:
  case Role::Call:
  case Role::Launch:
    return read;
  case Role::Write:
  case Role::ReadWrite:
  case Role::Declaration:
    return write;
  case Role::Reference:
    break;
  }
  return text;
}

} // namespace

Json answerDefinition(RequestContext &context) {
  return targetsJson(context, definition(context.query()), "definition");
}
Json answerDeclaration(RequestContext &context) {
  return targetsJson(context, declaration(context.query()), "declaration");
}
Json answerTypeDefinition(RequestContext &context) {
  return targetsJson(context, typeDefinition(context.query()), "typeDefinition");
}
Json answerImplementation(RequestContext &context) {
  return targetsJson(context, implementation(context.query()), "implementation");
}

Json answerReferences(RequestContext &context) {
  bool declaration =
      context.params.value("context", Json::object()).value("includeDeclaration", true);
  Json result = Json::array();
  for (const Reference &reference : references(context.query(), declaration))
    result.push_back(context.positions.location(reference.location));
  return sendPartially(context, std::move(result));
}

Json answerDocumentHighlight(RequestContext &context) {
  Query query = context.query();
  Json result = Json::array();
  for (const Reference &reference : highlights(query))
    result.push_back({{"range", context.positions.range(query.file.path, reference.location.range)},
                      {"kind", highlightKind(reference.role)}});
  return result;
}

} // namespace cufc
