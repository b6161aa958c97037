// Error codes: the last one of each host thread, and their texts.
//
// Arguments that an entry point refuses never reach the device, whose own record of the last error
// is therefore complemented by one of ours. The newer of the two is not known; the device's wins.
#include "cudafor/arguments.h"
#include "cudafor/entries.h"

#include <algorithm>
#include <cstring>

namespace cufrt::cudafor {
namespace {

thread_local Error refused = success;

TextResult blankPadded(char *result, size_t length, const char *text) {
  size_t used = std::min(length, std::strlen(text));
  std::memcpy(result, text, used);
  std::memset(result + used, ' ', length - used);
  return {result, length};
}

} // namespace

Error refuse(Error error) {
  refused = error;
  return error;
}

} // namespace cufrt::cudafor

using namespace cufrt::cudafor;

extern "C" {

int cufrt_f_cudaGetLastError() {
  cufrt::Error ours = refused, devices = cufrt::api().cudaGetLastError();
  refused = cufrt::success;
  return devices != cufrt::success ? devices : ours;
}

int cufrt_f_cudaPeekAtLastError() {
  cufrt::Error devices = cufrt::api().cudaPeekAtLastError();
  return devices != cufrt::success ? devices : refused;
}

cufrt::TextResult cufrt_f_cudageterrorstring_(char *result, size_t length, int errcode) {
  return blankPadded(result, length, cufrt::api().errorString(errcode));
}

cufrt::TextResult cufrt_f_cudageterrorname_(char *result, size_t length, int errcode) {
  return blankPadded(result, length, cufrt::api().errorName(errcode));
}
}
