// What a device procedure's expressions are for each thread: polynomials, and over what they
// differ.
//
// A variable with one definition stands for it; one that counts up from its first value, like a DO
// variable, for that value and an unknown number of steps, which is the same for all threads. Other
// variables are unknowns that differ as their definitions do, and as the conditions these stand
// under. Definitions are not followed along the control flow: two equal polynomials may have
// different values at different places, which makes the hazards silent rather than wrong.
#ifndef CUFC_CHECKS_HAZARDS_THREAD_VALUES_H
#define CUFC_CHECKS_HAZARDS_THREAD_VALUES_H

#include "checks/hazards/model.h"
#include "checks/hazards/polynomial.h"

namespace cufc::hazards {

// What the procedures of the file are to their callers.
struct Summary {
  std::vector<Dependence> dummies; // over all calls in the file
  Dependence result;               // without that of the arguments
};
using Summaries = std::map<std::string, Summary, std::less<>>;

class ThreadValues {
public:
  ThreadValues(const Procedure &procedure, const Summaries &summaries);

  Polynomial of(const Expression &expression);
  Dependence dependence(const Expression &expression) { return dependence(of(expression)); }
  Dependence dependence(const Polynomial &polynomial) const;
  Dependence dependence(const Variable &variable);
  std::string text(const Polynomial &polynomial) const;
  const std::string &text(Atom atom) const { return atoms[atom].text; }

  // threadidx%x and the like; `axis` is 0, 1 or 2.
  Atom thread(int axis) { return builtin("threadidx", axis); }
  Atom block(int axis) { return builtin("blockidx", axis); }
  Atom blockSize(int axis) { return builtin("blockdim", axis); }

private:
  struct Known {
    std::string text;
    Dependence dependence;
  };
  struct Definition {
    const Expression *value;                    // null if not known
    std::vector<const Expression *> operands;   // what an unknown one depends on
    std::vector<const Expression *> conditions; // that it stands under
    bool loop = false;                          // `value` is where a DO variable starts
  };
  struct Definitions {
    std::vector<Definition> list;
    bool open = false; // being evaluated
    std::optional<Polynomial> value;
    std::optional<Dependence> dependence;
  };

  void collect(const Block &block, std::vector<const Expression *> &conditions);
  void define(const Statement &statement, const std::vector<const Expression *> &conditions);
  Atom atom(std::string text, Dependence dependence);
  Atom builtin(const char *name, int axis);
  Polynomial variable(const Variable &variable);
  Polynomial computed(const Variable &variable, Definitions &definitions);
  Polynomial operation(const Expression &expression);
  Polynomial opaque(const Expression &expression);
  Dependence ofCall(const Expression &call) const;
  const Expression *increment(const Expression &value, const Variable &variable) const;

  const Procedure &procedure;
  const Summaries &summaries;
  std::vector<Known> atoms;
  std::map<std::string, Atom, std::less<>> atomNumbers;
  std::map<const Variable *, Definitions> definitions;
  int depth = 0;
};

// Of all procedures of the file; follows calls until nothing changes.
Summaries summarise(const Model &model);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_THREAD_VALUES_H
