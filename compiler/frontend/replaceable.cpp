// See replaceable.h.
#include "frontend/replaceable.h"

namespace cufc {
namespace {

// Parts of messages, and the codes of the checks that say the same better.
struct Replacement {
  std::string_view part, codes;
};
constexpr Replacement replacements[] = {
    {" may not be called in device code", "CUF0201 CUF0213 CUF0214 CUF0252 CUF0253 CUF1051"},
    {" cannot call itself", "CUF0214 CUF0253"},
    {"' cannot be present in device context", "CUF0203"},
    {"A kernel subprogram may not be RECURSIVE, PURE, or ELEMENTAL", "CUF0216"},
    {"A function may not have ATTRIBUTES(GLOBAL)", "CUF0221"},
    {" must be called with kernel launch parameters in chevrons", "CUF0214 CUF0217"},
    {"Kernel launch parameters in chevrons may not be used unless",
     "CUF0214 CUF0218 CUF0225 CUF1050"},
    {" but its associated actual argument has", "CUF0201 CUF0214 CUF0219 CUF0229"},
    {"should be passed via an explicit interface", "CUF0201 CUF0213 CUF0225 CUF1049 CUF1216"},
    {"More than one reference to a CUDA object", "CUF0222"},
    {" with ATTRIBUTES(PINNED) should also be allocatable", "CUF0227"},
    {"Device code may not contain an ENTRY statement", "CUF0266"},
    {"A device subprogram may not be an internal subprogram", "CUF0242"},
    {"may not be an internal procedure of CUDA device subprogram", "CUF0242"},
    {"may not be allocatable, pointer, or target", "CUF0240"},
    {"CUDA data attributes '", "CUF0240"},
    {"already has another CUDA data attribute", "CUF0240"},
    {"may not be in COMMON", "CUF0241"},
    {"may not be in an equivalence group", "CUF0241"},
    {"passing Hollerith or character literal as if it were BOZ", "CUF1056"},
    {"'threadidx'", "CUF0226"},
    {"'blockidx'", "CUF0226"},
    {"'blockdim'", "CUF0226"},
    {"'griddim'", "CUF0226"},
};

} // namespace

std::string_view betterCodes(const std::string &message) {
  for (const Replacement &replacement : replacements)
    if (message.find(replacement.part) != std::string::npos)
      return replacement.codes;
  return {};
}

} // namespace cufc
