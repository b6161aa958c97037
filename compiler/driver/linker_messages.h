// What the linker printed, as diagnostics of ours.
#ifndef CUFC_DRIVER_LINKER_MESSAGES_H
#define CUFC_DRIVER_LINKER_MESSAGES_H

#include "base/diagnostics.h"
#include <map>
#include <string>

namespace cufc {

// Reports the errors in the output of lld or GNU ld that was to link `executable`; at least one.
// `sources` names the source of each object that was compiled just now, since objects in a
// temporary folder tell a user nothing.
void reportLinkerOutput(const std::string &output, const std::string &executable,
                        const std::map<std::string, std::string> &sources,
                        Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_LINKER_MESSAGES_H
