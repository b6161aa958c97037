// Names and texts of the error codes (host/errors.def).
#include "host/functions.h"

namespace cufrt::host {

const char *errorName(Error error) {
  switch (error) {
#define CUFRT_ERROR(value, name, sentence)                                                         \
  case value:                                                                                      \
    return #name;
#include "host/errors.def"
#undef CUFRT_ERROR
  default:
    return "unrecognized error code";
  }
}

const char *errorString(Error error) {
  switch (error) {
#define CUFRT_ERROR(value, name, sentence)                                                         \
  case value:                                                                                      \
    return sentence;
#include "host/errors.def"
#undef CUFRT_ERROR
  default:
    return "unrecognized error code";
  }
}

} // namespace cufrt::host
