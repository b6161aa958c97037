// Files are looked for where the compiler would: beside the text, then in the folders of the
// project.
#include "ide/document_links.h"
#include "ide/keywords.h"

namespace cufc {
namespace {

class Linker {
public:
  Linker(const Query &query, const ReadText &read)
      : query(query), read(read), lexemes(lexemesOf(query.document(), query.file.reading)) {}

  std::vector<DocumentLink> all() {
    for (const StatementSpan &span : lexemes.statements) {
      const Lexeme &first = lexemes.all[span.first];
      if (span.kind == StatementSpan::Preprocessor) {
        if (span.end > span.first + 1 && lexemes.wordOf(first).ends_with("include"))
          include(lexemes.all[span.first + 1]);
      } else if (first.kind == LexemeKind::Keyword) {
        if (lexemes.wordOf(first) == "include" && span.end > span.first + 1)
          include(lexemes.all[span.first + 1]);
        else if (lexemes.wordOf(first) == "use")
          use(span);
      }
    }
    return std::move(links);
  }

private:
  void include(const Lexeme &name) {
    std::string_view text = lexemes.textOf(name);
    if (name.kind != LexemeKind::String || text.size() < 3)
      return;
    text = text.substr(1, text.size() - 2);
    std::string file = includedFile(std::string(text), query.file.path, query.file.reading, read);
    if (file.empty())
      return;
    TextRange range = name.range();
    ++range.begin.column;
    --range.end.column;
    links.push_back({range, file, "Open the included file " + std::string(text)});
  }

  // The module's name is the first name that is no keyword.
  void use(const StatementSpan &span) {
    for (size_t i = span.first; i < span.end; ++i) {
      const Lexeme &lexeme = lexemes.all[i];
      if (lexeme.kind != LexemeKind::Name)
        continue;
      std::string name(lexemes.textOf(lexeme));
      const SourceFile *file = query.workspace.moduleFile(name);
      if (file && file != &query.file)
        links.push_back({lexeme.range(), file->path, "Open the source of module " + name});
      return;
    }
  }

  const Query &query;
  const ReadText &read;
  Lexemes lexemes;
  std::vector<DocumentLink> links;
};

} // namespace

std::vector<DocumentLink> documentLinks(const Query &query, const ReadText &read) {
  return Linker(query, read).all();
}

} // namespace cufc
