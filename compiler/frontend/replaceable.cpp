// See replaceable.h.
#include "frontend/replaceable.h"
#include "base/flang_phrases.h"

namespace cufc {
namespace {

struct Replacement {
  Phrase phrase;
  std::string_view codes; // of the checks that say the same better
};
constexpr Replacement replacements[] = {
    {Phrase::NotCallable, "CUF0201 CUF0213 CUF0214 CUF0252 CUF0253 CUF1051"},
    {Phrase::CallsItself, "CUF0214 CUF0253"},
    {Phrase::LaunchInDevice, "CUF0214"},
    {Phrase::HostDataOnDevice, "CUF0203"},
    {Phrase::KernelPrefix, "CUF0216"},
    {Phrase::KernelFunction, "CUF0221"},
    {Phrase::ChevronsMissing, "CUF0214 CUF0217"},
    {Phrase::ChevronsForNoKernel, "CUF0214 CUF0218 CUF0225 CUF1050"},
    {Phrase::ArgumentAttribute, "CUF0201 CUF0214 CUF0219 CUF0229"},
    {Phrase::ImplicitInterface, "CUF0201 CUF0213 CUF0225 CUF1049 CUF1216"},
    {Phrase::SeveralObjects, "CUF0222"},
    {Phrase::PinnedData, "CUF0227"},
    {Phrase::DeviceEntry, "CUF0266"},
    {Phrase::InternalDeviceProcedure, "CUF0242"},
    {Phrase::InternalOfDevice, "CUF0242"},
    {Phrase::AttributeAndPointer, "CUF0240"},
    {Phrase::DataAttributes, "CUF0240"},
    {Phrase::OtherDataAttribute, "CUF0240"},
    {Phrase::InCommon, "CUF0241"},
    {Phrase::InEquivalence, "CUF0241"},
    {Phrase::LetterAsNumber, "CUF1056"},
    {Phrase::NamesThreadIdx, "CUF0226"},
    {Phrase::NamesBlockIdx, "CUF0226"},
    {Phrase::NamesBlockDim, "CUF0226"},
    {Phrase::NamesGridDim, "CUF0226"},
};

} // namespace

std::string_view betterCodes(const std::string &message) {
  for (const Replacement &replacement : replacements)
    if (isPhrase(message, replacement.phrase))
      return replacement.codes;
  return {};
}

} // namespace cufc
