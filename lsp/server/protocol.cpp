// See protocol.h.
#include "server/protocol.h"
#include "base/files.h"
#include "base/percent_encoding.h"
#include "project/project.h"
#include <fmt/format.h>

namespace cufc {
std::string pathOfUri(const std::string &uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) {
    size_t colon = uri.find(':');
    std::string rest = percentDecoded(uri.substr(colon == std::string::npos ? 0 : colon + 1));
    return "/" + uri.substr(0, colon == std::string::npos ? 0 : colon) + ":/" + rest;
  }
  std::string rest = uri.substr(scheme.size());
  return absolutePath(percentDecoded(rest.substr(std::min(rest.find('/'), rest.size()))), "/");
}

std::string uriOfPath(const std::string &path) { return "file://" + percentEncoded(path); }

const Document &Positions::document(const std::string &path) {
  if (const SourceFile *file = workspace.find(path); file && file->open)
    return file->document;
  auto [place, isNew] = read.try_emplace(path);
  if (isNew) {
    std::string text;
    readFile(path, text);
    place->second.replace(std::move(text));
  }
  return place->second;
}

Json Positions::position(const std::string &path, TextPosition position) {
  int character = document(path).unitsBefore(position, encoding);
  return {{"line", std::max(0, position.line - 1)}, {"character", character}};
}

Json Positions::range(const std::string &path, const TextRange &range) {
  return {{"start", position(path, range.begin)}, {"end", position(path, range.end)}};
}

Json Positions::range(const SourceRange &range) {
  TextRange text{{range.line, range.column}, {range.endLine, range.endColumn}};
  if (text.begin.line < 1)
    text = {{1, 1}, {1, 1}};
  text.end = std::max(text.begin, text.end);
  return this->range(range.file, text);
}

Json Positions::location(const Location &location) {
  return {{"uri", uri(location.path)}, {"range", range(location.path, location.range)}};
}

std::string Positions::uri(const std::string &path) const {
  auto known = uris.find(path);
  return known == uris.end() ? uriOfPath(path) : known->second;
}

TextPosition Positions::position(const Document &document, const Json &position) const {
  return document.positionOf(position.at("line").get<int>(), position.at("character").get<int>(),
                             encoding);
}

TextRange Positions::range(const Document &document, const Json &range) const {
  return {position(document, range.at("start")), position(document, range.at("end"))};
}

} // namespace cufc
