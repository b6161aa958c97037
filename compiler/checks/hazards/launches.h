// The launches of a file: which kernel with which configuration, as far as constants tell.
#ifndef CUFC_CHECKS_HAZARDS_LAUNCHES_H
#define CUFC_CHECKS_HAZARDS_LAUNCHES_H

#include "checks/hazards/model.h"
#include <array>

namespace cufc::hazards {

using Extents = std::array<std::optional<long long>, 3>; // none: not constant

struct Launch {
  const Procedure *host = nullptr;
  const Statement *statement = nullptr;
  Extents grid, block;
  // The expressions that the grid's extents come from; null if not known.
  std::array<const Expression *, 3> gridExpressions{};
};

class Launches {
public:
  explicit Launches(const Model &model);
  const std::vector<Launch> &all() const { return list; }
  std::vector<const Launch *> of(const Procedure &kernel) const;
  // The extents of its blocks where all launches in the file agree, and there is one.
  Extents blockOf(const Procedure &kernel) const;

private:
  std::vector<Launch> list;
};

// Follows names with a single assignment to the expression that was assigned. Null for a name that
// is not known so.
const Expression *assignedOnce(const Procedure &procedure, const Expression &expression);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_LAUNCHES_H
