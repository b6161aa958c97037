// The fields of an Analysis, listed once for writing and reading. `archive(a, b, ...)` takes them
// in order; a new field of analysis.h is a word here and a new version in serialise.cpp.
#ifndef CUFC_ANALYSIS_FIELDS_H
#define CUFC_ANALYSIS_FIELDS_H

#include "analysis/analysis.h"

namespace cufc {

template <typename Archive>
void fields(Archive &archive, SourceRange &x) {
  archive(x.file, x.line, x.column, x.endLine, x.endColumn);
}
template <typename Archive>
void fields(Archive &archive, TextEdit &x) {
  archive(x.range, x.text);
}
template <typename Archive>
void fields(Archive &archive, Fix &x) {
  archive(x.title, x.edits);
}
template <typename Archive>
void fields(Archive &archive, Diagnostic &x) {
  archive(x.severity, x.code, x.message, x.range, x.related, x.fixes, x.tag);
}
template <typename Archive>
void fields(Archive &archive, SymbolInfo &x) {
  archive(x.name, x.kind, x.scope, x.ownScope, x.declared, x.definition, x.type, x.attributes,
          x.shape, x.value, x.dataAttributes, x.procedureAttributes, x.dummies, x.result,
          x.typeSymbol, x.specifics, x.dummyOf, x.moduleInterface, x.documentation, x.module,
          x.owner, x.exported, x.implicit, x.intrinsic);
}
template <typename Archive>
void fields(Archive &archive, Occurrence &x) {
  archive(x.place, x.symbol, x.role);
}
template <typename Archive>
void fields(Archive &archive, UseInfo &x) {
  archive(x.module, x.place, x.only, x.names);
}
template <typename Archive>
void fields(Archive &archive, ScopeInfo &x) {
  archive(x.kind, x.parent, x.symbol, x.place, x.symbols, x.uses, x.implicitNone, x.device);
}
template <typename Archive>
void fields(Archive &archive, LaunchExtent &x) {
  archive(x.text, x.extents);
}
template <typename Archive>
void fields(Archive &archive, KernelInfo &x) {
  archive(x.symbol, x.place, x.maxThreads, x.minBlocks, x.cluster, x.sharedBytes, x.dynamicShared,
          x.grid);
}
template <typename Archive>
void fields(Archive &archive, LaunchInfo &x) {
  archive(x.kernel, x.place, x.grid, x.block, x.shared, x.stream, x.sharedBytes, x.loops);
}
template <typename Archive>
void fields(Archive &archive, FoldingRange &x) {
  archive(x.line, x.endLine, x.comment);
}
template <typename Archive>
void fields(Archive &archive, ModuleInterface &x) {
  archive(x.name, x.hash);
}
template <typename Archive>
void fields(Archive &archive, Analysis &x) {
  archive(x.files, x.diagnostics, x.symbols, x.occurrences, x.scopes, x.kernels, x.launches,
          x.folds, x.statements, x.interfaces, x.modulesUsed, x.complete);
}

} // namespace cufc
#endif // CUFC_ANALYSIS_FIELDS_H
