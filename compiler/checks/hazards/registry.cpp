// The list of hazards that are found on the model.
#include "checks/hazards/hazard.h"

namespace cufc::hazards {
namespace {

constexpr void (*finders[])(Hazards &) = {
    findDivergentBarriers, findOddBlockSizes,    findUnboundedIndices, findSharedRaces,
    findStridedAccess,     findBankConflicts,    findEarlyReads,       findUncheckedStatus,
    findUnpinnedCopies,    findDefaultStreamUse, findDoublePrecision,  findLeaks,
    findNeverAllocated,    findIndexFromZero,    findByteCounts,
};

} // namespace

void findHazards(Hazards &hazards) {
  for (auto *find : finders)
    find(hazards);
}

} // namespace cufc::hazards
