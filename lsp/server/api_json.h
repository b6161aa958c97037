// Reads lib/cufc/api.json.
#ifndef CUFLS_SERVER_API_JSON_H
#define CUFLS_SERVER_API_JSON_H

#include "ide/api_table.h"

namespace cufc {

// An empty table if the file is not there or damaged: then names are without documentation.
ApiTable readApiTable(const std::string &path);

} // namespace cufc
#endif // CUFLS_SERVER_API_JSON_H
