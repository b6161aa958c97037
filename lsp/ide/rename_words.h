// The words of texts, for names that have no occurrence in an analysis. Private to renaming.
#ifndef CUFLS_IDE_RENAME_WORDS_H
#define CUFLS_IDE_RENAME_WORDS_H

#include "base/source_text.h"
#include "ide/rename_sites.h"
#include "source/statements.h"
#include <algorithm>
#include <cctype>

namespace cufc {

inline bool isNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Calls visit with each statement of a file's text as it is now.
template <typename Visit>
void forEachStatementOf(const Renaming &renaming, const SourceFile &file, const Visit &visit) {
  forEachStatement(renaming.textOf(file.path).text(), file.reading.fixedForm, file.reading.columns,
                   visit);
}

// Whether a range begins in a statement.
inline bool standsAt(const Statement &statement, const TextRange &range) {
  return !statement.places.empty() && statement.places.front().line <= range.begin.line &&
         range.begin.line <= statement.places.back().line &&
         std::any_of(statement.places.begin(), statement.places.end(), [&](const auto &place) {
           return place.line == range.begin.line && place.column == range.begin.column;
         });
}

// Words of a statement outside of character constants.
template <typename Visit>
void forEachWord(const Statement &statement, const Visit &visit) {
  const std::string &text = statement.text;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote || c == '\'' || c == '"') {
      quote = !quote ? c : c == quote ? char(0) : quote;
    } else if (isNameCharacter(c)) {
      size_t end = i;
      while (end < text.size() && isNameCharacter(text[end]))
        ++end;
      const Statement::Place &begin = statement.places[i], &last = statement.places[end - 1];
      visit(lowerCase(std::string_view(text).substr(i, end - i)),
            TextRange{{begin.line, begin.column}, {last.line, last.column + 1}});
      i = end - 1;
    }
  }
}

} // namespace cufc
#endif // CUFLS_IDE_RENAME_WORDS_H
