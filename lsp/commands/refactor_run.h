// Refactorings applied to files: where they are possible, each checked by analysing what comes out.
#ifndef CUFLS_COMMANDS_REFACTOR_RUN_H
#define CUFLS_COMMANDS_REFACTOR_RUN_H

#include "commands/check_run.h"
#include "ide/refactor/refactoring.h"
#include <set>

namespace cufc {

// What became of one place.
struct RefactoredPlace {
  std::string file;
  TextPosition begin; // in the text as it was
  std::string title, refusal;
};

class RefactorRun {
public:
  // `paths` are files and folders; `whole`: other files of their folders are changed and checked
  // too.
  RefactorRun(const Refactoring &refactoring, RefactoringWish wish, Arguments flags)
      : refactoring(refactoring), wish(std::move(wish)), check(std::move(flags)) {}

  void add(const std::string &path, Diagnostics &diagnostics);

  // At one place, or at all where it is possible. False if the sources could not be analysed.
  bool run(const std::optional<TextRange> &at, Diagnostics &diagnostics);

  std::vector<RefactoredPlace> places;
  std::map<std::string, std::string> texts;   // of files that changed
  std::map<std::string, std::string> renamed; // files, from and to
  void useCache(bool wanted) { check.useCache = wanted; }

private:
  struct Pending {
    std::string file;
    TextRange range, original;
  };
  struct Ready {
    Pending place;
    Refactored change;
  };
  using Errors = std::map<std::string, std::map<std::string, int>>; // by file and what is said

  void analyse(Diagnostics &diagnostics);
  Errors errors() const;
  // The first error that is new, or "".
  std::string newError(const Errors &before) const;
  std::vector<Ready> round();
  bool apply(const std::vector<Ready> &list, Diagnostics &diagnostics);
  void accept(const std::vector<Ready> &list);
  void note(const Pending &place, const std::string &title, const std::string &refusal);

  const Refactoring &refactoring;
  const RefactoringWish wish;
  CheckRun check;
  std::vector<Diagnostic> found;
  std::set<std::string> wanted; // files whose places are changed
  std::unique_ptr<Workspace> workspace;
  std::vector<Pending> pending;
  std::string lastError;
};

} // namespace cufc
#endif // CUFLS_COMMANDS_REFACTOR_RUN_H
