// Code that the preprocessor leaves out, as words: what such code names has a use in another build.
#ifndef CUFC_FRONTEND_LEFT_OUT_CODE_H
#define CUFC_FRONTEND_LEFT_OUT_CODE_H

#include "frontend/flang_program.h"
#include <map>
#include <set>

namespace cufc {

class LeftOutCode {
public:
  explicit LeftOutCode(const FlangProgram &program) : program(program) {}

  // The words of lines left out between the first and the last line of a procedure or main program,
  // in lower case and without components.
  std::set<std::string> wordsIn(const Fortran::semantics::Scope &scope);
  bool names(const Fortran::semantics::Scope &scope, const std::string &word) {
    return wordsIn(scope).count(word) != 0;
  }

private:
  using Words = std::multimap<int, std::string>; // by line

  const Words &wordsOf(const std::string &path);
  void findLines();

  const FlangProgram &program;
  bool looked = false;
  std::map<std::string, std::set<int>> linesRead; // that flang has got something of, by file
  std::map<std::string, Words> files;
};

} // namespace cufc
#endif // CUFC_FRONTEND_LEFT_OUT_CODE_H
