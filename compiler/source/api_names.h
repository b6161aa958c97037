// The names that come with the compiler: of its modules, of Fortran's intrinsic procedures, and the
// words of CUDA Fortran. Generated of the tables, so that messages spell them as documentation
// does.
#ifndef CUFC_SOURCE_API_NAMES_H
#define CUFC_SOURCE_API_NAMES_H

#include <string_view>

namespace cufc {

struct ApiName {
  std::string_view name;   // "cudaDeviceSynchronize"
  std::string_view module; // "cudafor"; "intrinsic"; empty for words
  std::string_view kind;   // "function", "subroutine" or empty
};

// In any case of letters; null if there is none.
const ApiName *findApiName(std::string_view name);

// The nearest procedure that device code can call, or null.
const ApiName *nearestDeviceProcedure(std::string_view name);

} // namespace cufc
#endif // CUFC_SOURCE_API_NAMES_H
