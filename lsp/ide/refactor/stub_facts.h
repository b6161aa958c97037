// What the users of a module say of its names: procedures with their arguments, types with their
// components, kinds, constants, variables. From the text, since nothing is known of the names.
#ifndef CUFLS_IDE_REFACTOR_STUB_FACTS_H
#define CUFLS_IDE_REFACTOR_STUB_FACTS_H

#include "ide/refactor/refactoring.h"

namespace cufc {

struct StubArgument {
  std::string keyword; // or empty
  std::string type;    // of a procedure's dummy: "external"; of device data; or empty
  std::string name;    // in lower case, if it is one alone
};

struct StubName {
  enum Kind { Unknown, Variable, Constant, KindNumber, Function, Subroutine, Type };
  std::string spelling;
  Kind kind = Unknown;
  std::string type; // of a value or result, as a declaration has it; empty if nothing says it
  size_t rank = 0;
  bool realKind = false, integerKind = false;
  std::vector<std::vector<StubArgument>> calls;
};

struct StubFacts {
  std::vector<std::string> order;        // names in lower case, as they are met
  std::map<std::string, StubName> names; // by name in lower case
  std::map<std::string, std::vector<std::string>> componentOrder; // by type
  std::map<std::string, std::map<std::string, StubName>> components;
  std::string unclear; // a use that no stub can serve, as it is written; or empty
};

// Of a module, in lower case, from all files of the project of the context.
StubFacts stubFacts(const ActionContext &context, const std::string &module);

// What Fortran takes a name for that nothing declares.
std::string typeByLetter(const std::string &name);

} // namespace cufc
#endif // CUFLS_IDE_REFACTOR_STUB_FACTS_H
