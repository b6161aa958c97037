// Reads lib/cufc/api.json.
#ifndef CUFLS_SERVER_API_JSON_H
#define CUFLS_SERVER_API_JSON_H

#include "ide/api_table.h"
#include <future>

namespace cufc {

// An empty table if the file is not there or damaged: then names are without documentation.
ApiTable readApiTable(const std::string &path);

// The same, read once in the process, by a thread of its own: it takes a quarter of a second, in
// which the server answers others. Worker processes that are forked meanwhile do not need it.
std::shared_future<ApiTable> apiTableOf(const std::string &path);

} // namespace cufc
#endif // CUFLS_SERVER_API_JSON_H
