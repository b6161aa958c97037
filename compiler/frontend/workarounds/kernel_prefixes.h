// Values of the prefixes launch_bounds and cluster_dims. Private to frontend/.
#ifndef CUFC_FRONTEND_KERNEL_PREFIXES_H
#define CUFC_FRONTEND_KERNEL_PREFIXES_H

#include "base/diagnostics.h"
#include "frontend/flang_program.h"
#include <cstdint>
#include <list>

namespace cufc {

// Lives as long as the parse trees of all attempts to analyse a source.
class KernelPrefixes {
public:
  // Between parsing and analysis. False after an error.
  bool prepare(FlangProgram &program, Diagnostics &diagnostics);

  // After an analysis without errors: whether values with names are known now, so that another
  // analysis, after `prepare`, has them.
  bool evaluate(const FlangProgram &program, Diagnostics &diagnostics);

  // For an analysis of a source with the same prefixes.
  void takeValues(const KernelPrefixes &other) { known = other.known; }

  using Values = std::list<Fortran::parser::ScalarIntConstantExpr>;

private:
  void prepare(std::list<Fortran::parser::PrefixSpec> &prefix, const Fortran::parser::Name &name);
  bool prepare(const char *prefix, Values &values, const Fortran::parser::Name &name);
  bool checkValues(const char *prefix, const Values &values,
                   const std::vector<std::int64_t> &numbers);
  bool twice(const char *prefix, const Values &values); // false
  void reportValues(const char *prefix, const Values &values);

  struct TakenOut {
    const char *prefix;
    Values values;
    const Fortran::parser::Name *procedure;
  };
  std::vector<TakenOut> takenOut;
  std::vector<std::vector<std::int64_t>> known; // in the order of the source
  size_t withNames = 0;                         // prefixes seen by `prepare`
  std::list<std::string> digits;                // that parse trees refer to
  const FlangProgram *program = nullptr;
  Diagnostics *diagnostics = nullptr;
};

} // namespace cufc
#endif // CUFC_FRONTEND_KERNEL_PREFIXES_H
