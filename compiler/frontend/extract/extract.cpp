// See extract.h.
#include "frontend/extract/extract.h"
#include "flang/Semantics/semantics.h"
#include "frontend/extract/extract_parts.h"
#include <algorithm>
#include <tuple>

namespace cufc {
namespace {

// By place; what is there twice, such as in a macro's expansion, once.
void sortOccurrences(std::vector<Occurrence> &occurrences) {
  auto key = [](const Occurrence &x) {
    return std::tie(x.place.file, x.place.line, x.place.column, x.symbol, x.role);
  };
  std::sort(occurrences.begin(), occurrences.end(),
            [&](const Occurrence &a, const Occurrence &b) { return key(a) < key(b); });
  occurrences.erase(
      std::unique(occurrences.begin(), occurrences.end(),
                  [&](const Occurrence &a, const Occurrence &b) { return key(a) == key(b); }),
      occurrences.end());
}

// Outer ones first.
void sortStatements(std::vector<Place> &statements) {
  auto key = [](const Place &x) {
    return std::make_tuple(x.line, x.column, -x.endLine, -x.endColumn);
  };
  std::sort(statements.begin(), statements.end(),
            [&](const Place &a, const Place &b) { return key(a) < key(b); });
  statements.erase(std::unique(statements.begin(), statements.end()), statements.end());
}

} // namespace

void extractAnalysis(Program &program, Analysis &analysis) {
  FlangProgram &flang = program.flang();
  analysis.complete = program.complete() && flang.context;
  if (!flang.parsing || !flang.parsing->parseTree() || !flang.context) {
    analysis.files = {program.options().path};
    return;
  }
  SourcePlaces places(flang, program.options().path, analysis.files);
  SymbolTable symbols(flang, places, analysis);
  Extraction extraction{flang, places, symbols, analysis};
  symbols.addScopes();
  extractOccurrences(extraction);
  extractLabels(extraction);
  sortOccurrences(analysis.occurrences);
  extractStructure(extraction);
  sortStatements(analysis.statements);
  extractLaunches(extraction);
  extractModules(extraction, program);
}

} // namespace cufc
