// The analysis of one procedure runs first and alone, since the whole file would take the processor
// from it.
#include "service/file_session.h"
#include "analysis/interface_hash.h"
#include "base/diagnostics.h"
#include "source/language_options.h"
#include <algorithm>

namespace cufc {

bool sameInterfaces(const std::vector<ModuleInterface> &a, const std::vector<ModuleInterface> &b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ModuleInterface &x, const ModuleInterface &y) {
                      return x.name == y.name && x.hash == y.hash;
                    });
}

// Whether all modules have their files, and these all declarations.
static bool hasAll(const std::vector<ModuleInterface> &interfaces) {
  return std::all_of(interfaces.begin(), interfaces.end(), [](const ModuleInterface &module) {
    return module.hash != 0 && !lacksDeclarations(module.hash);
  });
}

FileSession::FileSession(Worker &worker, AnalysisRequest request, Changed changed)
    : worker(worker), request(std::move(request)), changed(std::move(changed)) {}

FileSession::~FileSession() { stop(); }

void FileSession::stop() {
  if (wholeId != 0)
    worker.cancel(wholeId);
  if (partId != 0)
    snapshot->cancel(partId);
  wholeId = partId = 0;
}

void FileSession::update(std::string newText) {
  stop();
  text = std::move(newText);
  if (!startPart())
    startWhole();
}

void FileSession::modulesChanged() {
  stop();
  snapshot.reset();
  interfaces.clear();
  startWhole();
}

void FileSession::release() {
  if (busy())
    return;
  snapshot.reset();
  interfaces.clear();
}

bool FileSession::startPart() {
  if (!canAnswerParts())
    return false;
  const TextForm form{request.front.fixedForm, languageIn(request.front.macros).fixedColumns};
  std::optional<Part> part = changedPart(known, units, text, form);
  if (!part)
    return false;
  AnalysisRequest small = request;
  small.front.text = part->text;
  small.front.analysis = true;
  partId = snapshot->begin(
      small, [this, part = *part](const Analysis &found) { finishPart(part, found); });
  return partId != 0;
}

// The part needs the module files of this text's modules.
bool FileSession::canAnswerParts() const { return analysis && snapshot && hasAll(interfaces); }

void FileSession::startWhole() {
  AnalysisRequest all = request;
  all.background = true;
  all.front.text = text;
  wholeId = worker.begin(all, [this](Analysis found) { finishWhole(std::move(found)); });
}

void FileSession::finishPart(const Part &part, const Analysis &found) {
  partId = 0;
  if (std::optional<Analysis> result = merged(*analysis, found, part.lines)) {
    if (!found.complete)
      brokenUnit = broken && brokenUnit != part.unit ? std::nullopt : std::optional(part.unit);
    broken = !found.complete || (broken && brokenUnit != part.unit);
    result->complete = !broken;
    analysis = std::make_shared<const Analysis>(std::move(*result));
    known = text;
    int by = part.lines.newLast - part.lines.oldLast;
    for (ProgramUnit &unit : units) {
      unit.firstLine += unit.firstLine > part.lines.oldLast ? by : 0;
      unit.lastLine += unit.lastLine >= part.lines.oldLast ? by : 0;
    }
    changed(*analysis, Quality::Merged);
    if (busy()) // with a newer text
      return;
  }
  startWhole();
}

void FileSession::finishWhole(Analysis found) {
  wholeId = 0;
  analysis = std::make_shared<const Analysis>(std::move(found));
  bool asBefore = known == text && !hasAll(analysis->interfaces); // as far as others can see
  setUnits();
  if (!snapshot || snapshot->dead() ||
      (!asBefore && !sameInterfaces(analysis->interfaces, interfaces))) {
    interfaces = analysis->interfaces;
    std::vector<std::string> modules = analysis->modulesUsed;
    for (const ModuleInterface &module : interfaces)
      modules.push_back(module.name);
    snapshot = worker.snapshot(request.front, modules);
  }
  changed(*analysis, Quality::Whole);
}

// The units of the text that was analysed, and which of them is broken. An analysis of the whole
// text that follows that of a part knows that no better than the part.
void FileSession::setUnits() {
  bool merged = known == text && !units.empty();
  bool isKnown = merged && broken && brokenUnit;
  broken = !analysis->complete;
  if (!merged) {
    known = text;
    units =
        programUnits(known, request.front.fixedForm, languageIn(request.front.macros).fixedColumns);
  }
  if (isKnown)
    return;
  brokenUnit.reset();
  auto holds = [](const ProgramUnit &unit, int line) {
    return unit.kind != ProgramUnit::Kind::Module && unit.kind != ProgramUnit::Kind::Submodule &&
           line > unit.firstLine && line < unit.lastLine;
  };
  for (const Diagnostic &diagnostic : analysis->diagnostics) {
    const DiagnosticInfo *row = findDiagnostic(diagnostic.code);
    if (diagnostic.severity != Severity::Error || !row || std::string_view(row->group) != "syntax")
      continue;
    auto unit = std::find_if(units.begin(), units.end(), [&](const ProgramUnit &unit) {
      return holds(unit, diagnostic.range.line);
    });
    size_t index = static_cast<size_t>(unit - units.begin());
    if (unit == units.end() || (brokenUnit && brokenUnit != index))
      return brokenUnit.reset();
    brokenUnit = index;
  }
}

void FileSession::addDescriptors(std::vector<int> &descriptors) const {
  if (snapshot)
    snapshot->addDescriptors(descriptors);
}

void FileSession::advance() {
  if (snapshot)
    snapshot->advance();
}

} // namespace cufc
