// Edits of a text in fixed form. Actions make them as for free form; the lines that come out of
// them are laid out here.
#ifndef CUFLS_IDE_ACTIONS_FIXED_FORM_H
#define CUFLS_IDE_ACTIONS_FIXED_FORM_H

#include "ide/actions/action.h"

namespace cufc {

// Statements move behind column 6, directives to column 1, and what goes beyond the last column is
// continued. False if that cannot be done without changing what is ignored today, such as numbers
// behind the last column of a line that changes. `edits` are then as they were.
bool layOutInFixedForm(const ActionContext &context, std::vector<TextChange> &edits);

bool isFixedComment(std::string_view line);
bool isFixedContinuation(std::string_view line);
// Whether a line of these has a statement label, in the form of the file.
bool anyLabel(const ActionContext &context, int first, int last);

} // namespace cufc
#endif // CUFLS_IDE_ACTIONS_FIXED_FORM_H
