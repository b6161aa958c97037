// Conversion of flang's messages. Positions go through the provenance map, so that a message in an
// include file or a macro names the line the user wrote; columns are mapped back over the bytes
// that the dialect rewrite inserted.
#include "frontend/messages.h"
#include "flang/Parser/message.h"
#include <algorithm>
#include <set>
#include <tuple>

namespace cufc {
namespace {

using Fortran::parser::Message;

class Converter {
public:
  explicit Converter(const FlangProgram &program) : program(program) {}

  Diagnostic convert(const Message &message) const {
    Diagnostic result{severity(message), {}, message.ToString(), range(message), {}};
    for (const Message *related = message.attachment().get(); related;
         related = related->attachment().get()) {
      result.related.push_back({Severity::Note, {}, related->ToString(), range(*related), {}});
      if (result.related.size() == 8)
        break;
    }
    return result;
  }

private:
  static Severity severity(const Message &message) {
    if (message.IsFatal())
      return Severity::Error;
    switch (message.severity()) {
    case Fortran::parser::Severity::Because:
    case Fortran::parser::Severity::Context:
    case Fortran::parser::Severity::None:
      return Severity::Note;
    default:
      return Severity::Warning;
    }
  }

  SourceRange range(const Message &message) const {
    auto provenance = message.GetProvenanceRange(program.cooked);
    if (!provenance)
      return {};
    const Fortran::parser::AllSources &sources = program.sources;
    auto begin = sources.GetSourcePosition(provenance->start());
    if (!begin)
      return {};
    SourceRange result{std::string(*begin->path), begin->line, begin->column, begin->line,
                       begin->column + 1};
    if (provenance->size() > 1)
      if (auto end = sources.GetSourcePosition(provenance->start() + (provenance->size() - 1));
          end && *end->path == *begin->path) {
        result.endLine = end->line;
        result.endColumn = end->column + 1;
      }
    result.column = program.rewrite.originalColumn(result.line, result.column);
    result.endColumn = program.rewrite.originalColumn(result.endLine, result.endColumn);
    return result;
  }

  const FlangProgram &program;
};

auto key(const Diagnostic &d) {
  return std::tie(d.range.file, d.range.line, d.range.column, d.message);
}

} // namespace

void collectMessages(Fortran::parser::Messages &messages, const FlangProgram &program,
                     bool warnings, Diagnostics &diagnostics) {
  Converter converter(program);
  std::vector<Diagnostic> found;
  for (const Message &message : messages.messages()) {
    Diagnostic diagnostic = converter.convert(message);
    if (diagnostic.severity == Severity::Error ||
        (warnings && diagnostic.severity == Severity::Warning))
      found.push_back(std::move(diagnostic));
  }
  std::sort(found.begin(), found.end(), [](const Diagnostic &a, const Diagnostic &b) {
    return std::tie(a.range.file, a.range.line, a.range.column, a.message) <
           std::tie(b.range.file, b.range.line, b.range.column, b.message);
  });
  auto same = [](const Diagnostic &a, const Diagnostic &b) { return key(a) == key(b); };
  found.erase(std::unique(found.begin(), found.end(), same), found.end());
  for (Diagnostic &diagnostic : found)
    diagnostics.add(std::move(diagnostic));
}

} // namespace cufc
