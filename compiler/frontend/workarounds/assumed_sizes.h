// Shared arrays of assumed size with several dimensions, which flang refuses: s(8, *). The asterisk
// becomes an extent that no array has, by which lowering and the checks know them again.
#ifndef CUFC_FRONTEND_ASSUMED_SIZES_H
#define CUFC_FRONTEND_ASSUMED_SIZES_H

#include <cstdint>

namespace cufc {

inline constexpr int64_t assumedExtent = 1048573;

} // namespace cufc
#endif // CUFC_FRONTEND_ASSUMED_SIZES_H
