// Lines that are comments unless a programming model is on: !@acc of OpenACC, and !$ of OpenMP.
#ifndef CUFC_SOURCE_CONDITIONAL_LINES_H
#define CUFC_SOURCE_CONDITIONAL_LINES_H

#include <string>

namespace cufc {

// Which of them are statements. flang's parser takes those of OpenMP itself, so they are for those
// who look at the text alone.
struct ConditionalLines {
  bool openacc = false;
  bool openmp = false;
};

// Blanks take the place of the sentinels. True if there was any.
bool openConditionalLines(std::string &text, bool fixedForm, ConditionalLines wanted);

} // namespace cufc
#endif // CUFC_SOURCE_CONDITIONAL_LINES_H
