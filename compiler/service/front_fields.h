// The fields of FrontendOptions that a request takes to a worker, listed once for writing and
// reading.
#ifndef CUFC_SERVICE_FRONT_FIELDS_H
#define CUFC_SERVICE_FRONT_FIELDS_H

#include "base/archive.h"
#include "frontend/program.h"

namespace cufc {

template <typename Archive, typename Front>
void frontFields(Archive &archive, Front &f) {
  archive(f.path, f.text, f.fixedForm, f.extendedLines, f.cuda, f.managed, f.preprocess,
          f.backslashEscapes, f.real8, f.warnings, f.analysis, f.includes, f.macros,
          f.moduleDirectory, f.intrinsicModules, f.scratchFile);
}

// A request as bytes, and back: nothing if the bytes are damaged. `fields` is the list of those of
// the request.
template <typename Request, typename Fields>
std::string requestBytes(const Request &request, Fields fields) {
  ArchiveWriter writer;
  fields(writer, request);
  return std::move(writer.bytes);
}

template <typename Request, typename Fields>
std::optional<Request> requestOf(std::string_view bytes, Fields fields) {
  Request request;
  ArchiveReader reader(bytes);
  fields(reader, request);
  if (!reader.finished())
    return std::nullopt;
  return request;
}

} // namespace cufc
#endif // CUFC_SERVICE_FRONT_FIELDS_H
