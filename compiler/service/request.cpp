// One list of fields for both directions.
#include "service/request.h"
#include "service/front_fields.h"

namespace cufc {
namespace {

constexpr auto fields = [](auto &archive, auto &r) {
  frontFields(archive, r.front);
  auto &c = r.checks;
  archive(c.kernelArgumentBytes, c.warnings, c.hazards, r.background);
};

} // namespace

std::string toBytes(const AnalysisRequest &request) { return requestBytes(request, fields); }

std::optional<AnalysisRequest> requestFromBytes(std::string_view bytes) {
  return requestOf<AnalysisRequest>(bytes, fields);
}

} // namespace cufc
