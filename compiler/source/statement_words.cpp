// See statement_words.h.
#include "source/statement_words.h"
#include <unordered_map>

namespace cufc {
namespace {

using namespace word_role;

#define CUF_PHRASE(WORDS, ROLES)
constexpr StatementWord words[] = {
#define CUF_KEYWORD(WORD, FORM, ROLES) {WORD, WordForm::FORM, ROLES},
#include "tables/keywords.def"
};
#undef CUF_KEYWORD
#undef CUF_PHRASE

#define CUF_KEYWORD(WORD, FORM, ROLES)
constexpr StatementWord phrases[] = {
#define CUF_PHRASE(WORDS, ROLES) {WORDS, WordForm::None, ROLES},
#include "tables/keywords.def"
};
#undef CUF_KEYWORD
#undef CUF_PHRASE

} // namespace

const StatementWord *statementWord(std::string_view word) {
  static const std::unordered_map<std::string_view, const StatementWord *> table = [] {
    std::unordered_map<std::string_view, const StatementWord *> rows;
    for (const StatementWord &row : words)
      rows[row.word] = &row;
    return rows;
  }();
  auto found = table.find(word);
  return found == table.end() ? nullptr : found->second;
}

bool beginsStatement(std::string_view word) {
  const StatementWord *row = statementWord(word);
  return row && row->form != WordForm::None;
}

bool hasRole(std::string_view word, unsigned any) {
  const StatementWord *row = statementWord(word);
  return row && (row->roles & any);
}

std::vector<std::string_view> wordsWith(unsigned any) {
  std::vector<std::string_view> result;
  for (const StatementWord &row : words)
    if (row.roles & any)
      result.push_back(row.word);
  for (const StatementWord &row : phrases)
    if (row.roles & any)
      result.push_back(row.word);
  return result;
}

} // namespace cufc
