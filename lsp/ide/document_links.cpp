// Files are looked for where the compiler would: beside the text, then in the folders of the
// project.
#include "ide/document_links.h"
#include "ide/included_files.h"
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
      if (auto found = includeOf(span, lexemes, query.file.path, query.file.reading, read))
        links.push_back({found->range, found->file, "Open the included file " + found->name});
      else if (first.kind == LexemeKind::Keyword && lexemes.wordOf(first) == "use")
        use(span);
    }
    return std::move(links);
  }

private:
  // The module's name is the first name that is no keyword.
  void use(const StatementSpan &span) {
    for (size_t i = span.first; i < span.end; ++i) {
      const Lexeme &lexeme = lexemes.all[i];
      if (lexeme.kind != LexemeKind::Name)
        continue;
      std::string name(lexemes.textOf(lexeme));
      const SourceFile *file = query.workspace.moduleFile(name, &query.file);
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
