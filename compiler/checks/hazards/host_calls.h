// The routines of cudafor by what they mean for the order of work. Names in small letters.
#ifndef CUFC_CHECKS_HAZARDS_HOST_CALLS_H
#define CUFC_CHECKS_HAZARDS_HOST_CALLS_H

#include "checks/hazards/model.h"

namespace cufc::hazards {

struct RuntimeCall {
  std::string_view name;
  const std::vector<Expression> *arguments;
  const std::vector<std::string> *keywords;
  Place place;
  const Expression *argument(size_t position, std::string_view keyword) const;
};

// The routines of cudafor that a statement itself calls.
std::vector<RuntimeCall> runtimeCalls(const Statement &statement);
// Whether the statement calls, or launches, anything else that is not intrinsic.
bool callsOthers(const Statement &statement);

// Whether the host waits in it for work on the device.
bool waits(const RuntimeCall &call);
// cudaMemcpyAsync and its like.
bool isAsynchronousCopy(const RuntimeCall &call);
// The source of an asynchronous copy, which follows the pitch in those of two dimensions.
const Expression *copySource(const RuntimeCall &call);
// The stream that it names; null if it names none.
const Expression *streamOf(const RuntimeCall &call);

// Whether an assignment copies between host and device; the host waits for it.
bool isCopy(const Statement &statement);
bool isOnDevice(const Expression &expression);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_HOST_CALLS_H
