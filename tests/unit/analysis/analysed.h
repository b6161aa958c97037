// Analyses of short texts for tests, and words for what is in them.
#ifndef CUFC_TESTS_UNIT_ANALYSIS_ANALYSED_H
#define CUFC_TESTS_UNIT_ANALYSIS_ANALYSED_H

#include "analysis/analysis.h"
#include <string>
#include <vector>

namespace cufc {

// The text as if it were in a file of this name; module files go to a folder that lasts as long as
// the process.
Analysis analyse(const std::string &text, const std::string &name = "test.cuf");

// The symbol with this name; the first of several. One without a name if there is none.
const SymbolInfo &symbol(const Analysis &analysis, const std::string &name);
int rowOf(const Analysis &analysis, const std::string &name);

// "3:5 declaration", "4:3 write", ... of all symbols with this name, in the order of the text.
std::vector<std::string> uses(const Analysis &analysis, const std::string &name);

// The errors: "3: message".
std::vector<std::string> errors(const Analysis &analysis);

// "kernel grid=1,1,1 block=256 shared=0" of each launch; "?" is not constant.
std::vector<std::string> launches(const Analysis &analysis);

} // namespace cufc
#endif // CUFC_TESTS_UNIT_ANALYSIS_ANALYSED_H
