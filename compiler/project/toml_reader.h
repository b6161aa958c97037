// TOML 1.0 as far as manifests use it, as the values of json_reader.h with their places: tables,
// arrays of tables, dotted keys, strings, numbers, truth values. Dates are texts.
#ifndef CUFC_PROJECT_TOML_READER_H
#define CUFC_PROJECT_TOML_READER_H

#include "project/json_reader.h"

namespace cufc {

// The first mistake is reported with its place; `result` then holds what stands before it.
bool readToml(const std::string &file, std::string_view text, JsonValue &result,
              Diagnostics &diagnostics);

} // namespace cufc
#endif // CUFC_PROJECT_TOML_READER_H
