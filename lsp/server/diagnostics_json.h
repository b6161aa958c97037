// Diagnostics as the protocol has them.
#ifndef CUFLS_SERVER_DIAGNOSTICS_JSON_H
#define CUFLS_SERVER_DIAGNOSTICS_JSON_H

#include "server/protocol.h"

namespace cufc {

// `path` is the file for which it is published, `pages` the folder of the codes' explanations.
Json toJson(const Diagnostic &diagnostic, const std::string &path, const std::string &pages,
            Positions &positions);

} // namespace cufc
#endif // CUFLS_SERVER_DIAGNOSTICS_JSON_H
