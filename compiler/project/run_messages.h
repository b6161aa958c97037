// What a program and its build say on standard error, as diagnostics: messages of the compiler, of
// runs with -gpu=check and -Mbounds, and the errors with which Fortran's run-time library ends a
// program.
//
// A note below a message belongs to it: of a race, where the other thread is.
#ifndef CUFC_PROJECT_RUN_MESSAGES_H
#define CUFC_PROJECT_RUN_MESSAGES_H

#include "base/diagnostics.h"

namespace cufc {

class RunMessages {
public:
  // Relative paths are those of a folder.
  explicit RunMessages(std::string folder) : folder(std::move(folder)) {}

  // A line without its end; true if it is one of a message.
  bool take(const std::string &line);
  void takeText(const std::string &text); // of many lines

  // In their order, each once. A place without an extent gets that of the word there.
  std::vector<Diagnostic> diagnostics() const;

private:
  bool takePlaced(const std::string &line);
  bool takeCarets(const std::string &line);
  bool takeRuntime(const std::string &line);

  std::string folder;
  std::vector<Diagnostic> list;
  bool mayHaveCarets = false; // the last line was a message
};

} // namespace cufc
#endif // CUFC_PROJECT_RUN_MESSAGES_H
