// One list of fields for both directions.
#include "service/request.h"
#include "base/archive.h"

namespace cufc {
namespace {

template <typename Archive, typename Request>
void fields(Archive &archive, Request &r) {
  auto &f = r.front;
  archive(f.path, f.text, f.fixedForm, f.extendedLines, f.cuda, f.managed, f.preprocess,
          f.backslashEscapes, f.real8, f.warnings, f.analysis, f.includes, f.macros,
          f.moduleDirectory, f.intrinsicModules, f.scratchFile);
  auto &c = r.checks;
  archive(c.kernelArgumentBytes, c.warnings, c.hazards, r.background);
}

} // namespace

std::string toBytes(const AnalysisRequest &request) {
  ArchiveWriter writer;
  fields(writer, request);
  return std::move(writer.bytes);
}

std::optional<AnalysisRequest> requestFromBytes(std::string_view bytes) {
  AnalysisRequest request;
  ArchiveReader reader(bytes);
  fields(reader, request);
  if (!reader.finished())
    return std::nullopt;
  return request;
}

} // namespace cufc
