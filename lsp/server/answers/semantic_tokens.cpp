// Semantic tokens in the protocol's form: five numbers each, places relative to the token before.
#include "ide/semantic_tokens.h"
#include "host/texts.h"
#include "server/answers/answers.h"
#include <charconv>

namespace cufc {
namespace {

// Columns in the client's units, from 0, asked for in the order of the text.
class UnitCounter {
public:
  UnitCounter(const Document &document, PositionEncoding encoding)
      : document(document), encoding(encoding) {}

  int units(int lineNumber, int column) {
    if (lineNumber != line) {
      line = lineNumber;
      text = document.line(line);
      at = 0;
      passed = 0;
    }
    auto target = std::min(static_cast<size_t>(column) - 1, text.size());
    while (at < target) {
      size_t length = bytesOfCharacter(text, at);
      if (at + length > target)
        break;
      passed += unitsOfCharacter(length, encoding);
      at += length;
    }
    return passed;
  }

private:
  const Document &document;
  PositionEncoding encoding;
  std::string_view text;
  int line = 0;
  size_t at = 0;  // so far, in bytes
  int passed = 0; // and in units
};

// What a grammar sees too. A comment is a token where the preprocessor leaves lines out.
bool isSyntax(const SemanticToken &token) {
  return token.type == TokenType::Keyword || token.type == TokenType::Number ||
         token.type == TokenType::String || token.type == TokenType::Operator;
}

TokenResults::Data encoded(RequestContext &context, const TextRange *range) {
  Query query{context.workspace, context.file(), {}};
  TextRange all{{1, 1}, {query.document().lineCount() + 1, 1}};
  std::vector<SemanticToken> tokens =
      semanticTokens(query, range ? *range : all, textReader(context.workspace));
  // Keywords and literals keep the colours of the client's grammar, if it has one.
  if (context.client.capability("textDocument/semanticTokens/augmentsSyntaxTokens") == true)
    std::erase_if(tokens, isSyntax);
  TokenResults::Data data;
  data.reserve(tokens.size() * 5);
  UnitCounter counter(query.document(), context.positions.unit());
  int lastLine = 1, lastBegin = 0;
  for (const SemanticToken &token : tokens) {
    int begin = counter.units(token.line, token.column);
    int end = counter.units(token.line, token.endColumn);
    int fromBegin = token.line == lastLine ? begin - lastBegin : begin;
    data.insert(data.end(),
                {static_cast<std::uint32_t>(token.line - lastLine),
                 static_cast<std::uint32_t>(fromBegin), static_cast<std::uint32_t>(end - begin),
                 static_cast<std::uint32_t>(token.type), token.modifiers});
    lastLine = token.line;
    lastBegin = begin;
  }
  return data;
}

std::string jsonOf(const TokenResults::Data &data) {
  std::string text = "[";
  text.reserve(data.size() * 3);
  char digits[16];
  for (std::uint32_t number : data) {
    text.append(digits, std::to_chars(digits, std::end(digits), number).ptr);
    text += ',';
  }
  if (data.empty())
    text += ']';
  else
    text.back() = ']';
  return text;
}

} // namespace

Json answerSemanticTokens(RequestContext &context) {
  TokenResults::Data data = encoded(context, nullptr);
  std::string result = R"({"data":)" + jsonOf(data) + R"(,"resultId":)";
  result += Json(context.server.tokenResults.keep(context.file().path, std::move(data))).dump();
  context.client.answerText(context.id, result + "}");
  throw AnsweredLater{};
}

Json answerSemanticTokensDelta(RequestContext &context) {
  const std::string previous = context.params.at("previousResultId");
  TokenResults &results = context.server.tokenResults;
  const std::string &path = context.file().path;
  const TokenResults::Data *before = results.find(path, previous);
  if (!before)
    return answerSemanticTokens(context);
  TokenResults::Data now = encoded(context, nullptr);
  TokenEdit edit = tokenEdit(*before, now);
  Json edits = Json::array();
  if (edit.removed != 0 || edit.start + edit.kept != now.size()) {
    TokenResults::Data inserted(now.begin() + static_cast<long>(edit.start),
                                now.end() - static_cast<long>(edit.kept));
    edits.push_back({{"start", edit.start}, {"deleteCount", edit.removed}, {"data", inserted}});
  }
  std::string id = results.keep(path, std::move(now));
  return {{"resultId", id}, {"edits", std::move(edits)}};
}

Json answerSemanticTokensRange(RequestContext &context) {
  TextRange range = context.positions.range(context.file().document, context.params.at("range"));
  return {{"data", encoded(context, &range)}};
}

} // namespace cufc
