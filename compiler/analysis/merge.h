// An Analysis of a file brought up to date with the analysis of one of its procedures.
#ifndef CUFC_ANALYSIS_MERGE_H
#define CUFC_ANALYSIS_MERGE_H

#include "analysis/analysis.h"

namespace cufc {

// What was analysed apart: lines `first` to `oldLast` of the old text are `first` to `newLast` of
// the new one, and hold a procedure or a main program as a whole.
struct ReplacedLines {
  std::string name;   // of the procedure, lower case
  std::string module; // that it belongs to, lower case, or empty
  int first;
  int oldLast;
  int newLast;
};

// Nothing if what others see of the procedure has changed, so that the whole file must be analysed.
// Diagnostics about several procedures stay as they were outside of the lines.
std::optional<Analysis> merged(const Analysis &whole, const Analysis &part,
                               const ReplacedLines &lines);

} // namespace cufc
#endif // CUFC_ANALYSIS_MERGE_H
