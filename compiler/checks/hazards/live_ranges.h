// Makes a scalar of a device procedure several variables where it is used for several things.
#ifndef CUFC_CHECKS_HAZARDS_LIVE_RANGES_H
#define CUFC_CHECKS_HAZARDS_LIVE_RANGES_H

#include "checks/hazards/model.h"

namespace cufc::hazards {

void splitLiveRanges(Model &model);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_LIVE_RANGES_H
