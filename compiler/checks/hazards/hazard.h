// What each hazard gets: the model, what is known of its procedures, and how to report. Free of
// flang's types.
#ifndef CUFC_CHECKS_HAZARDS_HAZARD_H
#define CUFC_CHECKS_HAZARDS_HAZARD_H

#include "base/hazard.h"
#include "checks/hazards/accesses.h"
#include "checks/hazards/launches.h"
#include "checks/hazards/model.h"
#include "checks/hazards/thread_values.h"
#include <functional>

namespace cufc::hazards {

// Where a place is in the source as written.
using RangeOf = std::function<SourceRange(Place)>;

class Hazards {
public:
  Hazards(const Model &model, RangeOf rangeOf, std::string path, Diagnostics &diagnostics)
      : model(model), summaries(summarise(model)), launches(model), rangeOf(std::move(rangeOf)),
        path(std::move(path)), diagnostics(diagnostics) {}

  // The reference is good until the next report. What is in an included file is not reported, and
  // the reference is to nothing.
  template <typename... Arguments>
  Diagnostic &report(DiagnosticId<Arguments...> id, Place place,
                     const typename AsIs<Arguments>::type &...arguments) {
    SourceRange range = place.empty() ? SourceRange{} : rangeOf(place);
    Diagnostics &collector = range.file == path ? diagnostics : dropped;
    return collector.report(id, range, arguments...);
  }

  // Adds a place that belongs to a report.
  template <typename... Arguments>
  void relate(Diagnostic &diagnostic, DiagnosticId<Arguments...> id, Place place,
              const typename AsIs<Arguments>::type &...arguments) {
    SourceRange range = place.empty() ? SourceRange{} : rangeOf(place);
    if (range.file != path) // such as a module file
      return;
    Diagnostics notes;
    Diagnostic note = notes.report(id, range, arguments...);
    note.code.clear();
    diagnostic.related.push_back(std::move(note));
  }

  // A fix of one edit.
  void replace(Diagnostic &diagnostic, std::string title, Place place, std::string text) {
    diagnostic.fixes.push_back({std::move(title), {{rangeOf(place), std::move(text)}}});
  }
  void insertBefore(Diagnostic &diagnostic, std::string title, Place place, std::string text) {
    SourceRange range = rangeOf(place);
    range.endLine = range.line;
    range.endColumn = range.column;
    diagnostic.fixes.push_back({std::move(title), {{range, std::move(text)}}});
  }
  void insertAfter(Diagnostic &diagnostic, std::string title, Place place, std::string text) {
    SourceRange range = rangeOf(place);
    range.line = range.endLine;
    range.column = range.endColumn;
    diagnostic.fixes.push_back({std::move(title), {{range, std::move(text)}}});
  }
  // A line of its own over the statement, with the same indentation.
  void insertLineBefore(Diagnostic &diagnostic, std::string title, Place statement,
                        const std::string &text) {
    insertBefore(diagnostic, std::move(title), statement,
                 text + "\n" + indentation(rangeOf(statement)));
  }
  // A line of its own under the statement, with the same indentation.
  void insertLineAfter(Diagnostic &diagnostic, std::string title, Place statement,
                       const std::string &text) {
    insertAfter(diagnostic, std::move(title), statement,
                "\n" + indentation(rangeOf(statement)) + text);
  }

  // What the hazards share of a device procedure, made when it is first asked for.
  ThreadValues &valuesOf(const Procedure &procedure) { return known(procedure).values; }
  const std::vector<Access> &accessesOf(const Procedure &procedure) {
    Known &found = known(procedure);
    if (!found.accesses)
      found.accesses = parallelAccesses(procedure, found.values);
    return *found.accesses;
  }

  const Model &model;
  const Summaries summaries;
  const Launches launches;

private:
  struct Known {
    ThreadValues values;
    std::optional<std::vector<Access>> accesses;
  };
  Known &known(const Procedure &procedure) {
    auto [found, isNew] = procedures.try_emplace(&procedure);
    if (isNew)
      found->second.reset(new Known{{procedure, summaries}, {}});
    return *found->second;
  }

  static std::string indentation(const SourceRange &range) {
    return std::string(static_cast<size_t>(range.column > 1 ? range.column - 1 : 0), ' ');
  }

  RangeOf rangeOf;
  std::string path;
  Diagnostics &diagnostics;
  Diagnostics dropped;
  std::map<const Procedure *, std::unique_ptr<Known>> procedures;
};

// Each in a file of its name.
void findDivergentBarriers(Hazards &hazards);
void findOddBlockSizes(Hazards &hazards);
void findUnboundedIndices(Hazards &hazards);
void findSharedRaces(Hazards &hazards);
void findStridedAccess(Hazards &hazards);
void findBankConflicts(Hazards &hazards);
void findEarlyReads(Hazards &hazards);
void findUncheckedStatus(Hazards &hazards);
void findUnpinnedCopies(Hazards &hazards);
void findDefaultStreamUse(Hazards &hazards);
void findDoublePrecision(Hazards &hazards);
void findLeaks(Hazards &hazards);
void findNeverAllocated(Hazards &hazards);
void findIndexFromZero(Hazards &hazards);
void findByteCounts(Hazards &hazards);

// All of them.
void findHazards(Hazards &hazards);

} // namespace cufc::hazards
#endif // CUFC_CHECKS_HAZARDS_HAZARD_H
