// How the text around the cursor uses words: what was written nearby, and behind the same words, is
// likely to be written again. Works on text that no parser takes.
#ifndef CUFLS_IDE_WORD_USE_H
#define CUFLS_IDE_WORD_USE_H

#include "ide/cursor_context.h"
#include <map>

namespace cufc {

struct UsedWord {
  std::string spelling;      // of the nearest use
  double weight = 0;         // grows with each use, more with near ones
  int distance = 0;          // lines to the nearest use
  bool inUnit = false;       // used in the procedure of the cursor
  bool inDefinition = false; // a macro's name in a line #define
};

class WordUse {
public:
  // Words that begin with what is typed, without the one at the cursor. Of members ("%name") if the
  // cursor stands behind "%", of others if not.
  WordUse(const Query &query, const CursorContext &context);

  double of(const std::string &name) const; // in lower case; 0 for words that are not used
  const std::map<std::string, UsedWord> &words() const { return used; }

private:
  struct Before { // what stands before a word: two words or signs
    std::string last, other;
  };
  void readLine(std::string_view line, int number);
  void take(std::string_view word, int line, int column, const Before &before);

  const Query &query;
  const CursorContext &context;
  Before here;
  int unitBegin = 0, unitEnd = 0;
  std::map<std::string, UsedWord> used; // by lower case
};

} // namespace cufc
#endif // CUFLS_IDE_WORD_USE_H
