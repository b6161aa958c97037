// Whether iterations of a loop, or parts of its body, are independent of each other.
//
// Only what can be seen counts. An array that changes must have, wherever it is named, the same
// subscript "i" or "i + 2" of the loop variable at one place, so that an iteration has elements of
// its own; a scalar that changes must be set before it is read in each iteration and not be needed
// outside.
#ifndef CUFLS_IDE_REFACTOR_DEPENDENCE_H
#define CUFLS_IDE_REFACTOR_DEPENDENCE_H

#include "ide/refactor/routine_text.h"

namespace cufc {

struct DoLoop {
  size_t head = 0, end = 0; // statements; of a labelled loop the end is a part of the body
  LoopControl control;
  int variable = -1; // symbol
  bool labelled = false;
  std::string refusal; // why it is none
  size_t bodyFirst() const { return head + 1; }
  size_t bodyLast() const { return end - 1; }
};
// The loop whose first statement is on the line where the context begins.
DoLoop loopAt(const RoutineText &text);
DoLoop loopFrom(const RoutineText &text, size_t head);

// What statements use, and why they cannot be moved if so.
struct Accesses {
  std::string refusal;
  std::set<int> arrays, scalars; // variables that are named
  std::set<int> changed;         // of both
  std::map<int, std::vector<NameAt>> places;
};
Accesses accessesOf(const RoutineText &text, size_t first, size_t last);

// Whether all these places have one subscript made of the variable at one position.
bool haveOwnElements(const RoutineText &text, const std::vector<NameAt> &places,
                     const std::string &variable);

// Of scalars that change in the statements, those that are set before they are read; `carried` is
// the first one that is not.
struct PrivateScalars {
  std::vector<int> symbols;
  int carried = -1;
};
PrivateScalars privateScalars(const RoutineText &text, const Accesses &accesses, size_t first,
                              size_t last, const std::set<int> &loopVariables);

// Why two parts of a loop's body cannot change places with each other between iterations; "" if
// they can.
std::string betweenParts(const RoutineText &text, const Accesses &one, const Accesses &other,
                         const std::string &variable, const std::set<int> &privates);

// The name in lower case in bounds of a loop that statements change, or "".
std::string changedBound(const RoutineText &text, const LoopControl &control,
                         const Accesses &accesses);

} // namespace cufc
#endif // CUFLS_IDE_REFACTOR_DEPENDENCE_H
