// What build systems ask a compiler before they use it: -print-search-dirs and its like.
#ifndef CUFC_DRIVER_QUERIES_H
#define CUFC_DRIVER_QUERIES_H

#include "base/diagnostics.h"
#include "driver/installation.h"
#include <string>

namespace cufc {

// Prints the answer to a question such as "-print-file-name=libm.so". False if there is none.
bool answer(const std::string &query, const Installation &installation, Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_DRIVER_QUERIES_H
