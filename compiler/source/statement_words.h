// The words of Fortran's statements (tables/keywords.def): how a statement goes on that begins with
// one, and what else it can be in a statement. Words are in lower case.
#ifndef CUFC_SOURCE_STATEMENT_WORDS_H
#define CUFC_SOURCE_STATEMENT_WORDS_H

#include <string_view>
#include <vector>

namespace cufc {

enum class WordForm : unsigned char {
  None,        // no statement begins with it
  Alone,       // nothing else in the statement is a keyword
  Words,       // words that belong to it may follow: "end do", "select case"
  Attributes,  // attributes up to "::", perhaps a procedure
  Specifiers,  // names before "=" in its parentheses: "open (unit=10)"
  Conditional, // parentheses, then a statement, or THEN
  Use,
};

namespace word_role {
enum : unsigned {
  NoRole = 0,
  Type = 1U << 0,     // begins the type of a declaration or function
  Prefix = 1U << 1,   // stands before SUBROUTINE and FUNCTION beside the type
  Memory = 1U << 2,   // CUDA's attributes of data
  Data = 1U << 3,     // Fortran's attributes of data
  Part = 1U << 4,     // attributes of types and of what is in them
  Declares = 1U << 5, // begins a statement of the specification part
  Closes = 1U << 6,   // stands behind END
  Follows = 1U << 7,  // stands behind another word of its statement
  Usual = 1U << 8,    // completion offers it first where a statement begins
  Offered = 1U << 9,  // completion offers it there
  Meant = 1U << 10,   // common enough to be what a misspelt first word means
};
} // namespace word_role

struct StatementWord {
  std::string_view word;
  WordForm form;
  unsigned roles;
};

// Null for other names.
const StatementWord *statementWord(std::string_view word);

bool beginsStatement(std::string_view word);
bool hasRole(std::string_view word, unsigned any);

// Whether it can stand before SUBROUTINE or FUNCTION: a prefix, or of the result's type.
inline bool isBeforeProcedure(std::string_view word) {
  return hasRole(word, word_role::Type | word_role::Prefix);
}

// The words, and behind them the phrases, with one of these roles, in the order of the alphabet.
std::vector<std::string_view> wordsWith(unsigned any);

} // namespace cufc
#endif // CUFC_SOURCE_STATEMENT_WORDS_H
