// A place where something is to be completed: what the cases of completion look at.
#ifndef CUFLS_IDE_COMPLETION_SITUATION_H
#define CUFLS_IDE_COMPLETION_SITUATION_H

#include "ide/completion_items.h"

namespace cufc {

struct Situation {
  const Query &query;
  const ApiTable &api;
  const CursorContext &context;
  CompletionItems &items;

  const Token *last() const { return context.last(); }
  const OpenBracket *bracket() const {
    return context.open.empty() ? nullptr : &context.open.back();
  }
  // The word before the innermost open bracket.
  std::string bracketWord() const {
    const OpenBracket *open = bracket();
    return open && open->token > 0 ? context.tokens[open->token - 1].text : std::string();
  }
  bool lastIs(std::string_view word) const { return last() && last()->is(word); }
};

// Each gives the items of one case and true, or false if it is another case.
bool kindSuffix(Situation &at);    // "1.0_wp"
bool betweenPoints(Situation &at); // ".and.", ".true.", of which the first point is there
bool useStatement(Situation &at);
bool secondWord(Situation &at);    // of a statement: "implicit none", "else if", "select case"
bool listOfNames(Situation &at);   // that statements without expressions have: "public a, b"
bool behindDummies(Situation &at); // of the head of a procedure: "result(", "bind(c)"

} // namespace cufc
#endif // CUFLS_IDE_COMPLETION_SITUATION_H
