// Instructions of PTX, taken apart as far as static estimates need it.
#ifndef CUFC_OCCUPANCY_PTX_INSTRUCTION_H
#define CUFC_OCCUPANCY_PTX_INSTRUCTION_H

#include "occupancy/code_view.h"
#include <optional>

namespace cufc {

struct Instruction {
  size_t line = 0;                   // of the view
  std::string predicate;             // "%p1" of "@%p1", "!%p1", or empty
  std::string operation;             // "add.s32"
  std::vector<std::string> operands; // without blanks
};

// All instructions; labels, directives and comments are none.
std::vector<Instruction> instructionsOf(const std::vector<CodeLine> &lines);

// A decimal number that is all of the text.
std::optional<long long> wholeNumber(const std::string &text);

// How often a thread passes each line, as if no forward branch were taken: 1 outside of loops, and
// in a loop the number of its rounds. Nothing if there is a call, or a loop whose rounds are not a
// constant of the code or that can be left elsewhere than at its end.
std::optional<std::vector<double>> timesPassed(const std::vector<CodeLine> &lines);

} // namespace cufc
#endif // CUFC_OCCUPANCY_PTX_INSTRUCTION_H
