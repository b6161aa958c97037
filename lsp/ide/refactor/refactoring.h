// Refactorings: changes of a program that keep what it does. Editors offer them as code actions,
// `cufls refactor` applies them to files and projects.
//
// Each is a pure function in a file of its own: from a place to edits, or to the reason why it
// cannot be right there. What it cannot see to be right it refuses. Whether the result compiles is
// looked at by those who apply it. The rows are in tables/refactorings.def.
#ifndef CUFLS_IDE_REFACTOR_REFACTORING_H
#define CUFLS_IDE_REFACTOR_REFACTORING_H

#include "ide/actions/source_view.h"
#include <fmt/format.h>

namespace cufc {

// What the user says beside the place.
struct RefactoringWish {
  std::string name;  // of what is made; empty: a free one
  std::string order; // of dummies: numbers or names, those that are missing go
  std::string add;   // a dummy: "real, intent(in) :: x = 1.0", with what callers pass
};

struct Refactored {
  std::string title;
  std::map<std::string, std::vector<TextChange>> edits; // by path; places of the texts now
  std::string refusal;                                  // why there are none
  std::map<std::string, std::string> renamed;           // files, from and to
  bool possible() const { return refusal.empty() && !edits.empty(); }
};

// NOLINTBEGIN(readability-identifier-naming): named like the rows
struct Refusal {
#define CUF_REFUSAL(name, text) static constexpr const char *name = text;
#include "tables/refactorings.def"
#undef CUF_REFUSAL
};
// NOLINTEND(readability-identifier-naming)

template <typename... Values>
std::string because(const char *text, const Values &...values) {
  return fmt::format(fmt::runtime(text), values...);
}
template <typename... Values>
Refactored refused(const char *text, const Values &...values) {
  Refactored change;
  change.refusal = because(text, values...);
  return change;
}

struct Refactoring {
  const char *word, *kind, *places, *help;
  Refactored (*make)(const ActionContext &, const RefactoringWish &);
};
const std::vector<Refactoring> &refactorings();
const Refactoring *findRefactoring(const std::string &word);

// Places of a file, in order, at which a refactoring may be possible.
std::vector<TextRange> placesFor(const Refactoring &refactoring, const ActionContext &file);

// Whether it may be possible at the place of the context.
bool mayBegin(const Refactoring &refactoring, const ActionContext &context);

// One at the place of the context, laid out in the form of the file.
Refactored refactor(const Refactoring &refactoring, const ActionContext &context,
                    const RefactoringWish &wish);

// Files with their texts, also of those that are not open, which are read from disk. Those lie
// here.
class OpenedFiles {
public:
  const SourceFile &operator()(const SourceFile &file);

private:
  std::map<std::string, std::unique_ptr<SourceFile>> read;
};

// A place of a file in the same workspace, without diagnostics.
ActionContext placeIn(const ActionContext &context, const SourceFile &file,
                      TextPosition at = {1, 1});

// A text with edits that do not overlap.
std::string changedText(const Document &document, const std::vector<TextChange> &edits);

#define CUF_REFACTORING(name, word, kind, places, help)                                            \
  Refactored make##name(const ActionContext &context, const RefactoringWish &wish);
#include "tables/refactorings.def"
#undef CUF_REFACTORING

} // namespace cufc
#endif // CUFLS_IDE_REFACTOR_REFACTORING_H
