// Places of symbols as the protocol has them.
#include "ide/navigation.h"
#include "server/answers/answers.h"

namespace cufc {
namespace {

Json locations(RequestContext &context, const std::vector<Location> &list) {
  Json result = Json::array();
  for (const Location &location : list)
    result.push_back(context.positions.location(location));
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
  return locations(context, definition(context.query()));
}

Json answerReferences(RequestContext &context) {
  bool declaration = context.params.at("context").at("includeDeclaration");
  std::vector<Location> places;
  for (const Reference &reference : references(context.query(), declaration))
    places.push_back(reference.location);
  return locations(context, places);
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
